/** `tileUsingForOp` as a transform. */
import { collect, error, mapSuccess, silenceable } from '@sconv/diagnostics';
import type { Attribute } from '@sconv/ir';
import { DYNAMIC, i64ArrayAttribute, integerOf, printAttribute, withImplicitDefault } from '@sconv/ir';
import type { Handle, Param, PayloadItem, RecordOptions } from '@sconv/transform';
import {
  callSite,
  consumes,
  defineTransformOp,
  directives,
  flagsArrayAttribute,
  notImplemented,
  produces,
  producesAll,
  readsSizes,
} from '@sconv/transform';
import { padded, tileUsingForOp } from '../tile-using-for-op.ts';
import { slicingFailures } from './slicing-failures.ts';

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_for',
  summary: 'Tiles the target with `scf.for` loops.',
  paper: ['ST §5.3, stages 3a and 3b'],
  operands: {
    target: consumes('generic ops on static tensors', 'linalg.generic'),
    dynamicSizes: readsSizes('sizes that parameters hold, one for each target'),
  },
  attributes: {
    staticSizes: withImplicitDefault(i64ArrayAttribute, []),
    interchange: withImplicitDefault(i64ArrayAttribute, []),
    scalableSizes: withImplicitDefault(flagsArrayAttribute, []),
  },
  results: {
    tiledLinalgOp: produces('the tiles', 'linalg.generic'),
    loops: producesAll('the loops, outermost first', 'scf.for'),
  },
  variadicResults: ({ staticSizes = [] }) => staticSizes.filter((size) => size !== 0).length,
  failures: {
    'tile/not-generic': { mode: 'silenceable', when: 'a target is not a linalg.generic' },
    'tile/sizes': { mode: 'silenceable', when: 'there are more sizes than loops, or a negative one' },
    'tile/interchange': { mode: 'silenceable', when: 'the interchange is not a permutation' },
    'tile/remainder': { mode: 'silenceable', when: 'a size does not divide its dimension' },
    ...slicingFailures,
    'tile/order': {
      mode: 'silenceable',
      when: 'iterations of a reduction would run in another order, and the body does not combine values in any order',
    },
    'tile/parameter': {
      mode: 'silenceable',
      when: 'a parameter does not hold a positive integer for each target',
    },
  },
  assembly: {
    format:
      '$target `tile_sizes` custom<DynamicIndexList>($dynamicSizes, $static_sizes, $scalable_sizes) (`interchange` `=` $interchange^)? attr-dict `:` functional-type(operands, results)',
    directives,
  },
  *verify({ operands, results, attributes: { staticSizes, scalableSizes } }) {
    const dynamic = staticSizes.filter((size) => size === DYNAMIC).length;
    const tiled = staticSizes.filter((size) => size !== 0).length;
    if (dynamic !== operands.dynamicSizes.length) {
      yield `expects a parameter for each dynamic size, got ${operands.dynamicSizes.length} for ${dynamic}`;
    } else if (scalableSizes.length > 0 && scalableSizes.length !== staticSizes.length) {
      yield `expected same number of sizes (${staticSizes.length}) and scalable sizes (${scalableSizes.length})`;
    } else if (results.loops.length !== tiled) {
      yield `expected number of loops to tile (${tiled}) to match number of \`loops\` results (${results.loops.length})`;
    }
  },
  apply: (
    { rewriter, resultCount, warn, location },
    { target, dynamicSizes },
    { staticSizes, interchange, scalableSizes },
  ) => {
    if (scalableSizes.includes(true)) return notImplemented('a scalable size', location);
    const parameters = dynamicSizes.filter((values) => values.every(isAttribute));
    if (parameters.length < dynamicSizes.length)
      return notImplemented('a size that a handle gives', location);
    const moved = interchange.some((position, i) => position !== i);
    const tiled = padded(interchange, staticSizes.length).filter(
      (position) => (staticSizes[position] ?? 0) !== 0,
    );
    if (moved && tiled.every((position, i) => i === 0 || position > tiled[i - 1]!)) {
      warn(
        'tile/interchange-without-effect',
        `interchange [${interchange.join(', ')}] leaves the tiled dimensions in their order: ` +
          'positions count iteration dimensions, not loops',
      );
    }
    const wrong = parameters.find(
      (values) => values.length !== target.length || !values.every((value) => isPositive(value)),
    );
    if (wrong !== undefined) {
      const message = `expected a positive integer for each of ${target.length} targets, got [${wrong.map((value) => printAttribute(value)).join(', ')}]`;
      return silenceable(error('tile/parameter', message, target[0]?.location ?? location));
    }
    return mapSuccess(
      collect(target.entries(), ([i, operation]) => {
        const given = parameters.map((values) => integerOf(values[i])!);
        const sizes = staticSizes.map((size) => (size === DYNAMIC ? given.shift()! : size));
        return tileUsingForOp(rewriter, operation, sizes, interchange);
      }),
      (tiles) => ({
        tiledLinalgOp: tiles.map(({ tiled }) => tiled),
        loops:
          tiles.length === 0
            ? Array.from({ length: resultCount - 1 }, () => [])
            : tiles[0]!.loops.map((_, depth) => tiles.map(({ loops }) => loops[depth]!)),
      }),
    );
  },
});

const isAttribute = (item: PayloadItem): item is Attribute => 'kind' in item;

const isPositive = (attribute: Attribute): boolean => (integerOf(attribute) ?? 0) > 0;

/** This file, whose calls record ops for those who call it. */
const here = callSite();

/** How a `tile_using_for` is to tile. */
export interface TileOptions {
  /** Iterations of a tile in each iteration dimension, 0 for one that is not tiled; missing sizes are 0. */
  readonly staticSizes?: readonly (number | Param<number>)[];
  /** The order of the loops as positions of iteration dimensions, padded with the identity. */
  readonly interchange?: readonly number[];
}

/** `transform.structured.tile_using_for`; a size may be a parameter of the schedule. */
export const tileUsingFor = Object.assign(
  (
    { target }: { readonly target: Handle<'linalg.generic'> },
    { staticSizes = [], interchange }: TileOptions = {},
    options?: RecordOptions,
  ): ReturnType<typeof tileOp> => {
    // What is no list is told by the op.
    const sizes = Array.isArray(staticSizes) ? staticSizes : [];
    const numbers = sizes.map((size) => (typeof size === 'number' ? size : DYNAMIC));
    return tileOp(
      { target, dynamicSizes: sizes.filter((size) => typeof size !== 'number') },
      {
        staticSizes: sizes === staticSizes ? numbers : (staticSizes as readonly number[]),
        scalableSizes: sizes.map(() => false),
        ...(interchange === undefined ? {} : { interchange }),
      },
      { helper: here, ...options },
    );
  },
  { definition: tileOp.definition },
);
