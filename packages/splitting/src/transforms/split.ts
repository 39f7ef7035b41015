/** `splitOp` as a transform. */
import { collect, mapSuccess } from '@sconv/diagnostics';
import type { OpAsmParser, OpAsmPrinter, Operation, ParsedOperation } from '@sconv/ir';
import { DYNAMIC, i64, i64Attribute, integerAttribute, unitAttributeKind } from '@sconv/ir';
import { consumes, defineTransformOp, notImplemented, produces, readsOptionalSize } from '@sconv/transform';
import { splitOp } from '../split-op.ts';

/** `%target after 42 {dimension = 0} : type`, or `%target after %point {…} : type, point type`; results are as the target. */
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

/** `transform.structured.split`, the form with one static cut. */
export const split = defineTransformOp({
  name: 'transform.structured.split',
  summary: 'Splits the iteration domain of the target in two along one dimension.',
  paper: ['ST §5.2, stage 2'],
  operands: {
    target: consumes('structured ops on static tensors', 'linalg.*'),
    dynamicChunkSizes: readsOptionalSize('not supported'),
  },
  attributes: { dimension: i64Attribute, staticChunkSizes: i64Attribute, multiway: unitAttributeKind },
  results: {
    first: produces('the parts before the cut'),
    second: produces('the parts from the cut on'),
  },
  resultsLike: 'target',
  failures: {
    'split/not-structured': { mode: 'silenceable', when: 'a target is not a structured op' },
    'split/dimension-overflow': { mode: 'silenceable', when: 'the dimension does not exist in the target' },
    'split/dynamic': { mode: 'silenceable', when: 'a target has dynamic sizes or buffers' },
    'split/point-outside': { mode: 'silenceable', when: 'the cut would leave one part empty' },
    'split/out-of-bounds': {
      mode: 'silenceable',
      when: 'a part reads or writes outside of an operand',
    },
    'split/named-map': {
      mode: 'silenceable',
      when: 'a part would index an operand otherwise than a named op does',
    },
    'split/arithmetic': { mode: 'silenceable', when: 'an index of an operand lies beyond 2^53' },
    'split/index': { mode: 'silenceable', when: 'the body uses the index of the split dimension' },
    'split/order': {
      mode: 'silenceable',
      when: 'iterations of a reduction would run in another order, and the body does not combine values in any order',
    },
  },
  assembly: { parse: parseSplit, print: printSplit },
  *verify({ operands, attributes: { staticChunkSizes } }) {
    if ((staticChunkSizes === DYNAMIC) !== (operands.dynamicChunkSizes !== undefined))
      yield 'expects either a dynamic or a static split point to be provided';
  },
  apply: (
    { rewriter, location },
    { target, dynamicChunkSizes },
    { dimension, staticChunkSizes, multiway },
  ) => {
    if (multiway) return notImplemented('a split in many parts', location);
    if (dynamicChunkSizes !== undefined) return notImplemented('a point that an operand gives', location);
    return mapSuccess(
      collect(target, (operation) => splitOp(rewriter, operation, dimension, staticChunkSizes)),
      (parts) => ({ first: parts.map(({ low }) => low), second: parts.map(({ high }) => high) }),
    );
  },
});
