/** Options of One-Shot Bufferize, with upstream's defaults. */
import type {
  DraftOperation,
  MemRefType,
  TensorType,
  UnrankedMemRefType,
  UnrankedTensorType,
} from '@sconv/ir';
import { DYNAMIC, memrefType, stridedLayoutAttribute } from '@sconv/ir';
import type { Attribute } from '@sconv/ir';

export const boundaryLayouts = [
  'infer-layout-map',
  'fully-dynamic-layout-map',
  'identity-layout-map',
] as const;

export const analysisHeuristics = ['bottom-up', 'top-down', 'bottom-up-from-terminators', 'fuzzer'] as const;

export interface OneShotOptions {
  /** Whether loops may yield tensors that are not in the buffer of their iter arg. */
  readonly allowReturnAllocsFromLoops?: boolean;
  /** Whether operations without a model are allowed; they stay between `to_tensor` and `to_memref`. */
  readonly allowUnknownOps?: boolean;
  readonly analysisHeuristic?: (typeof analysisHeuristics)[number];
  /** The seed of the heuristic `fuzzer`. */
  readonly analysisFuzzerSeed?: number;
  /** Alignment of allocations in bytes, 0 for none; 64 by default. */
  readonly bufferAlignment?: number;
  /** Whether function signatures are converted too. */
  readonly bufferizeFunctionBoundaries?: boolean;
  /** Whether writes in a parallel region to a buffer from outside are conflicts; true by default. */
  readonly checkParallelRegions?: boolean;
  /** Whether to skip the analysis and copy before every write. */
  readonly copyBeforeWrite?: boolean;
  /** Whether to annotate alias sets as attributes; with `testAnalysisOnly`. */
  readonly dumpAliasSets?: boolean;
  /** The only dialects whose operations are rewritten; all by default. */
  readonly dialectFilter?: readonly string[];
  readonly functionBoundaryTypeConversion?: (typeof boundaryLayouts)[number];
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
  /** The op used to copy buffers. */
  readonly memcpyOp?: 'memref.copy' | 'linalg.copy';
}

export type ResolvedOneShotOptions = Required<OneShotOptions>;

export const resolveOneShotOptions = (options: OneShotOptions): ResolvedOneShotOptions => ({
  allowReturnAllocsFromLoops: false,
  allowUnknownOps: false,
  analysisHeuristic: 'bottom-up',
  analysisFuzzerSeed: 0,
  bufferAlignment: 64,
  bufferizeFunctionBoundaries: false,
  checkParallelRegions: true,
  copyBeforeWrite: false,
  dumpAliasSets: false,
  dialectFilter: [],
  functionBoundaryTypeConversion: 'infer-layout-map',
  mustInferMemorySpace: false,
  noAnalysisFuncFilter: [],
  printConflicts: false,
  testAnalysisOnly: false,
  unknownTypeConversion: 'fully-dynamic-layout-map',
  memcpyOp: 'memref.copy',
  ...options,
});

const dialectOf = ({ name }: DraftOperation): string => name.slice(0, Math.max(0, name.indexOf('.')));

/** Whether an operation may be rewritten. */
export const isAllowed = (options: ResolvedOneShotOptions, operation: DraftOperation): boolean => {
  const dialect = dialectOf(operation);
  if (dialect === 'func' && !options.bufferizeFunctionBoundaries) return false;
  return options.dialectFilter.length === 0 || options.dialectFilter.includes(dialect);
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
  type.kind === 'tensor'
    ? memrefType(
        type.shape,
        type.elementType,
        stridedLayoutAttribute(
          DYNAMIC,
          type.shape.map(() => DYNAMIC),
        ),
        memorySpace,
      )
    : unranked(type, memorySpace);
