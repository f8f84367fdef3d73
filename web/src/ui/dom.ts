// Elements in one call, messages, numbers as people read them.

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Options {
  class?: string;
  text?: string;
  title?: string;
  on?: Listeners;
  attributes?: Record<string, string | number | boolean>;
}

/** An element with attributes, listeners and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, options: Options = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.class) element.className = options.class;
  if (options.text !== undefined) element.textContent = options.text;
  if (options.title) element.title = options.title;
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

const ICONS: Record<string, string> = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5h4v14H7zM14 5h4v14h-4z',
  start: 'M6 5h2.5v14H6zM20 5v14L9.5 12z',
  previous: 'M14.5 6 8.5 12l6 6M19 6v12',
  next: 'M9.5 6l6 6-6 6M5 6v12',
  share: 'M12 15V4M8 7.5 12 3.5l4 4M6 12H5v8h14v-8h-1',
  open: 'M3 6.5h6l2 2.5h10v10H3z',
  save: 'M12 4v11M8 11.5l4 4 4-4M5 19.5h14',
  help: 'M9.3 9.2a2.8 2.8 0 1 1 4 2.6c-1 .5-1.3 1.1-1.3 2.2M12 17.3v.4',
  theme: 'M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  sound: 'M4 9.5v5h3.5L12 18.500V5.500L7.500 9.500zM15.500 9a4.200 4.200 0 0 1 0 6M18 6.500a7.800 7.800 0 0 1 0 11',
  mute: 'M4 9.5v5h3.5L12 18.500V5.500L7.500 9.500zM16 10l4.500 4.500M20.500 10L16 14.500',
  colors: 'M4 18.500h16M6.500 18V12M12 18V6M17.500 18V9.500',
  undo: 'M8 5 4 9l4 4M4.500 9H14a5 5 0 0 1 0 10h-4',
  remove: 'M6 6l12 12M18 6L6 18',
  velocity: 'M5 19 18.5 5.5M11 5.5h7.500V13',
  momentum: 'M4.500 15.500a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M11 13l8.500-8.500M13.500 4.500h6v6',
  centre: 'M12 3.500v17M3.500 12h17M12 7a5 5 0 1 1 0 10a5 5 0 0 1 0-10',
  path: 'M4 18.500c2.500-9 5-9 7-4.500s4.500 3.500 6-5M14.500 7.500 17.500 6l1.500 3',
  names: 'M5.500 19 12 4.500 18.500 19M8 14h8',
  flick: 'M20 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M4 20l6-6M4 13l3.500-3.500M11 20l3.500-3.500',
  back: 'M14 6 8 12l6 6',
};
const FILLED = new Set(['play', 'pause', 'start']);

export function icon(name: keyof typeof ICONS | string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', FILLED.has(name) ? 'icon filled' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name] ?? '');
  svg.append(path);
  return svg;
}

export interface ButtonOptions {
  label: string;
  icon?: string;
  /** Whether the label is only for screen readers and the tip. */
  iconOnly?: boolean;
  class?: string;
  key?: string;
  press: (event: MouseEvent) => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const tip = options.key ? `${options.label} (${options.key})` : options.label;
  return h(
    'button',
    {
      class: `button ${options.iconOnly ? 'icon-only' : ''} ${options.class ?? ''}`,
      title: options.iconOnly || options.key ? tip : '',
      attributes: { type: 'button', ...(options.iconOnly ? { 'aria-label': options.label } : {}) },
      on: { click: options.press },
    },
    options.icon ? icon(options.icon) : null,
    options.iconOnly ? null : h('span', { text: options.label }),
  );
}

/** A number to so many figures, without an exponent where that is readable. */
export function figures(number: number, digits = 6): string {
  if (!Number.isFinite(number)) return '–';
  if (number === 0) return '0';
  const size = Math.abs(number);
  if (size >= 1e-3 && size < 1e6) return String(+number.toPrecision(digits));
  const [mantissa, exponent] = number.toExponential(Math.max(0, digits - 2)).split('e') as [string, string];
  return `${+mantissa}e${+exponent}`;
}

export function vector(numbers: number[], digits = 5): string {
  return `(${numbers.map((number) => figures(number, digits)).join(', ')})`;
}

/** A message that goes away by itself, and is read out. */
export function toast(message: string, kind: 'info' | 'error' = 'info'): void {
  let place = document.getElementById('messages');
  if (!place) {
    place = h('div', { attributes: { id: 'messages', role: 'status', 'aria-live': 'polite' } });
    document.body.append(place);
  }
  const note = h('div', { class: `message ${kind}`, text: message });
  place.append(note);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(() => note.remove(), kind === 'error' ? 9000 : 4000);
}

/** A file for the user to keep. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h('a', { attributes: { href: address, download: name } });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
