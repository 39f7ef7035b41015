/** The builtin dialect: the module, and the casts that partial conversions leave. */
import type { Dialect } from '@sconv/ir';
import { anyType, defineOp, optionalAttribute, stringAttributeKind, typeEquals, variadic } from '@sconv/ir';
import { symbolName } from './attribute-kinds.ts';
import { firstBlockOf } from './region-edges.ts';

/** `module @name attributes {…} { … }`. */
export const moduleOp = defineOp({
  name: 'builtin.module',
  summary: 'the top of the IR: a symbol table of functions and other global operations',
  attributes: {
    symName: optionalAttribute(symbolName),
    symVisibility: optionalAttribute(stringAttributeKind),
  },
  regions: ['bodyRegion'],
  bodies: ['bodyRegion'],
  traits: [
    'isolated-from-above',
    'symbol-table',
    'symbol',
    'no-terminator',
    'single-block',
    'graph-region',
    'affine-scope',
  ],
  defaultDialect: 'builtin',
  assembly: { format: '($sym_name^)? attr-dict-with-keyword $bodyRegion' },
  *verify({ operation }) {
    if (firstBlockOf(operation).arguments.length > 0) yield 'region should have no arguments';
    for (const name of Object.keys(operation.attributes)) {
      if (!name.includes('.') && name !== 'sym_name' && name !== 'sym_visibility') {
        yield `can only contain attributes with dialect-prefixed names, found: '${name}'`;
      }
    }
  },
});

/** `builtin.unrealized_conversion_cast %x : f32 to i32`. */
export const unrealizedConversionCast = defineOp({
  name: 'builtin.unrealized_conversion_cast',
  summary: 'a cast between types of different stages of a lowering',
  operands: { inputs: variadic(anyType) },
  results: { outputs: variadic(anyType) },
  traits: ['pure', 'cast'],
  assembly: { format: '($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict' },
  *verify({ results: { outputs } }) {
    if (outputs.length === 0) yield 'expected at least one result for cast operation';
  },
  fold: (operation) => {
    const { operands, results } = operation;
    const same =
      operands.length === results.length &&
      operands.every((operand, i) => typeEquals(operand.type, results[i]?.type ?? operand.type));
    return same ? operands : undefined;
  },
});

/** The dialect, for a registry. */
export const builtinDialect: Dialect = {
  name: 'builtin',
  operations: [moduleOp, unrealizedConversionCast],
};
