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

  pattern('linalg.data_layout_propagation', 'moves tensor.pack up and tensor.unpack down'),
  pattern(
    'linalg.further_data_layout_propagation',
    'moves tensor.unpack down through poolings, reductions, and ops of several unpacked operands',
  ),
  pattern('linalg.erase_unnecessary_inputs', 'drops inputs that the body does not read'),
  pattern('linalg.fold_unit_extent_dims_via_reshapes', 'drops dimensions of size 1, by reshapes'),
  pattern('linalg.fold_unit_extent_dims_via_slices', 'drops dimensions of size 1, by slices'),
  pattern('linalg.fuse_gathers', 'reads elements of gathered and reshaped tensors where they come from'),
  pattern('linalg.tiling_canonicalization', 'cleans up after tiling'),

  pattern('scf.for_loop_canonicalization', 'simplifies affine minima and maxima by the bounds of loops'),

  pattern('memref.alloc_to_alloca', 'moves small allocations to the stack', {
    attributes: { sizeLimit: optionalAttribute(i64Attribute) },
    format: '(`size_limit` `(` $size_limit^ `)`)? attr-dict',
  }),
  pattern('memref.expand_ops', 'expands memref ops into simpler ones'),
  pattern('memref.expand_strided_metadata', 'computes offsets, sizes and strides of views by arithmetic'),
  pattern('memref.extract_address_computations', 'moves the indices of accesses into a view'),
  pattern('memref.fold_memref_alias_ops', 'folds views into accesses of their sources'),
  pattern('memref.resolve_ranked_shaped_type_result_dims', 'computes sizes of results from operands'),

  pattern('tensor.bubble_collapse', 'moves reshapes to the borders, past elementwise ops'),
  pattern('tensor.decompose_concat', 'decomposes concatenations into insertions'),
  pattern('tensor.drop_redundant_insert_slice_rank_expansion', 'drops reshapes before insertions'),
  pattern('tensor.fold_tensor_empty', 'folds reshapes and slices of empty tensors', {
    attributes: { foldSingleUseOnly: withDefault(boolAttribute, false) },
  }),
  pattern('tensor.fold_into_pack_and_unpack', 'folds padding, slices and transpositions into packing'),
  pattern('tensor.fold_tensor_subset_ops', 'folds slices into accesses of their sources'),
  pattern('tensor.fold_tensor_subset_ops_into_vector_transfers', 'folds slices into vector transfers'),
  pattern('tensor.merge_consecutive_insert_extract_slice', 'merges slices of slices'),
  pattern('tensor.reassociative_reshape_folding', 'folds reshapes into slices and each other'),
  pattern('tensor.rewrite_as_constant', 'rewrites tensors of constant elements as constants', {
    attributes: { aggressive: unitAttributeKind },
    format: '(`aggressive` $aggressive^)? attr-dict',
  }),

  pattern('vector.cast_away_vector_leading_one_dim', 'drops leading dimensions of size 1'),
  pattern('vector.rank_reducing_subview_patterns', 'drops dimensions of size 1 of transfers, by views'),
  pattern('vector.transfer_permutation_patterns', 'separates permutations of transfers as transpositions'),
  pattern('vector.lower_bitcast', 'lowers bitcasts to ones of lower rank'),
  pattern('vector.lower_broadcast', 'lowers broadcasts to ones of lower rank'),
  pattern('vector.lower_contraction', 'lowers contractions', {
    attributes: {
      loweringStrategy: strategy(
        ['dot', 'matmulintrinsics', 'outerproduct', 'parallelarith'],
        'outerproduct',
      ),
    },
    format: strategyFormat,
  }),
  pattern('vector.lower_create_mask', 'lowers masks to ones of lower rank'),
  pattern('vector.lower_masks', 'lowers masks'),
  pattern('vector.lower_masked_transfers', 'lowers masked transfers to transfers with a mask operand'),
  pattern('vector.materialize_masks', 'lowers masks to comparisons'),
  pattern('vector.lower_multi_reduction', 'lowers reductions of several dimensions', {
    attributes: { loweringStrategy: strategy(['innerparallel', 'innerreduction'], 'innerparallel') },
    format: strategyFormat,
  }),
  pattern('vector.lower_outerproduct', 'lowers outer products to products and sums'),
  pattern('vector.lower_gather', 'lowers gathers to loads'),
  pattern('vector.lower_scan', 'lowers scans'),
  pattern('vector.lower_shape_cast', 'lowers shape casts to insertions and extractions'),
  pattern('vector.lower_transfer', 'lowers transfers to loads and stores', {
    attributes: { maxTransferRank: withDefault(i64Attribute, 1) },
    format: '(`max_transfer_rank` `=` $max_transfer_rank^)? attr-dict',
  }),
  pattern('vector.lower_transpose', 'lowers transpositions to shuffles or insertions', {
    attributes: {
      loweringStrategy: strategy(['eltwise', 'flat_transpose', 'shuffle_1d', 'shuffle_16x16'], 'eltwise'),
      avx2_lowering_strategy: withDefault(boolAttribute, false),
    },
    format:
      'oilist(`lowering_strategy` `=` $lowering_strategy | `avx2_lowering_strategy` `=` ' +
      '$avx2_lowering_strategy) attr-dict',
  }),
  pattern('vector.lower_interleave', 'lowers interleavings to ones of lower rank'),
  pattern('vector.interleave_to_shuffle', 'rewrites interleavings as shuffles'),
  pattern('vector.rewrite_narrow_types', 'rewrites vectors of narrow integers as wider ones'),
  pattern(
    'vector.split_transfer_full_partial',
    'splits transfers into full and partial ones; a run takes `split_transfer_strategy = none` or ' +
      '`force-in-bounds` and refuses the default',
    {
      attributes: {
        splitTransferStrategy: strategy(
          ['none', 'vector-transfer', 'linalg-copy', 'force-in-bounds'],
          'linalg-copy',
        ),
      },
      format: '(`split_transfer_strategy` `=` $split_transfer_strategy^)? attr-dict',
    },
  ),
  pattern('vector.transfer_to_scf', 'lowers transfers to loops; a run takes `full_unroll = true` alone', {
    attributes: {
      maxTransferRank: withDefault(i64Attribute, 1),
      fullUnroll: withDefault(boolAttribute, false),
    },
    format: 'oilist(`max_transfer_rank` `=` $max_transfer_rank | `full_unroll` `=` $full_unroll) attr-dict',
  }),
  pattern('vector.fold_arith_extension', 'folds extensions into contractions'),
  pattern(
    'vector.elementwise_to_vector',
    'rewrites products of broadcast rows and columns as outer products',
  ),
  pattern('vector.reduction_to_contract', 'rewrites reductions of products as contractions'),

  pattern('gpu.gpu_rewrite_patterns', 'rewrites gpu ops'),
  pattern('gpu.unroll_vectors_subgroup_mma', 'unrolls vectors to tiles of a matrix unit', {
    attributes: { m: i64Attribute, n: i64Attribute, k: i64Attribute },
    format: '`[` $m `,` $n `,` $k `]` attr-dict',
  }),
  pattern('gpu.eliminate_barriers', 'drops barriers that order nothing'),

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
