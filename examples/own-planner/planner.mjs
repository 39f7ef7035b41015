/**
 * A planner as a file of its own, for programs and for `sconv run --planner`: it divides the windows of a convolution
 * into tiles of two widths that fit exactly, so that no microkernel computes a part of a tile (TTile's combinations, TT
 * §5.3): 121 = 9 · 8 + 7 · 7.
 */
import { error, silenceable, success, unknownLocation } from '@sconv/diagnostics';

/** `[how many, width]`, once or twice: as few widths up to `widest` as add up to `extent`, the narrow ones widest. */
const combination = (extent, widest) => {
  const tiles = Math.ceil(extent / widest);
  const found = [];
  for (let wide = Math.min(widest, extent); wide * tiles >= extent; wide -= 1)
    for (let others = 0; others < tiles; others += 1) {
      const narrow = others === 0 ? wide : (extent - (tiles - others) * wide) / others;
      if (!Number.isInteger(narrow) || narrow < 1 || narrow > wide) continue;
      if ((tiles - others) * wide + others * narrow === extent) found.push({ wide, narrow, others });
    }
  const [{ wide, narrow, others }] = found.sort((x, y) => y.narrow - x.narrow);
  return others === 0
    ? [[tiles, wide]]
    : [
        [tiles - others, wide],
        [others, narrow],
      ];
};

/** Tiles of windows, each packed once and met by all filters; filters are packed per block of channels. */
export default (problem, { microkernel }) => {
  const extent = (name) => problem.dimensions.find((each) => each.name === name)?.extent;
  const sizes = ['batch', 'group', 'channels', 'rows', 'columns', 'filters'].map(extent);
  if (sizes.includes(undefined))
    return silenceable(error('own/not-a-convolution', 'expected a convolution', unknownLocation));
  const [batch, group, channels, rows, columns, filters] = sizes;
  const loop = (dimension, count, step, body) => ({ kind: 'loop', dimension, count, step, body });
  const pack = (operand, tiles, body) => ({ kind: 'pack', operand, tiles, body });
  const runs = (dimension, ofSize, make) => {
    const parts = combination(ofSize, microkernel[dimension]).map(([count, width]) => ({
      size: count * width,
      body: make(count, width),
    }));
    return parts.length === 1 ? parts[0].body : { kind: 'split', dimension, parts };
  };
  const nest = (count, windows) =>
    runs('filters', filters, (tiles, width) =>
      loop(
        'filters',
        1,
        tiles * width,
        pack(
          'filters',
          tiles,
          loop(
            'windows',
            count,
            windows,
            pack(
              'input',
              1,
              loop('filters', tiles, width, {
                kind: 'kernel',
                lanes: 'windows',
                extents: { batch: 1, group: 1, channels, windows, filters: width },
              }),
            ),
          ),
        ),
      ),
    );
  const images = loop('batch', batch, 1, runs('windows', rows * columns, nest));
  const tree = group === 1 ? images : loop('group', group, 1, images);
  return success({ tree });
};
