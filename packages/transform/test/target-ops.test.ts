/** Upstream's ops for GPUs, sparse tensors and PDL: what is read, printed and verified. */
import { printModule } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { targetOps } from '../src/target-ops.ts';
import type { Form } from './declared-forms.ts';
import { any, problemsIn, problemsOf, testForms } from './declared-forms.ts';
import { parse, registry } from './support.ts';

const forms: readonly Form[] = [
  [
    `%forall_op, %tiled_op = transform.structured.gpu.map_copy_to_threads %arg0 total_num_threads = 32 ` +
      `desired_bit_alignment = 128 : (${any}) -> (${any}, ${any})`,
    0,
  ],
  [
    `%0 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [16, 2, 1] sync_after_distribute = false ` +
      `warp_size = 64 : (${any}) -> ${any}`,
    0,
  ],
  [`%0 = transform.gpu.map_nested_forall_to_threads %arg0 block_dims = [16, 2, 1] : (${any}) -> ${any}`, 0],
  [
    `%0 = transform.gpu.map_forall_to_blocks %arg0 generate_gpu_launch grid_dims = [6, 1, 1] : (${any}) -> ${any}`,
    0,
  ],
  [`%0 = transform.gpu.map_forall_to_blocks %arg0 : (${any}) -> ${any}`, 0],
  [`%0 = transform.nvgpu.create_async_groups %arg0 {bypass_l1} : (${any}) -> ${any}`, 0],
  [
    `%0 = transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %arg0 {depth = 3 : i64, ` +
      `peel_epilogue} : (${any}) -> ${any}`,
    0,
  ],
  [`transform.nvgpu.rewrite_matmul_as_mma_sync %arg0 : (${any}) -> ()`, 0],
  [`transform.nvgpu.rewrite_copy_as_tma %arg0 : (${any}) -> ()`, 0],
  [`%0 = transform.sparse_tensor.match.sparse_inout %arg0 : (${any}) -> ${any}`],
  [`%0 = transform.pdl_match @known in %arg0 : (${any}) -> ${any}`],
];

/** PDL patterns around sequences. */
const patterns = (inside: string): string => `transform.with_pdl_patterns {
^bb0(%arg0: ${any}):
  ${inside}
}`;
const sequence = `transform.sequence %arg0 : ${any} failures(propagate) {
  ^bb0(%arg1: ${any}):
  }`;

describe('ops for other targets', () => {
  testForms(forms);

  it('all have a form here', () => {
    const covered = new Set(forms.map(([line]) => /transform\.[\w.]+/.exec(line)?.[0]));
    const names = targetOps.map(({ definition }) => definition.name);
    expect(names.filter((name) => !covered.has(name))).toEqual([
      'transform.with_pdl_patterns',
      'transform.irdl.collect_matching',
    ]);
  });

  it.each([
    ['[6]', true],
    ['[6, 1]', true],
    ['[6, 1, 1]', false],
    ['[6, 1, 1, 1]', true],
  ])('have three dimensions of blocks, or none: %s', (dims, isWrong) => {
    const line = `%0 = transform.gpu.map_forall_to_blocks %arg1 grid_dims = ${dims} : (${any}) -> ${any}`;
    expect(problemsOf(line).includes('empty or size-3 grid_dims')).toBe(isWrong);
  });

  it.each([
    ['nvgpu.create_async_groups %arg1 {bypass_l1 = 3 : i64}', 'bypass_l1'],
    [
      'nvgpu.pipeline_shared_memory_copies failures(suppress) %arg1 {depth = 3 : i64, peel_epilogue = 3 : i64}',
      'peel_epilogue',
    ],
    ['nvgpu.pipeline_shared_memory_copies failures(suppress) %arg1 {peel_epilogue}', 'depth'],
  ])('know their attributes: %s', (line, name) => {
    expect(problemsOf(`%0 = transform.${line} : (${any}) -> ${any}`)).toContain(name);
  });

  it('read and print patterns and what they are collected for', () => {
    const text = printModule(parse(patterns(sequence)), { registry });
    expect(text).toContain('transform.with_pdl_patterns {');
    expect(printModule(parse(text), { registry })).toBe(text);
    expect(problemsIn(patterns(sequence))).toBe('');
  });

  it.each([
    ['nothing', '', 'expects at least one non-pattern op'],
    ['two sequences', `${sequence}\n  ${sequence}`, 'expects only one non-pattern op in its body'],
    [
      'what is no sequence',
      '"test.a"() : () -> i32',
      'expects only pattern and top-level transform ops in its body',
    ],
    [
      'a sequence with more of them',
      sequence.replace(
        '  }',
        patterns(sequence)
          .replace('patterns {', `patterns %arg1 : ${any} {`)
          .replaceAll('%arg1:', '%arg3:')
          .replaceAll('%arg0', '%arg2') + '\n}',
      ),
      'cannot be nested',
    ],
  ])('refuse patterns around %s', (_, inside, problem) => {
    expect(problemsIn(patterns(inside))).toContain(problem);
  });

  it('read and print what collects ops that fit', () => {
    const line = `%0 = transform.irdl.collect_matching in %arg0 : (${any}) -> ${any} {\n    }`;
    expect(problemsOf(line)).toBe('');
  });
});
