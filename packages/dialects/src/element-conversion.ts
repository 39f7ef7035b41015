/**
 * Elements that a body converts before it computes with them: to a wider type, and by the subtraction of a zero point. The
 * convolutions of quantized and of half-precision operands do that, whose sums are of another type.
 */
import type { Block, Operation, Value } from '@sconv/ir';
import { children } from '@sconv/ir';

/** What a body makes of one element. */
export interface ElementConversion {
  readonly element: Value;
  /** Operations of the body, in order, without effects: all that `result` needs besides the element and values from around the body. */
  readonly steps: readonly Operation[];
  /** The element itself where there are no steps. */
  readonly result: Value;
}

/** Casts of one operand to another type. */
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

/** What of a body computes a value from around it, such as a zero point; undefined for a value that an iteration may change. */
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

/** The steps that an operation is, if it converts its first operand. */
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

/** Whether a value of no operation in the body comes from around it: it is none of the arguments. */
const isFromAround =
  (body: Block) =>
  ({ id }: Value): boolean =>
    body.arguments.every((argument) => argument.id !== id);

/** Operations that use a value, with those in regions. */
const usersOf = (operations: readonly Operation[], value: Value): readonly Operation[] =>
  operations.flatMap((operation) => [
    ...(operation.operands.some(({ id }) => id === value.id) ? [operation] : []),
    ...usersOf(children(operation), value),
  ]);

/** The conversion of an element that the body starts from: as far as nothing else uses what lies between. */
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

/** The conversion that ends in a value of the body. `isOuter` says whether a zero point may be one; by default those from around are. */
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
