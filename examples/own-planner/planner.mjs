/**
 * A planner as a file of its own, for programs and for `sconv run --planner`: rows and columns are tiled apart, each in
 * tiles of two sizes that fit exactly, so that no microkernel computes a part of a tile (TTile's combinations, TT §5.3):
 * 11 rows = 3 · 3 + 1 · 2.
 */
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';

/** `[how many, size]`, once or twice: as few tiles of up to `largest` as add up to `extent`, the small ones largest. */
const combination = (extent, largest) => {
  const tiles = Math.ceil(extent / largest);
  const small = Math.floor(extent / tiles);
  const larger = extent - small * tiles;
  return [
    [larger, small + 1],
    [tiles - larger, small],
  ].filter(([count]) => count > 0);
};

const dimensions = ['batch', 'group', 'channels', 'rows', 'columns', 'filters', 'tapRows', 'tapColumns'];

/** A packed tile of rows and columns is met by all filters, which are read where they lie. */
export default (problem, { microkernel }) => {
  const extents = problem.dimensions.map(({ name, extent }) => [name, extent]);
  if (extents.length !== dimensions.length || extents.some(([name]) => !dimensions.includes(name)))
    return silenceable(error('own/not-a-convolution', 'expected a convolution', unknownLocation));
  const whole = Object.fromEntries(extents);
  const loop = (dimension, count, step, body) => ({ kind: 'loop', dimension, count, step, body });
  /** Loops over tiles of a dimension, in parts of one size each; `around` each of the loops stands something else. */
  const tiled = (dimension, largest, make, around = (body) => body) => {
    const parts = combination(whole[dimension], largest).map(([count, step]) => ({
      size: count * step,
      body: around(loop(dimension, count, step, make(step))),
    }));
    return parts.length === 1 ? parts[0].body : { kind: 'split', dimension, parts };
  };
  const packed = (body) => ({ kind: 'pack', operand: 'input', tiles: 1, body });
  const kernel = (rows, columns, filters) => ({
    kind: 'kernel',
    lanes: 'columns',
    extents: { ...whole, batch: 1, group: 1, rows, columns, filters },
  });
  const images = loop(
    'batch',
    whole.batch,
    1,
    tiled('rows', 3, (rows) =>
      tiled('columns', microkernel.windows, (columns) =>
        tiled('filters', microkernel.filters, (filters) => kernel(rows, columns, filters), packed),
      ),
    ),
  );
  return success({ tree: whole.group === 1 ? images : loop('group', whole.group, 1, images) });
};
