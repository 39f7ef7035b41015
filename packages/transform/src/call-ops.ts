/** `func.cast_and_call`. */
import { optionalAttribute, unitAttributeKind } from '@sconv/ir';
import {
  defineTransformOp,
  produces,
  reads,
  readsOptional,
  readsOptionalValues,
} from './define-transform-op.ts';
import { descriptorErrors, typeConverter } from './pattern-descriptor.ts';
import { symbolPath } from './symbol-attributes.ts';

export const castAndCall = defineTransformOp({
  name: 'transform.func.cast_and_call',
  summary: 'Replaces values by the results of a function call, cast where types differ.',
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

export const callOps = [castAndCall];
