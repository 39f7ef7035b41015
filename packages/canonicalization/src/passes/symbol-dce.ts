/** The pass `symbol-dce`. */
import { success } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { defineOperationPass, hasTrait, symbolNameOf } from '@sconv/ir';
import { symbolReferences } from '../symbol-references.ts';

/** Erases private symbols that are unreachable from live code. */
export const symbolDce = defineOperationPass({
  name: 'symbol-dce',
  title: 'SymbolDCE',
  summary: 'erase unreferenced private symbols',
  runOn: (rewriter, operation) => {
    eraseUnusedSymbols(rewriter, operation);
    return success(undefined);
  },
});

const eraseUnusedSymbols = (rewriter: Rewriter, table: DraftOperation): void => {
  const inside = table.regions.flatMap(({ blocks }) => blocks.flatMap(({ operations }) => operations));
  const symbols = new Map<string, DraftOperation>();
  if (hasTrait(rewriter.registry, table, 'symbol-table')) {
    for (const operation of inside) {
      const name = symbolNameOf(operation);
      if (name !== undefined && hasTrait(rewriter.registry, operation, 'symbol'))
        symbols.set(name, operation);
    }
  }
  // 1. Mark: from public symbols and non-symbols, along references.
  const live = new Set<DraftOperation>();
  const pending = inside.filter((operation) => {
    const isSymbol = symbols.get(symbolNameOf(operation) ?? '') === operation;
    return !isSymbol || !isPrivate(operation);
  });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (live.has(next)) continue;
    live.add(next);
    for (const operation of rewriter.walk(next)) {
      for (const name of symbolReferences(operation)) {
        const symbol = symbols.get(name);
        if (symbol !== undefined) pending.push(symbol);
      }
    }
  }
  for (const symbol of symbols.values()) if (!live.has(symbol)) rewriter.eraseOperation(symbol);
  // 2. Recurse into the symbol tables that are left.
  for (const operation of inside) {
    if (live.has(operation) && operation.regions.length > 0) eraseUnusedSymbols(rewriter, operation);
  }
};

const isPrivate = ({ attributes: { sym_visibility: visibility } }: DraftOperation): boolean =>
  visibility?.kind === 'string' && visibility.value !== 'public';
