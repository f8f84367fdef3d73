// Comma-separated tables, with all digits; what is no number is left empty.

import type { Table } from './table';

function cell(value: number | string): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // A spreadsheet must not take a name for a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvText(table: Table): string {
  const lines = [table.columns.map((column) => cell(column.name)).join(',')];
  for (let row = 0; row < table.rows; row++) lines.push(table.columns.map((column) => cell(column.values[row] ?? '')).join(','));
  return `${lines.join('\n')}\n`;
}

export function csv(table: Table): Blob {
  return new Blob([csvText(table)], { type: 'text/csv' });
}
