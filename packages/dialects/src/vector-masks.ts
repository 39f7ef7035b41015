/** Masks, and masked operations. */
import type { DraftOperation, Operation, Value, VectorType, VerifyProblem } from '@sconv/ir';
import {
  anyType,
  defineOp,
  i1,
  implement,
  index,
  one,
  opInterface,
  optional,
  typeEquals,
  variadic,
  vectorType,
} from '@sconv/ir';
import { firstBlockOf } from './region-edges.ts';
import { typeText } from './type-text.ts';
import { integersAttribute } from './vector-attributes.ts';
import { mask as maskType, maskOfAnyRank } from './vector-types.ts';

/** An op that `vector.mask` may contain: upstream's `MaskableOpInterface`. */
export interface Maskable {
  /** The type of its mask. */
  readonly maskType: (operation: Operation) => VectorType | undefined;
  /** Whether it supports a passthru value for lanes whose mask is not set. */
  readonly hasPassthru: boolean;
}

export const maskable = opInterface<Maskable>('maskable');

/** For an op with masks of type `type`. */
export const maskedAs = (type: Maskable['maskType'], hasPassthru = false) =>
  implement(maskable, { maskType: type, hasPassthru });

/** The mask type with the shape of a vector. */
export const maskLike = ({ shape, scalable }: VectorType): VectorType => vectorType(shape, i1, scalable);

/** `vector.create_mask %n, %m : vector<4x8xi1>`. */
export const createMask = defineOp({
  name: 'vector.create_mask',
  summary: 'a mask that is set below the given positions',
  operands: { bounds: variadic(index) },
  results: { result: one(maskOfAnyRank) },
  traits: ['pure'],
  assembly: { format: '$bounds attr-dict `:` type(results)' },
  *verify({ operands: { bounds }, results: { result } }) {
    const { length: rank } = result.type.shape;
    if (rank === 0 && bounds.length !== 1) yield 'must specify exactly one operand for 0-D create_mask';
    else if (rank > 0 && bounds.length !== rank)
      yield 'must specify an operand for each result vector dimension';
  },
});

const constantMaskError = (sizes: readonly number[], { shape, scalable }: VectorType): string | undefined => {
  if (shape.length === 0) {
    if (sizes.length !== 1) return 'array attr must have length 1 for 0-D vectors';
    return sizes[0] === 0 || sizes[0] === 1
      ? undefined
      : 'mask dim size must be either 0 or 1 for 0-D vectors';
  }
  if (sizes.length !== shape.length) return 'must specify array attr of size equal vector result rank';
  for (const [i, size] of sizes.entries()) {
    if (size < 0 || size > shape[i]!)
      return 'array attr of size out of bounds of vector result dimension size';
    if (scalable[i] === true && size !== 0 && size !== shape[i])
      return "only supports 'none set' or 'all set' scalable dimensions";
  }
  return sizes.includes(0) && sizes.some((size) => size !== 0)
    ? 'expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim'
    : undefined;
};

/** `vector.constant_mask [3, 2] : vector<4x8xi1>`. */
export const constantMask = defineOp({
  name: 'vector.constant_mask',
  summary: 'a mask that is set below constant positions',
  results: { result: one(maskOfAnyRank) },
  attributes: { maskDimSizes: integersAttribute },
  traits: ['pure'],
  assembly: { format: '$mask_dim_sizes attr-dict `:` type(results)' },
  *verify({ results: { result }, attributes: { maskDimSizes } }) {
    const error = constantMaskError(maskDimSizes, result.type);
    if (error !== undefined) yield error;
  },
});

/** `vector.yield %v : vector<4xf32>`. */
export const yieldOp = defineOp({
  name: 'vector.yield',
  summary: 'the values of a region of a vector operation',
  operands: { values: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  assembly: { format: 'attr-dict ($values^ `:` type($values))?' },
});

function* maskErrors(
  operation: Operation,
  mask: VectorType,
  passthru: Value | undefined,
  model: (masked: Operation) => Maskable | undefined,
): Generator<VerifyProblem> {
  const { operations } = firstBlockOf(operation);
  const [masked] = operations;
  const last = operations.at(-1);
  if (operations.length > 2) yield 'expects only one operation to mask';
  else if (last?.name !== 'vector.yield') yield 'expects a terminator within the mask region';
  else if (last.operands.length !== operation.results.length)
    yield 'expects number of results to match mask region yielded values';
  else {
    const how = masked === undefined ? undefined : model(masked);
    if (masked !== undefined && how !== undefined)
      yield* maskedErrors(operation, masked, how, mask, passthru);
  }
}

function* maskedErrors(
  operation: Operation,
  masked: Operation,
  how: Maskable,
  mask: VectorType,
  passthru: Value | undefined,
): Generator<string> {
  const expected = how.maskType(masked);
  const [result, ...more] = masked.results;
  if (masked.results.length !== operation.results.length)
    yield 'expects number of results to match maskable operation number of results';
  else if (masked.results.some(({ type }, i) => !typeEquals(type, operation.results[i]!.type)))
    yield 'expects result type to match maskable operation result type';
  else if (expected !== undefined && !typeEquals(mask, expected))
    yield `expects a '${typeText(expected)}' mask for the maskable operation`;
  else if (passthru !== undefined) {
    if (!how.hasPassthru) yield "doesn't expect a passthru argument for this maskable operation";
    else if (result === undefined || more.length > 0)
      yield 'expects result when passthru argument is provided';
    else if (!typeEquals(passthru.type, result.type)) yield 'expects passthru type to match result type';
  }
}

/** `vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32`. */
export const mask = defineOp({
  name: 'vector.mask',
  summary: 'an operation on those elements for which a mask is set',
  operands: { mask: one(maskType), passthru: optional(anyType) },
  results: { results: variadic(anyType) },
  regions: ['maskRegion'],
  bodies: ['maskRegion'],
  traits: ['recursive-effects', 'single-block', 'restricts-body'],
  implicitTerminator: 'vector.yield',
  assembly: {
    parse: (parser) => {
      const mask = parser.operand();
      const passthru = parser.accept(',') ? parser.operand() : undefined;
      const region = parser.ensureTerminator(parser.region(), 'vector.yield', (last) => ({
        operands: last?.results ?? [],
      }));
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      const resultTypes = parser.optionalArrowTypeList();
      if (passthru !== undefined && resultTypes[0] === undefined)
        parser.fail('expects a result if passthru operand is provided');
      return {
        operands: [
          parser.resolve(mask, type),
          ...(passthru === undefined ? [] : [parser.resolve(passthru, resultTypes[0]!)]),
        ],
        attributes,
        resultTypes,
        regions: [region],
      };
    },
    print: (printer, operation) => {
      printer.text(' ');
      printer.operands(operation.operands);
      printer.text(' { ');
      const [masked] = firstBlockOf(operation).operations;
      if (masked !== undefined) printer.operationWithoutResults(masked);
      printer.text(' }');
      printer.optionalAttrDict(operation);
      printer.text(' : ');
      printer.types(operation.operands.slice(0, 1).map(({ type }) => type));
      if (operation.results.length > 0) {
        printer.text(' -> ');
        printer.types(operation.results.map(({ type }) => type));
      }
    },
  },
  verify: ({ operation, operands: { mask: chosen, passthru } }, context) =>
    maskErrors(operation, chosen.type, passthru, (masked) => context.modelOf(masked, maskable)),
});

/** The `vector.mask` around an operation, which then computes only the elements that are set in it. */
export const maskAround = ({ parent }: DraftOperation): DraftOperation | undefined =>
  parent !== undefined && mask.is(parent) ? parent : undefined;

/** Whether an operation is in a `vector.mask`. */
export const isMasked = (operation: DraftOperation): boolean => maskAround(operation) !== undefined;
