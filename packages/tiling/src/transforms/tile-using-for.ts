/** `tileUsingForOp` as a transform. */
import { collect, error, mapSuccess, silenceable } from '@sconv/diagnostics';
import type { Attribute } from '@sconv/ir';
import {
  attributeKind,
  denseArrayAttribute,
  DYNAMIC,
  i1,
  i64ArrayAttribute,
  integerOf,
  printAttribute,
  typeEquals,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import type { Handle, Param, RecordOptions } from '@sconv/transform';
import { callSite, consumes, defineTransformOp, produces, producesAll, readsParams } from '@sconv/transform';
import { parseTileUsingFor, printTileUsingFor } from '../tile-using-for-assembly.ts';
import { padded, tileUsingForOp } from '../tile-using-for-op.ts';
import { slicingFailures } from './slicing-failures.ts';

/** `array<i1: false, true>`. */
const flagsAttribute = attributeKind<readonly boolean[]>(
  'i1 dense array attribute',
  (attribute) =>
    attribute.kind === 'dense-array' && typeEquals(attribute.elementType, i1)
      ? attribute.values.map(Boolean)
      : undefined,
  (values) => denseArrayAttribute(values, i1),
);

const tileOp = defineTransformOp({
  name: 'transform.structured.tile_using_for',
  summary: 'Tiles the target with `scf.for` loops.',
  paper: ['ST §5.3, stages 3a and 3b'],
  operands: {
    target: consumes('generic ops on static tensors', 'linalg.generic'),
    dynamicSizes: readsParams<number>('sizes that parameters hold, one for each target'),
  },
  attributes: {
    staticSizes: withDefault(i64ArrayAttribute, []),
    interchange: withDefault(i64ArrayAttribute, []),
    scalableSizes: withImplicitDefault(flagsAttribute, []),
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
  assembly: { parse: parseTileUsingFor, print: printTileUsingFor },
  *verify({ operands, attributes }) {
    const dynamic = attributes.staticSizes.filter((size) => size === DYNAMIC).length;
    if (dynamic !== operands.dynamicSizes.length) {
      yield `expects a parameter for each dynamic size, got ${operands.dynamicSizes.length} for ${dynamic}`;
    }
    if (attributes.scalableSizes.includes(true)) yield 'does not support scalable sizes';
  },
  apply: (
    { rewriter, resultCount, warn, location },
    { target, dynamicSizes },
    { staticSizes, interchange },
  ) => {
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
    const wrong = dynamicSizes.find(
      (values) => values.length !== target.length || !values.every((value) => isPositive(value)),
    );
    if (wrong !== undefined) {
      const message = `expected a positive integer for each of ${target.length} targets, got [${wrong.map((value) => printAttribute(value)).join(', ')}]`;
      return silenceable(error('tile/parameter', message, target[0]?.location ?? location));
    }
    return mapSuccess(
      collect(target.entries(), ([i, operation]) => {
        const given = dynamicSizes.map((values) => integerOf(values[i])!);
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
