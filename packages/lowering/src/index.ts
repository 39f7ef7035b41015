export {
  elementBytes,
  keepPackings,
  keptState,
  mayKeepPackings,
  passMemory,
  placeAlignment,
} from './keep-packings.ts';
export type { FoundPacking, FoundPackings, KeptPacking, KeptPackings } from './keep-packings.ts';
export { lowerHalfFloats } from './lower-half-floats.ts';
export { lowerMathFunction } from './lower-math-functions.ts';
export { lowerPackingOp, refusedPacking } from './lower-packing-op.ts';
export { deallocateBuffers } from './deallocate-buffers.ts';
export { lowerStridedCopies } from './lower-strided-copies.ts';
export { lowerTiles } from './lower-tiles.ts';
export { isRightUpstream, lowerTransfers } from './lower-transfers.ts';
export { matrixMicrokernelOp } from './matrix-microkernel-op.ts';
export type { OuterProductUnit, VectorRegisters } from './vector-unit.ts';
export { refusedContract, vectorizeContractOp } from './vectorize-contract-op.ts';
export { vectorizeElementwiseOp } from './vectorize-elementwise-op.ts';
export { refusedMicrokernel, vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';
export { vectorizeSumsOp } from './vectorize-sums-op.ts';
