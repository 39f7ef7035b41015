/** The body of a packing that reads a tensor through its padding, as `fold_pad` creates it. */
import type { Block, Operation, Value } from '@sconv/ir';
import { terminatorOf } from '@sconv/ir';
import { integerPredicate } from './arith-attributes.ts';

/** A loaded element, or the padding if one of the tests fails. */
export interface PaddedElement {
  /** The `tensor.extract` or `memref.load`. */
  readonly element: Operation;
  /** By dimension: the index before clamping. */
  readonly indices: readonly Value[];
  /** Each holds if `0 <= index < size`. */
  readonly tests: readonly { readonly index: Value; readonly size: Value }[];
  readonly padding: Value;
}

/**
 * Matches a body in which `value`, by default what it yields, is `select(inside, element, padding)`, where `inside`
 * consists of `cmpi ult` only and clamps the element's indices: `select(inside, index, 0)`. Undefined for any other
 * body. The caller must check that the sizes and zeros are correct: a clamped index must be in bounds.
 */
export const paddedElement = (
  body: Block,
  value: Value | undefined = terminatorOf(body).operands[0],
): PaddedElement | undefined => {
  const definitionOf = ({ id }: Value): Operation | undefined =>
    body.operations.find(({ results }) => results.some((result) => result.id === id));
  const chosen = value && definitionOf(value);
  const [inside, read, padding] = chosen?.name === 'arith.select' ? chosen.operands : [];
  const element = read && definitionOf(read);
  if (inside === undefined || padding === undefined || element === undefined) return undefined;
  if (element.name !== 'tensor.extract' && element.name !== 'memref.load') return undefined;
  const indices = element.operands.slice(1).map((index) => {
    const clamp = definitionOf(index);
    return clamp?.name === 'arith.select' && clamp.operands[0]!.id === inside.id ? clamp.operands[1]! : index;
  });
  const testsOf = (condition: Value): PaddedElement['tests'] | undefined => {
    const definition = definitionOf(condition);
    if (definition?.name === 'arith.andi') {
      const [lhs, rhs] = definition.operands.map(testsOf);
      return lhs && rhs && [...lhs, ...rhs];
    }
    const [index, size] = definition?.operands ?? [];
    if (definition?.name !== 'arith.cmpi' || index?.type.kind !== 'index') return undefined;
    if (integerPredicate.decode(definition.attributes['predicate']!) !== 'ult') return undefined;
    return [{ index, size: size! }];
  };
  const tests = testsOf(inside);
  return tests && { element, indices, tests, padding };
};
