/** Atomic updates of buffer elements. */
import type { Value } from '@sconv/ir';
import {
  allTypesMatch,
  anyType,
  defineOp,
  index,
  indexType,
  one,
  typeEquals,
  typesMatchWith,
  variadic,
} from '@sconv/ir';
import { enumAttribute } from './attribute-kinds.ts';
import { atomicCombiner, atomicKinds } from './combining-kinds.ts';
import { elementTypeOf, memref, signlessIntegerOrFloat } from './constraints.ts';
import { accessesOperands } from './interfaces.ts';
import { typeText } from './type-text.ts';

const atomicKind = enumAttribute(atomicKinds, 64);

/** `memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32`. */
export const atomicRmw = defineOp({
  name: 'memref.atomic_rmw',
  interfaces: [accessesOperands([1], [1])],
  summary: 'an atomic update of an element',
  operands: { value: one(signlessIntegerOrFloat), memref: one(memref), indices: variadic(index) },
  results: { result: one(signlessIntegerOrFloat) },
  attributes: { kind: atomicKind },
  typeRelations: [allTypesMatch('value', 'result')],
  *verify({ operands: { value, memref: buffer, indices }, attributes: { kind } }) {
    if (indices.length !== buffer.type.shape.length)
      yield 'expects the number of subscripts to be equal to memref rank';
    const wanted = atomicCombiner(kind)?.on;
    if (wanted !== undefined && wanted !== value.type.kind) {
      yield `with kind '${kind}' expects ${wanted === 'float' ? 'a floating-point' : 'an integer'} type`;
    }
  },
  assembly: {
    format:
      '$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) ' +
      '`)` `->` type($result)',
  },
});

/** `memref.generic_atomic_rmw %m[%i] : memref<4xf32> { ^bb0(%x: f32): … memref.atomic_yield %y : f32 }`. */
export const genericAtomicRmw = defineOp({
  name: 'memref.generic_atomic_rmw',
  interfaces: [accessesOperands([0], [0])],
  summary: 'an atomic update of an element, by a body',
  operands: { memref: one(memref), indices: variadic(index) },
  results: { result: one(signlessIntegerOrFloat) },
  typeRelations: [
    typesMatchWith('result type matches element type of memref', 'memref', 'result', elementTypeOf),
  ],
  regions: ['atomic_body'],
  *verify({ operation, results: { result } }) {
    const [argument, ...more] = operation.regions[0]!.blocks.flatMap((block) => block.arguments);
    if (argument === undefined || more.length > 0) yield 'expected single number of entry block arguments';
    else if (!typeEquals(argument.type, result.type))
      yield 'expected block argument of the same type result type';
  },
  traits: ['recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const buffer = parser.operand();
      const indices = parser.list('square', () => parser.operand());
      const type = parser.colonType();
      return {
        operands: [
          parser.resolve(buffer, type),
          ...indices.map((operand) => parser.resolve(operand, indexType)),
        ],
        regions: [parser.region()],
        attributes: parser.optionalAttrDict(),
        resultTypes: [elementTypeOf(type)],
      };
    },
    print: (printer, operation) => {
      const [buffer, ...indices] = operation.operands as [Value, ...Value[]];
      printer.text(' ');
      printer.operand(buffer);
      printer.text('[');
      printer.operands(indices);
      printer.text('] : ');
      printer.type(buffer.type);
      printer.text(' ');
      printer.region(operation.regions[0]!);
      printer.optionalAttrDict(operation);
    },
  },
});

/** `memref.atomic_yield %x : f32`. */
export const atomicYield = defineOp({
  name: 'memref.atomic_yield',
  summary: 'the end of the body of `memref.generic_atomic_rmw`',
  operands: { result: one(anyType) },
  traits: ['pure', 'terminator'],
  parents: ['memref.generic_atomic_rmw'],
  *verify({ operands: { result } }, context) {
    const { type: wanted } = context.ancestors[0]!.results[0]!;
    if (!typeEquals(result.type, wanted))
      yield `types mismatch between yield op: '${typeText(result.type)}' and its parent: '${typeText(wanted)}'`;
  },
  assembly: { format: '$result attr-dict `:` type($result)' },
});
