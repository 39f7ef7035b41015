/** The bufferization dialect: conversions between tensors and buffers. */
import type { Dialect, Type } from '@sconv/ir';
import {
  bare,
  anyAttribute,
  boolean,
  defineOp,
  denseArrayAttribute,
  DYNAMIC,
  i1,
  i32,
  index,
  indexType,
  one,
  optional,
  optionalAttribute,
  tensorType,
  typeEquals,
  typesMatchWith,
  unitAttributeKind,
  variadic,
} from '@sconv/ir';
import { anyMemref, anyShaped, compatibleShapes, elementTypeErrors, shapeOf, tensor } from './constraints.ts';
import { forwardsOperands } from './interfaces.ts';
import { segments } from './segments.ts';

/** The tensor type with the shape and element type of a buffer type. */
export const tensorTypeOf = (type: Type): Type | undefined => {
  if (type.kind === 'memref') return tensorType(type.shape, type.elementType);
  return type.kind === 'unranked-memref'
    ? { kind: 'unranked-tensor', elementType: type.elementType }
    : undefined;
};

/** `bufferization.to_memref %t : memref<4xf32>`. */
export const toMemref = defineOp({
  name: 'bufferization.to_memref',
  summary: 'the buffer of a tensor',
  operands: { tensor: one(tensor) },
  results: { memref: one(anyMemref) },
  attributes: { readOnly: unitAttributeKind },
  traits: ['pure'],
  typeRelations: [
    typesMatchWith("type of 'tensor' is the tensor equivalent of 'memref'", 'memref', 'tensor', tensorTypeOf),
  ],
  assembly: { format: '$tensor (`read_only` $read_only^)? attr-dict `:` type($memref)' },
});

/** `bufferization.to_tensor %m restrict writable : memref<4xf32>`. */
export const toTensor = defineOp({
  name: 'bufferization.to_tensor',
  summary: 'a tensor with the content of a buffer',
  operands: { memref: one(anyMemref) },
  results: { result: one(tensor) },
  attributes: { restrict: unitAttributeKind, writable: unitAttributeKind },
  typeRelations: [
    typesMatchWith("result type matches tensor equivalent of 'memref'", 'memref', 'result', tensorTypeOf),
  ],
  assembly: {
    format: '$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref)',
  },
});

/** `bufferization.alloc_tensor(%n) copy(%t) size_hint=%s {memory_space = 1} : tensor<?xf32>`. */
export const allocTensor = defineOp({
  name: 'bufferization.alloc_tensor',
  summary: 'a tensor that gets a buffer of its own',
  operands: { dynamicSizes: variadic(index), copy: optional(tensor), sizeHint: optional(index) },
  results: { result: one(tensor) },
  attributes: { memorySpace: optionalAttribute(anyAttribute) },
  assembly: {
    parse: (parser) => {
      const sizes = parser
        .list('paren', () => parser.operand())
        .map((operand) => parser.resolve(operand, indexType));
      const parenthesized = () => {
        parser.expect('(');
        const operand = parser.operand();
        parser.expect(')');
        return operand;
      };
      const copied = parser.accept('copy') ? parenthesized() : undefined;
      const hint = parser.accept('size_hint') ? (parser.expect('='), parser.operand()) : undefined;
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      const copy = copied === undefined ? [] : [parser.resolve(copied, type)];
      const sizeHint = hint === undefined ? [] : [parser.resolve(hint, indexType)];
      return {
        operands: [...sizes, ...copy, ...sizeHint],
        attributes: {
          ...attributes,
          operandSegmentSizes: denseArrayAttribute([sizes.length, copy.length, sizeHint.length], i32),
        },
        resultTypes: [type],
      };
    },
    print: (printer, operation) => {
      const [sizes = [], copy = [], hint = []] = segments(operation);
      printer.text('(');
      printer.operands(sizes);
      printer.text(')');
      if (copy.length > 0) {
        printer.text(' copy(');
        printer.operands(copy);
        printer.text(')');
      }
      if (hint.length > 0) {
        printer.text(' size_hint=');
        printer.operands(hint);
      }
      printer.optionalAttrDict(operation, ['operandSegmentSizes']);
      printer.text(' : ');
      printer.types(operation.results.map((result) => result.type));
    },
  },
  *verify({ operands: { dynamicSizes: sizes, copy }, results: { result } }) {
    const { type } = result;
    if (copy !== undefined && !typeEquals(copy.type, type)) {
      yield 'expected that `copy` and return type match';
      return;
    }
    if (type.kind !== 'tensor') return;
    const wanted = type.shape.filter((size) => size === DYNAMIC).length;
    if (copy !== undefined && sizes.length > 0) {
      yield* bare(['dynamic sizes not needed when copying a tensor']);
    } else if (copy === undefined && sizes.length !== wanted) {
      yield* bare([`expected ${wanted} dynamic sizes`]);
    }
  },
});

/** `bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()`. */
export const materializeInDestination = defineOp({
  name: 'bufferization.materialize_in_destination',
  summary: 'puts a tensor into the buffer of a destination',
  operands: { source: one(tensor), dest: one(anyShaped) },
  results: { result: optional(tensor) },
  attributes: { restrict: unitAttributeKind, writable: unitAttributeKind },
  assembly: {
    format:
      '$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` ' +
      'functional-type(operands, results)',
  },
  *verify({ operands, results: { result }, attributes: { restrict, writable } }) {
    const [source, dest] = [operands.source.type, operands.dest.type];
    const elements = [...elementTypeErrors('all of {source, dest}', [source, dest])];
    yield* elements;
    if (elements.length > 0) return;
    const isTensor = dest.kind === 'tensor' || dest.kind === 'unranked-tensor';
    const [from, to] = [shapeOf(source), shapeOf(dest)];
    if (!isTensor && dest.kind !== 'memref' && dest.kind !== 'unranked-memref')
      yield "'dest' must be a tensor or a memref";
    else if (isTensor && result === undefined) yield "tensor 'dest' implies exactly one tensor result";
    else if (isTensor && !typeEquals(result!.type, dest)) yield "result and 'dest' types must match";
    else if (!isTensor && result !== undefined) yield "memref 'dest' implies zero results";
    else if (isTensor && restrict) yield "'restrict' is valid only for memref destinations";
    else if (isTensor === writable)
      yield "'writable' must be specified if and only if the destination is of memref type";
    else if (from !== undefined && to !== undefined && from.length !== to.length)
      yield 'rank mismatch between source and destination shape';
    else if (from !== undefined && to !== undefined && !compatibleShapes(from, to))
      yield 'source/destination shapes are incompatible';
  },
});

/** `bufferization.dealloc_tensor %t : tensor<4xf32>`. */
export const deallocTensor = defineOp({
  name: 'bufferization.dealloc_tensor',
  summary: 'the end of the buffer of a tensor',
  operands: { tensor: one(tensor) },
  assembly: { format: '$tensor attr-dict `:` type($tensor)' },
});

/** `bufferization.clone %m : memref<4xf32> to memref<4xf32>`. */
export const clone = defineOp({
  name: 'bufferization.clone',
  // The new buffer may be the old one.
  interfaces: [forwardsOperands(0)],
  summary: 'a copy of a buffer',
  operands: { input: one(anyMemref) },
  results: { output: one(anyMemref) },
  assembly: { format: '$input attr-dict `:` type($input) `to` type($output)' },
});

/** `bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)`. */
export const dealloc = defineOp({
  name: 'bufferization.dealloc',
  summary: 'the end of buffers, under conditions, except those retained',
  operands: { memrefs: variadic(anyMemref), conditions: variadic(boolean), retained: variadic(anyMemref) },
  results: { updatedConditions: variadic(boolean) },
  assembly: {
    format:
      '(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? (`retain` ` ` `(` ' +
      '$retained^ `:` type($retained) `)`)? attr-dict',
  },
  inferResultTypes: (operands, attributes) => {
    const sizes = attributes['operandSegmentSizes'];
    const retained = sizes?.kind === 'dense-array' ? Number(sizes.values[2]) : 0;
    return operands.slice(operands.length - retained).map(() => i1);
  },
  *verify({ operands: { memrefs, conditions, retained }, results: { updatedConditions } }) {
    if (memrefs.length !== conditions.length) {
      yield 'must have the same number of conditions as memrefs to deallocate';
    } else if (retained.length !== updatedConditions.length) {
      yield 'must have the same number of updated conditions (results) as retained operands';
    }
  },
});

/** The dialect, for a registry. */
export const bufferizationDialect: Dialect = {
  name: 'bufferization',
  operations: [toMemref, toTensor, allocTensor, materializeInDestination, deallocTensor, clone, dealloc],
};
