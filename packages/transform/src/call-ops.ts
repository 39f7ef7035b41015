/** `func.cast_and_call` and `affine.simplify_bounded_affine_ops`. */
import { i64ArrayAttribute, optionalAttribute, unitAttributeKind } from '@sconv/ir';
import {
  consumes,
  defineTransformOp,
  produces,
  reads,
  readsAll,
  readsOptional,
  readsOptionalValues,
} from './define-transform-op.ts';
import { descriptorErrors, typeConverter } from './pattern-descriptor.ts';
import { symbolPath } from './symbol-attributes.ts';

export const castAndCall = defineTransformOp({
  name: 'transform.func.cast_and_call',
  summary: 'Replaces values by those that a call of a function gives, cast where types differ.',
  operands: {
    insertionPoint: reads('where the call stands'),
    inputs: readsOptionalValues('what the function takes'),
    outputs: readsOptionalValues('what is replaced by its results'),
    function: readsOptional('one function'),
  },
  attributes: { insertAfter: unitAttributeKind, functionName: optionalAttribute(symbolPath) },
  results: { result: produces('the calls') },
  regions: ['conversions'],
  traits: ['graph-region', 'single-block', 'no-terminator'],
  assembly: {
    format:
      '($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` $insert_after^):(`before`)? $insertionPoint ($conversions^)? attr-dict `:` functional-type(operands, results)',
  },
  *verify({ operation, operands, attributes: { functionName } }, context) {
    const converters = operation.regions[0]?.blocks.flatMap(({ operations }) => operations) ?? [];
    yield* descriptorErrors(
      converters,
      typeConverter,
      'children ops to implement TypeConverterBuilderOpInterface',
      context,
    );
    if (operands.function === undefined && functionName === undefined)
      yield 'expected a function handle or name to call';
    if (operands.function !== undefined && functionName !== undefined)
      yield 'function handle and name are mutually exclusive';
  },
});

export const simplifyBoundedAffineOps = defineTransformOp({
  name: 'transform.affine.simplify_bounded_affine_ops',
  summary: 'Simplifies affine minima and maxima by bounds of values.',
  operands: {
    target: consumes('affine.min, max and apply ops'),
    boundedValues: readsAll('what makes the values'),
  },
  attributes: { lowerBounds: i64ArrayAttribute, upperBounds: i64ArrayAttribute },
  assembly: {
    format:
      '$target `with` `[` ($boundedValues^ `:` type($boundedValues))? `]` `within` $lower_bounds `and` $upper_bounds attr-dict `:` type($target)',
  },
  *verify({ operands: { boundedValues }, attributes: { lowerBounds, upperBounds } }) {
    const { length: count } = boundedValues;
    for (const [name, bounds] of [
      ['lower', lowerBounds],
      ['upper', upperBounds],
    ] as const) {
      if (bounds.length !== count) {
        yield `incorrect number of ${name} bounds, expected ${count} but found ${bounds.length}`;
        return;
      }
    }
  },
});

export const callOps = [castAndCall, simplifyBoundedAffineOps];
