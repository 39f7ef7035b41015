export { constraints, type Constraint } from './constraints.ts';
export { costModelNames, type Cost, type CostModel, type CostModelName } from './cost.ts';
export { CsaError } from './errors.ts';
export { heuristics, type Heuristic } from './heuristics.ts';
export {
  planConvolution,
  type Candidate,
  type Plan,
  type PlanOptions,
  type PlanTarget,
  type PlanWarning,
} from './plan.ts';
export {
  convolution,
  multiplyAdds,
  paddedInput,
  type ConvolutionFields,
  type ConvolutionShape,
  type Extent2,
  type Padding,
} from './shape.ts';
export { parseShape, printShape } from './shape-text.ts';
export {
  slice,
  tileBytes,
  type Fractions,
  type MachineCaches,
  type MicrokernelShape,
  type Schedule,
  type SlicedConvolution,
  type TileBytes,
  type Tiling,
} from './tiling.ts';
