/**
 * What a function that records an op is given, checked: plain JavaScript, or a cast, may hand it anything, and what is
 * wrong should be told where it was written and not where the script is printed.
 */
import { describeValue, didYouMean } from '@sconv/diagnostics';
import type { NamedAttributeSpec, OpDefinition } from '@sconv/ir';
import { printAttribute } from '@sconv/ir';

/** What is wrong with an input, and the code to say it with. */
export interface InputProblem {
  readonly code: 'schedule/operand' | 'schedule/option';
  readonly message: string;
}

type Inputs = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value is a handle of some schedule. */
export const isHandle = (value: unknown): boolean =>
  isObject(value) && 'recorder' in value && 'value' in value;

/** The first operand that is missing, unknown, or no handle. */
export const operandProblem = (
  name: string,
  specs: OpDefinition['operandSpecs'],
  operands: Inputs,
): InputProblem | undefined => {
  const known = specs.map((spec) => spec.name);
  const unknown = Object.keys(operands).find((key) => !known.includes(key));
  const problem = (message: string): InputProblem => ({ code: 'schedule/operand', message });
  if (unknown !== undefined) {
    return problem(`${name} has no operand '${unknown}'${didYouMean(unknown, known)}`);
  }
  for (const spec of specs) {
    const given = operands[spec.name];
    const isMany = spec.arity === 'variadic';
    const fits = isMany ? Array.isArray(given) && given.every(isHandle) : isHandle(given);
    if (!fits) {
      return problem(
        `${name} expects ${isMany ? 'a list of handles' : 'a handle'} as '${spec.name}', got ${describeValue(given)}`,
      );
    }
  }
  return undefined;
};

/** The first option that is missing, unknown, or of another kind. */
export const optionProblem = (
  name: string,
  specs: readonly NamedAttributeSpec[],
  options: Inputs,
): InputProblem | undefined => {
  const known = specs.map(({ key }) => key);
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  const problem = (message: string): InputProblem => ({ code: 'schedule/option', message });
  if (unknown !== undefined) {
    return problem(`${name} has no option '${unknown}'${didYouMean(unknown, known)}`);
  }
  for (const spec of specs) {
    const given = options[spec.key];
    if (given === undefined && spec.presence === 'required') {
      return problem(`${name} needs the option '${spec.key}', a ${spec.description}`);
    }
    if (given !== undefined && given !== false && !isEncodable(spec, given)) {
      return problem(`${name} expects a ${spec.description} as '${spec.key}', got ${describeValue(given)}`);
    }
  }
  return undefined;
};

/** Whether a host value can be written as this attribute, and reads as a value of the same kind. */
const isEncodable = (spec: NamedAttributeSpec, value: unknown): boolean => {
  try {
    const attribute = spec.encode(value as never);
    printAttribute(attribute);
    return isOfKind(value, spec.decode(attribute));
  } catch {
    // Conversions throw whatever they like at what is no number, string or list.
    return false;
  }
};

/** Whether `'2'` was not taken for `2`, nor `[2]`. */
const isOfKind = (value: unknown, like: unknown): boolean =>
  Array.isArray(like)
    ? Array.isArray(value) &&
      value.length === like.length &&
      like.every((each, i) => isOfKind(value[i], each))
    : typeof value === typeof like && !Array.isArray(value);
