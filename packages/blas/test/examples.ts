/** Examples of this package's transform: text and code that give the same IR. */
import { match } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import { lowerToBlas } from '../src/transforms.ts';
import { lowered, microkernel } from './payloads.ts';

/** By op. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [lowerToBlas.definition.name]: [
    {
      title: "A tile of 16 windows by 8 filters, in the panels of OpenBLAS's kernel for AVX2",
      payload: microkernel(),
      script: lowered(),
      record: (recorder) => {
        const target = match({ target: recorder.root }, { ops: ['linalg.generic'] }).results;
        lowerToBlas({ target }, { symbol: 'sgemm_kernel_HASWELL' });
      },
    },
    {
      title: 'A function of your own, and the panels that it takes',
      payload: microkernel(),
      script: lowered('sgemm_blas_kernel', ' {panels = [8, 4]}'),
      record: (recorder) => {
        const target = match({ target: recorder.root }, { ops: ['linalg.generic'] }).results;
        lowerToBlas({ target }, { symbol: 'sgemm_blas_kernel', panels: [8, 4] });
      },
    },
  ],
};
