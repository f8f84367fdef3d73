// Rows of numbers that become more.

export class Growing {
  private numbers = new Float64Array(0);
  /** How many rows there are. */
  length = 0;

  constructor(readonly width: number) {}

  clear(): void {
    this.length = 0;
  }

  /** Puts rows in from one on; what was there from it on is gone. */
  put(from: number, rows: Float64Array): void {
    const start = Math.min(from, this.length) * this.width;
    const end = start + rows.length;
    if (end > this.numbers.length) {
      const larger = new Float64Array(Math.max(end, 2 * this.numbers.length, 1024));
      larger.set(this.numbers.subarray(0, start));
      this.numbers = larger;
    }
    this.numbers.set(rows, start);
    this.length = end / this.width;
  }

  at(row: number, column: number): number {
    return this.numbers[row * this.width + column] ?? NaN;
  }

  /** The first row whose first number is not below (or, `after`, is above) a number; rows are in the order of these. */
  find(number: number, after = false): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const its = this.at(middle, 0);
      if (after ? its <= number : its < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  column(column: number): Float64Array {
    const all = new Float64Array(this.length);
    for (let row = 0; row < this.length; row++) all[row] = this.at(row, column);
    return all;
  }
}
