// Which bodies are there at a time: those that come and go are in the table of events.

export interface Presence {
  /** Whether a body is there, which is there from the start or is still to come. */
  isThere(body: number, time: number, fromStart: boolean): boolean;
}

/** From the events of a run, in order: their kinds, times (s) and first bodies. */
export function presence(kinds: ArrayLike<string>, times: ArrayLike<number>, bodies: ArrayLike<number>): Presence {
  const changes = new Map<number, { time: number; there: boolean }[]>();
  for (let i = 0; i < kinds.length; i++) {
    const there = kinds[i] === 'inserted';
    if (!there && kinds[i] !== 'removed') continue;
    const its = changes.get(bodies[i]!) ?? [];
    its.push({ time: times[i]!, there });
    changes.set(bodies[i]!, its);
  }
  return {
    isThere(body, time, fromStart) {
      const last = changes.get(body)?.filter((change) => change.time <= time).at(-1);
      return last?.there ?? fromStart;
    },
  };
}
