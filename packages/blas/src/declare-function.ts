import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { funcOp } from '@sconv/dialects/func';
import type { DraftOperation, FunctionType, Rewriter } from '@sconv/ir';
import { hasTrait, printType, symbolNameOf } from '@sconv/ir';

/**
 * Ensures that `user` can call a function `symbol` of this type: declares it before the function containing `user`,
 * unless it exists. Fails with `lower-to-blas/symbol` if something else has this name, or nothing can be declared.
 */
export const declareFunction = (
  rewriter: Rewriter,
  user: DraftOperation,
  symbol: string,
  type: FunctionType,
): Diagnosed<undefined> => {
  let around: DraftOperation = user;
  while (around.parent !== undefined && !hasTrait(rewriter.registry, around.parent, 'symbol-table'))
    around = around.parent;
  const table = around.block;
  if (around.parent === undefined || table === undefined)
    return silenceableError('lower-to-blas/symbol', 'there is no module to declare a function in', user);
  const existing = table.operations.find((each) => symbolNameOf(each) === symbol);
  if (existing === undefined) {
    rewriter.setInsertionPointBefore(around);
    rewriter.create(
      funcOp.state<Rewriter>({
        attributes: { symName: symbol, functionType: type, symVisibility: 'private' },
        location: user.location,
        bodies: [undefined],
      }),
    );
    return success(undefined);
  }
  const wanted = printType(type);
  const found = funcOp.is(existing) ? printType(funcOp.attributes(existing).functionType) : existing.name;
  if (found === wanted) return success(undefined);
  return silenceableError(
    'lower-to-blas/symbol',
    `'${symbol}' is a ${found} already, and the kernel a ${wanted}`,
    user,
  );
};
