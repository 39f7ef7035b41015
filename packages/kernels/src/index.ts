export { collapseLoops } from './collapse-loops.ts';
export { contractRoles, contractStrides, contractTiles, registerSizes } from './contract-tiles.ts';
export type {
  ContractCounts,
  ContractStrides,
  ContractTile,
  LaneRegisters,
  LaneVector,
  Point,
} from './contract-tiles.ts';
export { formKernels, withKernels } from './form-kernels.ts';
export type { FormKernelsOptions, KernelUnit } from './form-kernels.ts';
export { keptPackings } from './kept-packings.ts';
export type { Keeping, KeptCall, KeptPacking, KeptPackings } from './kept-packings.ts';
export { exponentialOf, mathFunctions, preciseLogarithm } from './math-functions.ts';
export type { MathFunction } from './math-functions.ts';
export { exactProduct, exactSum, polynomial, quickSum, withSign } from './math-kit.ts';
export type { MathKit, SingleKit, Split } from './math-kit.ts';
export { maximumLanes } from './match-packing.ts';
export type { Source } from './packed-source.ts';
export { passes } from './passes.ts';
export { singleFunctions } from './single-functions.ts';
export type { SingleFunction } from './single-functions.ts';
export { distinctRows, linearLanes, straightLanes } from './straight-lanes.ts';
export type { Row, StraightLanes } from './straight-lanes.ts';
export { blockParts, sumBlock } from './sum-block.ts';
export type { BlockPart, SumBlock, SumInput, SumSpace, SumUnit } from './sum-block.ts';
