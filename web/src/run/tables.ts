// The tables of a run folder, read piece by piece: only the bytes that are needed are asked for.

import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from 'hyparquet';

/** A file of the folder, by ranges. */
export async function remoteFile(address: string): Promise<AsyncBuffer> {
  const head = await fetch(address, { method: 'HEAD' });
  const length = Number(head.headers.get('Content-Length'));
  if (!head.ok || !Number.isFinite(length)) throw new Error(`${address.split('/').pop()} is not in the folder`);
  return {
    byteLength: length,
    async slice(start, end) {
      const from = start < 0 ? Math.max(0, length + start) : start;
      const to = (end ?? length) - 1;
      const response = await fetch(address, { headers: { Range: `bytes=${from}-${to}` } });
      if (response.status !== 206 && response.status !== 200) throw new Error(`${address.split('/').pop()}: ${response.status}`);
      const bytes = await response.arrayBuffer();
      return response.status === 200 ? bytes.slice(from, to + 1) : bytes;
    },
  };
}

export class RunTable {
  private constructor(
    private readonly file: AsyncBuffer,
    private readonly metadata: FileMetaData,
  ) {}

  static async open(address: string): Promise<RunTable> {
    const file = await remoteFile(address);
    return new RunTable(file, await parquetMetadataAsync(file));
  }

  get rows(): number {
    return Number(this.metadata.num_rows);
  }

  get columns(): string[] {
    return this.metadata.schema.slice(1).map((element) => element.name);
  }

  /** Some columns of some rows, as numbers; words become not-a-number. */
  async numbers(columns: string[], from: number, to: number): Promise<Float64Array[]> {
    const all = columns.map(() => new Float64Array(Math.max(0, to - from)).fill(NaN));
    await parquetRead({
      file: this.file,
      metadata: this.metadata,
      columns,
      rowStart: from,
      rowEnd: to,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const into = all[columns.indexOf(columnName)];
        if (!into) return;
        for (let i = 0; i < columnData.length; i++) {
          const row = rowStart + i - from;
          if (row >= 0 && row < into.length) into[row] = Number(columnData[i]);
        }
      },
    });
    return all;
  }

  async texts(column: string, from: number, to: number): Promise<string[]> {
    const all = new Array<string>(Math.max(0, to - from)).fill('');
    await parquetRead({
      file: this.file,
      metadata: this.metadata,
      columns: [column],
      rowStart: from,
      rowEnd: to,
      onChunk: ({ columnData, rowStart }) => {
        for (let i = 0; i < columnData.length; i++) {
          const row = rowStart + i - from;
          if (row >= 0 && row < all.length) all[row] = String(columnData[i]);
        }
      },
    });
    return all;
  }
}
