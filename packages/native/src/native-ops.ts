/** How each operation of the payload dialects becomes native code. */
import { elementNameOf } from '@sconv/backend';
import { elementTypeOf } from '@sconv/dialects';
import { parallel as affineParallel } from '@sconv/dialects/affine';
import type { AtomicKind } from '@sconv/dialects/memref';
import { atomicKinds, atomicRmw } from '@sconv/dialects/memref';
import {
  compressstore,
  contract,
  expandload,
  extract,
  insert,
  isMasked,
  multiReduction,
  reduction,
  transferRead,
  transferWrite,
} from '@sconv/dialects/vector';
import { isRightUpstream } from '@sconv/lowering';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import type { DraftOperation, Type } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';

/** By whom an operation is lowered: LLVM's conversions, this project before them, or nobody. */
export type LoweredBy = 'llvm' | 'sconv' | 'none';

/** The operations of a dialect. */
interface DialectOps {
  /**
   * What LLVM's conversions are known to lower rightly, by name: the fuzzer executes each of them natively and in the
   * interpreter. Not every form of it: `reasonAgainst` has those that are refused.
   */
  readonly llvm?: string;
  /** What `lowerForLlvm` lowers. */
  readonly sconv?: string;
  /** Operations that are refused, by what to do instead. */
  readonly none?: Readonly<Record<string, string>>;
}

const bufferize = 'bufferize the function first';
const otherOps = 'write it with operations of arith';

const dialects: Readonly<Record<string, DialectOps>> = {
  builtin: { llvm: 'module', none: { [bufferize]: 'unrealized_conversion_cast' } },
  func: { llvm: 'func return call call_indirect constant' },
  arith: {
    llvm: `constant addi subi muli shli divsi divui ceildivsi ceildivui floordivsi remsi remui andi ori xori shrsi
      shrui
      maxsi maxui minsi minui addf subf mulf divf remf maximumf minimumf maxnumf minnumf negf cmpi cmpf select extsi
      extui
      trunci index_cast index_castui sitofp uitofp fptosi fptoui bitcast extf truncf mulsi_extended mului_extended
      addui_extended`,
  },
  affine: {
    llvm: 'apply min max for if parallel load store prefetch yield vector_load vector_store',
    sconv: 'delinearize_index',
    none: { 'copy with loops or memref.copy': 'dma_start dma_wait' },
  },
  scf: {
    llvm: `for if while execute_region index_switch parallel forall yield condition reduce reduce.return
      forall.in_parallel`,
  },
  cf: { llvm: 'br cond_br switch', none: { 'a failed one would end the process: drop it': 'assert' } },
  math: {
    llvm: `absf ceil floor trunc round roundeven sqrt rsqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin
      acos
      atan sinh cosh tanh asinh acosh atanh erf atan2 copysign powf ctlz cttz ctpop absi fma`,
    none: { 'write it with a loop of multiplications': 'ipowi fpowi' },
  },
  tensor: {
    none: {
      [bufferize]: `empty dim rank cast extract insert from_elements splat generate collapse_shape expand_shape
      reshape concat
        pack unpack extract_slice insert_slice parallel_insert_slice pad bitcast yield gather scatter`,
    },
  },
  memref: {
    llvm: `alloc alloca dealloc load store copy dim rank assume_alignment prefetch get_global global alloca_scope
      alloca_scope.return reinterpret_cast cast memory_space_cast reshape view transpose extract_strided_metadata
      atomic_rmw extract_aligned_pointer_as_index`,
    sconv: 'subview collapse_shape expand_shape',
    none: {
      'use memref.atomic_rmw': 'generic_atomic_rmw atomic_yield',
      'allocate another buffer and copy': 'realloc',
      'copy with loops or memref.copy': 'dma_start dma_wait',
    },
  },
  kernel: { sconv: 'microkernel contract pack' },
  linalg: {
    sconv: `generic map reduce transpose broadcast matmul matmul_transpose_a matmul_transpose_b quantized_matmul mmt4d
      batch_mmt4d batch_matmul batch_matmul_transpose_a batch_matmul_transpose_b quantized_batch_matmul
      batch_reduce_matmul
      matvec vecmat batch_matvec batch_vecmat dot conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw
      conv_2d_nhwc_hwcf
      conv_2d_nhwc_fhwc conv_2d_nhwc_hwcf_q conv_2d_nhwc_fhwc_q conv_2d_nchw_fchw conv_2d_ngchw_fgchw
      conv_2d_ngchw_gfchw
      conv_2d_ngchw_gfchw_q conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q conv_3d_ncdhw_fcdhw depthwise_conv_1d_nwc_wc
      depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nchw_chw
      depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q
      depthwise_conv_3d_ndhwc_dhwc
      depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwcm pooling_nhwc_sum pooling_nchw_sum pooling_nhwc_max
      pooling_nhwc_max_unsigned pooling_nchw_max pooling_nhwc_min pooling_nhwc_min_unsigned pooling_nwc_sum
      pooling_ncw_sum
      pooling_nwc_max pooling_nwc_max_unsigned pooling_ncw_max pooling_nwc_min pooling_nwc_min_unsigned
      pooling_ndhwc_sum
      pooling_ndhwc_max pooling_ndhwc_min fill copy elemwise_unary elemwise_binary fill_rng_2d exp log abs ceil floor
      negf
      reciprocal round sqrt rsqrt square tanh erf add sub mul div div_unsigned max min powf select index yield`,
    none: {
      'decompose it before bufferization, by transform.structured.decompose_interface': 'softmax',
      'lower the whole convolution':
        'winograd_filter_transform winograd_input_transform winograd_output_transform',
    },
  },
  bufferization: {
    none: {
      [bufferize]: 'to_memref to_tensor alloc_tensor materialize_in_destination dealloc_tensor clone dealloc',
    },
  },
  vector: {
    llvm: `contract reduction multi_reduction broadcast shuffle interleave deinterleave extractelement extract fma
      from_elements insertelement insert insert_strided_slice outerproduct extract_strided_slice transfer_read
      transfer_write load store maskedload maskedstore gather scatter expandload compressstore shape_cast bitcast
      constant_mask create_mask mask transpose splat step yield`,
    none: {
      'return or store what is to be seen': 'print',
      'use vectors of static size': 'scalable.insert scalable.extract vscale',
      'use vector.extract_strided_slice and shape_cast': 'reshape type_cast',
      'use vector.contract': 'matrix_multiply',
      'use vector.shape_cast and vector.transpose': 'flat_transpose',
      'lower it by transform.apply_patterns.vector.lower_scan first': 'scan',
      'it is for GPUs': 'warp_execute_on_lane_0',
    },
  },
  index: {
    none: {
      [otherOps]: `add sub mul divs divu ceildivs ceildivu floordivs rems remu maxs maxu mins minu shl shrs shru and
      or xor
        casts castu cmp sizeof constant bool.constant`,
    },
  },
  llvm: { llvm: 'inttoptr call_intrinsic extractvalue fence' },
  ub: { none: { [otherOps]: 'poison' } },
};

/** An operation: who lowers it, or what to do instead. */
interface NativeOp {
  readonly by: LoweredBy;
  readonly instead?: string;
}

const entries = Object.entries(dialects).flatMap(([dialect, { llvm = '', sconv = '', none = {} }]) => {
  const named = (names: string, op: NativeOp): readonly (readonly [string, NativeOp])[] =>
    names.split(/\s+/).flatMap((name) => (name === '' ? [] : [[`${dialect}.${name}`, op]]));
  const refused = Object.entries(none).flatMap(([instead, names]) => named(names, { by: 'none', instead }));
  return [...named(llvm, { by: 'llvm' }), ...named(sconv, { by: 'sconv' }), ...refused];
});

const operations: ReadonlyMap<string, NativeOp> = new Map(entries);

/**
 * Who lowers an operation of the payload dialects, by name: for a compiler that lowers what is refused here itself.
 */
export const nativeOps: ReadonlyMap<string, LoweredBy> = new Map(entries.map(([name, { by }]) => [name, by]));

/**
 * Why an operation cannot become native code, after all that this project lowers has been lowered; undefined if it
 * can.
 */
export const unsupported = (operation: DraftOperation): Diagnostic | undefined => {
  const reason = reasonAgainst(operation);
  return reason === undefined
    ? undefined
    : error('native/unsupported', `'${operation.name}' ${reason}`, operation.location);
};

const reasonAgainst = (operation: DraftOperation): string | undefined => {
  const known = operations.get(operation.name);
  if (known?.by !== 'llvm') {
    const instead = known?.instead === undefined ? '' : `: ${known.instead}`;
    return `is not compiled to native code${instead}`;
  }
  const inBlocks = operation.regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.arguments));
  for (const { type } of [...operation.operands, ...operation.results, ...inBlocks]) {
    const reason = reasonAgainstType(type);
    if (reason !== undefined) return reason;
  }
  const reason = reasonAgainstForm(operation);
  if (reason !== undefined) return reason;
  if (isRightUpstream(operation)) return undefined;
  return operation.operands.some(({ type }) => type.kind === 'memref' && type.elementType.kind === 'vector')
    ? 'accesses several vectors of a buffer, or parts of them: use memref.load or memref.store'
    : 'accesses a vector that is scalable or too large, which is masked, may leave the buffer, or has ' +
        'elements that are not whole bytes';
};

/** Forms of vector operations that LLVM's conversions get wrong, or leave for its translation to refuse. */
const reasonAgainstForm = (operation: DraftOperation): string | undefined => {
  const { operands } = operation;
  const isReduction = multiReduction.is(operation);
  if (isReduction && multiReduction.attributes(operation).reductionDims.length === 0)
    return 'reduces no dimension: combine its source with the accumulator instead';
  const contraction = contract.is(operation) ? reasonAgainstContraction(operation) : undefined;
  if (contraction !== undefined) return contraction;
  if (reduction.is(operation) && isMasked(operation) && elementTypeOf(operands[0]!.type).kind === 'index')
    return 'combines indices under a mask: cast them to integers';
  if (
    reduction.is(operation) &&
    isMasked(operation) &&
    reduction.attributes(operation).kind.endsWith('imumf')
  )
    return 'is masked, with a start that is no neutral one upstream: select the elements first';
  if ((isReduction || contract.is(operation)) && isMasked(operation))
    return 'is masked: lower the mask and it first, by patterns of transform.apply_patterns.vector';
  const isTransfer = transferRead.is(operation) || transferWrite.is(operation);
  const types = [...operands, ...operation.results].map(({ type }) => type);
  const isElement = types.some((type) => type.kind === 'vector' && type.shape.length === 0);
  if (isTransfer && isElement && types.some((type) => type.kind === 'memref' && type.shape.length > 0))
    return 'accesses one element as a vector: use memref.load or memref.store';
  if (extract.is(operation) && operation.operands.length > 1 && operation.results[0]!.type.kind === 'vector')
    return 'takes a vector at a position that is known at run time only: take its elements';
  if (insert.is(operation) && operation.operands.length > 2 && operands[0]!.type.kind === 'vector')
    return 'puts a vector at a position that is known at run time only: insert its elements';
  const isPacked = expandload.is(operation) || compressstore.is(operation);
  if (isPacked && types.some((type) => type.kind === 'memref' && !isWhole(type.elementType)))
    return 'accesses elements that are not whole bytes';
  return reasonAgainstUpdate(operation);
};

const isWhole = (type: Type): boolean => type.kind !== 'integer' || type.width % 8 === 0;

/** Upstream adds products of one type, and has no instructions for other contractions. */
const reasonAgainstContraction = (operation: DraftOperation): string | undefined => {
  const { lhs, acc } = contract.operands(operation);
  const { kind } = contract.attributes(operation);
  const [factor, sum] = [elementTypeOf(lhs.type), elementTypeOf(acc.type)];
  if (factor.kind === 'index') return 'multiplies indices: cast them to integers';
  if (kind !== 'add')
    return `combines products by '${kind}': lower it first, by transform.apply_patterns.vector.lower_contraction`;
  return typeEquals(factor, sum)
    ? undefined
    : 'adds products of other elements than its factors: cast the factors first';
};

/** Kinds that LLVM's atomic updates have as they are defined: its maxima and minima of floats ignore NaN. */
const atomicKindsOfLlvm: readonly AtomicKind[] = [
  'assign',
  'addf',
  'addi',
  'maxs',
  'maxu',
  'mins',
  'minu',
  'ori',
  'andi',
];

/** Kinds that upstream combines as defined; it takes minima and maxima of integers as unsigned. */
const reductionKindsOfLlvm: readonly AtomicKind[] = [
  'addf',
  'mulf',
  'maximumf',
  'minimumf',
  'addi',
  'muli',
  'ori',
  'andi',
];

const reasonAgainstUpdate = (operation: DraftOperation): string | undefined => {
  if (atomicRmw.is(operation)) {
    const { kind } = atomicRmw.attributes(operation);
    const { type } = operation.operands[0]!;
    if (type.kind === 'integer' && type.width === 1) return 'updates single bits: use wider integers';
    return atomicKindsOfLlvm.includes(kind)
      ? undefined
      : `has the kind '${kind}', which no instruction has: use a loop`;
  }
  if (!affineParallel.is(operation)) return undefined;
  const { reductions } = affineParallel.attributes(operation);
  const kinds = reductions.kind === 'array' ? reductions.elements : [];
  const other = kinds
    .map((each) => atomicKinds[each.kind === 'integer' ? Number(each.value) : -1])
    .find((kind) => kind === undefined || !reductionKindsOfLlvm.includes(kind));
  return other && `combines by '${other}': use scf.parallel`;
};

const reasonAgainstType = (type: Type): string | undefined => {
  switch (type.kind) {
    case 'tensor':
    case 'unranked-tensor':
      return `has a tensor: ${bufferize}`;
    case 'memref':
    case 'unranked-memref':
    case 'vector':
      return reasonAgainstType(type.elementType);
    case 'float':
      return elementNameOf(type) !== undefined
        ? undefined
        : `has numbers of type ${type.name}, which no target has`;
    case 'complex':
      return 'has complex numbers: keep their parts apart';
    case 'integer':
      return type.width > 64 ? `has integers of ${type.width} bits: at most 64 are compiled` : undefined;
    default:
      return undefined;
  }
};
