/** Ranks of byte strings in flat arrays: 4 MB for the 200,000 of o200k, where a map of strings takes 70 MB. */
export type RankTable = {
  /** All byte strings, concatenated in rank order. */
  readonly bytes: Uint8Array;
  /** Start offset of each rank's string; one more entry for the end. */
  readonly starts: Uint32Array;
  /** Ranks by hash, -1 for empty slots; linear probing after a collision. The length is a power of two. */
  readonly slots: Int32Array;
};

const NONE = -1;
const NEW_LINE = 10;
const SPACE = 32;

/** FNV-1a. */
function getHash(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** The rank of a byte string; -1 if it has none. */
export function getRank(table: RankTable, piece: Uint8Array, from: number, to: number): number {
  const { bytes, starts, slots } = table;
  const mask = slots.length - 1;
  const length = to - from;
  for (let slot = getHash(piece, from, to) & mask; ; slot = (slot + 1) & mask) {
    const rank = slots[slot] ?? NONE;
    if (rank === NONE) return NONE;
    const start = starts[rank] ?? 0;
    if ((starts[rank + 1] ?? 0) - start !== length) continue;
    let same = 0;
    while (same < length && bytes[start + same] === piece[from + same]) same++;
    if (same === length) return rank;
  }
}

/** Parses tiktoken's format: one line per rank from 0, with the bytes in base64 and the rank. */
export function readRankTable(file: Buffer): RankTable {
  const bytes = Buffer.alloc(Math.ceil((file.length * 3) / 4));
  const starts: number[] = [];
  let end = 0;
  for (let line = 0; line < file.length;) {
    const space = file.indexOf(SPACE, line);
    const next = file.indexOf(NEW_LINE, line);
    starts.push(end);
    end += bytes.write(file.toString("latin1", line, space), end, "base64");
    line = next < 0 ? file.length : next + 1;
  }
  const count = starts.length;
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(count * 2))).fill(NONE);
  const table = { bytes: Uint8Array.from(bytes.subarray(0, end)), starts: Uint32Array.from([...starts, end]), slots };
  for (let rank = 0; rank < count; rank++) {
    let slot = getHash(table.bytes, table.starts[rank] ?? 0, table.starts[rank + 1] ?? 0) & (slots.length - 1);
    while (slots[slot] !== NONE) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = rank;
  }
  return table;
}

/** Heap of mergeable pairs, lowest rank first and leftmost first among equals: rank and position in one number. */
const PLACE = 2 ** 20;

function pushPair(heap: number[], pair: number): void {
  let at = heap.push(pair) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above] ?? 0;
    if (other <= pair) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = pair;
}

function popPair(heap: number[]): number | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if ((heap[below + 1] ?? Number.POSITIVE_INFINITY) < (heap[below] ?? 0)) below++;
    const other = heap[below] ?? 0;
    if (other >= last) break;
    heap[at] = other;
    at = below;
  }
  heap[at] = last;
  return first;
}

/**
 * The number of byte-pair-encoding tokens in the first `length` bytes of a piece: the neighbouring pair with the lowest
 * rank is merged until no pair has a rank (github.com/openai/tiktoken). O(n log n), also for one long run of letters.
 */
export function countTokens(table: RankTable, piece: Uint8Array, length: number): number {
  if (length <= 1 || getRank(table, piece, 0, length) !== NONE) return Math.min(1, length);
  // A part starts at its position and ends at `next`; a position that was merged into another has no pair rank.
  const next = new Uint32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const ranks = new Int32Array(length + 1).fill(NONE);
  const heap: number[] = [];
  const rankPair = (place: number): void => {
    const second = next[place] ?? length;
    const rank = second < length ? getRank(table, piece, place, next[second] ?? length) : NONE;
    ranks[place] = rank;
    if (rank !== NONE) pushPair(heap, rank * PLACE + place);
  };
  for (let place = 0; place <= length; place++) {
    next[place] = place + 1;
    previous[place] = place - 1;
  }
  for (let place = 0; place + 1 < length; place++) rankPair(place);
  let tokens = length;
  for (let pair = popPair(heap); pair !== undefined; pair = popPair(heap)) {
    const place = pair % PLACE;
    if (ranks[place] !== (pair - place) / PLACE) continue;
    const second = next[place] ?? length;
    const third = next[second] ?? length;
    next[place] = third;
    previous[third] = place;
    ranks[second] = NONE;
    tokens--;
    rankPair(place);
    const before = previous[place] ?? NONE;
    if (before !== NONE) rankPair(before);
  }
  return tokens;
}
