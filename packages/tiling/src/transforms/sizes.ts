/** `scalarizeOp`, and the computation of two kinds of tile sizes, as transforms. */
import { collect, error, mapSuccess, silenceable } from '@sconv/diagnostics';
import type { DraftOperation, Type } from '@sconv/ir';
import { constrained, i64, i64Attribute, integerAttribute, typeEquals, withDefault } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  oneResultType,
  payloadKindOf,
  produces,
  producesEither,
  reads,
  semiFunctional,
} from '@sconv/transform';
import { multitileNumbers, multitileValues } from '../multitile-sizes-op.ts';
import { continuousNumbers, continuousValues } from '../continuous-tile-sizes-op.ts';
import { scalarizeOp } from '../scalarize-op.ts';
import { largeSizeWarnings, warnOfLargeSize } from './large-sizes.ts';
import { slicingFailures } from './slicing-failures.ts';

/** `transform.structured.scalarize`. */
export const scalarize = defineTransformOp({
  name: 'transform.structured.scalarize',
  summary: 'Tiles dynamic dimensions by 1.',
  operands: { target: consumes('structured ops') },
  results: { result: produces('the scalar ops in the loops') },
  failures: {
    'tile/not-tileable': { mode: 'silenceable', when: 'a target cannot be tiled' },
    'tile/unsound-slice': slicingFailures['tile/unsound-slice'],
    'tile/order': {
      mode: 'silenceable',
      when: 'iterations would run in another order, which may change the result',
    },
  },
  assembly: semiFunctional('target', 'result'),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => scalarizeOp(rewriter, operation)),
      (result) => ({ result }),
    ),
});

/** `transform.structured.multitile_sizes`. */
export const multitileSizes = defineTransformOp({
  name: 'transform.structured.multitile_sizes',
  summary: 'Computes two tile sizes and a split point that leave no remainder.',
  operands: { target: reads('structured ops') },
  attributes: { dimension: i64Attribute, targetSize: i64Attribute, divisor: withDefault(i64Attribute, 1) },
  results: {
    lowSize: producesEither('the smaller size'),
    highSize: producesEither('the larger size'),
    splitPoint: producesEither('the split point'),
  },
  failures: {
    'tile/multitile': { mode: 'silenceable', when: 'no such sizes exist, or there is no such dimension' },
    'tile/multitile-dynamic': {
      mode: 'silenceable',
      when: 'the results are parameters, and the size of the dimension is dynamic',
    },
  },
  warnings: largeSizeWarnings,
  assembly: oneResultType('lowSize', 'highSize', 'splitPoint'),
  *verify({ results: { lowSize, highSize, splitPoint } }) {
    if (![highSize, splitPoint].every(({ type }) => typeEquals(type, lowSize.type)))
      yield 'expects all results type to be the same';
  },
  apply: ({ rewriter, operation: step, warn }, { target }, { dimension, targetSize, divisor }) => {
    warnOfLargeSize({ rewriter, warn }, target, [[dimension, targetSize]]);
    const of = { dimension, target: targetSize, divisor };
    if (isParam(step.results[0]?.type)) {
      const parameter = (size: number) => integerAttribute(size, i64);
      return mapSuccess(
        collect(target, (operation) => multitileNumbers(rewriter, operation, of)),
        (sizes) => ({
          lowSize: sizes.map(({ low }) => parameter(low)),
          highSize: sizes.map(({ high }) => parameter(high)),
          splitPoint: sizes.map(({ point }) => parameter(point)),
        }),
      );
    }
    return mapSuccess(
      collect(target, (operation: DraftOperation) => multitileValues(rewriter, operation, of)),
      (sizes) => ({
        lowSize: sizes.map(({ low }) => low),
        highSize: sizes.map(({ high }) => high),
        splitPoint: sizes.map(({ point }) => point),
      }),
    );
  },
});

/** `transform.structured.continuous_tile_sizes`. */
export const continuousTileSizes = defineTransformOp({
  name: 'transform.structured.continuous_tile_sizes',
  summary:
    'Computes tile sizes that decrease by powers of two, and the part of the dimension that each covers.',
  operands: { target: reads('structured ops') },
  attributes: {
    dimension: constrained(i64Attribute, 'whose value is non-negative', (value) => value >= 0),
    targetSize: constrained(i64Attribute, 'whose value is non-negative', (value) => value >= 0),
  },
  results: {
    tileSizes: producesEither('the sizes'),
    chunkSizes: producesEither('the extent that each size covers'),
  },
  failures: {
    'tile/continuous-targets': { mode: 'silenceable', when: 'there is not exactly one target' },
    'tile/continuous-structured': { mode: 'definite', when: 'the target is not a structured op' },
    'tile/continuous': {
      mode: 'silenceable',
      when: 'there is no such dimension, or the target size is less than 1',
    },
    'tile/continuous-dynamic': {
      mode: 'silenceable',
      when: 'the results are parameters, and the sizes of the target are dynamic',
    },
  },
  assembly: oneResultType('tileSizes', 'chunkSizes'),
  apply: ({ rewriter, operation: step, location }, { target }, { dimension, targetSize }) => {
    const [only, ...others] = target;
    if (only === undefined || others.length > 0) {
      const message = `requires exactly one target (got ${target.length})`;
      return silenceable(error('tile/continuous-targets', message, location));
    }
    const of = { dimension, target: targetSize };
    if (!isParam(step.results[1]?.type)) {
      return mapSuccess(continuousValues(rewriter, only, of), ({ sizes, chunks }) => ({
        tileSizes: sizes,
        chunkSizes: chunks,
      }));
    }
    return mapSuccess(continuousNumbers(rewriter, only, of), ({ sizes, chunks }) => ({
      tileSizes: sizes.map((size) => integerAttribute(size, i64)),
      chunkSizes: chunks.map((size) => integerAttribute(size, i64)),
    }));
  },
});

const isParam = (type: Type | undefined): boolean => type !== undefined && payloadKindOf(type) === 'params';
