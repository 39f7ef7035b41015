/** Bufferization options, and buffer types without more known than the tensor's. */
import type {
  Attribute,
  DraftOperation,
  MemRefType,
  TensorType,
  UnrankedMemRefType,
  UnrankedTensorType,
} from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';

export const boundaryLayouts = [
  'infer-layout-map',
  'fully-dynamic-layout-map',
  'identity-layout-map',
] as const;

/**
 * The layout of tensors that are arguments or results of functions: row-major and contiguous, with dynamic strides
 * and offset, or (`infer-layout-map`) dynamic for arguments while results keep the layout that is returned.
 */
export type BoundaryLayout = (typeof boundaryLayouts)[number];

export const analysisHeuristics = ['bottom-up', 'top-down', 'bottom-up-from-terminators', 'fuzzer'] as const;

interface CommonOptions {
  /** Whether function signatures are converted too; by default if decisions are sound. */
  readonly bufferizeFunctionBoundaries?: boolean;
  /** By default `identity-layout-map` if decisions are sound, else `infer-layout-map`. */
  readonly functionBoundaryTypeConversion?: BoundaryLayout;
  /** Alignment of allocations in bytes, 0 for none; 64 by default. */
  readonly bufferAlignment?: number;
  /** The op used to copy buffers; `memref.copy` by default. */
  readonly memcpyOp?: 'memref.copy' | 'linalg.copy';
}

/** Options for code generators, whose decisions keep the meaning of every program; the default. */
export interface SoundOptions extends CommonOptions {
  readonly decisions?: 'sound';
  /**
   * Whether a returned buffer that is an argument is dropped from the results; `private`: from those of private
   * functions. True by default.
   */
  readonly dropEquivalentBufferResults?: boolean | 'private';
  /** Whether buffers of static size that do not escape an iteration are hoisted out of the loop; true by default. */
  readonly hoistAllocations?: boolean;
}

/** Options of upstream's One-Shot Bufferize, with its defaults. */
export interface UpstreamOptions extends CommonOptions {
  readonly decisions: 'upstream';
  /** Whether loops may yield tensors that are not in the buffer of their iter arg. */
  readonly allowReturnAllocsFromLoops?: boolean;
  /** Whether operations without a model are allowed; they stay between `to_tensor` and `to_memref`. */
  readonly allowUnknownOps?: boolean;
  readonly analysisHeuristic?: (typeof analysisHeuristics)[number];
  /** The seed of the heuristic `fuzzer`. */
  readonly analysisFuzzerSeed?: number;
  /** Whether writes in a parallel region to a buffer from outside are conflicts; true by default. */
  readonly checkParallelRegions?: boolean;
  /** Whether to skip the analysis and copy before every write. */
  readonly copyBeforeWrite?: boolean;
  /** Whether to annotate alias sets as attributes; with `testAnalysisOnly`. */
  readonly dumpAliasSets?: boolean;
  /** The only dialects whose operations are rewritten; all by default. */
  readonly dialectFilter?: readonly string[];
  /** Whether an unknown memory space is an error, instead of becoming the default one. */
  readonly mustInferMemorySpace?: boolean;
  /** Functions to skip in the analysis: they copy before every write. */
  readonly noAnalysisFuncFilter?: readonly string[];
  /** Whether to annotate conflicts as attributes; with `testAnalysisOnly`. */
  readonly printConflicts?: boolean;
  /** Whether to stop after the analysis and record its decisions as attributes. */
  readonly testAnalysisOnly?: boolean;
  /** The layout of tensors about which nothing else is known. */
  readonly unknownTypeConversion?: 'fully-dynamic-layout-map' | 'identity-layout-map';
}

/** How tensors become buffers. `decisions` says who decides what is in place. */
export type BufferizeOptions = SoundOptions | UpstreamOptions;

export type ResolvedOptions = Required<Omit<SoundOptions, 'decisions'>> &
  Required<Omit<UpstreamOptions, 'decisions'>> & { readonly decisions: 'sound' | 'upstream' };

export const resolveOptions = (options: BufferizeOptions): ResolvedOptions => {
  const isSound = options.decisions !== 'upstream';
  return {
    allowReturnAllocsFromLoops: false,
    allowUnknownOps: false,
    analysisHeuristic: 'bottom-up',
    analysisFuzzerSeed: 0,
    bufferAlignment: 64,
    bufferizeFunctionBoundaries: isSound,
    checkParallelRegions: true,
    copyBeforeWrite: false,
    decisions: 'sound',
    dialectFilter: [],
    dropEquivalentBufferResults: isSound,
    dumpAliasSets: false,
    functionBoundaryTypeConversion: isSound ? 'identity-layout-map' : 'infer-layout-map',
    hoistAllocations: isSound,
    memcpyOp: 'memref.copy',
    mustInferMemorySpace: false,
    noAnalysisFuncFilter: [],
    printConflicts: false,
    testAnalysisOnly: false,
    unknownTypeConversion: 'fully-dynamic-layout-map',
    ...options,
  };
};

const dialectOf = ({ name }: DraftOperation): string => name.slice(0, Math.max(0, name.indexOf('.')));

/** Whether an operation may be rewritten. */
export const isAllowed = (options: ResolvedOptions, operation: DraftOperation): boolean => {
  const { bufferizeFunctionBoundaries, dialectFilter } = options;
  if (bufferizeFunctionBoundaries && dialectFilter.length === 0) return true;
  const dialect = dialectOf(operation);
  if (dialect === 'func' && !bufferizeFunctionBoundaries) return false;
  return dialectFilter.length === 0 || dialectFilter.includes(dialect);
};

type AnyTensor = TensorType | UnrankedTensorType;
type AnyBuffer = MemRefType | UnrankedMemRefType;

const unranked = ({ elementType }: AnyTensor, memorySpace: Attribute | undefined): UnrankedMemRefType =>
  Object.freeze({
    kind: 'unranked-memref',
    elementType,
    ...(memorySpace === undefined ? {} : { memorySpace }),
  });

/** The row-major, contiguous buffer type of a tensor. */
export const identityLayout = (type: AnyTensor, memorySpace?: Attribute): AnyBuffer =>
  type.kind === 'tensor'
    ? memrefType(type.shape, type.elementType, undefined, memorySpace)
    : unranked(type, memorySpace);

/** The buffer type of a tensor with dynamic offset and strides. */
export const dynamicLayout = (type: AnyTensor, memorySpace?: Attribute): AnyBuffer =>
  type.kind === 'tensor' ? dynamicBuffer(type, memorySpace) : unranked(type, memorySpace);

/** The row-major, contiguous buffer type for a ranked tensor or buffer type. */
export const identityBuffer = (type: TensorType | MemRefType): MemRefType =>
  memrefType(type.shape, type.elementType);

/** The buffer type with dynamic offset and strides. */
export const dynamicBuffer = (type: TensorType | MemRefType, memorySpace?: Attribute): MemRefType =>
  memrefType(
    type.shape,
    type.elementType,
    stridedLayoutAttribute(
      DYNAMIC,
      type.shape.map(() => DYNAMIC),
    ),
    memorySpace,
  );
