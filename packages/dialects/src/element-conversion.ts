/**
 * Conversions of an element before the body computes with it: casts to a wider type, and the subtraction of a zero
 * point. Convolutions of quantized or half-precision operands, which accumulate in another type, do that.
 */
import type { Block, Operation, Value } from '@sconv/ir';
import { children } from '@sconv/ir';

/** What a body computes from one element alone. */
export interface ElementConversion {
  readonly element: Value;
  /**
   * Side-effect-free operations of the body, in order: what `result` depends on besides the element and outer values.
   */
  readonly steps: readonly Operation[];
  /** The element itself without steps. */
  readonly result: Value;
}

/** Unary casts to another type. */
const casts: ReadonlySet<string> = new Set([
  'arith.extf',
  'arith.extsi',
  'arith.extui',
  'arith.trunci',
  'arith.sitofp',
  'arith.uitofp',
]);

const definitionIn = (body: Block, { id }: Value): Operation | undefined =>
  body.operations.find(({ results }) => results.some((result) => result.id === id));

/** The operations of a body that compute an outer value, such as a zero point; undefined if it may vary. */
const stepsToOuter = (
  body: Block,
  value: Value,
  isOuter: (value: Value) => boolean,
): readonly Operation[] | undefined => {
  const definition = definitionIn(body, value);
  if (definition === undefined) return isOuter(value) ? [] : undefined;
  if (definition.name === 'arith.constant') return [definition];
  if (!casts.has(definition.name)) return undefined;
  const before = stepsToOuter(body, definition.operands[0]!, isOuter);
  return before && [...before, definition];
};

/** The steps that an operation stands for, if it converts its first operand. */
const stepsOf = (
  body: Block,
  operation: Operation,
  isOuter: (value: Value) => boolean,
): readonly Operation[] | undefined => {
  if (casts.has(operation.name)) return [operation];
  if (operation.name !== 'arith.subi') return undefined;
  const before = stepsToOuter(body, operation.operands[1]!, isOuter);
  return before && [...before, operation];
};

/** Whether a value that no body operation defines is an outer value: it is no block argument. */
const isFromAround =
  (body: Block) =>
  ({ id }: Value): boolean =>
    body.arguments.every((argument) => argument.id !== id);

/** The users of a value, including nested ones. */
const usersOf = (operations: readonly Operation[], value: Value): readonly Operation[] =>
  operations.flatMap((operation) => [
    ...(operation.operands.some(({ id }) => id === value.id) ? [operation] : []),
    ...usersOf(children(operation), value),
  ]);

/** The conversion that starts from an element, as far as intermediate values have no other uses. */
export const conversionOf = (body: Block, element: Value): ElementConversion => {
  const steps: Operation[] = [];
  let result = element;
  for (;;) {
    const [user, ...others] = usersOf(body.operations, result);
    const isFirst = user?.operands[0]?.id === result.id && user.operands[1]?.id !== result.id;
    const next =
      others.length === 0 && isFirst && body.operations.includes(user)
        ? stepsOf(body, user, isFromAround(body))
        : undefined;
    if (next === undefined) return { element, steps, result };
    steps.push(...next);
    result = user!.results[0]!;
  }
};

/**
 * The conversion that ends in a value of the body. `isOuter` says which values may be zero points; outer ones by
 * default.
 */
export const conversionTo = (
  body: Block,
  result: Value,
  isOuter: (value: Value) => boolean = isFromAround(body),
): ElementConversion => {
  const steps: Operation[] = [];
  let element = result;
  for (;;) {
    const definition = definitionIn(body, element);
    const before = definition && stepsOf(body, definition, isOuter);
    if (before === undefined) return { element, steps, result };
    steps.unshift(...before);
    element = definition!.operands[0]!;
  }
};
