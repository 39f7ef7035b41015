import { describe, expect, it } from 'vitest';
import { fileLocation } from '@sconv/diagnostics';
import {
  allTypesMatch,
  anyTensor,
  anyType,
  defineOp,
  f32,
  i64,
  i64ArrayAttribute,
  i64Attribute,
  index,
  indexType,
  one,
  optionalAttribute,
  snakeCase,
  tensorType,
  unitAttributeKind,
  variadic,
  withDefault,
} from '../src/index.ts';
import type { Operation, Type, Value, VerifyContext } from '../src/index.ts';

const slice = defineOp({
  name: 'test.slice',
  summary: 'A slice.',
  operands: { source: one(anyTensor), offsets: variadic(index), sizes: variadic(index) },
  results: { result: one(anyTensor) },
  attributes: {
    staticOffsets: i64ArrayAttribute,
    depth: withDefault(i64Attribute, 1),
    width: optionalAttribute(i64Attribute),
    inbounds: unitAttributeKind,
  },
});

const source: Value = { id: 1, type: tensorType([4], f32) };
const offset: Value = { id: 2, type: indexType };

const operationOf = (state: ReturnType<typeof slice.state>): Operation => ({
  id: 9,
  name: state.name,
  operands: state.operands,
  results: state.resultTypes.map((type, i) => ({ id: 10 + i, type })),
  attributes: state.attributes,
  regions: [],
  successors: [],
  location: fileLocation('t.mlir', 1, 1),
});

const noContext: VerifyContext = {
  ancestors: [],
  hasTrait: () => false,
  modelOf: () => undefined,
  lookupSymbol: () => undefined,
  definitionOf: () => undefined,
  successor: () => undefined,
};

describe('defineOp', () => {
  const state = slice.state({
    operands: { source, offsets: [offset] },
    attributes: { staticOffsets: [3] },
    resultTypes: [source.type],
  });

  it('gives typed accessors to what state() was given, with defaults', () => {
    const operation = operationOf(state);
    expect(slice.operands(operation)).toEqual({ source, offsets: [offset], sizes: [] });
    const attributes = slice.attributes(operation);
    const offsets: readonly number[] = attributes.staticOffsets;
    const width: number | undefined = attributes.width;
    expect([offsets, attributes.depth, width, attributes.inbounds]).toEqual([[3], 1, undefined, false]);
  });

  it('writes attributes in snake_case with stored defaults, and segment sizes where groups are ambiguous', () => {
    expect(Object.keys(state.attributes).sort()).toEqual(['depth', 'operandSegmentSizes', 'static_offsets']);
    expect(snakeCase('staticChunkSizes')).toBe('static_chunk_sizes');
  });

  it('refuses operands that do not fit the segments', () => {
    expect(() => slice.operands({ ...operationOf(state), operands: [source] })).toThrow(
      "operands of 'test.slice' do not fit their declaration",
    );
  });

  it('hands a verifier the names and types of the declaration', () => {
    const { verify } = defineOp({
      name: 'test.slice',
      summary: 'A slice.',
      operands: { source: one(anyTensor), offsets: variadic(index), sizes: variadic(index) },
      results: { result: one(anyTensor) },
      attributes: { staticOffsets: i64ArrayAttribute, width: optionalAttribute(i64Attribute) },
      *verify({ operation, operands, results, attributes }) {
        yield `${operation.name} of ${operands.source.type.shape.length} dimensions at ${attributes.staticOffsets.join()}`;
        yield `${operands.offsets.length} offsets, ${results.result.type.shape.join()}, ${attributes.width ?? 'any'} wide`;
      },
    });
    expect([...verify!(operationOf(state), noContext)]).toEqual([
      'test.slice of 1 dimensions at 3',
      '1 offsets, 4, any wide',
    ]);
  });

  it('requires the required attributes at compile time', () => {
    // @ts-expect-error staticOffsets is required
    const incomplete = () => slice.state({ operands: { source }, attributes: {} });
    expect(incomplete).toThrow("'test.slice' needs its result types");
  });
});

describe('result types from relations', () => {
  const groups = defineOp({
    name: 'test.groups',
    summary: 'Groups of operands whose types determine results.',
    operands: { first: variadic(anyType), second: variadic(anyType), third: one(anyType) },
    results: { low: one(anyType), high: one(anyType) },
    typeRelations: [allTypesMatch('second', 'low'), allTypesMatch('third', 'high')],
  });
  const value = (id: number, type: Type): Value => ({ id, type });

  it('take each group of operands by itself', () => {
    const { resultTypes } = groups.state({
      operands: {
        first: [value(1, f32), value(2, f32)],
        second: [value(3, indexType)],
        third: value(4, i64),
      },
    });
    expect(resultTypes).toEqual([indexType, i64]);
  });

  it('are not inferred from a group without values', () => {
    expect(() => groups.state({ operands: { first: [value(1, f32)], third: value(4, i64) } })).toThrow(
      "'test.groups' needs its result types",
    );
  });
});
