/**
 * Checks the inputs of recording functions: plain JavaScript, or a cast, may pass anything, and errors should be
 * reported where the call is, not where the script is printed.
 */
import { describeValue, didYouMean } from '@sconv/diagnostics';
import type { Attribute, NamedAttributeSpec, ValueSpec } from '@sconv/ir';
import { printAttribute } from '@sconv/ir';
import type { ScriptValue } from './handle.ts';
import { isScriptValue } from './handle.ts';
import { paramType, promisedName } from './handle-type.ts';

/** An invalid input, and the code to report it with. */
export interface InputProblem {
  readonly code: 'schedule/operand' | 'schedule/option';
  readonly message: string;
}

type Inputs = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An operand group of a transform op, and the op names that it accepts. */
export interface CheckedOperand extends ValueSpec {
  readonly name: string;
  readonly accepts: readonly string[];
}

/** The first operand that is missing, unknown, not a handle, or a handle to operations that the op does not accept. */
export const operandProblem = (
  name: string,
  specs: readonly CheckedOperand[],
  operands: Inputs,
): InputProblem | undefined => {
  const problem = (message: string): InputProblem => ({ code: 'schedule/operand', message });
  const known = (): readonly string[] => specs.map((spec) => spec.name);
  if (!isObject(operands)) {
    return problem(
      `${name} expects its operands by name, { ${known().join(', ')} }, got ${describeValue(operands)}`,
    );
  }
  const unknown = Object.keys(operands).find((key) => specs.every((spec) => spec.name !== key));
  if (unknown !== undefined) {
    return problem(`${name} has no operand '${unknown}'${didYouMean(unknown, known())}`);
  }
  for (const spec of specs) {
    const given = operands[spec.name];
    if (given === undefined && spec.arity === 'optional') continue;
    const isMany = spec.arity === 'variadic';
    const list: readonly unknown[] = isMany && Array.isArray(given) ? given : [given];
    const wrong = isMany && !Array.isArray(given) ? given : list.find((each) => !fits(spec, each));
    if (wrong === undefined && (isMany || given !== undefined)) continue;
    const noun = spec.type === paramType ? 'parameter' : 'handle';
    const wanted = `${isMany ? `a list of ${noun}s` : `a ${noun}`}${namesText(spec.accepts)}`;
    const got = isScriptValue(wrong) ? describeScriptValue(wrong) : describeValue(given);
    const hint =
      wrong === undefined && spec.name in operands
        ? ' (is it the name of a result of the step that made it?)'
        : '';
    return problem(`${name} expects ${wanted} as '${spec.name}', got ${got}${hint}`);
  }
  return undefined;
};

const fits = ({ type, accepts }: CheckedOperand, given: unknown): boolean => {
  if (!isScriptValue(given) || !type.test(given.value.type)) return false;
  const promised = promisedName(given.value.type);
  return (
    promised === undefined || accepts.length === 0 || accepts.some((pattern) => isNamed(promised, pattern))
  );
};

/** Whether a name matches a pattern: equals it, or is in the dialect of `linalg.*`. */
const isNamed = (name: string, pattern: string): boolean =>
  pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

const namesText = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` to ${names.join(' or ')}`;

const describeScriptValue = ({ kind, value }: ScriptValue): string => {
  if (kind === 'param') return 'a parameter';
  if (kind === 'value-handle') return 'a handle to values';
  return `a handle${namesText([promisedName(value.type) ?? []].flat())}`;
};

/** What options are encoded as, or what is wrong with them. */
type EncodedOptions =
  { readonly attributes: Readonly<Record<string, Attribute>> } | { readonly problem: InputProblem };

/** The attributes of options; the first that is missing, unknown, or of the wrong kind is a problem. */
export const encodedOptions = (
  name: string,
  specs: readonly NamedAttributeSpec[],
  options: Inputs,
): EncodedOptions => {
  const problem = (message: string): EncodedOptions => ({ problem: { code: 'schedule/option', message } });
  if (!isObject(options))
    return problem(`${name} expects an object of options, got ${describeValue(options)}`);
  const unknown = Object.keys(options).find((key) => specs.every((spec) => spec.key !== key));
  if (unknown !== undefined) {
    const known = specs.map(({ key }) => key);
    return problem(`${name} has no option '${unknown}'${didYouMean(unknown, known)}`);
  }
  const attributes: Record<string, Attribute> = {};
  for (const spec of specs) {
    const given = options[spec.key];
    if (given === undefined && spec.presence === 'required') {
      return problem(`${name} needs the option '${spec.key}', a ${spec.description}`);
    }
    // A flag that is false has no attribute.
    if (given === undefined || (given === false && spec.description === 'unit attribute')) continue;
    const attribute = encoded(spec, given);
    if (attribute === undefined) {
      return problem(`${name} expects a ${spec.description} as '${spec.key}', got ${describeValue(given)}`);
    }
    attributes[spec.name] = attribute;
  }
  return { attributes };
};

/** The attribute of a host value; undefined unless it prints, and decodes to a value of the same kind. */
const encoded = (spec: NamedAttributeSpec, value: unknown): Attribute | undefined => {
  try {
    const attribute = spec.encode(value);
    // Integers print trivially; printing validates other attributes.
    if (attribute.kind !== 'integer' && attribute.kind !== 'dense-array') printAttribute(attribute);
    return isOfKind(value, spec.decode(attribute)) ? attribute : undefined;
  } catch {
    // Conversions may throw anything on values of the wrong kind.
    return undefined;
  }
};

/** Rules out that `'2'`, or `[2]`, is taken for `2`. */
const isOfKind = (value: unknown, like: unknown): boolean =>
  Array.isArray(like)
    ? Array.isArray(value) &&
      value.length === like.length &&
      like.every((each, i) => isOfKind(value[i], each))
    : typeof value === typeof like && !Array.isArray(value);
