/** Folds operations with constant operands: upstream's `Operation::fold`. */
import { ifAffine } from '@sconv/affine';
import type { Attribute } from './attribute.ts';
import { attributesEqual } from './attribute.ts';
import type { FoldedInPlace, OpDefinition } from './define-op.ts';
import type { DraftOperation } from './draft.ts';
import type { Operation, Value } from './operation.ts';
import type { Rewriter } from './rewriter.ts';
import { printType } from './type-printer.ts';
import { typeEquals } from './type.ts';

/**
 * The result of a fold: a value or a constant per result, or the operation in place with other operands or
 * attributes.
 */
export type Folded =
  { readonly kind: 'results'; readonly results: readonly (Value | Attribute)[] } | FoldedInPlace;

/**
 * Folds an operation by the traits and the fold of `definition`; `constants` has the attribute of each constant
 * operand; `definitionOf` returns the definition of a value, and `constantOf` the value of a constant. Undefined if
 * there is no progress: an in-place fold without changes does not count, and a constant folds to itself.
 */
export const foldOperation = (
  definition: OpDefinition,
  operation: Operation,
  constants: readonly (Attribute | undefined)[],
  definitionOf: (value: Value) => Operation | undefined = () => undefined,
  constantOf?: (value: Value) => Attribute | undefined,
): Folded | undefined => {
  const folded = definition.fold?.(operation, constants, definitionOf, constantOf);
  if (folded === undefined || ('kind' in folded && changesNothing(operation, folded))) {
    return definition.traits.has('commutative') ? constantsLast(operation, constants) : undefined;
  }
  if ('kind' in folded) return folded;
  checkResults(operation, folded);
  const isItself = folded.some((value, i) => 'id' in value && value.id === operation.results[i]?.id);
  return isItself ? undefined : { kind: 'results', results: folded };
};

/**
 * `foldOperation` in an edit, with the rewriter's definitions and constants; numbers beyond 2^53 do not fold. Where the
 * op around restricts what the operation computes, it only folds in place.
 */
export const tryFold = (rewriter: Rewriter, operation: DraftOperation): Folded | undefined => {
  const definition = rewriter.definition(operation);
  if (definition === undefined) return undefined;
  const constants: (Attribute | undefined)[] = [];
  const { operands } = operation;
  for (let i = 0, { length } = operands; i < length; i += 1)
    constants.push(rewriter.constantOf(operands[i]!));
  const folded = ifAffine(() =>
    foldOperation(definition, operation, constants, rewriter.sourceOf, rewriter.constantOf),
  );
  const { parent } = operation;
  const isRestricted = parent?.facts.definition?.traits.has('restricts-body') === true;
  return isRestricted && folded?.kind === 'results' ? undefined : folded;
};

/** Moves constant operands of a commutative operation last, so that folds and patterns only look there. */
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
