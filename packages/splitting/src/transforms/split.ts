/** `splitOp`, `splitManyOp` and `splitExactlyOp` as a transform. */
import { add, dim, makeMap } from '@sconv/affine';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { structured } from '@sconv/dialects/linalg';
import { applyFolded, indexNumber, indexValue, shiftIndices } from '@sconv/dialects';
import type { DraftOperation, OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import {
  documented,
  DYNAMIC,
  i64,
  i64Attribute,
  integerAttribute,
  integerOf,
  unitAttributeKind,
} from '@sconv/ir';
import type { PayloadItem } from '@sconv/transform';
import { consumes, defineTransformOp, produces, readsOptionalSize } from '@sconv/transform';
import type { Renumber } from '../split-exactly-op.ts';
import { splitExactlyOp } from '../split-exactly-op.ts';
import type { SplitResult } from '../split-op.ts';
import { splitManyOp, splitOp } from '../split-op.ts';

/**
 * `%target after 42 {dimension = 0} : type`, or `%target after %point {…} : type, point type`; results have the
 * target's type.
 */
const parseSplit = (parser: OpAsmParser): ParsedOperation => {
  const target = parser.operand();
  parser.expect('after');
  const point = parser.optionalOperand();
  const at = point === undefined ? parser.integer() : BigInt(DYNAMIC);
  const attributes = parser.optionalAttrDict();
  const type = parser.colonType();
  const operands = [parser.resolve(target, type)];
  if (point !== undefined) {
    parser.expect(',');
    operands.push(parser.resolve(point, parser.type()));
  }
  return {
    operands,
    resultTypes: [type, type],
    attributes: { ...attributes, static_chunk_sizes: integerAttribute(at, i64) },
  };
};

const printSplit = (printer: OpAsmPrinter, operation: Operation): void => {
  const [target, point] = operation.operands;
  printer.text(' ');
  printer.operands(operation.operands.slice(0, 1));
  printer.text(' after ');
  if (point === undefined) printer.attributeWithoutType(operation.attributes['static_chunk_sizes']!);
  else printer.operand(point);
  printer.text(' ');
  printer.optionalAttrDict(operation, ['static_chunk_sizes']);
  printer.text(' : ');
  printer.types([target, point].flatMap((value) => (value === undefined ? [] : [value.type])));
};

/** `transform.structured.split`. */
export const split = defineTransformOp({
  name: 'transform.structured.split',
  summary: 'Splits the iteration domain of the target along one dimension, into two or more parts.',
  paper: ['ST §5.2, stage 2'],
  operands: {
    target: consumes('structured ops', 'linalg.*'),
    dynamicChunkSizes: readsOptionalSize(
      'split points, held by a parameter or computed by operations: one per target, or all for one target',
    ),
  },
  attributes: {
    dimension: documented(i64Attribute, 'a dimension of the iteration domain'),
    staticChunkSizes: documented(i64Attribute, 'the split point; DYNAMIC if `dynamicChunkSizes` has it'),
    multiway: documented(unitAttributeKind, 'splits into one part per given size, and the rest'),
    exact: documented(
      unitAttributeKind,
      'keeps static shapes, and re-bases indexing maps of the second part',
    ),
  },
  results: {
    first: produces('the parts before the split point; all parts if `multiway`'),
    second: produces('the parts from the split point on, if not empty'),
  },
  resultsLike: 'target',
  failures: {
    'split/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
    'split/dimension-overflow': { mode: 'silenceable', when: 'the dimension does not exist in the target' },
    'split/point': { mode: 'silenceable', when: 'the first part would be empty' },
    'split/point-result': {
      mode: 'silenceable',
      when: 'an operation that computes a split point does not have exactly one result, of type index',
    },
    'split/points': {
      mode: 'definite',
      when: 'the number of split points differs from the number of targets',
    },
    'split/targets': { mode: 'silenceable', when: '`multiway`: there is not exactly one target' },
    'split/no-second': {
      mode: 'silenceable',
      when: 'the second part is empty for some of the targets, but not for all',
    },
    'tile/unsound-slice': {
      mode: 'silenceable',
      when:
        'an operand is indexed by a floordiv or mod of the dimension, which a slice would restart at ' +
        '0; `exact` splits it',
    },
    'tile/order': {
      mode: 'silenceable',
      when: 'iterations would run in another order, which may change the result',
    },
    'split/dynamic': { mode: 'silenceable', when: '`exact`: a target has dynamic sizes or buffers' },
    'split/point-outside': { mode: 'silenceable', when: '`exact`: one part would be empty' },
    'split/out-of-bounds': {
      mode: 'silenceable',
      when: '`exact`: a part accesses elements outside of an operand',
    },
    'split/named-map': {
      mode: 'silenceable',
      when: '`exact`: a part would need an indexing map that its named op does not have',
    },
    'split/arithmetic': { mode: 'silenceable', when: '`exact`: an index of an operand lies beyond 2^53' },
    'split/order': {
      mode: 'silenceable',
      when: '`exact`: iterations of a reduction would run in another order, which may change the result',
    },
  },
  warnings: {
    'split/beyond-extent':
      'the split point in the text is the extent of the dimension or more: nothing is split',
  },
  assembly: { parse: parseSplit, print: printSplit },
  *verify({ operands, attributes: { staticChunkSizes, multiway, exact } }) {
    if ((staticChunkSizes === DYNAMIC) !== (operands.dynamicChunkSizes !== undefined))
      yield 'expects either a dynamic or a static split point to be provided';
    if (multiway && exact) yield 'expects an exact split to be in two';
  },
  apply: (
    { rewriter, location, warn },
    { target, dynamicChunkSizes },
    { dimension, staticChunkSizes, multiway, exact },
  ) => {
    const [only, ...others] = target;
    if (multiway && (only === undefined || others.length > 0)) {
      const message = `requires exactly one target when multiway split is enabled (got ${target.length})`;
      return silenceable(error('split/targets', message, location));
    }
    const given =
      dynamicChunkSizes === undefined
        ? success(target.map((): MixedIndex => staticChunkSizes))
        : collect(dynamicChunkSizes, (item) => pointOf(item, location));
    const extents = target.map(
      (operation) => structured(rewriter.registry, operation)?.loopRanges[dimension] ?? DYNAMIC,
    );
    // A parameter may mean that all is in the first part: `multitile_sizes` computes such.
    const warnOfWhole = (): void => {
      if (dynamicChunkSizes !== undefined) return;
      const place = extents.every((extent) => extent === staticChunkSizes) ? 'the end' : 'behind the end';
      const message = `nothing is split: ${staticChunkSizes} is ${place} of dimension ${dimension}`;
      warn('split/beyond-extent', `${message}, whose extent is ${[...new Set(extents)].join(', ')}`);
    };
    return andThen(given, (points) => {
      if (multiway) {
        return mapSuccess(splitManyOp(rewriter, only!, dimension, points), (parts) => {
          if (parts.length === 1) warnOfWhole();
          return { first: parts, second: [] };
        });
      }
      if (points.length !== target.length) {
        const message =
          `expected the dynamic split point handle to point to as many operations (${points.length}) ` +
          `as the target handle (${target.length})`;
        return definite(error('split/points', message, location));
      }
      const parts = collect(target.entries(), ([i, operation]) =>
        exact
          ? splitExactlyOp(rewriter, operation, dimension, indexNumber(rewriter, points[i]!) ?? NaN, renumber)
          : splitOp(rewriter, operation, dimension, points[i]!),
      );
      return mapSuccess(
        andThen(parts, (all) => partsOf(all, target, location)),
        (found) => {
          if (found.second.length === 0 && target.length > 0) warnOfWhole();
          return found;
        },
      );
    });
  },
});

const renumber: Renumber = (rewriter, operation, dimension, from) => {
  const shifted = makeMap(1, 0, [add(dim(0), from)]);
  shiftIndices(rewriter, operation, (local, each) =>
    each === dimension ? indexValue(rewriter, applyFolded(rewriter, shifted, [local])) : undefined,
  );
};

const pointOf = (item: PayloadItem, location: Location): Diagnosed<MixedIndex> => {
  if ('kind' in item) return success(integerOf(item) ?? NaN);
  const results = 'results' in item ? item.results : [];
  const [result, ...others] = results;
  if (result?.type.kind === 'index' && others.length === 0) return success(result);
  const message = 'expected dynamic split point handle to point to a single-result index-typed op';
  const notes = 'location' in item ? [{ message: 'dynamic split point', location: item.location }] : [];
  return silenceable(error('split/point-result', message, location, notes));
};

const partsOf = (
  parts: readonly SplitResult[],
  targets: readonly DraftOperation[],
  location: Location,
): Diagnosed<{ readonly first: readonly DraftOperation[]; readonly second: readonly DraftOperation[] }> => {
  const second = parts.flatMap(({ second }) => (second === undefined ? [] : [second]));
  if (second.length === 0 || second.length === parts.length)
    return success({ first: parts.map(({ first }) => first), second });
  const message = 'splitting does not produce the second part for a subset of targets';
  return silenceable(
    error('split/no-second', message, location, [
      { message: 'expected splitting to produce the second part of all or none of the targets', location },
      {
        message: 'first target with no second part',
        location: targets[parts.findIndex(({ second }) => second === undefined)]!.location,
      },
    ]),
  );
};
