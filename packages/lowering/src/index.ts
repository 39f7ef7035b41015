export { keepPackings, keptState, mayKeepPackings } from './keep-packings.ts';
export type { KeptPacking, KeptPackings } from './keep-packings.ts';
export { lowerPackingOp } from './lower-packing-op.ts';
export { deallocateBuffers } from './deallocate-buffers.ts';
export { lowerStridedCopies } from './lower-strided-copies.ts';
export { lowerTiles } from './lower-tiles.ts';
export { matrixMicrokernelOp } from './matrix-microkernel-op.ts';
export type { MatrixUnit, VectorUnit } from './vector-unit.ts';
export { vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';
