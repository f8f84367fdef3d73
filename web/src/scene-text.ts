// The text of a scene with other values in it. All else stays as it was written, to the last character.

/** Where the value is that a path leads to in a text of JSON, as its first and the end after its last character. */
export function placeIn(text: string, path: string[]): [number, number] | null {
  let at = 0;
  const space = () => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };
  const string = (): string => {
    const start = at;
    for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  };
  let found: [number, number] | null = null;
  const value = (depth: number, wanted: boolean): void => {
    space();
    const start = at;
    if (text[at] === '"') string();
    else if (text[at] === '{' || text[at] === '[') {
      const keyed = text[at] === '{';
      for (at += 1, space(); text[at] !== '}' && text[at] !== ']'; space()) {
        let its = false;
        if (keyed) {
          its = wanted && string() === path[depth];
          if (!wanted) string();
          space();
          at += 1; // The colon.
        }
        value(depth + 1, its);
        space();
        if (text[at] === ',') at += 1;
      }
      at += 1;
    } else while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at += 1;
    if (wanted && depth === path.length) found = [start, at];
  };
  // What is no JSON has no places.
  JSON.parse(text);
  value(0, true);
  return found;
}

/** Puts entries at the end of the object or array that a path leads to in a text of JSON. */
export function appendIn(text: string, path: string[], entries: string): string {
  const place = placeIn(text, path);
  if (!place) return text;
  const inside = text.slice(place[0] + 1, place[1] - 1);
  const kept = inside.trimEnd();
  return `${text.slice(0, place[0] + 1)}${kept}${kept.trim() === '' ? '' : ','}\n${entries}\n${text.slice(place[1] - 1)}`;
}

/** The text of a JSON scene with another value where a path leads; where nothing is there, it is put in. */
function withJson(text: string, path: string[], written: string): string {
  const place = placeIn(text, path);
  if (place) return text.slice(0, place[0]) + written + text.slice(place[1]);
  const [key, ...rest] = [...path].reverse();
  const parent = rest.reverse();
  if (placeIn(text, parent)) return appendIn(text, parent, `  ${JSON.stringify(key)}: ${written}`);
  return withJson(text, parent, `{ ${JSON.stringify(key)}: ${written} }`);
}

/** The same of a TOML scene, for a key at its top. */
function withToml(text: string, key: string, written: string): string {
  const header = /^\s*\[/m.exec(text);
  const top = header ? text.slice(0, header.index) : text;
  const line = new RegExp(`^(\\s*${key}\\s*=\\s*)[^#\\n]*`, 'm');
  if (line.test(top)) return top.replace(line, `$1${written} `) + text.slice(top.length);
  return `${key} = ${written}\n${text}`;
}

export function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

/** The text with another method. */
export function withMethod(text: string, method: 'events' | 'forces', file: string): string {
  return isJson(file) ? withJson(text, ['method'], `"${method}"`) : withToml(text, 'method', `"${method}"`);
}

/** The text with another end of the run, s, where it says one. */
export function withUntil(text: string, until: string, file: string): string {
  if (isJson(file)) return withJson(text, ['run', 'until'], until);
  const dotted = /^(\s*run\s*\.\s*until\s*=\s*)[^#\n]*/m;
  if (dotted.test(text)) return text.replace(dotted, `$1${until} `);
  const inline = /^(\s*run\s*=\s*\{[^}\n]*?\buntil\s*=\s*)[^,}#\n]*/m;
  if (inline.test(text)) return text.replace(inline, `$1${until} `);
  const inTable = /^(\s*\[run\][^[]*?^\s*until\s*=\s*)[^#\n]*/m;
  return text.replace(inTable, `$1${until} `);
}
