/** Turns stack buffers into module-level globals. */
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { getGlobal, global } from '@sconv/dialects/memref';
import type { DraftOperation, MemRefType, Rewriter } from '@sconv/ir';
import { bodyOf, closestParent, hasTrait, isStaticShape } from '@sconv/ir';
import { freshSymbol, symbolsIn } from '../rewriting/globals.ts';

/** The global, and the `memref.get_global` that replaces the allocation. */
export interface GlobalBuffer {
  readonly global: DraftOperation;
  readonly getGlobal: DraftOperation;
}

/** Turns a `memref.alloca` of static size into a global buffer, which all executions then share. */
export const allocaToGlobalOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<GlobalBuffer> => {
  const type = operation.results[0]!.type as MemRefType;
  const table = closestParent(operation, (parent) => hasTrait(rewriter.registry, parent, 'symbol-table'));
  if (table === undefined || !isStaticShape(type)) {
    return silenceableError(
      'alloca-to-global/dynamic',
      'only a buffer of static size in a symbol table can be global',
      operation,
    );
  }
  const name = freshSymbol(symbolsIn(bodyOf(table)), 'alloca');
  rewriter.setInsertionPointToEnd(bodyOf(table));
  const created = rewriter.create(
    global.state({ attributes: { symName: name, symVisibility: 'private', type, constant: false } }),
    operation.location,
  );
  const read = rewriter.replaceWith(
    operation,
    getGlobal.state({ attributes: { name }, resultTypes: [type] }),
  );
  return success({ global: created, getGlobal: read });
};
