/** `func.cast_and_call`: a call in the place of what computes the same. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, silenceable, success } from '@sconv/diagnostics';
import { call, funcOp } from '@sconv/dialects/func';
import { cast } from '@sconv/dialects/tensor';
import type { DraftOperation, Operation, Rewriter, TensorType, Type, Value } from '@sconv/ir';
import {
  ancestorInBlock,
  children,
  DYNAMIC,
  optionalAttribute,
  Structure,
  symbolNameOf,
  typeEquals,
  unitAttributeKind,
} from '@sconv/ir';
import { defineTransformOp } from './define-transform-op.ts';
import { produces, reads, readsOptional, readsOptionalValues } from './handle-specs.ts';
import { descriptorErrors, typeConverter } from './pattern-descriptor.ts';
import { symbolPath } from './symbol-attributes.ts';

export const castAndCall = defineTransformOp({
  name: 'transform.func.cast_and_call',
  summary: 'Replaces values by the results of a function call, cast where types differ.',
  operands: {
    insertionPoint: reads('the op before or after which to insert the call'),
    inputs: readsOptionalValues('the arguments of the call'),
    outputs: readsOptionalValues('the values to replace by its results'),
    function: readsOptional('the function to call'),
  },
  attributes: { insertAfter: unitAttributeKind, functionName: optionalAttribute(symbolPath) },
  results: { result: produces('the calls') },
  regions: ['conversions'],
  traits: ['graph-region', 'single-block', 'no-terminator'],
  failures: {
    'cast-and-call/place': { mode: 'silenceable', when: 'the insertion point is not exactly one op' },
    'cast-and-call/outputs': { mode: 'silenceable', when: 'the same value would be replaced twice' },
    'cast-and-call/function': { mode: 'definite', when: 'there is not exactly one function to call' },
    'cast-and-call/arity': {
      mode: 'silenceable',
      when: 'the numbers of arguments or results of the function differ from those of `inputs` or `outputs`',
    },
    'cast-and-call/dominance': {
      mode: 'definite',
      when: 'an input does not dominate the insertion point, or an output is used before it',
    },
    'cast-and-call/conversion': {
      mode: 'definite',
      when: 'types differ, and no converter casts between them',
    },
  },
  assembly: {
    format:
      '($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` ' +
      '$insert_after^):(`before`)? $insertionPoint ($conversions^)? attr-dict `:` ' +
      'functional-type(operands, results)',
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
  apply: ({ rewriter, operation, location }, operands, { insertAfter, functionName }) => {
    const refused = (code: string, message: string) => silenceable(error(code, message, location));
    const [inputs, outputs] = [operands.inputs ?? [], operands.outputs ?? []];
    const [place, ...others] = operands.insertionPoint;
    if (new Set(outputs.map(({ id }) => id)).size < outputs.length)
      return refused('cast-and-call/outputs', 'cast and call output values must be unique');
    if (place === undefined || others.length > 0)
      return refused('cast-and-call/place', 'Only one op can be specified as an insertion point');
    const wrong = orderProblem(rewriter, place, insertAfter, inputs, outputs);
    if (wrong !== undefined) return definite(error('cast-and-call/dominance', wrong, location));
    const callee = calleeOf(rewriter, operands.function, functionName);
    if (typeof callee === 'string') return definite(error('cast-and-call/function', callee, location));
    const type = callee.attributes['function_type'];
    if (type?.kind !== 'type' || type.type.kind !== 'function')
      return definite(error('cast-and-call/function', 'invalid non-function callee', location));
    const { inputs: taken, results: given } = type.type;
    if (taken.length !== inputs.length)
      return refused(
        'cast-and-call/arity',
        `mismatch between number of function arguments ${taken.length} and number of inputs ${inputs.length}`,
      );
    if (given.length !== outputs.length)
      return refused(
        'cast-and-call/arity',
        `mismatch between number of function results ${given.length} and number of outputs ${outputs.length}`,
      );
    if (insertAfter) rewriter.setInsertionPointAfter(place);
    else rewriter.setInsertionPointBefore(place);
    const made = new Set<DraftOperation | undefined>();
    const convert = converterOf(rewriter, operation, made);
    // 1. The inputs as the function takes them.
    const passed: Value[] = [];
    for (const [i, input] of inputs.entries()) {
      const value = convert(input, taken[i]!, true);
      if (value.status !== 'success') return value;
      passed.push(value.value);
    }
    // 2. The call, and its results as the outputs were.
    const created = rewriter.create(
      call.state({
        operands: { operands: passed },
        attributes: { callee: symbolNameOf(callee)! },
        resultTypes: given,
        location: place.location,
      }),
    );
    made.add(created);
    for (const [i, output] of outputs.entries()) {
      const value = convert(created.results[i]!, output.type, false);
      if (value.status !== 'success') return value;
      rewriter.replaceUsesIf(output, value.value, (user) => !made.has(user));
    }
    return success({ result: [created] });
  },
});

/** The function that a handle or a name stands for; what is wrong with it otherwise. */
const calleeOf = (
  rewriter: Rewriter,
  handle: readonly DraftOperation[] | undefined,
  name: string | undefined,
): Operation | string => {
  if (handle === undefined) {
    const found = children(rewriter.root).find((each) => funcOp.is(each) && symbolNameOf(each) === name);
    return found ?? `unresolved symbol @${name}`;
  }
  const [callee, ...others] = handle;
  if (callee === undefined || others.length > 0) return 'requires a single function to call';
  return funcOp.is(callee) ? callee : 'invalid non-function callee';
};

/**
 * Why a call at `place` would violate dominance: an input defined later, or an output used earlier; undefined if it
 * would not.
 */
const orderProblem = (
  rewriter: Rewriter,
  place: DraftOperation,
  after: boolean,
  inputs: readonly Value[],
  outputs: readonly Value[],
): string | undefined => {
  const structure = new Structure(rewriter.root);
  const isBefore = (a: DraftOperation, b: DraftOperation, orSame: boolean): boolean =>
    a === b ? orSame : structure.operationDominates(a, b);
  for (const user of outputs.flatMap((output) => rewriter.users(output))) {
    if (!isBefore(place, user, !after))
      return `User '${user.name}' is not dominated by insertion point '${place.name}'`;
  }
  const isThere = (input: Value): boolean => {
    const source = rewriter.definingOperation(input);
    if (source !== undefined) return isBefore(source, place, after);
    const block = rewriter.owningBlock(input);
    return ancestorInBlock(block, place) !== undefined;
  };
  return inputs.every(isThere) ? undefined : `an input does not dominate insertion point '${place.name}'`;
};

type Convert = (value: Value, type: Type, isInput: boolean) => Diagnosed<Value>;

/** Casts by the converters in the body of the op, as upstream's `CastShapeDynamicDims`. */
const converterOf = (
  rewriter: Rewriter,
  operation: Operation,
  made: Set<DraftOperation | undefined>,
): Convert => {
  const casting = operation.regions[0]?.blocks[0]?.operations.find(
    ({ name }) => name === 'transform.type_conversion.tensor.cast_shape_dynamic_dims',
  );
  const losesStatic = casting?.attributes['ignore_dynamic_info'] !== undefined;
  return (value, type, isInput) => {
    if (typeEquals(value.type, type)) return success(value);
    const mayCast =
      casting !== undefined &&
      value.type.kind === 'tensor' &&
      type.kind === 'tensor' &&
      isCastable(value.type, type) &&
      (!isInput || losesStatic || keepsSizes(type, value.type));
    if (!mayCast) {
      const message = 'Failed to materialize conversion of a value to the type of the function, or back';
      return definite(error('cast-and-call/conversion', message, operation.location));
    }
    const result = rewriter.createValue(cast.state({ operands: { source: value }, resultTypes: [type] }));
    made.add(rewriter.definingOperation(result));
    return success(result);
  };
};

const isCastable = (a: TensorType, b: TensorType): boolean =>
  typeEquals(a.elementType, b.elementType) &&
  a.shape.length === b.shape.length &&
  a.shape.every((size, i) => size === DYNAMIC || b.shape[i] === DYNAMIC || size === b.shape[i]);

/** Whether `other` is static in every dimension in which the type is. */
const keepsSizes = ({ shape }: TensorType, other: TensorType): boolean =>
  shape.every((size, i) => size === DYNAMIC || other.shape[i] !== DYNAMIC);

export const callOps = [castAndCall];
