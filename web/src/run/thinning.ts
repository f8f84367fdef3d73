// Very many bodies are thinned out.

/** As many bodies as are drawn; of more, every second, third, … is. */
export const MOST_DRAWN = 100_000;

/** Every how many bodies one is drawn. */
export function thinning(bodies: number): number {
  return Math.max(1, Math.ceil(bodies / MOST_DRAWN));
}
