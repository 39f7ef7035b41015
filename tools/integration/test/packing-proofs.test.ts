/**
 * The packing equations, splits and tilings of ConvBench's convolutions, proved: for all windows and positions, not for
 * those that are tried.
 */
import { readFileSync } from 'node:fs';
import { add, dim, makeMap, mul, symbol } from '@sconv/affine';
import { parseShape } from '@sconv/csa';
import {
  absoluteElement,
  absoluteInputMap,
  filterMultipackingMap,
  firstElement,
  lastElement,
  relativeInputMap,
  rowInputMap,
} from '@sconv/packing-equations';
import type { Geometry } from '@sconv/packing-equations';
import {
  fromMap,
  image,
  intersectDomain,
  isEmpty,
  isEqual,
  isSubset,
  parseSet,
  range,
  union,
} from '@sconv/presburger';
import { dependences, legality, reuses, tiledSchedule, tiles } from '@sconv/presburger/dependences';
import { describe, expect, it } from 'vitest';

/** Rows of each of ConvBench's files, evenly. */
const rowsOfEach = process.env['THOROUGH'] === undefined ? 10 : 125;

const rows = ['grouped', 'pointwise', 'rectangular', 'regular'].flatMap((name) => {
  const file = new URL(`../../../packages/sconv/convbench/${name}.txt`, import.meta.url);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line));
  const every = Math.max(1, Math.floor(lines.length / rowsOfEach));
  return lines
    .filter((_, i) => i % every === 0)
    .slice(0, rowsOfEach)
    .map((line) => ({ name, text: line.split(' ')[1] ?? '' }));
});

/** A convolution over its padded input, and its extents. */
const convolutionOf = (text: string) => {
  const shape = parseShape(text);
  const { padding, outputHeight, outputWidth, filters } = shape;
  const geometry: Geometry = {
    inputWidth: shape.inputWidth + padding.left + padding.right,
    outputWidth,
    filterHeight: shape.filterHeight,
    filterWidth: shape.filterWidth,
    strideH: shape.strides.h,
    strideW: shape.strides.w,
    dilationH: shape.dilations.h,
    dilationW: shape.dilations.w,
  };
  const inputHeight = shape.inputHeight + padding.top + padding.bottom;
  return { geometry, inputHeight, windows: outputHeight * outputWidth, filters };
};

const [channel, filterRow, filterColumn, window] = [dim(0), dim(1), dim(2), dim(3)];
const start = symbol(0);

const filterPositions = ({ filterHeight, filterWidth }: Geometry): string =>
  `0 <= fh < ${filterHeight} and 0 <= fw < ${filterWidth}`;

/** What holds of each convolution, as questions; all are to be answered with yes. */
const claims: Record<string, (convolution: ReturnType<typeof convolutionOf>) => boolean> = {
  'an element of the image is one of the tile (Eqs. 8, 10-12), from where the tile begins': ({
    geometry,
  }) => {
    const [channelOf, element] = relativeInputMap(geometry).results;
    const shifted = makeMap(4, 1, [channelOf!, add(element!, firstElement(geometry, start))]);
    return isEqual(fromMap(absoluteInputMap(geometry)), fromMap(shifted));
  },
  'within one row of windows the tile is that of Eqs. 6-8': ({ geometry }) => {
    const inRow = parseSet(
      `[s0] -> { [c, fh, fw, w] : w >= 0 and s0 mod ${geometry.outputWidth} + w < ${geometry.outputWidth} }`,
    );
    const withinRow = makeMap(4, 1, rowInputMap(geometry).results);
    return isEqual(
      intersectDomain(fromMap(relativeInputMap(geometry)), inRow),
      intersectDomain(fromMap(withinRow), inRow),
    );
  },
  'window (row, column) meets the elements that the convolution multiplies': ({ geometry }) => {
    const { inputWidth, outputWidth, strideH, strideW, dilationH, dilationW } = geometry;
    // Of (row, fh, fw, column).
    const place = add(mul(channel, outputWidth), window);
    const inputRow = add(mul(channel, strideH), mul(filterRow, dilationH));
    const inputColumn = add(mul(window, strideW), mul(filterColumn, dilationW));
    const direct = makeMap(4, 0, [add(mul(inputRow, inputWidth), inputColumn)]);
    const packed = makeMap(4, 0, [absoluteElement(geometry, place, filterRow, filterColumn)]);
    const columns = parseSet(`{ [r, fh, fw, w] : 0 <= w < ${outputWidth} }`);
    return isEqual(intersectDomain(fromMap(direct), columns), intersectDomain(fromMap(packed), columns));
  },
  'all elements are in the image': ({ geometry, inputHeight, windows }) => {
    const places = parseSet(`{ [fh, fw, w] : ${filterPositions(geometry)} and 0 <= w < ${windows} }`);
    const elements = makeMap(3, 0, [absoluteElement(geometry, dim(2), dim(0), dim(1))]);
    return isSubset(
      image(places, fromMap(elements)),
      parseSet(`{ [e] : 0 <= e < ${inputHeight * geometry.inputWidth} }`),
    );
  },
  'a tile of 16 windows lies between its first and its last element': ({ geometry }) => {
    const places = parseSet(
      `[s0] -> { [fh, fw, w] : ${filterPositions(geometry)} and 0 <= w < 16 and s0 >= 0 }`,
    );
    const element = absoluteElement(geometry, add(dim(2), start), dim(0), dim(1));
    const [first, last] = [firstElement(geometry, start), lastElement(geometry, start, 16)];
    const beyond = [makeMap(3, 1, [element.sub(first)]), makeMap(3, 1, [last.sub(element)])];
    const atLeast0 = parseSet('{ [e] : e >= 0 }');
    return beyond.every((map) => isSubset(image(places, fromMap(map)), atLeast0));
  },
  'filters are packed each once (Eq. 3)': ({ filters }) => {
    const size = Math.min(8, filters);
    const full = Math.floor(filters / size);
    const places = parseSet(
      `{ [t, c, h, w, f] : 0 <= t < ${full} and 0 <= f < ${size} and c = 0 and h = 0 and w = 0 }`,
    );
    const packed = fromMap(filterMultipackingMap(size));
    const all = parseSet(`{ [f, c, h, w] : 0 <= f < ${full * size} and c = 0 and h = 0 and w = 0 }`);
    return isEmpty(reuses(places, packed)) && isEqual(image(places, packed), all);
  },
  'a split at a multiple of the tile has both parts, and nothing twice': ({ windows }) => {
    const at = windows - (windows % 16);
    const parts = [`{ [w] : 0 <= w < ${at} }`, `{ [w] : ${at} <= w < ${windows} }`].map(parseSet);
    const whole = parseSet(`{ [w] : 0 <= w < ${windows} }`);
    return (
      isEqual(union(parts[0]!, parts[1]!), whole) && isSubset(parts[1]!, parseSet(`{ [w] : w >= ${at} }`))
    );
  },
  'tiles of 8 filters and 16 windows have each iteration once': ({ filters, windows }) => {
    const domain = parseSet(`{ [f, w] : 0 <= f < ${filters} and 0 <= w < ${windows} }`);
    const tiled = tiles(domain, [8, 16]);
    return isEqual(range(tiled), domain) && isEmpty(reuses(parseSet('{ [t, u] }'), tiled));
  },
};

describe('of each of ConvBench', () => {
  it.each(Object.entries(claims))('%s', (_, holds) => {
    expect(rows.filter(({ text }) => !holds(convolutionOf(text)))).toEqual([]);
  });

  it('is refused what does not hold', () => {
    // Eq. 7 with the dilation of the other dimension, as the paper has it.
    const { geometry } = convolutionOf('1x3x32x32,8x3x3x3');
    const dilated = { ...geometry, dilationH: 2 };
    expect(isEqual(fromMap(absoluteInputMap(geometry)), fromMap(absoluteInputMap(dilated)))).toBe(false);
  });
});

describe('a tiling of a convolution', () => {
  const convolution = {
    domain: '[n] -> { [w, f, c] : 0 <= w, f, c < n }',
    reads: [{ array: 'output', elements: '(w, f, c) -> (f, w)' }],
    writes: [{ array: 'output', elements: '(w, f, c) -> (f, w)' }],
  };
  it('keeps the order of its sums, whatever the sizes', () => {
    const found = dependences([convolution]);
    expect(legality(found, [tiledSchedule([16, 8, 4])])).toEqual({ legal: true });
  });
});
