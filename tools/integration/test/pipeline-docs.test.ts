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

/** A stage on the page. */
interface Shown {
  /** Where the papers describe it. */
  readonly paper: string;
  /** The transform ops that it consists of. */
  readonly ops: readonly string[];
  readonly text: string;
}

const shown: Readonly<Record<string, Shown>> = {
  payload: {
    paper: 'ST Listing 1',
    ops: [],
    text: 'A named convolution: 4 filters of 2x3x3 over an input of 2x7x8, which gives 5x6 windows.',
  },
  linearize: {
    paper: 'ST §5.1, tasks 1a and 1b; Listing 2',
    ops: ['structured.generalize', 'structured.linearize'],
    text: 'The convolution becomes a `linalg.generic`. Height and width of the output become one dimension of 30 windows, so that a tile may span rows; the indexing map of the input recovers row and column by `floordiv` and `mod`.',
  },
  split: {
    paper: 'ST §5.2, stage 2; Listings 3-6',
    ops: ['structured.split'],
    text: 'The microkernel takes 8 windows: the first part has 24, and the second the remaining 6. Each part slices the rows of the input that it reads. The indexing map of the second part is re-based to its slice, since `floordiv` and `mod` do not restart there.',
  },
  'tile-outer': {
    paper: 'ST §5.3, stage 3a; Listing 7',
    ops: ['structured.gather_operand', 'structured.tile_using_for'],
    text: 'Loops over images, over sets of N_c channels, and over sets of K3 and K2 tiles. Before tiling, the input becomes a `tensor.extract` in the body, and so is not sliced.',
  },
  'tile-inner': {
    paper: 'ST §5.3, stage 3b',
    ops: ['structured.tile_using_for'],
    text: 'Loops over the tiles of a set: 2 filters by 8 windows each, with the filters in the outer loop.',
  },
  swap: {
    paper: 'ST §5.7, task 3c',
    ops: ['loop.swap_induction_vars'],
    text: 'Input stationary: the loop over windows goes outside. Weight stationary would keep the order.',
  },
  pack: {
    paper: 'ST §4.1, §4.2 and §5.4, task 4a; Eqs. 1-12; Listing 8',
    ops: ['structured.pack_windows', 'structured.pack_filters', 'structured.form_microkernel'],
    text: 'The windows and filters of each tile are packed in the order in which the microkernel reads them. The microkernel is then a contraction over K = N_c·F_h·F_w = 18 steps.',
  },
  multipack: {
    paper: 'ST §4.2.1 and §5.4, task 4b; Eqs. 3, 13 and 14',
    ops: ['structured.multipack'],
    text: 'The moving operand, here the filters, is packed before the inner loops, K2 tiles at a time.',
  },
  delinearize: {
    paper: 'ST §5.4, task 4c',
    ops: ['structured.delinearize'],
    text: 'Packing reads the original input by row and column, without a division by the width. Only the scalar code of the 6 remaining windows still reads the linearised input.',
  },
  bufferize: {
    paper: 'ST §5.6, step 5a; Listing 10',
    ops: ['bufferization.one_shot_bufferize', 'apply_patterns', 'apply_cse'],
    text: 'Tensors become buffers, whose offsets and strides are computed explicitly. With the identity layout for arguments nothing is copied.',
  },
  'lower-to-blas': {
    paper: 'ST §5.6, step 5b; Listing 10',
    ops: ['lower.to_blas'],
    text: "The microkernel becomes a call to OpenBLAS's kernel for AVX2, for 8 windows, 2 filters and 18 steps.",
  },
};

const linkTo = (op: string): string => `[\`${op}\`](transforms/${op}.md)`;

const contents = [
  '| stage | papers | transforms |',
  '| --- | --- | --- |',
  ...Object.entries(shown).map(
    ([name, { paper, ops }]) => `| [${name}](#${name}) | ${paper} | ${ops.map(linkTo).join(', ')} |`,
  ),
];

it('docs/pipeline.md shows the IR after each stage', async () => {
  const stages = [
    ...stagesOf(parse(exampleConvolution, 'payload.mlir'), parse(sequence(slicing), 'schedule.mlir')),
    { name: 'bufferize', module: after(slicing, bufferization) },
    { name: 'lower-to-blas', module: after(slicing, bufferization, calls) },
  ];
  const page = [
    '# One convolution, stage by stage',
    '',
    'The IR of a small convolution after each stage of `transform.structured.sconv`, with a microkernel of 8 windows and 2',
    'filters, and after the lowering to BLAS calls. `sconv-opt -transform=… --mlir-print-ir-after-all` prints it for any payload.',
    'This page is made by `npx vitest run --project integration pipeline-docs -u`; a test fails where it is out of date.',
    '',
    ...contents,
    '',
    ...stages.flatMap(({ name, module }) => [
      `## ${name}`,
      '',
      shown[name]!.text,
      '',
      '```mlir',
      printModule(module, { registry, localScope: true }).trimEnd(),
      '```',
      '',
    ]),
  ].join('\n');
  await expect(page).toMatchFileSnapshot('../../../docs/pipeline.md');
});
