// Parquet, as the run folders of the command have it.

import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Table } from './table';

export function parquetBytes(table: Table): ArrayBuffer {
  return parquetWriteBuffer({
    columnData: table.columns.map(({ name, kind, values }) => {
      if (kind === 'text') return { name, data: values as string[], type: 'STRING' as const };
      if (kind === 'integer') return { name, data: Int32Array.from(values as number[]), type: 'INT32' as const };
      return { name, data: Float64Array.from(values as number[]), type: 'DOUBLE' as const };
    }),
  });
}

export function parquet(table: Table): Blob {
  return new Blob([parquetBytes(table)], { type: 'application/vnd.apache.parquet' });
}
