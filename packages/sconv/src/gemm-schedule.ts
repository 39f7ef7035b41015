/**
 * Convolutions as matrix products (IREE slides, "Img2Col and GEMM" and "Implicit GEMM Codegen"), as schedules:
 *
 *     explicit   im2col, then the product, planned as any other: the whole column matrix is in memory
 *     implicit   the same, and then the gather fused into the packing of the product's tiles, of which each is a panel
 *                of the column matrix: the matrix itself is never made
 *
 * Rows of the matrix are copied as they lie: the gather has a dimension for each index, and computes none.
 */
import type { KernelChoice } from '@sconv/csa';
import { csaPlanner } from '@sconv/csa';
import { applyPatterns } from '@sconv/canonicalization/transforms';
import type { Module, Operation } from '@sconv/ir';
import { convertConv2dToImg2col } from '@sconv/normalization/transforms';
import type { Planner } from '@sconv/plans';
import { convolutionShape } from '@sconv/slicing';
import type { Scheduled, Script } from './recorded-convolutions.ts';
import { matchEach, operationsOf, recordOneGroup, scheduleBehind } from './recorded-convolutions.ts';
import type { Scheduler } from './scheduler.ts';

/** The convolutions that become products; grouped ones within a loop over their groups. */
const convolutionNames = [
  'linalg.conv_2d_nchw_fchw',
  'linalg.conv_2d_nhwc_hwcf',
  'linalg.conv_2d_nhwc_fhwc',
  'linalg.conv_2d_ngchw_fgchw',
  'linalg.conv_2d_ngchw_gfchw',
] as const;

/** The convolutions of a module that become products, in program order, and those of these names that do not. */
const matchedIn = (
  module: Module,
): readonly { readonly operation: Operation; readonly isProduct: boolean }[] =>
  operationsOf(module, convolutionNames).map((operation) => ({
    operation,
    isProduct: operation.results.length > 0 && convolutionShape(operation).status === 'success',
  }));

/** Records im2col of each, and reshapes moved to the borders. */
const recordMatrices = ($: Script, matched: ReturnType<typeof matchedIn>): void => {
  matchEach($, convolutionNames, matched.length, (target, i) => {
    const { operation, isProduct } = matched[i]!;
    if (isProduct) convertConv2dToImg2col({ target: recordOneGroup(target, operation) }, { expanded: true });
  });
  applyPatterns({ target: $.root }, ['tensor.bubble_collapse', 'linalg.tiling_canonicalization']);
};

/** Records the fusion of the gathers into the packings of their matrices. */
const recordFusion = ($: Script): void => {
  applyPatterns({ target: $.root }, ['linalg.fuse_gathers', 'linalg.tiling_canonicalization']);
};

/** The product's plan packs its operands, also those that could be read in place: there would be no matrix to read. */
const packing: Planner<KernelChoice> = csaPlanner({ edges: 'best' });

const scheduled = (scheduling: Scheduled, isImplicit: boolean) => {
  const { payload, planning } = scheduling;
  const matched = matchedIn(payload);
  const hasProducts = matched.some(({ isProduct }) => isProduct);
  const isFused = isImplicit && hasProducts;
  const own = isFused && planning.planner === undefined ? { planner: packing } : {};
  return scheduleBehind(
    { ...scheduling, planning: { ...planning, ...own } },
    [() => (hasProducts ? ['im2col', ($) => recordMatrices($, matched)] : undefined)],
    isFused ? ['gather', recordFusion] : undefined,
  );
};

/** Convolutions as products with a column matrix in memory. */
export const explicitGemm: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduled({ payload, target, planning, form }, false);

/** Convolutions as products whose column matrix is gathered tile by tile, in panels. */
export const implicitGemm: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduled({ payload, target, planning, form }, true);
