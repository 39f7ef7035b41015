/** Upstream's ops for GPUs, sparse tensors and PDL: parsed and printed; running them fails. */
import {
  boolAttribute,
  i64ArrayAttribute,
  i64Attribute,
  unitAttributeKind,
  withDefault,
  withImplicitDefault,
} from '@sconv/ir';
import { isTopLevel, topLevelErrors } from './body-problem.ts';
import { defineTransformOp } from './define-transform-op.ts';
import { consumes, produces, reads, readsOptional } from './handle-specs.ts';
import { failureModeAttribute } from './failure-mode.ts';
import { functional, semiFunctional } from './forms.ts';
import { symbolPath } from './symbol-attributes.ts';

const mapCopyToThreads = defineTransformOp({
  name: 'transform.structured.gpu.map_copy_to_threads',
  summary: 'Distributes a copy over threads.',
  operands: { target: consumes('copies and paddings') },
  attributes: { totalNumThreads: i64Attribute, desiredBitAlignment: i64Attribute },
  results: { forallOp: produces('the loop'), tiledOp: produces('the tiles') },
  assembly: {
    format:
      '$target `total_num_threads` `=` $total_num_threads `desired_bit_alignment` `=` ' +
      '$desired_bit_alignment attr-dict `:` functional-type(operands, results)',
  },
});

const mapNestedForallToThreads = defineTransformOp({
  name: 'transform.gpu.map_nested_forall_to_threads',
  summary: 'Maps the parallel loops of a kernel to threads.',
  operands: { target: consumes('launches') },
  attributes: {
    blockDims: withDefault(i64ArrayAttribute, []),
    syncAfterDistribute: withDefault(boolAttribute, true),
    warpSize: withDefault(i64Attribute, 32),
  },
  results: { result: produces('the launches') },
  assembly: {
    format:
      '$target `block_dims` `=` $block_dims (`sync_after_distribute` `=` $sync_after_distribute^)? ' +
      '(`warp_size` `=` $warp_size^)? attr-dict `:` functional-type($target, $result)',
  },
});

const mapForallToBlocks = defineTransformOp({
  name: 'transform.gpu.map_forall_to_blocks',
  summary: 'Maps a parallel loop to blocks of a kernel.',
  operands: { target: consumes('what holds the loop') },
  attributes: { gridDims: withImplicitDefault(i64ArrayAttribute, []), generateGpuLaunch: unitAttributeKind },
  results: { result: produces('the launches') },
  assembly: {
    format:
      '$target (`generate_gpu_launch` $generate_gpu_launch^)? (`grid_dims` `=` $grid_dims^)? ' +
      'attr-dict `:` functional-type($target, $result)',
  },
  *verify({ attributes: { gridDims } }) {
    if (gridDims.length !== 0 && gridDims.length !== 3) yield 'transform require empty or size-3 grid_dims';
  },
});

const createAsyncGroups = defineTransformOp({
  name: 'transform.nvgpu.create_async_groups',
  summary: 'Makes copies to shared memory asynchronous.',
  operands: { target: consumes('where to look') },
  attributes: { bypassL1: unitAttributeKind },
  results: { result: produces('the target') },
  assembly: functional(),
});

const pipelineSharedMemoryCopies = defineTransformOp({
  name: 'transform.nvgpu.pipeline_shared_memory_copies',
  summary: 'Pipelines copies to shared memory with their uses.',
  operands: { forOp: consumes('loops') },
  attributes: {
    depth: i64Attribute,
    peelEpilogue: unitAttributeKind,
    failurePropagationMode: withDefault(failureModeAttribute, 'suppress'),
  },
  results: { result: produces('the loops') },
  assembly: {
    format:
      '`failures` `(` $failure_propagation_mode `)` $forOp attr-dict `:` functional-type(operands, results)',
  },
});

/** An op for NVIDIA's matrix units and copy engines. */
const rewrites = (name: string, summary: string) =>
  defineTransformOp({
    name: `transform.nvgpu.${name}`,
    summary,
    operands: { target: consumes('structured ops') },
    assembly: functional(),
  });

const rewriteMatmulAsMmaSync = rewrites(
  'rewrite_matmul_as_mma_sync',
  'Rewrites a matrix product for a matrix unit.',
);
const rewriteCopyAsTma = rewrites(
  'rewrite_copy_as_tma',
  'Rewrites a copy to use the tensor memory accelerator (TMA).',
);

const matchSparseInout = defineTransformOp({
  name: 'transform.sparse_tensor.match.sparse_inout',
  summary: 'Succeeds if an op has sparse operands or results.',
  operands: { target: reads('one op') },
  results: { result: produces('it') },
  assembly: semiFunctional('target', 'result'),
});

const pdlMatch = defineTransformOp({
  name: 'transform.pdl_match',
  summary: 'Gets the operations that a PDL pattern matches.',
  operands: { root: reads('where to look') },
  attributes: { patternName: symbolPath },
  results: { matched: produces('what matches') },
  assembly: { format: '$pattern_name `in` $root attr-dict `:` functional-type(operands, results)' },
});

const withPdlPatterns = defineTransformOp({
  name: 'transform.with_pdl_patterns',
  summary: 'Runs a sequence, next to the PDL patterns that it may use.',
  operands: { root: readsOptional('the payload') },
  regions: ['body'],
  traits: ['no-terminator', 'symbol-table'],
  assembly: { format: '($root^ `:` type($root))? attr-dict-with-keyword regions' },
  *verify({ operation }, context) {
    yield* topLevelErrors(operation, context);
    const held =
      operation.regions[0]?.blocks[0]?.operations.filter(({ name }) => name !== 'pdl.pattern') ?? [];
    if (!held.every(isTopLevel)) yield 'expects only pattern and top-level transform ops in its body';
    else if (held.length > 1) yield 'expects only one non-pattern op in its body';
    else if (context.ancestors.some(({ name }) => name === operation.name)) yield 'cannot be nested';
    else if (held.length === 0) yield 'expects at least one non-pattern op';
  },
});

const irdlCollectMatching = defineTransformOp({
  name: 'transform.irdl.collect_matching',
  summary: 'Gets the ops that match an IRDL definition.',
  operands: { root: reads('where to look') },
  results: { matched: produces('what fits') },
  regions: ['body'],
  traits: ['no-terminator', 'symbol-table'],
  assembly: { format: '`in` $root `:` functional-type(operands, results) attr-dict-with-keyword regions' },
});

export const targetOps = [
  mapCopyToThreads,
  mapNestedForallToThreads,
  mapForallToBlocks,
  createAsyncGroups,
  pipelineSharedMemoryCopies,
  rewriteMatmulAsMmaSync,
  rewriteCopyAsTma,
  matchSparseInout,
  pdlMatch,
  withPdlPatterns,
  irdlCollectMatching,
];
