/** Argument checks before anything is copied or run. They allocate nothing: a call may take only microseconds. */
import type { Elements } from './elements.ts';
import { arrayTypeOf, isArrayOf, shareMemory } from './elements.ts';
import type { FunctionSignature, ParameterSignature, RunValue, ScalarSignature } from './signature.ts';

/**
 * Checks the values of a call: their number, each one's type, length and range, and that no argument the function may
 * write overlaps another, since compiled code assumes that distinct buffers do not alias.
 *
 * Throws a TypeError or RangeError that names the argument.
 */
export const checkArguments = (
  { name, parameters }: Pick<FunctionSignature, 'name' | 'parameters'>,
  values: readonly RunValue[],
): void => {
  if (values.length !== parameters.length) {
    throw new TypeError(`'${name}' takes ${argumentCount(parameters.length)}, not ${values.length}`);
  }
  for (let i = 0; i < parameters.length; i++) checkArgument(name, i, parameters[i]!, values[i]!);
  for (let i = 0; i < parameters.length; i++) {
    if (isWritten(parameters[i]!)) checkUnshared(name, parameters, values, i);
  }
};

/** So many arguments, in words. */
export const argumentCount = (count: number): string => `${count} argument${count === 1 ? '' : 's'}`;

/** Checks one value for a parameter. Throws a TypeError or RangeError. */
export const checkArgument = (
  name: string,
  position: number,
  parameter: ParameterSignature,
  value: RunValue,
): void => {
  if (parameter.kind === 'scalar') {
    checkNumber(name, position, parameter, value);
    return;
  }
  // Untyped callers may pass anything.
  if (typeof value !== 'object' || (value as unknown) === null) {
    throw new TypeError(`argument ${position} of '${name}' is not an array`);
  }
  const wanted = arrayTypeOf(parameter);
  if (!isArrayOf(value, wanted)) {
    throw new TypeError(`argument ${position} of '${name}' has type ${typeName(value)}, not ${wanted.name}`);
  }
  if (value.length !== parameter.length) {
    throw new RangeError(
      `argument ${position} of '${name}' has ${value.length} elements, not ${parameter.length}`,
    );
  }
};

const bounds = { i32: [-(2 ** 31), 2 ** 31 - 1], i64: [-(2n ** 63n), 2n ** 63n - 1n] } as const;

const checkNumber = (name: string, position: number, { type }: ScalarSignature, value: RunValue): void => {
  const isInteger = type === 'i32' || type === 'i64';
  const isFraction = isInteger && typeof value === 'number' && !Number.isInteger(value);
  const wanted = type === 'i64' && !isFraction ? 'bigint' : 'number';
  if (typeof value === 'object' || typeof value !== wanted)
    throw new TypeError(`argument ${position} of '${name}' is not a ${wanted}`);
  if (!isInteger) return;
  const [least, greatest] = bounds[type];
  if (isFraction || value < least || value > greatest) {
    throw new RangeError(
      `argument ${position} of '${name}' is an integer from ${least} to ${greatest}, not ${value}`,
    );
  }
};

/**
 * The values of a call as the code takes them: an integer may be given as a number or as a bigint, whatever its type.
 * Values that fit no parameter stay as they are.
 */
export const passedValues = (
  parameters: readonly ParameterSignature[],
  values: readonly RunValue[],
): readonly RunValue[] => {
  // Mostly nothing is to be done, and a call may take only microseconds.
  for (let i = 0; i < parameters.length; i++) {
    if (passedValue(parameters[i]!, values[i]!) === values[i]) continue;
    return values.map((value, at) => (at < parameters.length ? passedValue(parameters[at]!, value) : value));
  }
  return values;
};

/** `passedValues` for one of them. */
export const passedValue = (parameter: ParameterSignature, value: RunValue): RunValue => {
  if (parameter.kind === 'buffer') return value;
  if (parameter.type === 'i32' && typeof value === 'bigint') return Number(value);
  if (parameter.type === 'i64' && typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return value;
};

/** The class of an object, which may have none. */
const typeName = (value: object): string => {
  const { constructor } = value as { readonly constructor?: unknown };
  return typeof constructor === 'function' ? constructor.name : 'Object';
};

const isWritten = (parameter: ParameterSignature): boolean =>
  parameter.kind === 'buffer' && parameter.written;

/** Checks that a written argument overlaps no other. */
const checkUnshared = (
  name: string,
  parameters: readonly ParameterSignature[],
  values: readonly RunValue[],
  written: number,
): void => {
  const elements = values[written] as Elements;
  for (let i = 0; i < values.length; i++) {
    const other = values[i]!;
    if (i === written || typeof other !== 'object' || !shareMemory(elements, other)) continue;
    const pair = [Math.min(i, written), Math.max(i, written)];
    const which = pair.filter((position) => isWritten(parameters[position]!)).join(' and ');
    throw new RangeError(
      `arguments ${pair.join(' and ')} of '${name}' share memory, and the function may write ` +
        `${which}; pass a copy of one of them`,
    );
  }
};
