// What can be written where, from the JSON schema of scene files.

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  description?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
  then?: Schema;
  else?: Schema;
}

export interface Option {
  label: string;
  kind: 'key' | 'value';
  info: string;
  apply: string;
}

export class Completions {
  private readonly schema: Schema | null;

  constructor(text: string | null) {
    this.schema = text ? (JSON.parse(text) as Schema) : null;
  }

  private resolve(schema: Schema): Schema {
    if (!schema.$ref || !this.schema) return schema;
    const path = schema.$ref.replace(/^#\//, '').split('/');
    let found: unknown = this.schema;
    for (const part of path) found = (found as Record<string, unknown> | undefined)?.[part];
    return (found as Schema | undefined) ?? schema;
  }

  /** All schemas that may hold for a value: a choice has several. */
  private all(schema: Schema | undefined, depth = 0): Schema[] {
    if (!schema || depth > 8) return [];
    const its = this.resolve(schema);
    const inner = [...(its.oneOf ?? []), ...(its.anyOf ?? []), ...(its.allOf ?? []), ...(its.then ? [its.then] : []), ...(its.else ? [its.else] : [])];
    return [its, ...inner.flatMap((one) => this.all(one, depth + 1))];
  }

  private step(schemas: Schema[], key: string): Schema[] {
    return schemas.flatMap((schema) => {
      const found = schema.properties?.[key];
      const other = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
      return this.all(found ?? (schema.properties && found === undefined ? other : (found ?? other)));
    });
  }

  private keysOf(schemas: Schema[]): Option[] {
    const options = new Map<string, Option>();
    for (const schema of schemas) {
      for (const [key, its] of Object.entries(schema.properties ?? {})) {
        if (key.startsWith('$') || options.has(key)) continue;
        options.set(key, { label: key, kind: 'key', info: this.resolve(its).description ?? its.description ?? '', apply: `${key} = ` });
      }
    }
    return [...options.values()];
  }

  private valuesOf(schemas: Schema[], quoted: boolean): Option[] {
    const values = new Set<unknown>();
    for (const schema of schemas) {
      for (const value of schema.enum ?? []) values.add(value);
      if (schema.const !== undefined) values.add(schema.const);
    }
    return [...values].map((value) => ({ label: String(value), kind: 'value', info: '', apply: typeof value === 'string' && !quoted ? `"${value}"` : String(value) }));
  }

  /** What can be written after a text. */
  at(before: string): Option[] {
    if (!this.schema) return [];
    const lines = before.split('\n');
    const line = lines.pop() ?? '';
    let path: string[] = [];
    for (const one of lines) {
      const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(one);
      if (header) path = header[1]!.split('.').map((part) => part.trim().replace(/^"|"$/g, ''));
    }
    if (/^\s*\[/.test(line)) {
      return this.keysOf(this.all(this.schema)).map((option) => ({ ...option, apply: option.label }));
    }
    let schemas = this.all(this.schema);
    for (const key of path) {
      schemas = this.step(schemas, key).flatMap((schema) => (schema.items ? [schema, ...this.all(schema.items)] : [schema]));
    }
    const assigned = /^\s*([\w.$"-]+)\s*=\s*(.*)$/.exec(line);
    if (!assigned) return this.keysOf(schemas);
    for (const key of assigned[1]!.split('.')) schemas = this.step(schemas, key);
    return this.valuesOf(schemas, /"[^"]*$/.test(assigned[2]!));
  }
}
