/** Options of One-Shot Bufferize, with upstream's presets. */
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
  /** Whether loops may hand on tensors that are not in the buffer of their iteration argument. */
  readonly allowReturnAllocsFromLoops?: boolean;
  /** Whether operations without a model may stay, between `to_tensor` and `to_memref`. */
  readonly allowUnknownOps?: boolean;
  readonly analysisHeuristic?: (typeof analysisHeuristics)[number];
  /** The seed of the heuristic `fuzzer`. */
  readonly analysisFuzzerSeed?: number;
  /** Alignment of allocations in bytes, 0 for none; 64 by default. */
  readonly bufferAlignment?: number;
  /** Whether the types of functions change too. */
  readonly bufferizeFunctionBoundaries?: boolean;
  /** Whether a buffer of outside a parallel region must not be written inside; true by default. */
  readonly checkParallelRegions?: boolean;
  /** Whether there is no analysis: what is written is copied before. */
  readonly copyBeforeWrite?: boolean;
  /** Whether the sets of values that may share memory stand as attributes too; with `testAnalysisOnly`. */
  readonly dumpAliasSets?: boolean;
  /** The only dialects whose operations are rewritten; all by default. */
  readonly dialectFilter?: readonly string[];
  readonly functionBoundaryTypeConversion?: (typeof boundaryLayouts)[number];
  /** Whether a buffer of no known memory space is an error rather than one of the default space. */
  readonly mustInferMemorySpace?: boolean;
  /** Functions that are not analysed: what they write is copied before. */
  readonly noAnalysisFuncFilter?: readonly string[];
  /** Whether conflicts stand as attributes of the operations; with `testAnalysisOnly`. */
  readonly printConflicts?: boolean;
  /** Whether only the decisions are made, and stand as attributes of the operations. */
  readonly testAnalysisOnly?: boolean;
  /** The layout of tensors of which nothing else is known. */
  readonly unknownTypeConversion?: 'fully-dynamic-layout-map' | 'identity-layout-map';
  /** The operation that copies buffers. */
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

/** A row-major, contiguous buffer of a tensor. */
export const identityLayout = (type: AnyTensor, memorySpace?: Attribute): AnyBuffer =>
  type.kind === 'tensor'
    ? memrefType(type.shape, type.elementType, undefined, memorySpace)
    : unranked(type, memorySpace);

/** A buffer of a tensor, with offset and strides that are known at run time only. */
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
