/**
 * Elements of immutable tensors, written in place nevertheless (Baker's trick): the newest version owns the array; an
 * overwritten version keeps what it needs to restore its contents. So a loop that inserts tiles into its accumulator
 * costs in proportion to the tiles, not to the tensor, and an older version that is still live remains correct.
 */
import type { ElementArray } from './element.ts';
import type { StridedBox } from './strided.ts';
import { gatherBox, scatterBox } from './strided.ts';

/** One version of an array of elements. */
export interface VersionedElements {
  /** The elements, if this is the newest version. */
  data: ElementArray | undefined;
  /** The version written over this one, and how to undo that write. */
  newer: { readonly version: VersionedElements; readonly undo: (data: ElementArray) => void } | undefined;
  /** `data` may be held outside and must not be written. */
  shared: boolean;
  /** Number of elements saved by older versions of `data`. */
  saved: number;
}

/** The only version of `data`; unless `shared`, nobody else may write it. */
export const versioned = (data: ElementArray, shared = false): VersionedElements => ({
  data,
  newer: undefined,
  shared,
  saved: 0,
});

/** The elements of a version; read-only. */
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
 * The version that differs from `version` by what `write` does inside `box`. If the saved elements would outgrow the
 * array, the new version gets a copy instead, so memory stays within twice the array per live version.
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
