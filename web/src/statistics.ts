// Histograms, and what speeds in a gas are like.

/** Counts in equal parts from zero to the largest number. */
export function histogram(numbers: number[], parts: number): { middles: number[]; counts: number[]; width: number } {
  const most = numbers.reduce((largest, number) => Math.max(largest, number), 0) || 1;
  const width = (most * 1.0001) / parts;
  const counts = new Array<number>(parts).fill(0);
  for (const number of numbers) {
    const part = Math.min(parts - 1, Math.floor(number / width));
    counts[part]! += 1;
  }
  return { middles: counts.map((_, i) => (i + 0.5) * width), counts, width };
}

/** The density of speeds in equilibrium, s/m: of bodies of one mass (kg) at a temperature (kT, J), in 2-D or 3-D. */
export function maxwell(speed: number, mass: number, temperature: number, dimension: number): number {
  if (!(temperature > 0) || !(mass > 0)) return 0;
  const a = mass / temperature;
  const factor = Math.exp(-0.5 * a * speed * speed);
  if (dimension === 2) return a * speed * factor;
  return Math.sqrt(2 / Math.PI) * a ** 1.5 * speed * speed * factor;
}
