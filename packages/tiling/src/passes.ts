/** The passes of this package, for a registry. */
import { success } from '@sconv/diagnostics';
import { definePass } from '@sconv/ir';
import { outlineEqual } from './outline-equal-ops.ts';

/** Equal reductions on tensors as calls of one function. */
export const passes = [
  definePass({
    name: 'outline-equal-ops',
    title: 'OutlineEqualOpsPass',
    summary: 'make equal structured ops with a reduction calls of one function',
    run: (module, _options, { registry }) => success(outlineEqual(module, registry).module),
  }),
] as const;
