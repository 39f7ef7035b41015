export { lowerPackingOp } from './lower-packing-op.ts';
export { deallocateBuffers } from './deallocate-buffers.ts';
export { lowerTiles } from './lower-tiles.ts';
export type { VectorUnit } from './vector-unit.ts';
export { vectorizeMicrokernelOp } from './vectorize-microkernel-op.ts';
