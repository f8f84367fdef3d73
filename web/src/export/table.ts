// Tables as columns.

export interface Column {
  name: string;
  kind: 'number' | 'integer' | 'text';
  values: (number | string)[];
}

export interface Table {
  rows: number;
  columns: Column[];
}
