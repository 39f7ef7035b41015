/** `form-kernels` for pipelines. */
import { success } from '@sconv/diagnostics';
import { choiceOption, defineOperationPass } from '@sconv/ir';
import { findTarget, targets, tileUnit } from '@sconv/targets';
import { formKernels } from './form-kernels.ts';

/** The passes of this package. */
export const passes = [
  defineOperationPass({
    name: 'form-kernels',
    title: 'FormKernelsPass',
    summary: 'make kernels of packings and microkernels on buffers',
    options: {
      target: choiceOption('divide tiles into register tiles for this target', [
        'none',
        ...targets.map(({ name }) => name),
      ]),
    },
    runOn: (rewriter, operation, { target: name }) => {
      const target = findTarget(name);
      const tiles = target && tileUnit(target);
      return success(undefined, formKernels(rewriter, operation, tiles && { unit: { tiles } }));
    },
  }),
] as const;
