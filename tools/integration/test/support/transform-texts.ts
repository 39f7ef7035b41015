/**
 * Upstream's transform ops in printed form: each op, with all its parts, that a run refuses. `%arg0` is a handle to
 * operations, `%arg1` one to values, `%arg2` a parameter.
 */
const op = '!transform.any_op';
const value = '!transform.any_value';
const param = '!transform.param<i64>';
/** `(operands) -> results`. */
const types = (operands: readonly string[], results: readonly string[]): string =>
  `(${operands.join(', ')}) -> ${results.length === 1 ? results[0]! : `(${results.join(', ')})`}`;
const ops = (count: number): readonly string[] => Array<string>(count).fill(op);
const to = (results: number, operands = 1): string => types(ops(operands), ops(results));
const named = (name: string): string => `!transform.op<"${name}">`;

/** One per line, or several that belong together. */
export const transformTexts: readonly string[] = [
  // Handles.
  `%0 = transform.get_parent_op %arg0 : ${to(1)}`,
  `%0 = transform.get_parent_op %arg0 {allow_empty_results, deduplicate, isolated_from_above, nth_parent = 2 : i64, op_name = "func.func"} : ${to(1)}`,
  `%0 = transform.get_consumers_of_result %arg0[0] : ${to(1)}`,
  `%0 = transform.get_producer_of_operand %arg0[1] {tag} : ${to(1)}`,
  `%0 = transform.get_defining_op %arg1 : ${types([value], [op])}`,
  `%0 = transform.get_operand %arg0[0, -1] : ${types([op], [value])}`,
  `%0 = transform.get_operand %arg0[all] : ${types([op], [value])}`,
  `%0 = transform.get_result %arg0[except(0, 2)] : ${types([op], [value])}`,
  `%0 = transform.get_type %arg1 : ${types([value], ['!transform.type'])}`,
  `%0 = transform.get_type elemental %arg1 : ${types([value], ['!transform.any_param'])}`,
  `%0 = transform.num_associations %arg1 : ${types([value], [param])}`,
  `%0:2 = transform.replicate num(%arg0) %arg0, %arg2 : ${op}, ${op}, ${param}`,
  `%0 = transform.select "a.b" in %arg0 : ${to(1)}`,

  // For any payload.
  `transform.annotate %arg0 "a" : ${op}`,
  `transform.annotate %arg0 "a" {tag} = %arg2 : ${op}, ${param}`,
  `transform.apply_cse to %arg0 : ${op}`,
  `transform.apply_dce to %arg0 : ${op}`,
  `transform.apply_licm to %arg0 {tag} : ${op}`,
  `transform.apply_patterns to %arg0 {\n    } : ${op}`,
  `transform.apply_patterns to %arg0 {
      transform.apply_patterns.memref.alloc_to_alloca
      transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
      transform.apply_patterns.tensor.fold_tensor_empty {fold_single_use_only = true}
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
      transform.apply_patterns.vector.lower_contraction
      transform.apply_patterns.vector.lower_contraction lowering_strategy = matmulintrinsics
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = innerreduction
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 3
      transform.apply_patterns.vector.lower_transpose lowering_strategy = flat_transpose
      transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d avx2_lowering_strategy = true
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "force-in-bounds"
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = none
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma[16, 16, 8] {tag}
    } {apply_cse, max_iterations = 3 : i64, max_num_rewrites = 5 : i64} : ${op}`,
  `transform.apply_conversion_patterns to %arg0 {
      transform.apply_conversion_patterns.dialect_to_llvm "cf"
      transform.apply_conversion_patterns.vector.vector_to_llvm {force_32bit_vector_indices = false, reassociate_fp_reductions = true}
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {data_layout = "e", index_bitwidth = 32 : i64, use_aligned_alloc = true}
    } {illegal_ops = ["a.b"], legal_dialects = ["a"], partial_conversion} : ${op}`,
  `%0 = transform.apply_registered_pass "canonicalize" to %arg0 : ${to(1)}`,
  `%0 = transform.apply_registered_pass "canonicalize" to %arg0 {options = "top-down=false"} : ${to(1)}`,
  `transform.print `,
  `transform.print %arg0 {assume_verified, name = "x", skip_regions, use_local_scope} : ${op}`,
  `transform.verify %arg0 : ${op}`,
  `transform.debug.emit_remark_at %arg1, "here" : ${value}`,
  `transform.debug.emit_param_as_remark %arg2 : ${param}`,
  `transform.debug.emit_param_as_remark %arg2, "is" at %arg0 : ${param}, ${op}`,

  // Matchers.
  `transform.match.operation_empty %arg0 : ${op}`,
  `transform.match.operation_name %arg0 ["a.b", "c.d"] : ${op}`,
  `transform.match.param.cmpi le %arg2, %arg2 : ${param}`,
  `%0 = transform.collect_matching @matcher in %arg0 : ${to(1)}`,
  `%updated_root = transform.foreach_match in %arg0 \n        @matcher -> @action : ${to(1)}`,
  `%updated_root, %yielded = transform.foreach_match restrict_root flatten_results in %arg0, %arg0 \n        @matcher2 -> @action2 : ${to(2, 2)}`,
  `%0 = transform.match.structured failures(suppress) %arg0 : ${types([op], [param])} {
    ^bb0(%arg3: ${op}):
      transform.match.structured.body %arg3 {contraction = ["arith.mulf", "arith.addf"]} : ${op}
      transform.match.structured.body %arg3 {reduction_position = 0 : i64} : ${op}
      transform.match.structured.dim %arg3[all] {parallel} : ${op}
      %1 = transform.match.structured.dim %arg3[except(-1)] : ${types([op], [param])}
      %2 = transform.match.structured.rank %arg3 : ${types([op], [param])}
      %3 = transform.match.structured.num_inputs %arg3 : ${types([op], [param])}
      %4 = transform.match.structured.num_inits %arg3 : ${types([op], [param])}
      transform.match.structured.input %arg3[0] {projected_permutation} : ${op}
      %5 = transform.match.structured.input %arg3[0] : ${types([op], ['!transform.affine_map'])}
      %6 = transform.match.structured.init %arg3[all] {permutation} : ${types([op], [value])}
      %7 = transform.match.structured.elemental_bitwidth %6 : ${types([value], [param])}
      %8 = transform.match.structured.result %arg3[0] : ${types([op], [value])}
      %9 = transform.match.structured.result %arg3[-1] any : ${to(1)}
      %batch, %m, %n, %k = transform.match.structured.classify_contraction_dims %arg3 : ${types([op], Array<string>(4).fill(param))}
      %batch_0, %output_image, %output_channel, %filter_loop, %input_channel, %depth, %strides, %dilations = transform.match.structured.classify_convolution_dims %arg3 : ${types([op], Array<string>(8).fill(param))}
      transform.match.structured.yield %1 : ${param}
    }`,

  // Structured ops.
  `transform.structured.vectorize %arg0 : ${op}`,
  `transform.structured.vectorize %arg0 vector_sizes [8, [4], %arg2] {vectorize_nd_extract} : ${op}, ${param}`,
  `%0 = transform.structured.vectorize_children_and_apply_patterns %arg0 {flatten_1d_depthwise_conv, vectorize_padding} : ${to(1)}`,
  `%0 = transform.structured.hoist_redundant_vector_transfers %arg0 : ${to(1)}`,
  `%0 = transform.structured.hoist_redundant_vector_broadcasts %arg0 : ${to(1)}`,
  `%0 = transform.structured.decompose %arg0 : ${to(1)}`,
  `%0 = transform.structured.decompose_interface %arg0 : ${to(1)}`,
  `%0 = transform.structured.flatten_elementwise %arg0 : ${to(1)}`,
  `%0 = transform.structured.insert_slice_to_copy %arg0 : ${to(1)}`,
  `%0 = transform.structured.transpose_conv2d %arg0 : ${to(1)}`,
  `%0 = transform.structured.specialize %arg0 : ${to(1)}`,
  `%0 = transform.structured.scalarize %arg0 : ${to(1)}`,
  `%0 = transform.structured.interchange %arg0 : ${to(1)}`,
  `%0 = transform.structured.interchange %arg0 iterator_interchange = [1, 0] {tag} : ${to(1)}`,
  `%img2col_tensor, %transformed = transform.structured.convert_conv2d_to_img2col %arg0 : ${to(2)}`,
  `%0 = transform.structured.transpose_matmul %arg0 : ${to(1)}`,
  `%0 = transform.structured.transpose_matmul %arg0<rhs> : ${to(1)}`,
  `%0 = transform.structured.winograd_conv2d %arg0 {m = 4 : i64, r = 3 : i64} : ${to(1)}`,
  `%transformed, %loops:2 = transform.structured.fuse %arg0 [4, 0, 8] interchange [0, 2, 1] : ${to(3)}`,
  `%fused_op, %new_containing_op = transform.structured.fuse_into_containing_op %arg0 into %arg0 : ${to(2, 2)}`,
  `%low_size, %high_size, %split_point = transform.structured.multitile_sizes %arg0 {dimension = 0 : i64, divisor = 2 : i64, target_size = 3 : i64} : ${types([op], [param])}`,
  `%tile_sizes, %chunk_sizes = transform.structured.continuous_tile_sizes %arg0 {dimension = 1 : i64, target_size = 9 : i64} : ${to(1)}`,
  `%init_or_alloc_op, %fill_op, %split_linalg_op, %combining_linalg_op = transform.structured.split_reduction %arg0 {inner_parallel, insert_split_dimension = 2 : i64, split_factor = 4 : i64, use_alloc, use_scaling_algorithm} : ${to(4)}`,
  `%fill_op, %split_linalg_op, %combining_linalg_op, %for_op = transform.structured.tile_reduction_using_for %arg0 by tile_sizes = [0, 5] : ${to(4)}`,
  `%fill_op:2, %split_linalg_op, %combining_linalg_op, %forall_op = transform.structured.tile_reduction_using_forall %arg0 by num_threads = [0, 5], tile_sizes = [0, 3] : ${to(5)}`,
  `%0 = transform.structured.convert_to_loops %arg0 : ${to(1)}`,

  // Packing.
  `%0 = transform.structured.pack %arg0 packed_sizes = [0, %arg0, 4] : ${to(1, 2)}`,
  `%0 = transform.structured.pack_greedily %arg0 matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : ${to(1)}`,
  `%0 = transform.structured.pack_greedily %arg0 matmul_packed_sizes = [8, 0, %arg0] matmul_padded_sizes_next_multiple_of = [0, 10, 0] matmul_inner_dims_order = [1, 2, 0] : ${to(1, 2)}`,
  `%packed_op, %pack_op, %un_pack_op = transform.structured.pack_transpose %arg0 with_compute_op(%arg0) outer_perm = [1, 0] inner_perm = [0] : ${to(3, 2)}`,
  `%0 = transform.structured.match ops{["tensor.pack"]} in %arg0 : ${types([op], [named('tensor.pack')])}
    %pad_op, %expand_shape_op, %transpose_op = transform.structured.lower_pack %0 : ${types([named('tensor.pack')], [named('tensor.pad'), named('tensor.expand_shape'), named('linalg.transpose')])}`,
  `%0 = transform.structured.match ops{["tensor.unpack"]} in %arg0 : ${types([op], [named('tensor.unpack')])}
    %empty_op, %transpose_op, %collapse_shape_op, %extract_slice_op = transform.structured.lower_unpack %0 : ${types([named('tensor.unpack')], [named('tensor.empty'), named('linalg.transpose'), named('tensor.collapse_shape'), named('tensor.extract_slice')])}`,
  `%padded, %pad, %copy = transform.structured.pad %arg0 : ${to(3)}`,
  `%padded, %pad, %copy = transform.structured.pad %arg0 pad_to_multiple_of [%arg2, 2] {copy_back_op = "none", pack_paddings = [1, 0], padding_dimensions = [0, 1], padding_values = [0.000000e+00 : f32], transpose_paddings = [[1, 0], [0]]} : ${types([op, param], ops(3))}`,
  `%0 = transform.structured.hoist_pad %arg0 by 1 loops : ${to(1)}`,
  `%0 = transform.structured.hoist_pad %arg0 by 2 loops, transpose by [1, 0] : ${to(1)}`,
  `%0 = transform.structured.hoist_pad.build_packing_loop_nest %arg0 above %arg0, transpose by [1, 0] : ${to(1, 2)}`,

  `%0 = transform.structured.replace %arg0 {
      builtin.module {
      }
    } : ${to(1)}`,

  // Loops.
  `%0:2 = transform.loop.forall_to_for %arg0 : ${to(2)}`,
  `%0 = transform.loop.forall_to_parallel %arg0 : ${to(1)}`,
  `%function, %call = transform.loop.outline %arg0 {func_name = "f"} : ${to(2)}`,
  `%0 = transform.structured.match ops{["scf.for"]} in %arg0 : ${types([op], [named('scf.for')])}
    %peeled_loop, %remainder_loop = transform.loop.peel %0 {fail_if_already_divisible = true, peel_front = true} : ${types([named('scf.for')], ops(2))}
    %1 = transform.loop.pipeline %0 {iteration_interval = 2 : i64, read_latency = 5 : i64} : ${types([named('scf.for')], ops(1))}`,
  `transform.loop.promote_if_one_iteration %arg0 : ${op}`,
  `transform.loop.unroll %arg0 {factor = 4 : i64} : ${op}`,
  `transform.loop.unroll_and_jam %arg0 {factor = 4 : i64} : ${op}`,
  `%0 = transform.loop.coalesce %arg0 : ${to(1)}`,
  `%0 = transform.loop.fuse_sibling %arg0 into %arg0 : ${to(1, 2)}`,
  `transform.loop.hoist_loop_invariant_subsets %arg0 : ${op}`,
  `transform.scf.take_assumed_branch %arg0 take_else_branch : (${op}) -> ()`,
  `%0 = transform.tensor.make_loop_independent %arg0 {num_loops = 1 : i64} : ${to(1)}`,
  `%0 = transform.memref.make_loop_independent %arg0 {num_loops = 1 : i64} : ${to(1)}`,

  // Buffers.
  `%allocated_buffer, %new_ops = transform.structured.bufferize_to_allocation %arg0 {alloc_op = "memref.alloca", bufferize_destination_only, emit_dealloc, memcpy_op = "linalg.copy", memory_space = 3 : i64} : ${op}`,
  `transform.structured.eliminate_empty_tensors %arg0 : ${op}`,
  `transform.bufferization.eliminate_empty_tensors %arg0 : ${op}`,
  `%0 = transform.structured.match ops{["tensor.empty"]} in %arg0 : ${types([op], [named('tensor.empty')])}
    %1 = transform.bufferization.empty_tensor_to_alloc_tensor %0 : ${types([named('tensor.empty')], [named('bufferization.alloc_tensor')])}`,
  `transform.bufferization.buffer_loop_hoisting %arg0 : ${op}`,
  `%0 = transform.structured.rewrite_in_destination_passing_style %arg0 : ${to(1)}`,
  `%0 = transform.structured.promote %arg0 {alignment = 32 : i64, memory_space = 3 : i64, operands_to_promote = [1], use_alloca, use_full_tile_buffers = [false, true], use_full_tiles_by_default} : ${to(1)}`,
  `%0 = transform.structured.match ops{["memref.alloc"]} in %arg0 : ${types([op], [named('memref.alloc')])}
    %1 = transform.memref.multibuffer %0 {factor = 2 : i64, skip_analysis} : ${types([named('memref.alloc')], ops(1))}`,
  `%0 = transform.structured.match ops{["memref.alloca"]} in %arg0 : ${types([op], [named('memref.alloca')])}
    %getGlobal, %global = transform.memref.alloca_to_global %0 : ${types([named('memref.alloca')], ops(2))}`,
  `transform.memref.erase_dead_alloc_and_stores %arg0 : (${op}) -> ()`,

  // Calls and bounds.
  `%0 = transform.func.cast_and_call @callee(%arg1) -> %arg1 after %arg0 {
      transform.type_conversion.tensor.cast_shape_dynamic_dims
      transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info
    } : ${types([op, value, value], [op])}`,
  `%0 = transform.func.cast_and_call %arg0 before %arg0 : ${to(1, 2)}`,
  `transform.affine.simplify_bounded_affine_ops %arg0 with[%arg0 : ${op}] within [0] and [20] : ${op}`,
  `transform.affine.simplify_bounded_affine_ops %arg0 with[] within [] and [] : ${op}`,

  // Other machines.
  `%forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %arg0 total_num_threads = 128 desired_bit_alignment = 64 : ${to(2)}`,
  `%0 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [32, 4, 1] sync_after_distribute = false warp_size = 16 : ${to(1)}`,
  `%0 = transform.gpu.map_forall_to_blocks %arg0 generate_gpu_launch grid_dims = [7, 9, 1] : ${to(1)}`,
  `%0 = transform.nvgpu.create_async_groups %arg0 {bypass_l1} : ${to(1)}`,
  `%0 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %arg0 {depth = 3 : i64, peel_epilogue} : ${to(1)}`,
  `transform.nvgpu.rewrite_matmul_as_mma_sync %arg0 : (${op}) -> ()`,
  `transform.nvgpu.rewrite_copy_as_tma %arg0 : (${op}) -> ()`,
  `%0 = transform.sparse_tensor.match.sparse_inout %arg0 : ${to(1)}`,
];
