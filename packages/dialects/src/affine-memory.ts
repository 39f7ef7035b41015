/** Memory accesses of the affine dialect: indices are affine in loop variables and symbols. */
import type { AffineMap } from '@sconv/affine';
import type { MemRefType, OpAsmParser, Operation, Type, Value, VerifyContext } from '@sconv/ir';
import {
  affineMapAttributeKind,
  anyType,
  atLeast,
  atMost,
  boolAttribute,
  booleanAttribute,
  defineOp,
  i32,
  i32Attribute,
  index,
  integerAttribute,
  named,
  one,
  typeEquals,
  variadic,
} from '@sconv/ir';
import type { Attribute } from '@sconv/ir';
import { indexErrors } from './affine-scope.ts';
import { parseAccess, printAccess, resolveAccess } from './affine-text.ts';
import { anyVector, elementTypeOf, memref } from './constraints.ts';
import { accessesOperands } from './interfaces.ts';

/** Errors of an access to `buffer` through a map of `indices`. */
function* accessErrors(
  map: AffineMap,
  buffer: MemRefType,
  indices: readonly Value[],
  context: VerifyContext,
): Generator<string> {
  if (map.results.length !== buffer.shape.length) {
    yield 'affine map num results must equal memref rank';
  } else if (map.numDims + map.numSymbols !== indices.length) {
    yield 'expects as many subscripts as affine map inputs';
  } else yield* indexErrors(indices, context);
}

function* vectorErrors(buffer: MemRefType, vector: Type): Generator<string> {
  if (!typeEquals(buffer.elementType, elementTypeOf(vector))) {
    yield 'requires memref and vector types of the same elemental type';
  }
}

const loadLike = (name: string, summary: string, vector: boolean) =>
  defineOp({
    name,
    summary,
    operands: { memref: one(memref), indices: variadic(index) },
    results: { result: one(vector ? anyVector : anyType) },
    interfaces: [accessesOperands([0], [])],
    attributes: { map: affineMapAttributeKind },
    assembly: {
      parse: (parser) => {
        const access = parseAccess(parser);
        const attributes = parser.optionalAttrDict();
        const type = parser.colonType();
        const result = vector ? (parser.expect(','), parser.type()) : elementTypeOf(type);
        return {
          operands: resolveAccess(parser, access, type),
          attributes: { ...attributes, map: access.map },
          resultTypes: [result],
        };
      },
      print: (printer, operation) => {
        const [buffer, ...indices] = operation.operands as [Value, ...Value[]];
        printer.text(' ');
        printer.operand(buffer);
        printAccess(printer, operation.attributes['map'], indices);
        printer.optionalAttrDict(operation, ['map']);
        printer.text(' : ');
        printer.type(buffer.type);
        if (vector) {
          printer.text(', ');
          printer.types(operation.results.map((result) => result.type));
        }
      },
    },
    *verify({ operands: { memref: buffer, indices }, results: { result }, attributes: { map } }, context) {
      yield* accessErrors(map, buffer.type, indices, context);
      if (vector) yield* vectorErrors(buffer.type, result.type);
    },
  });

const storeLike = (name: string, summary: string, vector: boolean) =>
  defineOp({
    name,
    summary,
    operands: { value: one(vector ? anyVector : anyType), memref: one(memref), indices: variadic(index) },
    interfaces: [accessesOperands([], [1])],
    attributes: { map: affineMapAttributeKind },
    assembly: {
      parse: (parser) => {
        const value = parser.operand();
        parser.expect(',');
        const access = parseAccess(parser);
        const attributes = parser.optionalAttrDict();
        const type = parser.colonType();
        const stored = vector ? (parser.expect(','), parser.type()) : elementTypeOf(type);
        return {
          operands: [parser.resolve(value, stored), ...resolveAccess(parser, access, type)],
          attributes: { ...attributes, map: access.map },
        };
      },
      print: (printer, operation) => {
        const [value, buffer, ...indices] = operation.operands as [Value, Value, ...Value[]];
        printer.text(' ');
        printer.operand(value);
        printer.text(', ');
        printer.operand(buffer);
        printAccess(printer, operation.attributes['map'], indices);
        printer.optionalAttrDict(operation, ['map']);
        printer.text(' : ');
        printer.type(buffer.type);
        if (vector) {
          printer.text(', ');
          printer.type(value.type);
        }
      },
    },
    *verify({ operands: { value, memref: buffer, indices }, attributes: { map } }, context) {
      if (vector) yield* vectorErrors(buffer.type, value.type);
      else if (!typeEquals(buffer.type.elementType, value.type))
        yield 'value to store must have the same type as memref element type';
      yield* accessErrors(map, buffer.type, indices, context);
    },
  });

/** `affine.load %m[%i + 1] : memref<8xf32>`. */
export const affineLoad = loadLike('affine.load', 'reads an element of a buffer', false);
/** `affine.store %v, %m[%i + 1] : memref<8xf32>`. */
export const affineStore = storeLike('affine.store', 'writes an element of a buffer', false);
/** `affine.vector_load %m[%i] : memref<8xf32>, vector<4xf32>`. */
export const affineVectorLoad = loadLike('affine.vector_load', 'reads a vector of a buffer', true);
/** `affine.vector_store %v, %m[%i] : memref<8xf32>, vector<4xf32>`. */
export const affineVectorStore = storeLike('affine.vector_store', 'writes a vector of a buffer', true);

/** Temporal locality of a prefetch, 0 to 3: 3 keeps the data closest to the processor. */
export const prefetchLocality = named(atMost(atLeast(i32Attribute, 0), 3), 'localityHint');

/** `affine.prefetch %m[%i], read, locality<3>, data : memref<8xf32>`. */
export const affinePrefetch = defineOp({
  name: 'affine.prefetch',
  summary: 'a hint that an element will be used soon',
  operands: { memref: one(memref), indices: variadic(index) },
  attributes: {
    isWrite: named(boolAttribute, 'isWrite'),
    localityHint: prefetchLocality,
    isDataCache: named(boolAttribute, 'isDataCache'),
    map: affineMapAttributeKind,
  },
  assembly: {
    parse: (parser) => {
      const access = parseAccess(parser);
      parser.expect(',');
      const hints = parsePrefetchHints(parser);
      const attributes = parser.optionalAttrDict();
      const type = parser.colonType();
      return {
        operands: resolveAccess(parser, access, type),
        attributes: { ...attributes, ...hints, map: access.map },
      };
    },
    print: (printer, operation) => {
      const [buffer, ...indices] = operation.operands as [Value, ...Value[]];
      printer.text(' ');
      printer.operand(buffer);
      printAccess(printer, operation.attributes['map'], indices);
      printer.text(`, ${prefetchHints(operation)}`);
      printer.optionalAttrDict(operation, ['map', 'isWrite', 'localityHint', 'isDataCache']);
      printer.text(' : ');
      printer.type(buffer.type);
    },
  },
  verify: ({ operands: { memref: buffer, indices }, attributes: { map } }, context) =>
    accessErrors(map, buffer.type, indices, context),
});

/** Parses `read, locality<3>, data` of `affine.prefetch` and `memref.prefetch`. */
export const parsePrefetchHints = (parser: OpAsmParser): Record<string, Attribute> => {
  const isWrite = parser.accept('write');
  if (!isWrite && !parser.accept('read')) parser.fail("rw specifier has to be 'read' or 'write'");
  parser.expect(',');
  parser.expect('locality');
  parser.expect('<');
  const locality = parser.integer();
  parser.expect('>');
  parser.expect(',');
  const isData = parser.accept('data');
  if (!isData && !parser.accept('instr')) parser.fail("cache type has to be 'data' or 'instr'");
  return {
    isWrite: booleanAttribute(isWrite),
    localityHint: integerAttribute(locality, i32),
    isDataCache: booleanAttribute(isData),
  };
};

/** The inverse of `parsePrefetchHints`. */
export const prefetchHints = (operation: Operation): string => {
  const integer = (name: string): bigint => {
    const attribute = operation.attributes[name];
    return attribute?.kind === 'integer' ? attribute.value : 0n;
  };
  const access = integer('isWrite') === 0n ? 'read' : 'write';
  const cache = integer('isDataCache') === 0n ? 'instr' : 'data';
  return `${access}, locality<${integer('localityHint')}>, ${cache}`;
};
