/** Bodies of structured ops on vectors instead of elements. */
import { scalarOp } from '@sconv/dialects';
import { broadcast, fma } from '@sconv/dialects/vector';
import type { Block, Builder, Id, Operation, Registry, Rewriter, Type, Value } from '@sconv/ir';
import { modelOf, terminatorOf, vectorType } from '@sconv/ir';
import { isMathFunction } from './lower-math-functions.ts';

/**
 * Whether processors have an instruction for an op on vectors of numbers, or several for a function: a division of
 * integers is none.
 */
export const isLanewise = (registry: Registry, operation: Pick<Operation, 'name' | 'operands'>): boolean => {
  if (isMathFunction(operation)) return true;
  const scalar = modelOf(registry, scalarOp, operation);
  if (scalar === undefined || scalar.kind === 'composed' || scalar.instruction === undefined) return false;
  return scalar.kind === 'floats' || scalar.traps === undefined;
};

/**
 * Creates the body on vectors of `width` lanes; `values` has its arguments, vectors or elements that all lanes share.
 * What it yields, as a vector. Where products are `fused`, one that is only added up is rounded once with the sum.
 */
export const createVectorBody = (
  rewriter: Rewriter,
  b: Builder,
  body: Block,
  values: Map<Id, Value>,
  width: number,
  fused = false,
): Value => {
  const typeOf = (element: Type): Type => vectorType([width], element);
  const vectorOf = (value: Value): Value => {
    const known = values.get(value.id) ?? value;
    if (known.type.kind === 'vector') return known;
    const made: Value = b(broadcast, { source: known }, { resultTypes: [typeOf(known.type)] });
    values.set(value.id, made);
    return made;
  };
  const products = fused ? fusedProducts(body) : new Map<Id, Operation>();
  for (const operation of body.operations.slice(0, -1)) {
    const result = operation.results[0]!;
    if (operation.name === 'arith.constant') {
      values.set(result.id, rewriter.clone(operation).results[0]!);
      continue;
    }
    const product = products.get(operation.id);
    if (product !== undefined) {
      const sum = operation.operands.find(({ id }) => id !== product.results[0]!.id)!;
      const [lhs, rhs] = product.operands.map(vectorOf);
      values.set(result.id, b(fma, { lhs: lhs!, rhs: rhs!, acc: vectorOf(sum) }));
      continue;
    }
    if ([...products.values()].includes(operation)) continue;
    values.set(
      result.id,
      rewriter.createValue({
        name: operation.name,
        operands: operation.operands.map(vectorOf),
        resultTypes: [typeOf(result.type)],
        attributes: operation.attributes,
        location: operation.location,
      }),
    );
  }
  return vectorOf(terminatorOf(body).operands[0]!);
};

/** The products of floats that nothing but an addition uses, by the addition. */
const fusedProducts = ({ operations }: Block): ReadonlyMap<Id, Operation> => {
  const usesOf = ({ id }: Value): number =>
    operations.flatMap(({ operands }) => operands).filter((operand) => operand.id === id).length;
  const products = new Map<Id, Operation>();
  for (const { id, name, operands } of operations) {
    if (name !== 'arith.addf') continue;
    const product = operations.find(
      (other) =>
        other.name === 'arith.mulf' &&
        operands.some((operand) => operand.id === other.results[0]!.id) &&
        usesOf(other.results[0]!) === 1,
    );
    if (product !== undefined) products.set(id, product);
  }
  return products;
};
