/** The passes of this package, for a registry. */
import { mapSuccess } from '@sconv/diagnostics';
import type { RewritePattern } from '@sconv/ir';
import { applyPatternsGreedily, defineOperationPass } from '@sconv/ir';
import type { LoopKind } from './structured-to-loops.ts';
import { structuredToLoops } from './structured-to-loops.ts';

const toLoops = (kind: LoopKind): RewritePattern => ({
  name: `structured-to-${kind}-loops`,
  rewrite: (rewriter, operation) => {
    structuredToLoops(rewriter, operation, kind);
  },
});

const convertLinalg = (kind: LoopKind, name: string, title: string, summary: string) =>
  defineOperationPass({
    name,
    title,
    summary,
    runOn: (rewriter, operation) =>
      mapSuccess(applyPatternsGreedily(rewriter, [operation], [toLoops(kind)]), () => undefined),
  });

/** Structured ops on buffers as loops; those on tensors stay. */
export const passes = [
  convertLinalg(
    'for',
    'convert-linalg-to-loops',
    'ConvertLinalgToLoopsPass',
    'lower structured ops on buffers to scf loops',
  ),
  convertLinalg(
    'parallel',
    'convert-linalg-to-parallel-loops',
    'ConvertLinalgToParallelLoopsPass',
    'lower structured ops on buffers to parallel scf loops',
  ),
  convertLinalg(
    'affine',
    'convert-linalg-to-affine-loops',
    'ConvertLinalgToAffineLoopsPass',
    'lower structured ops on buffers to affine loops',
  ),
] as const;
