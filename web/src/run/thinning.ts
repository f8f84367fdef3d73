// Very many bodies are thinned out.

/** As many bodies as are drawn; of more, one of two, three, … is. */
export const MOST_DRAWN = 100_000;

/** Of how many bodies one is drawn. */
export function thinning(bodies: number): number {
  return Math.max(1, Math.ceil(bodies / MOST_DRAWN));
}

/** The body that stands for the others of its group, by the number of the group: not always the first, because bodies in rows would become stripes. */
export function shownOf(group: number, step: number): number {
  return group * step + ((Math.imul(group, 0x9e3779b1) >>> 8) % step);
}
