// @ts-check
/** What holds of the packing equations, splits and tilings of ConvBench's convolutions, as questions about sets. */
import { readFileSync } from 'node:fs';
import { add, dim, makeMap, mul, symbol } from '@sconv/affine';
import { parseShape } from '@sconv/csa';
import {
  absoluteElement,
  absoluteInputMap,
  absoluteMultipackedInputMap,
  edgeTileStart,
  filterMultipackingMap,
  filterPackingMap,
  firstElement,
  lastElement,
  relativeInputMap,
  relativeMultipackedInputMap,
  rowInputMap,
  tileStart,
  windowOfImage,
} from '@sconv/packing-equations';
import {
  fromMap,
  image,
  intersectDomain,
  isEmpty,
  isEqual,
  isInjective,
  isSubset,
  parseSet,
  range,
  union,
} from '@sconv/presburger';
import { reuses, tiles } from '@sconv/presburger/dependences';

/** @typedef {import('@sconv/packing-equations').Geometry} Geometry */

/**
 * A convolution over its padded input, and its extents.
 *
 * @typedef {{ readonly text: string, readonly geometry: Geometry, readonly inputHeight: number, readonly windows:
 * number, readonly filters: number }} Convolution
 */

/**
 * Convolutions of ConvBench's four files, evenly.
 *
 * @param {number} count
 */
export const convBenchConvolutions = (count) => {
  const lines = ['grouped', 'pointwise', 'rectangular', 'regular'].flatMap((name) =>
    readFileSync(new URL(`../../packages/sconv/convbench/${name}.txt`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => /^\d/.test(line)),
  );
  return Array.from({ length: Math.min(count, lines.length) }, (_, i) =>
    convolutionOf(lines[Math.floor((i * lines.length) / count)]?.split(' ')[1] ?? ''),
  );
};

/**
 * @param {string} text as in `1x3x32x32,8x3x3x3`
 * @returns {Convolution}
 */
export const convolutionOf = (text) => {
  const shape = parseShape(text);
  const { padding, outputHeight, outputWidth, filters } = shape;
  const geometry = {
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
  return { text, geometry, inputHeight, windows: outputHeight * outputWidth, filters };
};

const [channel, filterRow, filterColumn, window] = [dim(0), dim(1), dim(2), dim(3)];
const start = symbol(0);

const filterPositions = (/** @type {Geometry} */ { filterHeight, filterWidth }) =>
  `0 <= fh < ${filterHeight} and 0 <= fw < ${filterWidth}`;

/**
 * What holds of each convolution; all are to be answered with yes.
 *
 * @type {Readonly<Record<string, (convolution: Convolution) => boolean>>}
 */
export const packingClaims = {
  'an element of the image is one of the tile (Eqs. 8, 10-12), from where the tile begins': ({
    geometry,
  }) => {
    const [channelOf, element] = relativeInputMap(geometry).results;
    if (channelOf === undefined || element === undefined) return false;
    const shifted = makeMap(4, 1, [channelOf, add(element, firstElement(geometry, start))]);
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
  'a packed filter tile has each of its elements once (Eqs. 1 and 2)': ({ geometry, filters }) => {
    const size = Math.min(8, filters);
    const places = parseSet(`{ [c, fh, fw, f] : ${filterPositions(geometry)} and 0 <= f < ${size} }`);
    const tile = parseSet(`{ [f, c, fh, fw] : ${filterPositions(geometry)} and 0 <= f < ${size} }`);
    const packed = fromMap(filterPackingMap());
    return isInjective(packed) && isEqual(image(places, packed), tile);
  },
  'an element of the image is one of the tiles that are packed at once (Eqs. 13 and 14)': ({ geometry }) => {
    const [channelOf, element] = relativeMultipackedInputMap(geometry, 16).results;
    if (channelOf === undefined || element === undefined) return false;
    const shifted = makeMap(5, 1, [channelOf, add(element, firstElement(geometry, start))]);
    return isEqual(fromMap(absoluteMultipackedInputMap(geometry, 16)), fromMap(shifted));
  },
  'windows of the tiles of two loops, and of an edge, are each met once (Eqs. 9, 10 and 15)': ({
    windows,
  }) => {
    const [tile, block] = [16, 64];
    const whole = windows - (windows % tile);
    const loops = parseSet(
      `{ [o, i, w] : o mod ${block} = 0 and i mod ${tile} = 0 and 0 <= o and 0 <= i < ${block} and ` +
        `o + i < ${whole} and 0 <= w < ${tile} }`,
    );
    const inLoops = fromMap(makeMap(3, 0, [windowOfImage(tileStart(dim(0), dim(1)), dim(2))]));
    const edge = parseSet(`{ [w] : 0 <= w < ${windows - whole} }`);
    const atEdge = fromMap(makeMap(1, 0, [windowOfImage(edgeTileStart(0, 0, whole), dim(0))]));
    return (
      isInjective(intersectDomain(inLoops, loops)) &&
      isEqual(union(image(loops, inLoops), image(edge, atEdge)), parseSet(`{ [w] : 0 <= w < ${windows} }`))
    );
  },
  'a split at a multiple of the tile has both parts, and nothing twice': ({ windows }) => {
    const at = windows - (windows % 16);
    const first = parseSet(`{ [w] : 0 <= w < ${at} }`);
    const second = parseSet(`{ [w] : ${at} <= w < ${windows} }`);
    const whole = parseSet(`{ [w] : 0 <= w < ${windows} }`);
    return isEqual(union(first, second), whole) && isSubset(second, parseSet(`{ [w] : w >= ${at} }`));
  },
  'tiles of 8 filters and 16 windows have each iteration once': ({ filters, windows }) => {
    const domain = parseSet(`{ [f, w] : 0 <= f < ${filters} and 0 <= w < ${windows} }`);
    const tiled = tiles(domain, [8, 16]);
    return isEqual(range(tiled), domain) && isEmpty(reuses(parseSet('{ [t, u] }'), tiled));
  },
};
