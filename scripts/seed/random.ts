/** A fast generator of numbers from 0 to 1, deterministic for a seed; generated data need no better randomness. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks entries in proportion to their weights. */
export function createPicker<Entry>(entries: readonly Entry[], getWeight: (entry: Entry, index: number) => number) {
  const ends: number[] = [];
  let sum = 0;
  for (const [index, entry] of entries.entries()) ends.push((sum += getWeight(entry, index)));
  return (chance: number): Entry => {
    const sought = chance * sum;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > sought) high = middle;
      else low = middle + 1;
    }
    return entries[low] as Entry;
  };
}
