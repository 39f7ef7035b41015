/** Combines two values by a `vector.kind`, as upstream's `makeArithReduction`. */
import type { Attributes, Rewriter, Value } from '@sconv/ir';
import { elementTypeOf } from './constraints.ts';
import type { CombiningKind } from './vector-attributes.ts';

const names: Readonly<Record<CombiningKind, readonly [integer: string, float: string]>> = {
  add: ['arith.addi', 'arith.addf'],
  mul: ['arith.muli', 'arith.mulf'],
  minui: ['arith.minui', ''],
  minsi: ['arith.minsi', ''],
  minnumf: ['', 'arith.minnumf'],
  maxui: ['arith.maxui', ''],
  maxsi: ['arith.maxsi', ''],
  maxnumf: ['', 'arith.maxnumf'],
  and: ['arith.andi', ''],
  or: ['arith.ori', ''],
  xor: ['arith.xori', ''],
  maximumf: ['', 'arith.maximumf'],
  minimumf: ['', 'arith.minimumf'],
};

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
  const isFloat = elementTypeOf(value.type).kind === 'float';
  const name = names[kind][isFloat ? 1 : 0];
  if (name === '') return undefined;
  const make = (op: string, operands: readonly Value[], extra: Attributes): Value =>
    rewriter.createValue({
      name: op,
      operands,
      resultTypes: [acc.type],
      attributes: extra,
    });
  const combined = make(name, [value, acc], isFloat ? attributes : {});
  return mask === undefined ? combined : make('arith.select', [mask, combined, acc], {});
};
