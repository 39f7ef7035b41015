/**
 * Places buffers in one arena by their lifetimes: two that are never alive at the same time may share bytes. By size,
 * greedily: "Efficient Memory Management for Deep Neural Net Inference" (Pisarchyk, Lee, 2020), §5, offset calculation.
 */

/** Positions of operations in the order of a function's text, both included. */
export interface Lifetime {
  readonly first: number;
  readonly last: number;
}

/** What buffers take: those of a function, those of a call while it lasts, or a single one. */
export interface MemoryUse {
  /** Bytes of the arena. */
  readonly arenaBytes: number;
  /** Bytes of the buffers that are alive at the same time, at most: no arena is smaller. */
  readonly liveBytes: number;
  /** Bytes of all buffers: what they would take without sharing. */
  readonly bufferBytes: number;
}

/** What a single buffer takes. */
export const useOf = (bytes: number): MemoryUse => ({
  arenaBytes: bytes,
  liveBytes: bytes,
  bufferBytes: bytes,
});

/** Where each buffer is, in the order given. */
export interface BufferPlaces extends MemoryUse {
  /** Byte offsets in the arena, multiples of `bufferAlignment`. */
  readonly offsets: readonly number[];
}

/** Buffers begin with a line of the caches, so that vectors do not cross them. */
export const bufferAlignment = 64;

/** The next multiple of `bufferAlignment`. */
export const alignedBytes = (bytes: number): number => Math.ceil(bytes / bufferAlignment) * bufferAlignment;

/** More buffers are not placed by size, which takes the square of their number in steps. */
export const mostPlacedBySize = 4096;

/** How many orders are tried at most, and how many steps they may take together. */
const mostOrders = 100;
const mostSteps = 2 ** 26;

/**
 * Places buffers, equal ones always equally. In the order given if all are alive at the same time, and in that of their
 * lifetimes if that takes no more than what is; else by size, and then with those first that end the arena, as long as
 * that may help.
 */
export const placeBuffers = (buffers: readonly (Lifetime & MemoryUse)[]): BufferPlaces => {
  const sized = (bytesOf: (use: MemoryUse) => number) =>
    buffers.map(({ first, last, ...use }) => ({ first, last, bytes: bytesOf(use) }));
  const aligned = sized(({ arenaBytes }) => alignedBytes(arenaBytes));
  const least = mostAlive(aligned);
  const isStack = least === aligned.reduce((sum, { bytes }) => sum + bytes, 0);
  let best = withEnd(aligned, isStack ? stacked(aligned) : placeInOrder(aligned));
  const steps = buffers.length ** 2;
  const orders =
    buffers.length > mostPlacedBySize ? 0 : Math.min(mostOrders, 1 + Math.floor(mostSteps / steps));
  let order = bySize(aligned);
  for (let tried = 0; tried < orders && best.arenaBytes > least; tried++) {
    const places = withEnd(aligned, placeInGaps(aligned, order));
    if (places.arenaBytes < best.arenaBytes) best = places;
    const ends = (at: number): boolean => places.offsets[at]! + aligned[at]!.bytes === places.arenaBytes;
    order = [...order.filter(ends), ...order.filter((at) => !ends(at))];
  }
  return {
    ...best,
    liveBytes: mostAlive(sized(({ liveBytes }) => liveBytes)),
    bufferBytes: buffers.reduce((sum, { bufferBytes }) => sum + bufferBytes, 0),
  };
};

/** A buffer to be placed. */
interface SizedLifetime extends Lifetime {
  readonly bytes: number;
}

const withEnd = (buffers: readonly SizedLifetime[], offsets: readonly number[]) => ({
  offsets,
  arenaBytes: buffers.reduce((end, { bytes }, i) => Math.max(end, offsets[i]! + bytes), 0),
});

/** The positions of the buffers, sorted by where their lifetimes begin. */
const byFirst = (buffers: readonly SizedLifetime[]): readonly number[] =>
  [...buffers.keys()].sort((a, b) => buffers[a]!.first - buffers[b]!.first || a - b);

/** The positions of the buffers, sorted by where their lifetimes end. */
const byLast = (buffers: readonly SizedLifetime[]): readonly number[] =>
  [...buffers.keys()].sort((a, b) => buffers[a]!.last - buffers[b]!.last || a - b);

/** The sum of bytes that are alive at the same time, at most. */
const mostAlive = (buffers: readonly SizedLifetime[]): number => {
  const ends = byLast(buffers);
  let [ended, alive, most] = [0, 0, 0];
  for (const at of byFirst(buffers)) {
    const { first, bytes } = buffers[at]!;
    for (; buffers[ends[ended]!]!.last < first; ended++) alive -= buffers[ends[ended]!]!.bytes;
    alive += bytes;
    most = Math.max(most, alive);
  }
  return most;
};

/** Bytes that nobody uses. */
interface Gap {
  readonly start: number;
  readonly end: number;
}

/** One behind the other. */
const stacked = (buffers: readonly SizedLifetime[]): readonly number[] => {
  let end = 0;
  return buffers.map(({ bytes }) => (end += bytes) - bytes);
};

/** The first fit for each buffer among those alive when its lifetime begins. */
const placeInOrder = (buffers: readonly SizedLifetime[]): readonly number[] => {
  const offsets = buffers.map(() => 0);
  const ends = byLast(buffers);
  const gaps: Gap[] = [{ start: 0, end: Infinity }];
  let ended = 0;
  for (const at of byFirst(buffers)) {
    const { first, bytes } = buffers[at]!;
    for (; buffers[ends[ended]!]!.last < first; ended++) {
      const gone = ends[ended]!;
      free(gaps, { start: offsets[gone]!, end: offsets[gone]! + buffers[gone]!.bytes });
    }
    if (bytes === 0) continue;
    const fit = gaps.findIndex(({ start, end }) => end - start >= bytes);
    const { start, end } = gaps[fit]!;
    offsets[at] = start;
    gaps.splice(fit, 1, ...(start + bytes < end ? [{ start: start + bytes, end }] : []));
  }
  return offsets;
};

/** Adds a gap to sorted ones, and joins it with its neighbours. */
const free = (gaps: Gap[], gone: Gap): void => {
  if (gone.start === gone.end) return;
  let [low, high] = [0, gaps.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (gaps[middle]!.start < gone.start) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [gaps[low - 1], gaps[low]];
  const joinsBefore = before?.end === gone.start;
  const joinsAfter = after?.start === gone.end;
  gaps.splice(joinsBefore ? low - 1 : low, Number(joinsBefore) + Number(joinsAfter), {
    start: joinsBefore ? before.start : gone.start,
    end: joinsAfter ? after.end : gone.end,
  });
};

/** The positions of the buffers, the largest first. */
const bySize = (buffers: readonly SizedLifetime[]): readonly number[] => {
  const length = ({ first, last }: Lifetime): number => last - first;
  return [...buffers.keys()].sort((a, b) => {
    const [one, other] = [buffers[a]!, buffers[b]!];
    return other.bytes - one.bytes || length(other) - length(one) || one.first - other.first || a - b;
  });
};

/** In this order, each into the smallest gap that holds it between those placed before it. */
const placeInGaps = (buffers: readonly SizedLifetime[], order: readonly number[]): readonly number[] => {
  const offsets = buffers.map(() => 0);
  /** Those that are placed, by offset. */
  const placed: number[] = [];
  for (const at of order) {
    const { bytes, first, last } = buffers[at]!;
    if (bytes === 0) continue;
    let [end, best, bestRoom] = [0, 0, Infinity];
    let isFound = false;
    for (const other of placed) {
      const their = buffers[other]!;
      if (their.last < first || their.first > last) continue;
      const room = offsets[other]! - end;
      if (room >= bytes && room < bestRoom) [best, bestRoom, isFound] = [end, room, true];
      end = Math.max(end, offsets[other]! + their.bytes);
    }
    offsets[at] = isFound ? best : end;
    const after = placed.findIndex((other) => offsets[other]! > offsets[at]!);
    placed.splice(after < 0 ? placed.length : after, 0, at);
  }
  return offsets;
};
