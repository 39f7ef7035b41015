/** The pattern ops in the bodies of `apply_patterns` and `apply_conversion_patterns`. */
import { enumAttribute } from '@sconv/dialects';
import type { AnyAttributeSpec, OpDefinition, OpInterface } from '@sconv/ir';
import {
  boolAttribute,
  defineOp,
  i64Attribute,
  implement,
  optionalAttribute,
  stringAttributeKind,
  unitAttributeKind,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import type { PatternDescriptor } from './pattern-descriptor.ts';
import { conversionDescriptor, patternDescriptor, typeConverter } from './pattern-descriptor.ts';

/** Attributes, and the format that prints them. */
interface DescriptorText {
  readonly attributes?: Readonly<Record<string, AnyAttributeSpec>>;
  readonly format?: string;
}

const descriptor =
  (prefix: string, asked: OpInterface<PatternDescriptor>) =>
  (
    name: string,
    summary: string,
    { attributes = {}, format = 'attr-dict' }: DescriptorText = {},
  ): OpDefinition =>
    defineOp({
      name: `transform.${prefix}${name}`,
      summary,
      attributes,
      interfaces: [implement(asked, {})],
      assembly: { format },
    });

const pattern = descriptor('apply_patterns.', patternDescriptor);
const conversion = descriptor('apply_conversion_patterns.', conversionDescriptor);

/** `(keyword = value)?` of an enum. */
const strategy = <W extends string>(words: readonly W[], chosen: W): AnyAttributeSpec =>
  withDefault(enumAttribute(words, 32), chosen);
const strategyFormat = '(`lowering_strategy` `=` $lowering_strategy^)? attr-dict';

/** In the order of upstream's files. */
export const patternOps: readonly OpDefinition[] = [
  pattern('canonicalization', 'folds and canonical forms'),

  pattern('linalg.erase_unnecessary_inputs', 'inputs that are not read go'),
  pattern('linalg.fold_unit_extent_dims_via_reshapes', 'dimensions of size 1 go, by reshapes'),
  pattern('linalg.fold_unit_extent_dims_via_slices', 'dimensions of size 1 go, by slices'),
  pattern('linalg.tiling_canonicalization', 'what tiling leaves behind is tidied'),

  pattern('scf.for_loop_canonicalization', 'bounds of loops are simplified'),

  pattern('memref.alloc_to_alloca', 'small allocations move to the stack', {
    attributes: { sizeLimit: optionalAttribute(i64Attribute) },
    format: '(`size_limit` `(` $size_limit^ `)`)? attr-dict',
  }),
  pattern('memref.expand_ops', 'ops of memref become simpler ones'),
  pattern('memref.expand_strided_metadata', 'offsets, sizes and strides of views become arithmetic'),
  pattern('memref.extract_address_computations', 'accesses take their indices from a view'),
  pattern('memref.fold_memref_alias_ops', 'accesses of views become accesses of their sources'),
  pattern('memref.resolve_ranked_shaped_type_result_dims', 'sizes of results come from operands'),

  pattern('tensor.decompose_concat', 'concatenations become insertions'),
  pattern('tensor.drop_redundant_insert_slice_rank_expansion', 'reshapes before insertions go'),
  pattern('tensor.fold_tensor_empty', 'reshapes and slices of empty tensors go', {
    attributes: { foldSingleUseOnly: withDefault(boolAttribute, false) },
  }),
  pattern('tensor.fold_into_pack_and_unpack', 'padding and slices join packing'),
  pattern('tensor.fold_tensor_subset_ops', 'accesses of slices become accesses of their sources'),
  pattern('tensor.fold_tensor_subset_ops_into_vector_transfers', 'slices join vector transfers'),
  pattern('tensor.merge_consecutive_insert_extract_slice', 'slices of slices become one'),
  pattern('tensor.reassociative_reshape_folding', 'reshapes join slices and each other'),
  pattern('tensor.rewrite_as_constant', 'tensors of constants become constants', {
    attributes: { aggressive: unitAttributeKind },
    format: '(`aggressive` $aggressive^)? attr-dict',
  }),

  pattern('vector.cast_away_vector_leading_one_dim', 'leading dimensions of size 1 go'),
  pattern('vector.rank_reducing_subview_patterns', 'transfers drop dimensions of size 1 by views'),
  pattern('vector.transfer_permutation_patterns', 'permutations of transfers become transpositions'),
  pattern('vector.lower_bitcast', 'bitcasts lose dimensions'),
  pattern('vector.lower_broadcast', 'broadcasts lose dimensions'),
  pattern('vector.lower_contraction', 'contractions become simpler ones', {
    attributes: {
      loweringStrategy: strategy(
        ['dot', 'matmulintrinsics', 'outerproduct', 'parallelarith'],
        'outerproduct',
      ),
    },
    format: strategyFormat,
  }),
  pattern('vector.lower_create_mask', 'masks lose dimensions'),
  pattern('vector.lower_masks', 'masks become simpler ones'),
  pattern('vector.lower_masked_transfers', 'masked transfers take their masks as operands'),
  pattern('vector.materialize_masks', 'masks become comparisons'),
  pattern('vector.lower_multi_reduction', 'reductions lose dimensions', {
    attributes: { loweringStrategy: strategy(['innerparallel', 'innerreduction'], 'innerparallel') },
    format: strategyFormat,
  }),
  pattern('vector.lower_outerproduct', 'outer products become products and sums'),
  pattern('vector.lower_gather', 'gathers become loads'),
  pattern('vector.lower_scan', 'scans become sums of parts'),
  pattern('vector.lower_shape_cast', 'shape casts become insertions and extractions'),
  pattern('vector.lower_transfer', 'transfers become loads and stores', {
    attributes: { maxTransferRank: withDefault(i64Attribute, 1) },
    format: '(`max_transfer_rank` `=` $max_transfer_rank^)? attr-dict',
  }),
  pattern('vector.lower_transpose', 'transpositions become shuffles or insertions', {
    attributes: {
      loweringStrategy: strategy(['eltwise', 'flat_transpose', 'shuffle_1d', 'shuffle_16x16'], 'eltwise'),
      avx2_lowering_strategy: withDefault(boolAttribute, false),
    },
    format:
      'oilist(`lowering_strategy` `=` $lowering_strategy | `avx2_lowering_strategy` `=` $avx2_lowering_strategy) attr-dict',
  }),
  pattern('vector.lower_interleave', 'interleavings lose dimensions'),
  pattern('vector.interleave_to_shuffle', 'interleavings become shuffles'),
  pattern('vector.rewrite_narrow_types', 'vectors of narrow integers become wider ones'),
  pattern('vector.split_transfer_full_partial', 'transfers become ones in bounds and others', {
    attributes: {
      splitTransferStrategy: strategy(
        ['none', 'vector-transfer', 'linalg-copy', 'force-in-bounds'],
        'linalg-copy',
      ),
    },
    format: '(`split_transfer_strategy` `=` $split_transfer_strategy^)? attr-dict',
  }),
  pattern('vector.transfer_to_scf', 'transfers become loops', {
    attributes: {
      maxTransferRank: withDefault(i64Attribute, 1),
      fullUnroll: withDefault(boolAttribute, false),
    },
    format: 'oilist(`max_transfer_rank` `=` $max_transfer_rank | `full_unroll` `=` $full_unroll) attr-dict',
  }),
  pattern('vector.fold_arith_extension', 'extensions join contractions'),
  pattern('vector.elementwise_to_vector', 'operations of elements become ones of vectors'),
  pattern('vector.reduction_to_contract', 'products that are reduced become contractions'),

  pattern('gpu.gpu_rewrite_patterns', 'ops of gpu become simpler ones'),
  pattern('gpu.unroll_vectors_subgroup_mma', 'vectors become tiles of a matrix unit', {
    attributes: { m: i64Attribute, n: i64Attribute, k: i64Attribute },
    format: '`[` $m `,` $n `,` $k `]` attr-dict',
  }),
  pattern('gpu.eliminate_barriers', 'barriers that order nothing go'),

  conversion('dialect_to_llvm', 'the ops of a dialect become ones of llvm', {
    attributes: { dialectName: stringAttributeKind },
    format: '$dialect_name attr-dict',
  }),
  conversion('func.func_to_llvm', 'functions become ones of llvm'),
  conversion('gpu.gpu_to_nvvm', 'ops of gpu become ones of nvvm'),
  conversion('gpu.gpu_wmma_to_nvvm', 'ops of matrix units become ones of nvvm'),
  conversion('gpu.gpu_subgroup_reduce_to_nvvm', 'reductions of subgroups become ones of nvvm'),
  conversion('nvgpu.nvgpu_to_nvvm', 'ops of nvgpu become ones of nvvm'),
  conversion('scf.structural_conversions', 'the types of loops are converted'),
  conversion('scf.scf_to_control_flow', 'loops become branches'),
  conversion('vector.vector_to_llvm', 'ops of vector become ones of llvm', {
    attributes: {
      reassociateFpReductions: withDefault(boolAttribute, false),
      force_32bit_vector_indices: withDefault(boolAttribute, true),
    },
  }),

  descriptor('apply_conversion_patterns.', typeConverter)(
    'memref.memref_to_llvm_type_converter',
    'buffers become descriptors',
    {
      attributes: {
        useAlignedAlloc: withImplicitDefault(boolAttribute, false),
        indexBitwidth: withImplicitDefault(i64Attribute, 64),
        useGenericFunctions: withImplicitDefault(boolAttribute, false),
        useBarePtrCallConv: withImplicitDefault(boolAttribute, false),
        dataLayout: optionalAttribute(stringAttributeKind),
      },
    },
  ),
  // From upstream's tests.
  pattern('transform.test_patterns', 'a test of the interpreter'),
  conversion('transform.test_conversion_patterns', 'a test of the interpreter'),
  descriptor('apply_conversion_patterns.', typeConverter)(
    'transform.test_type_converter',
    'a test of the interpreter',
  ),
  descriptor('type_conversion.', typeConverter)(
    'tensor.cast_shape_dynamic_dims',
    'tensors of other sizes are cast',
    {
      attributes: { ignoreDynamicInfo: unitAttributeKind },
      format: '(`ignore_dynamic_info` $ignore_dynamic_info^)? attr-dict',
    },
  ),
];
