/** Matchers and builders for patterns. */
import type { MixedIndex } from '@sconv/dialects';
import type {
  Attribute,
  DraftBlock,
  DraftOperation,
  OpDefinition,
  Operation,
  OperationState,
  Registry,
  RewritePattern,
  Rewriter,
  Type,
  Value,
} from '@sconv/ir';
import {
  ancestorInBlock,
  constantValueOf,
  definitionOf,
  DYNAMIC,
  groupSizes,
  integerOf,
  materializeConstant,
} from '@sconv/ir';

/** A pattern for the operations of one definition. */
export const onOp = (
  definition: OpDefinition,
  name: string,
  rewrite: RewritePattern['rewrite'],
): RewritePattern => ({ name, root: definition.name, rewrite });

/** The same pattern for several definitions. */
export const onOps = (
  definitions: readonly OpDefinition[],
  name: string,
  rewrite: RewritePattern['rewrite'],
): readonly RewritePattern[] => definitions.map((definition) => onOp(definition, name, rewrite));

/** The operation that defines `value`, if it is one of `definition`. */
export const definedBy = (
  rewriter: Rewriter,
  value: Value | undefined,
  definition: OpDefinition,
): DraftOperation | undefined => {
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  return source !== undefined && definition.is(source) ? source : undefined;
};

/** The constant attribute of a value; undefined if it is not constant. */
export const constantOf = (rewriter: Rewriter, value: Value | undefined): Attribute | undefined => {
  const source = value === undefined ? undefined : rewriter.definingOperation(value);
  return source === undefined ? undefined : constantValueOf(rewriter.registry, source);
};

/** The integer value of a constant; undefined if it is not constant, or inexact as a number. */
export const integerConstant = (rewriter: Rewriter, value: Value | undefined): number | undefined =>
  integerOf(constantOf(rewriter, value));

/** Whether a value has exactly one use. */
export const hasOneUse = (rewriter: Rewriter, value: Value): boolean => {
  const [user, ...others] = rewriter.users(value);
  return (
    user !== undefined &&
    others.length === 0 &&
    user.operands.filter(({ id }) => id === value.id).length === 1
  );
};

export const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  a !== undefined && a.id === b?.id;

/** Whether two lists have the same values and numbers. */
export const sameMixed = (a: readonly MixedIndex[], b: readonly MixedIndex[]): boolean =>
  a.length === b.length &&
  a.every((each, i) => {
    const other = b[i];
    return typeof each === 'number' ? each === other : typeof other === 'object' && each.id === other.id;
  });

export const sameValues = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((value, i) => value.id === b[i]?.id);

/** A mixed list with its constant values as numbers, as far as `accept` allows. */
export const withConstants = (
  rewriter: Rewriter,
  mixed: readonly MixedIndex[],
  accept: (value: number) => boolean = () => true,
): readonly MixedIndex[] =>
  mixed.map((index) => {
    if (typeof index === 'number') return index;
    const value = integerConstant(rewriter, index);
    return value !== undefined && accept(value) ? value : index;
  });

export const isNonNegative = (value: number): boolean => value >= 0;
export const isNonZero = (value: number): boolean => value !== 0;

/** Creates the constant `value` of `type` at the insertion point; throws if no dialect can materialize it. */
export const createConstant = (
  rewriter: Rewriter,
  operation: Operation,
  value: Attribute,
  type: Type,
): Value | undefined => {
  const state = materializeConstant(rewriter.registry, operation, value, type);
  return state && rewriter.createValue(state);
};

/** The state to recreate an operation with other operands, results or attributes. */
export const stateOf = (
  operation: Operation,
  change: Partial<Pick<OperationState<Rewriter>, 'operands' | 'resultTypes' | 'attributes'>>,
): OperationState<Rewriter> & Pick<Operation, 'attributes'> => ({
  name: operation.name,
  operands: operation.operands,
  resultTypes: operation.results.map(({ type }) => type),
  attributes: operation.attributes,
  successors: operation.successors,
  location: operation.location,
  ...change,
});

/**
 * Creates an operation again at the insertion point, with other operands, results or attributes, and moves its regions
 * there. The old one is left to be replaced: its results may have other types.
 */
export const recreate = (
  rewriter: Rewriter,
  operation: DraftOperation,
  change: Parameters<typeof stateOf>[1],
): DraftOperation => {
  const created = rewriter.create(stateOf(operation, change));
  for (const region of operation.regions) rewriter.moveRegion(region, rewriter.createRegion(created));
  return created;
};

/** The index of the first destination operand; undefined if an operation has none. */
export const destinationStart = (registry: Registry, operation: Operation): number | undefined => {
  const definition = definitionOf(registry, operation);
  if (definition?.destinations === undefined) return undefined;
  const { operandSpecs, destinations } = definition;
  const sizes = groupSizes(
    operandSpecs,
    operation.operands.length,
    operation.attributes['operandSegmentSizes'],
  );
  const group = operandSpecs.findIndex(({ name }) => name === destinations);
  return sizes?.slice(0, group).reduce((sum, size) => sum + size, 0);
};

/** Whether `other` is at least as static as `known`; shapes of equal rank. */
export const keepsStaticSizes = (known: readonly number[], other: readonly number[]): boolean =>
  known.length === other.length && known.every((size, i) => size === DYNAMIC || other[i] !== DYNAMIC);

/** The number of dynamic sizes. */
export const dynamicCount = (shape: readonly number[]): number =>
  shape.filter((size) => size === DYNAMIC).length;

/** The index of a dimension's size among the dynamic operands of a shape. */
export const dynamicPosition = (shape: readonly number[], dimension: number): number =>
  dynamicCount(shape.slice(0, dimension));

/** Whether an operation is in a block, directly or nested. */
export const isInBlock = (operation: DraftOperation, block: DraftBlock | undefined): boolean =>
  ancestorInBlock(block, operation) !== undefined;
