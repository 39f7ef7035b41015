/** Combines two values by a `vector.kind`, as upstream's `makeArithReduction`. */
import type { Attributes, Rewriter, Value } from '@sconv/ir';
import type { CombiningKind } from './combining-kinds.ts';
import { combinerName } from './combining-kinds.ts';
import { elementTypeOf } from './constraints.ts';

/**
 * `value` combined with `acc`, of the same type, at the insertion point; `acc` where `mask` is given and not set.
 * Undefined if the kind does not apply to the element type.
 */
export const createCombination = (
  rewriter: Rewriter,
  kind: CombiningKind,
  value: Value,
  acc: Value,
  { mask, attributes = {} }: { readonly mask?: Value | undefined; readonly attributes?: Attributes } = {},
): Value | undefined => {
  const elementType = elementTypeOf(value.type);
  const name = combinerName(kind, elementType);
  if (name === undefined) return undefined;
  const make = (op: string, operands: readonly Value[], extra: Attributes): Value =>
    rewriter.createValue({
      name: op,
      operands,
      resultTypes: [acc.type],
      attributes: extra,
    });
  const combined = make(name, [value, acc], elementType.kind === 'float' ? attributes : {});
  return mask === undefined ? combined : make('arith.select', [mask, combined, acc], {});
};
