/** Lowers what LLVM's conversions refuse or get wrong. */
import { expandView } from '@sconv/canonicalization';
import { structuredToLoops } from '@sconv/loops';
import { lowerHalfFloats, lowerTransfers } from '@sconv/lowering';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import { delinearizeIndex } from '@sconv/dialects/affine';
import { floordivsi, muli, subi } from '@sconv/dialects/arith';
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { builder } from '@sconv/ir';
import { unsupported } from './native-ops.ts';

/**
 * Lowers a module's structured ops to loops (upstream drops identities on buffers), vector accesses that may leave a buffer, views
 * (upstream takes the wrong strides where dimensions are dropped), and bf16. Returns what cannot be compiled, as `native/unsupported`.
 */
export const lowerForLlvm = (rewriter: Rewriter): readonly Diagnostic[] => {
  const { root } = rewriter;
  for (const operation of rewriter.walk(root)) {
    if (operation.name.startsWith('linalg.')) structuredToLoops(rewriter, operation, 'for');
  }
  lowerTransfers(rewriter, root);
  for (const operation of rewriter.walk(root)) {
    if (delinearizeIndex.is(operation)) lowerDelinearize(rewriter, operation);
    else expandView(rewriter, operation);
  }
  const problems = rewriter.walk(root).flatMap((operation) => unsupported(operation) ?? []);
  if (problems.length > 0) return problems;
  return lowerHalfFloats(rewriter, root).map(({ name, location }) =>
    error('native/unsupported', `'${name}' computes with bf16 there: extend it to f32`, location),
  );
};

/** Digits by division, of a basis that may be known at run time only. */
const lowerDelinearize = (rewriter: Rewriter, operation: DraftOperation): void => {
  rewriter.setInsertionPointBefore(operation);
  const b = builder(rewriter);
  const { linearIndex, basis } = delinearizeIndex.operands(operation);
  const digits: Value[] = [];
  let rest: Value = linearIndex;
  for (let i = 1; i < basis.length; i++) {
    const rhs = basis.slice(i + 1).reduce<Value>((lhs, size) => b(muli, { lhs, rhs: size }), basis[i]!);
    const digit: Value = b(floordivsi, { lhs: rest, rhs });
    digits.push(digit);
    rest = b(subi, { lhs: rest, rhs: b(muli, { lhs: digit, rhs }) });
  }
  rewriter.replaceOperation(operation, [...digits, rest]);
};
