/** Upstream's checks of map, reduce, transpose and broadcast beyond those of all structured ops, with its messages. */
import type { Block, Value } from '@sconv/ir';
import { DYNAMIC, typeEquals } from '@sconv/ir';
import { elementTypeOf, shapeOf } from './constraints.ts';
import { typeText } from './type-text.ts';

const sizesOf = (value: Value): readonly number[] => shapeOf(value.type) ?? [];

/** `7, -9223372036854775808`: a dynamic size is printed as its sentinel value. */
const sizesText = (sizes: readonly number[]): string =>
  sizes.map((size) => (size === DYNAMIC ? '-9223372036854775808' : String(size))).join(', ');

const sameSizes = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i]);

/** Errors of `linalg.map`: operands of one shape, and a mapper on their elements. */
export function* mapErrors(body: Block, inputs: readonly Value[], init: Value): Generator<string> {
  const parameters = body.arguments;
  if (parameters.length !== inputs.length) {
    yield `expects number of operands to match the arity of mapper, but got: ${inputs.length} and ${parameters.length}`;
    return;
  }
  for (const [i, input] of inputs.entries()) {
    const element = elementTypeOf(input.type);
    const parameter = parameters[i]!.type;
    if (!typeEquals(element, parameter)) {
      yield `expected element type of input '${typeText(element)}' to match bbArg type '${typeText(parameter)}'`;
    }
  }
  const output = sizesOf(init);
  const other = inputs.map(sizesOf).find((sizes) => !sameSizes(sizes, output));
  if (other !== undefined) {
    yield `expected shape of input (${sizesText(other)}) to match shape of output (${sizesText(output)})`;
  }
}

/**
 * Errors of `linalg.reduce`: inputs of one shape, inits of one shape, that of the inputs without the reduced
 * dimensions.
 */
export function* reduceErrors(
  body: Block,
  inputs: readonly Value[],
  outputs: readonly Value[],
  dimensions: readonly number[],
): Generator<string> {
  yield* differingShapes(inputs, 'input');
  yield* differingShapes(outputs, 'output');
  const [input = [], init = []] = [inputs[0], outputs[0]].map((value) => value && sizesOf(value));
  if (dimensions.some((dimension) => dimension < 0 || dimension >= input.length)) {
    yield `dimensions for reduction should be in the range [0, ${input.length - 1}].`;
  }
  const kept = input.filter((_, dimension) => !dimensions.includes(dimension));
  if (kept.length !== init.length) {
    yield `number of dimensions after reduction ${kept.length} doesn't match the init rank ${init.length}`;
  }
  if (!sameSizes(kept, init)) {
    yield `init dimensions [${sizesText(init)}] doesn't match input dimensions after reduction [${sizesText(kept)}]`;
  }
  yield* combinerErrors(body, inputs, outputs);
}

function* differingShapes(values: readonly Value[], what: 'input' | 'output'): Generator<string> {
  const first = values.slice(0, 1).flatMap(sizesOf);
  const i = values.findIndex((value) => !sameSizes(sizesOf(value), first));
  if (i < 0) return;
  yield (
    `expects all ${what}s to have the same shapes. Shape at ${what}-index ${i} is not equal to the ` +
    `shape at ${what}-index 0.`
  );
}

function* combinerErrors(
  body: Block,
  inputs: readonly Value[],
  outputs: readonly Value[],
): Generator<string> {
  const parameters = body.arguments;
  if (parameters.length !== inputs.length + outputs.length) {
    yield 'mismatching number of operands and block arguments';
    return;
  }
  for (const [i, operand] of [...inputs, ...outputs].entries()) {
    const element = elementTypeOf(operand.type);
    const parameter = parameters[i]!.type;
    if (typeEquals(element, parameter)) continue;
    const what = i < inputs.length ? 'input' : 'output';
    yield (
      `${what} element type '${typeText(element)}' does not match corresponding block argument type ` +
      `'${typeText(parameter)}'`
    );
  }
}

/** Errors of `linalg.transpose`. */
export function* transposeErrors(
  input: readonly number[],
  init: readonly number[],
  permutation: readonly number[],
): Generator<string> {
  const sorted = [...permutation].sort((a, b) => a - b);
  if (sorted.some((position, i) => position !== i)) {
    yield 'permutation is not valid';
  } else if (input.length !== init.length) {
    yield `input rank ${input.length} does not match init rank ${init.length}`;
  } else if (permutation.length !== input.length) {
    yield `size of permutation ${permutation.length} does not match the argument rank ${input.length}`;
  } else {
    for (const [i, position] of permutation.entries()) {
      if (input[position] !== init[i]) {
        const [given, wanted] = [init[i]!, input[position]!].map((size) => sizesText([size]));
        yield `dim(result, ${i}) = ${given} doesn't match dim(input, permutation[${i}]) = ${wanted}`;
        return;
      }
    }
  }
}

/** Errors of `linalg.broadcast`. */
export function* broadcastErrors(
  input: readonly number[],
  init: readonly number[],
  dimensions: readonly number[],
): Generator<string> {
  if (input.length + dimensions.length !== init.length) {
    yield (
      `input rank plus added dimensions does not match init rank. input rank: ${input.length}, ` +
      `dimensions size: ${dimensions.length}, init rank: ${init.length}`
    );
    return;
  }
  for (const [i, position] of dimensions.entries()) {
    if (position < 0 || position >= init.length) {
      yield `dimension ${i} is out of range. expected range: [0, ${init.length - 1}], got: ${position}`;
      return;
    }
  }
  const kept = init.flatMap((size, i) => (dimensions.includes(i) ? [] : [{ size, i }]));
  for (const [i, size] of input.entries()) {
    const target = kept[i];
    if (target !== undefined && target.size !== size) {
      const [given, wanted] = [size, target.size].map((each) => sizesText([each]));
      yield `input dim ${i} should match init dim ${target.i}. input: ${given}, init: ${wanted}`;
      return;
    }
  }
}
