// The tables of a run folder, read piece by piece: only the bytes that are needed are asked for.
// A table is one file; of a run that goes on or was cut off it is a folder of parts, which all have equally many rows
// but the last one.

import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from 'hyparquet';

/** A file of the folder, by ranges; `null` where it is not there. */
export async function remoteFile(address: string): Promise<AsyncBuffer | null> {
  const head = await fetch(address, { method: 'HEAD' });
  const length = Number(head.headers.get('Content-Length'));
  if (head.status === 404) return null;
  if (!head.ok || !Number.isFinite(length)) throw new Error(`${address.split('/').pop()}: ${head.status}`);
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

interface Part {
  file: AsyncBuffer;
  metadata: FileMetaData;
}

async function openPart(address: string): Promise<Part | null> {
  const file = await remoteFile(address);
  return file && { file, metadata: await parquetMetadataAsync(file) };
}

function rowsOf(part: Part): number {
  return Number(part.metadata.num_rows);
}

/** So many parts stay open. */
const MOST_OPEN = 8;

export class RunTable {
  private readonly open = new Map<number, Promise<Part | null>>();

  private constructor(
    private readonly address: (part: number) => string,
    /** Rows of each part but the last. */
    private readonly size: number,
    readonly rows: number,
  ) {}

  /** A table by its name: one file where the run is complete; else its parts, which have so many rows in all (`rows`). */
  static async open(folder: string, name: string, rows: number | null = null): Promise<RunTable> {
    const address = (part: number) => (rows === null ? `${folder}${name}.parquet` : `${folder}${name}/part-${String(part).padStart(6, '0')}.parquet`);
    if (rows === 0) return new RunTable(address, 1, 0);
    const first = await openPart(address(0));
    if (!first) throw new Error(`${address(0).slice(folder.length)} is not in the folder`);
    const size = Math.max(1, rowsOf(first));
    const table = new RunTable(address, size, rows ?? size);
    table.open.set(0, Promise.resolve(first));
    return table;
  }

  private async part(number: number): Promise<Part> {
    let found = this.open.get(number);
    if (!found) {
      if (this.open.size >= MOST_OPEN) this.open.delete(this.open.keys().next().value!);
      found = openPart(this.address(number));
      this.open.set(number, found);
      found.catch(() => this.open.delete(number));
    }
    const part = await found;
    if (!part) throw new Error(`${this.address(number).split('/').slice(-2).join('/')} is not in the folder`);
    return part;
  }

  /** Hands over some columns of some rows, piece by piece: the values of a column from one row to another. */
  private async each(columns: string[], from: number, to: number, take: (column: string, row: number, values: ArrayLike<unknown>) => void): Promise<void> {
    const end = Math.min(to, this.rows);
    for (let start = Math.max(0, from); start < end; ) {
      const number = Math.floor(start / this.size);
      const first = number * this.size;
      const { file, metadata } = await this.part(number);
      const stop = Math.min(end, first + this.size);
      await parquetRead({
        file,
        metadata,
        columns,
        rowStart: start - first,
        rowEnd: stop - first,
        onChunk: ({ columnName, columnData, rowStart }) => {
          // Whole pages come, with rows before and after those that are wanted.
          const row = first + rowStart;
          const [low, high] = [Math.max(0, start - row), Math.min(columnData.length, stop - row)];
          if (low < high) take(columnName, row + low, Array.prototype.slice.call(columnData, low, high) as unknown[]);
        },
      });
      start = stop;
    }
  }

  /** Some columns of some rows, as numbers; words become not-a-number. */
  async numbers(columns: string[], from: number, to: number): Promise<Float64Array[]> {
    const all = columns.map(() => new Float64Array(Math.max(0, to - from)).fill(NaN));
    await this.each(columns, from, to, (column, row, values) => {
      const into = all[columns.indexOf(column)]!;
      for (let i = 0; i < values.length; i++) into[row - from + i] = Number(values[i]);
    });
    return all;
  }

  async texts(column: string, from: number, to: number): Promise<string[]> {
    const all = new Array<string>(Math.max(0, to - from)).fill('');
    await this.each([column], from, to, (_, row, values) => {
      for (let i = 0; i < values.length; i++) all[row - from + i] = String(values[i]);
    });
    return all;
  }
}
