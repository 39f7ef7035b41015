/**
 * Whether iterations may be reordered. Values combined by a commutative and associative operation may be combined in
 * any order, up to rounding, as in the papers, whose tiles accumulate a convolution's channels and filter taps in a
 * different order.
 */
import type { AffineExpr } from '@sconv/affine';
import { ifAffine, writtenLinearForm } from '@sconv/affine';
import type { Block, Operation, Registry, Value } from '@sconv/ir';
import { children, definitionOf, effectsBelow, operationsIn } from '@sconv/ir';
import { structured } from './linalg-view.ts';

/** The name of a commutative and associative operation with one result; undefined for other operations. */
export const combinerOf = (registry: Registry, operation: Operation): string | undefined => {
  const traits = definitionOf(registry, operation)?.traits;
  return traits?.has('commutative') === true && traits.has('associative') && operation.results.length === 1
    ? operation.name
    : undefined;
};

/**
 * The name of the operation by which a body combines its argument with other values on the way to the terminator
 * operand at `position`: `none` if the argument is yielded unchanged, undefined if it is used in any other way.
 */
export const accumulation = (
  registry: Registry,
  body: Block,
  argument: Value,
  position: number,
): string | undefined => {
  const inside = body.operations.flatMap((each) => operationsIn(each));
  let combiner: string | undefined;
  for (let value = argument; ;) {
    const isValue = ({ id }: Value): boolean => id === value.id;
    const [user, ...more] = inside.filter(({ operands }) => operands.some(isValue));
    if (user === undefined || more.length > 0) return undefined;
    const index = user.operands.findIndex(isValue);
    if (user.operands.findLastIndex(isValue) !== index) return undefined;
    if (user === body.operations.at(-1)) return index === position ? (combiner ?? 'none') : undefined;
    const name = combinerOf(registry, user);
    if (name === undefined || name !== (combiner ?? name) || !body.operations.includes(user))
      return undefined;
    combiner = name;
    value = user.results[0]!;
  }
};

/** The operation that a structured op accumulates its output at `position` with; undefined for any other use. */
export const outputAccumulation = (
  registry: Registry,
  operation: Operation,
  position: number,
): string | undefined => {
  const view = structured(registry, operation);
  const argument = view?.body?.arguments[view.inputs.length + position];
  return view?.body === undefined || argument === undefined
    ? undefined
    : accumulation(registry, view.body, argument, position);
};

/** Whether an operation has effects other than reads nested in it. */
const writesBelow = (registry: Registry, operation: Operation): boolean =>
  children(operation).length > 0 &&
  effectsBelow(registry, operation)?.every(({ kind }) => kind === 'read') !== true;

/** The dimension that an index determines. */
const toldBy = (index: AffineExpr): number | undefined => {
  const form = ifAffine(() => writtenLinearForm(index));
  const factors = [...(form?.dims.entries() ?? [])].filter(([, factor]) => factor !== 0);
  return factors.length === 1 ? factors[0]![0] : undefined;
};

/**
 * Whether a structured op on tensors computes the same, up to rounding, when its iterations run in blocks: first over
 * the blocks of the dimensions in `blocked`, outermost first, then within each block over all dimensions that
 * `within` marks as having more than one iteration there.
 */
export const mayRunInBlocks = (
  registry: Registry,
  operation: Operation,
  blocked: readonly number[],
  within: (dimension: number) => boolean,
): boolean => {
  const view = structured(registry, operation);
  if (view === undefined) return false;
  const { indexingMaps, inputs, outputs, iteratorTypes } = view;
  const all = iteratorTypes.map((_, dimension) => dimension);
  const isKept = (dimensions: readonly number[]): boolean => {
    const order = [...blocked, ...all.filter(within)].filter((dimension) => dimensions.includes(dimension));
    return order.every((dimension, i) => i === 0 || order[i - 1]! <= dimension);
  };
  if (writesBelow(registry, operation) && !isKept(all)) return false;
  return outputs.every((_, position) => {
    // Iterations that differ in one of these write different elements.
    const told = new Set(
      indexingMaps[inputs.length + position]!.results.flatMap((result) => toldBy(result) ?? []),
    );
    return (
      isKept(all.filter((dimension) => !told.has(dimension))) ||
      outputAccumulation(registry, operation, position) !== undefined
    );
  });
};
