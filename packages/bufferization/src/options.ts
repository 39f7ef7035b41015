/** Bufferization options, and buffer types at function boundaries. */
import type { MemRefType, TensorType, Type } from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';

/**
 * The layout of tensors that are arguments or results of functions: row-major and contiguous, with dynamic strides
 * and offset, or (`infer-layout-map`) dynamic for arguments while results keep the layout that is returned.
 */
export type BoundaryLayout = 'identity-layout-map' | 'fully-dynamic-layout-map' | 'infer-layout-map';

export interface BufferizeOptions {
  /** Whether function signatures are bufferized too; true by default. */
  readonly bufferizeFunctionBoundaries?: boolean;
  /** `identity-layout-map` by default. */
  readonly functionBoundaryTypeConversion?: BoundaryLayout;
  /** Whether a returned buffer that is an argument is dropped from the results; true by default. */
  readonly dropEquivalentBufferResults?: boolean;
  /** Whether buffers of static size that do not escape an iteration are hoisted out of the loop; true by default. */
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

/** The row-major, contiguous buffer type for a tensor or buffer type. */
export const identityBuffer = (type: TensorType | MemRefType): MemRefType =>
  memrefType(type.shape, type.elementType);

/** The buffer type with dynamic offset and strides. */
export const dynamicBuffer = (type: TensorType | MemRefType): MemRefType =>
  memrefType(
    type.shape,
    type.elementType,
    stridedLayoutAttribute(
      DYNAMIC,
      type.shape.map(() => DYNAMIC),
    ),
  );

/** The type at a function boundary: tensors become buffers, other types stay. */
export const boundaryType = (type: Type, layout: BoundaryLayout): Type => {
  if (type.kind !== 'tensor') return type;
  return layout === 'identity-layout-map' ? identityBuffer(type) : dynamicBuffer(type);
};
