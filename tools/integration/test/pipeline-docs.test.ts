import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import { exampleConvolution } from '@sconv/transform/testing';
import { registry } from './support/registry.ts';
import type { Stage } from './support/stages.ts';
import { parse, sequence, stagesOf } from './support/stages.ts';

const slicing = `%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2]} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;

/** Stage 5, as in ST's Listing 10. */
const bufferization = `%b = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %b : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.memref.expand_strided_metadata
    } : !transform.any_op
    transform.apply_cse to %b : !transform.any_op`;
const calls = `%k = transform.structured.match ops{["linalg.generic"]} attributes {microkernel} in %b : (!transform.any_op) -> !transform.any_op
    %c = transform.lower.to_blas "sgemm_kernel_HASWELL", %k : (!transform.any_op) -> !transform.any_op`;

/** The payload after these steps. */
const after = (...steps: readonly string[]): Stage['module'] =>
  unwrap(
    runSchedule(
      parse(sequence(steps.join('\n    ')), 'schedule.mlir'),
      parse(exampleConvolution, 'payload.mlir'),
      {
        registry,
      },
    ),
  ).module;

/** What each stage does, in the paper's words. */
const about: Readonly<Record<string, string>> = {
  payload: 'The named convolution (ST Listing 1): 4 filters of 2x3x3 over 2x7x8, so 5x6 windows.',
  linearize:
    'Tasks 1a and 1b (ST §5.1): generic form; height and width of input and output become one dimension, so that windows can be tiled across rows.',
  split:
    'Stage 2 (ST §5.2): 24 windows fill tiles of 8, 6 remain. Each part takes the slice of the input that it touches, and its map is re-based to that slice.',
  'tile-outer':
    'Task 3a (ST §5.3): loops over N, Nc and the sets of K3 and K2 tiles. The input is read in the body first (`tensor.extract`), and stays unsliced.',
  'tile-inner': 'Task 3b: loops over the tiles of a set, filters outside.',
  swap: 'Task 3c (ST §5.7): input stationary has the windows outside; weight stationary leaves the order as it is.',
  pack: 'Task 4a (ST §4): windows and filters of a tile in the order of the microkernel, which contracts over K = Nc·Fh·Fw.',
  multipack: 'Task 4b (ST §4.2.1): the operand that moves in the inner loops is packed K2 tiles at once.',
  delinearize: 'Task 4c: the packing reads the original input by row and column.',
  bufferize:
    'Task 5a (ST §5.6, Listing 10): buffers for tensors, with their offsets and strides computed. Arguments have the identity layout here, so that nothing is copied.',
  'lower-to-blas':
    "Task 5b (ST §5.6, Listing 10): the microkernel is a call of OpenBLAS's kernel for AVX2, for 8 windows, 2 filters and 18 steps.",
};

it('docs/pipeline.md shows the IR after each stage', async () => {
  const stages = [
    ...stagesOf(parse(exampleConvolution, 'payload.mlir'), parse(sequence(slicing), 'schedule.mlir')),
    { name: 'bufferize', module: after(slicing, bufferization) },
    { name: 'lower-to-blas', module: after(slicing, bufferization, calls) },
  ];
  const page = [
    '# One convolution, stage by stage',
    '',
    'What `sconv-opt -transform=… --mlir-print-ir-after-all` shows for a small convolution with a microkernel of 8 windows',
    'and 2 filters. Made by `npx vitest run --project integration -u`; a test fails where this page is out of date.',
    '',
    ...stages.flatMap(({ name, module }) => [
      `## ${name}`,
      '',
      about[name]!,
      '',
      '```mlir',
      printModule(module, { registry, localScope: true }).trimEnd(),
      '```',
      '',
    ]),
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../docs/pipeline.md');
});
