/** Options of bufferization, and the types of buffers at function boundaries. */
import type { MemRefType, TensorType, Type } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';

/**
 * The layout of tensors that are arguments or results of functions: row-major and contiguous, with strides and offset
 * that are known at run time only, or (`infer-layout-map`) so for arguments while results are returned as they are.
 */
export type BoundaryLayout = 'identity-layout-map' | 'fully-dynamic-layout-map' | 'infer-layout-map';

export interface BufferizeOptions {
  /** Whether tensors in the types of functions become buffers too; true by default. */
  readonly bufferizeFunctionBoundaries?: boolean;
  /** `identity-layout-map` by default. */
  readonly functionBoundaryTypeConversion?: BoundaryLayout;
  /** Whether a returned buffer that is an argument's is left out of the results; true by default. */
  readonly dropEquivalentBufferResults?: boolean;
  /** Whether buffers of static size that no iteration hands on are allocated before the loop; true by default. */
  readonly hoistAllocations?: boolean;
  /** Alignment of allocations in bytes, 0 for none; 64 by default. */
  readonly bufferAlignment?: number;
}

export type ResolvedOptions = Required<BufferizeOptions>;

export const resolveOptions = (options: BufferizeOptions): ResolvedOptions => ({
  bufferizeFunctionBoundaries: options.bufferizeFunctionBoundaries ?? true,
  functionBoundaryTypeConversion: options.functionBoundaryTypeConversion ?? 'identity-layout-map',
  dropEquivalentBufferResults: options.dropEquivalentBufferResults ?? true,
  hoistAllocations: options.hoistAllocations ?? true,
  bufferAlignment: options.bufferAlignment ?? 64,
});

/** A row-major, contiguous buffer for a tensor, or like a buffer. */
export const identityBuffer = (type: TensorType | MemRefType): MemRefType =>
  memrefType(type.shape, type.elementType);

/** A buffer whose offset and strides are known at run time only. */
export const dynamicBuffer = (type: TensorType | MemRefType): MemRefType =>
  memrefType(
    type.shape,
    type.elementType,
    stridedLayoutAttribute(
      DYNAMIC,
      type.shape.map(() => DYNAMIC),
    ),
  );

/** The type at a function boundary: tensors as buffers, all else as it is. */
export const boundaryType = (type: Type, layout: BoundaryLayout): Type => {
  if (type.kind !== 'tensor') return type;
  return layout === 'identity-layout-map' ? identityBuffer(type) : dynamicBuffer(type);
};
