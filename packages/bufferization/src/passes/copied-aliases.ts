/** Buffers that a function returns twice, or was given: copies of them are apart, which its callers may notice. */
import { originsOf } from '@sconv/dialects';
import type { DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { effectsOf } from '@sconv/ir';
import { returnsOf } from '../function-facts.ts';

/** A result that is another result of the function, or one of its arguments, as far as the function shows it. */
export interface ReturnedAlias {
  readonly result: number;
  readonly other: { readonly kind: 'result' | 'argument'; readonly position: number };
}

const isBuffer = ({ type }: Value): boolean => type.kind === 'memref';

const originIds = (rewriter: Rewriter, value: Value): ReadonlySet<Id> =>
  new Set(originsOf(rewriter, value).map((origin) => origin.value.id));

const meets = (rewriter: Rewriter, value: Value, origins: ReadonlySet<Id>): boolean =>
  isBuffer(value) && originsOf(rewriter, value).some((origin) => origins.has(origin.value.id));

/** The results of a function that are buffers which it hands out or has otherwise. */
export const returnedAliases = (rewriter: Rewriter, operation: DraftOperation): readonly ReturnedAlias[] =>
  returnsOf(operation).flatMap(({ operands }) =>
    operands.flatMap((value, result) => {
      if (!isBuffer(value)) return [];
      const origins = originIds(rewriter, value);
      const inputs = operation.regions[0]?.blocks[0]?.arguments ?? [];
      const same = (values: readonly Value[], kind: 'result' | 'argument') =>
        values.flatMap((each, position) =>
          (kind === 'result' && position === result) || !meets(rewriter, each, origins)
            ? []
            : [{ result, other: { kind, position } }],
        );
      return [...same(inputs, 'argument'), ...same(operands, 'result')];
    }),
  );

/** Whether a caller uses such a result, and writes to it, or to what it is, after the call. */
export const isNoticed = (
  rewriter: Rewriter,
  operation: DraftOperation,
  { result, other: { kind, position } }: ReturnedAlias,
): boolean => {
  const value = operation.results[result]!;
  const other = (kind === 'result' ? operation.results : operation.operands)[position]!;
  if ([value, ...(kind === 'result' ? [other] : [])].some(({ id }) => !isUsed(rewriter, id, operation)))
    return false;
  const origins = new Set([...originIds(rewriter, value), ...originIds(rewriter, other)]);
  const { block } = operation;
  const before = new Set(block?.operations.slice(0, block.operations.indexOf(operation)));
  let root = operation;
  while (root.parent?.parent !== undefined) root = root.parent;
  return rewriter
    .walk(root)
    .some((each) => each !== operation && !before.has(each) && mayWrite(rewriter, each, origins));
};

const isUsed = (rewriter: Rewriter, id: Id, operation: DraftOperation): boolean =>
  operation.results.some((result) => result.id === id && rewriter.users(result).length > 0);

const mayWrite = (rewriter: Rewriter, operation: DraftOperation, origins: ReadonlySet<Id>): boolean => {
  if (operation.regions.length > 0) return false;
  const effects = effectsOf(rewriter.registry, operation);
  if (effects === undefined) return operation.operands.some((each) => meets(rewriter, each, origins));
  return effects.some(
    ({ kind, value }) => kind === 'write' && value !== undefined && meets(rewriter, value, origins),
  );
};
