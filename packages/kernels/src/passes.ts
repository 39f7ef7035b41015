/** `form-kernels` for pipelines. */
import { success } from '@sconv/diagnostics';
import { defineOperationPass } from '@sconv/ir';
import { formKernels } from './form-kernels.ts';

/** The passes of this package. */
export const passes = [
  defineOperationPass({
    name: 'form-kernels',
    title: 'FormKernelsPass',
    summary: 'make kernels of packings and microkernels on buffers',
    runOn: (rewriter, operation) => success(undefined, formKernels(rewriter, operation)),
  }),
] as const;
