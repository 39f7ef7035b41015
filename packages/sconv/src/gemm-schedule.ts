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
import { andThen, mapSuccess } from '@sconv/diagnostics';
import { applyPatterns } from '@sconv/canonicalization/transforms';
import type { Module, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { convertConv2dToImg2col } from '@sconv/normalization/transforms';
import type { Planner } from '@sconv/plans';
import { convolutionShape, recordGroups, slicedAs } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import type { Recorder } from '@sconv/transform';
import { callSite, runSchedule, schedule, splitHandle } from '@sconv/transform';
import { defaultRegistry } from './default-registry.ts';
import type { Scheduler } from './scheduler.ts';
import type { Planning, ScheduleForm } from './target-schedule.ts';
import { planTarget } from './target-schedule.ts';

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
  [...walk(module.root)]
    .filter(({ name }) => convolutionNames.some((each) => each === name))
    .map((operation) => ({
      operation,
      isProduct: operation.results.length > 0 && convolutionShape(operation).status === 'success',
    }));

/** The location of generated ops. */
const here = callSite();

/** Records im2col of each, and reshapes moved to the borders. */
const recordMatrices = ($: Recorder<'builtin.module'>, matched: ReturnType<typeof matchedIn>): void => {
  const { results } = splitHandle(
    { handle: $.match(...convolutionNames) },
    {},
    { resultCount: matched.length },
  );
  results.forEach((target, i) => {
    const { operation, isProduct } = matched[i]!;
    if (!isProduct) return;
    const { form } = slicedAs(operation)!;
    const convolution = form.kind === 'dense' ? target : recordGroups(target, form).convolution;
    convertConv2dToImg2col({ target: convolution }, { expanded: true });
  });
  applyPatterns({ target: $.root }, ['tensor.bubble_collapse', 'linalg.tiling_canonicalization']);
};

/** Records the fusion of the gathers into the packings of their matrices. */
const recordFusion = ($: Recorder<'builtin.module'>): void => {
  applyPatterns({ target: $.root }, ['linalg.fuse_gathers', 'linalg.tiling_canonicalization']);
};

/** The product's plan packs its operands, also those that could be read in place: there would be no matrix to read. */
const packing: Planner<KernelChoice> = csaPlanner({ edges: 'best' });

const scheduled = (
  payload: Module,
  target: Target,
  planning: Planning,
  isImplicit: boolean,
  form: ScheduleForm,
) => {
  const matched = matchedIn(payload);
  const hasProducts = matched.some(({ isProduct }) => isProduct);
  const registry = planning.registry ?? defaultRegistry;
  const matrices = schedule(($) => {
    if (hasProducts) $.at(here, () => $.stage('im2col', () => recordMatrices($, matched)));
    return undefined;
  });
  const products = mapSuccess(runSchedule(matrices.module, payload, { registry }), ({ module }) => module);
  const own = isImplicit && planning.planner === undefined && hasProducts ? { planner: packing } : {};
  return andThen(products, (module) =>
    mapSuccess(planTarget(module, target, { ...planning, ...own }, form), ({ plans, record }) => ({
      ...schedule(($) => {
        if (hasProducts) $.at(here, () => $.stage('im2col', () => recordMatrices($, matched)));
        record($);
        if (isImplicit && hasProducts) $.at(here, () => $.stage('gather', () => recordFusion($)));
        return undefined;
      }),
      plans,
    })),
  );
};

/** Convolutions as products with a column matrix in memory. */
export const explicitGemm: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduled(payload, target, planning, false, form);

/** Convolutions as products whose column matrix is gathered tile by tile, in panels. */
export const implicitGemm: Scheduler = (payload, target, planning = {}, form = 'expanded') =>
  scheduled(payload, target, planning, true, form);
