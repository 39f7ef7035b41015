/** The trace of a real schedule: replaying a step reproduces the run. */
import { describe, expect, it } from 'vitest';
import type { Module } from '@sconv/ir';
import { follow, printModule, verify, walk } from '@sconv/ir';
import { irDiff, runSchedule, traceNodes } from '@sconv/transform';
import { exampleConvolution } from '@sconv/transform/testing';
import type { TraceNode } from '@sconv/transform';
import { registry } from './support/registry.ts';
import { parse, sequence } from './support/stages.ts';

/** Two convolutions, the second accumulating into the first one's output. */
const payload = parse(
  exampleConvolution.replace(
    '  return %0 :',
    `  %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%in, %filters : tensor<1x2x7x8xf32>, tensor<4x2x3x3xf32>) outs(%0 : tensor<1x4x5x6xf32>) -> tensor<1x4x5x6xf32>
  return %1 :`,
  ),
  'payload.mlir',
);

const script = parse(
  sequence(`%convs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.foreach %convs : !transform.any_op {
    ^bb0(%conv: !transform.any_op):
      %kernels, %loops = transform.structured.sconv %conv {mk_info = [8, 2], edges = "small"} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)
    }`),
  'schedule.mlir',
);

const text = (module: Module) => printModule(module, { registry, generic: true });

describe('the trace of two convolutions that are sliced', () => {
  const seen = new Map<TraceNode, { readonly before: Module; after?: Module }>();
  const result = runSchedule(script, payload, {
    registry,
    trace: {
      enter: (node, before) => seen.set(node, { before }),
      leave: (node, after) => {
        seen.get(node)!.after = after;
      },
    },
  });
  const top = [...seen.keys()].filter(
    (node) => node.kind === 'step' && node.operation.name === 'transform.foreach',
  );

  it('has the steps of both', () => {
    expect(result.status).toBe('success');
    expect(top[0]!.children.map((node) => node.kind === 'group' && `${node.role} ${node.name}`)).toEqual([
      'iteration 0',
      'iteration 1',
    ]);
    expect([...traceNodes(top[0]!)].length).toBeGreaterThan(60);
  });

  it('replays to what was there', () => {
    // Every third: a replay runs the step from its start.
    const nodes = [...traceNodes(top[0]!)].filter((_, i) => i % 3 === 0);
    for (const node of nodes) {
      const { before, after } = seen.get(node)!;
      expect(text(node.before())).toBe(text(before));
      expect(text(node.after())).toBe(text(after!));
    }
  });

  it('has modules that verify, and forwards that lead from each to the next', () => {
    for (const [node, { before, after }] of seen) {
      if (node.kind === 'group') continue;
      expect(verify(after!, registry)).toEqual([]);
      const { forward } = node;
      const there = new Set([...walk(after!.root)].map(({ id }) => id));
      for (const { id } of walk(before.root)) {
        for (const to of follow(forward.operations, id)) expect(there.has(to)).toBe(true);
      }
      const { removed, added, changed, moved } = irDiff(before, after!, forward);
      expect(removed.length + added.length + changed.length + moved.length > 0).toBe(before !== after);
    }
  });
});
