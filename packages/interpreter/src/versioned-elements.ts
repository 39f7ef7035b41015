/**
 * The elements of immutable tensors that are written in place all the same (Baker's trick): the newest version owns the
 * array; a version that has been written over keeps what it needs to restore its own contents. So a loop that inserts
 * tile after tile into its accumulator costs in proportion to the tiles, not to the tensor, and an older version that
 * someone still reads is right nevertheless.
 */
import type { ElementArray } from './element.ts';
import type { StridedBox } from './strided.ts';
import { gatherBox, scatterBox } from './strided.ts';

/** One version of an array of elements. */
export interface VersionedElements {
  /** The elements, if this is the newest version. */
  data: ElementArray | undefined;
  /** The version written over this one, and how to get back from it. */
  newer: { readonly version: VersionedElements; readonly undo: (data: ElementArray) => void } | undefined;
  /** Someone outside may hold `data`, so that it must not be written. */
  shared: boolean;
  /** How many elements the older versions of `data` have saved. */
  saved: number;
}

/** The only version of `data`, which must not be written by anyone else unless `shared`. */
export const versioned = (data: ElementArray, shared = false): VersionedElements => ({
  data,
  newer: undefined,
  shared,
  saved: 0,
});

/** The elements of a version, to be read only. */
export const currentElements = (version: VersionedElements): ElementArray => version.data ?? restore(version);

/** Gives an older version its own array: a copy of the newest with every later write undone. */
const restore = (version: VersionedElements): ElementArray => {
  const undos: ((data: ElementArray) => void)[] = [];
  let newest = version;
  while (newest.newer !== undefined) {
    undos.push(newest.newer.undo);
    newest = newest.newer.version;
  }
  const data = newest.data!.slice();
  for (const undo of undos.reverse()) undo(data);
  version.data = data;
  version.newer = undefined;
  version.shared = false;
  version.saved = 0;
  return data;
};

/**
 * The version that differs from `version` by what `write` does inside `box`. Once the saved elements would outgrow the
 * array, the new version gets a copy of it: so memory stays within twice the array for each version that is alive.
 */
export const overwrite = (
  version: VersionedElements,
  box: StridedBox,
  write: (data: ElementArray) => void,
): VersionedElements => {
  const data = currentElements(version);
  const count = box.sizes.reduce((product, size) => product * size, 1);
  if (version.shared || version.saved + count > data.length) {
    const copy = data.slice();
    write(copy);
    return versioned(copy);
  }
  const overwritten = data.slice(0, count);
  gatherBox(data, box, overwritten);
  write(data);
  const newer: VersionedElements = { data, newer: undefined, shared: false, saved: version.saved + count };
  version.data = undefined;
  version.newer = { version: newer, undo: (target) => scatterBox(overwritten, target, box) };
  return newer;
};
