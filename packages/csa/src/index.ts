export { constraints, type CacheConstraint } from './constraints.ts';
export { costModelNames, type Cost, type CostModel, type CostModelName } from './cost.ts';
export { CsaError } from './errors.ts';
export { checkShape } from './plan-input.ts';
export { contractionOf, convolutionOf } from './contraction.ts';
export type { OperandLayouts } from './contraction.ts';
export { csaPlanner, diagnosed, diagnosedPlan } from './csa-planner.ts';
export { candidateSizes, heuristics, type Heuristic } from './heuristics.ts';
export {
  planConvolution,
  planForTarget,
  planWarnings,
  planWithTiling,
  type KernelChoice,
  type Candidate,
  type ConvolutionPlan,
  type PlanOptions,
  type PlanTarget,
  type PlanWarning,
  type SlicingPlan,
} from './plan.ts';
export {
  convolution,
  multiplyAdds,
  paddedInput,
  type ConvolutionFields,
  type ConvolutionShape,
  type Extent2,
  type Padding,
  type UnpackedBytes,
} from './shape.ts';
export { parseShape, printShape } from './shape-text.ts';
export {
  slice,
  tileBytes,
  type Dataflow,
  type Fractions,
  type MachineCaches,
  type MicrokernelShape,
  type SlicedConvolution,
  type TileBytes,
  type Tiling,
} from './tiling.ts';
export { cacheSimulator, type CacheSimulator, type Served } from './cache-simulator.ts';
export { streamAccesses, type StreamOptions, type Touch } from './access-stream.ts';
export { parseCsv, shapeFromConvbench, type ConvbenchRow } from './convbench.ts';
export { planLimits } from './plan-limits.ts';
export {
  dimensionRoles,
  extentsOf,
  extentsOfShape,
  planOfExtents,
  planOfTiling,
  type PlannedSpace,
} from './plan-of-tiling.ts';
export {
  belowSplits,
  slicingNest,
  spansOf,
  type PartSpans,
  type SlicingNest,
  type Span,
} from './slicing-nest.ts';
export { edgeChoices, edgeKinds, type EdgeChoice, type Edges } from './edges.ts';
export { tilingRows, tilingSpace, type TilingRow, type TilingSpace } from './tiling-space.ts';
export { hierarchy } from './tiling.ts';
export { costModels } from './cost-models.ts';
export { trafficOfPlan } from './traffic-of-plan.ts';
export { costCurves, type CostCurve, type CostCurves, type CurvePoint } from './cost-curves.ts';
export { familyPlan, type FamilyKernel, type FamilyPlan } from './family-plan.ts';
export { drawPlan } from './picture.ts';
export { drawTree } from './tree-picture.ts';
export {
  explain,
  printExplanation,
  type CacheFill,
  type Explanation,
  type Fill,
  type ParameterReason,
} from './explain.ts';
export { partsForThreads } from './thread-parts.ts';
export type { SharedDimension, ThreadParts } from './thread-parts.ts';
