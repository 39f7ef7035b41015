/** What an operation comes to for the constants among its operands: `Operation::fold` of upstream. */
import type { Attribute } from './attribute.ts';
import { attributesEqual } from './attribute.ts';
import type { FoldedInPlace, OpDefinition } from './define-op.ts';
import type { Operation, Value } from './operation.ts';
import type { Rewriter } from './rewriter.ts';
import { printType } from './type-printer.ts';
import { typeEquals } from './type.ts';

/** What an operation folds to: a value or a constant for each result, or itself with other operands or attributes. */
export type Folded =
  { readonly kind: 'results'; readonly results: readonly (Value | Attribute)[] } | FoldedInPlace;

/**
 * What the traits and the fold of `definition` make of an operation; `constants` holds the attribute of each operand that is
 * one, and `definitionOf` finds what defines a value. Undefined where nothing is gained: an in-place fold that changes nothing
 * is none, and constants fold to themselves.
 */
export const foldOperation = (
  definition: OpDefinition,
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
  definitionOf: (value: Value) => Operation | undefined = () => undefined,
): Folded | undefined => {
  const folded = definition.fold?.(operation, constants, definitionOf);
  if (folded === undefined || ('kind' in folded && changesNothing(operation, folded))) {
    return definition.traits.has('commutative') ? constantsLast(operation, constants) : undefined;
  }
  if ('kind' in folded) return folded;
  checkResults(operation, folded);
  const isItself = folded.some((value, i) => 'id' in value && value.id === operation.results[i]?.id);
  return isItself ? undefined : { kind: 'results', results: folded };
};

/** `foldOperation` in an edit: for the definition and the constants that the rewriter knows. */
export const tryFold = (rewriter: Rewriter, operation: Operation): Folded | undefined => {
  const definition = rewriter.definition(operation);
  if (definition === undefined) return undefined;
  const constants: (Attribute | undefined)[] = [];
  for (const operand of operation.operands) {
    const source = rewriter.definingOperation(operand);
    constants.push(source?.facts.constant?.value(source));
  }
  return foldOperation(definition, operation, constants, rewriter.sourceOf);
};

/** A commutative operation with its constant operands behind the others, so that folds and patterns need look there only. */
const constantsLast = (
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
): FoldedInPlace | undefined => {
  const operands = [false, true].flatMap((constant) =>
    operation.operands.filter((_, i) => (constants[i] !== undefined) === constant),
  );
  const folded: FoldedInPlace = { kind: 'in-place', operands };
  return changesNothing(operation, folded) ? undefined : folded;
};

const changesNothing = (operation: Operation, { operands, attributes }: FoldedInPlace): boolean =>
  (operands === undefined ||
    (operands.length === operation.operands.length &&
      operands.every(({ id }, i) => id === operation.operands[i]?.id))) &&
  (attributes === undefined || attributesEqual(attributes, operation.attributes));

const checkResults = ({ name, results }: Operation, folded: readonly (Value | Attribute)[]): void => {
  if (folded.length !== results.length) {
    throw new Error(`the fold of ${name} gives ${folded.length} values for ${results.length} results`);
  }
  folded.forEach((value, i) => {
    const { type } = results[i]!;
    if ('id' in value && !typeEquals(value.type, type)) {
      throw new Error(`the fold of ${name} gives ${printType(value.type)} for ${printType(type)}`);
    }
  });
};
