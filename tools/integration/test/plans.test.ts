/**
 * The generated code matches the priced plan, for ConvBench convolutions, all edges and both schedules: the IR's loops
 * are the plan's, the result is exact, and each text of the schedule gives the same IR.
 *
 * `node tools/integration/check-plans.mjs` runs all rows (20 minutes); these are some.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bufferizeModule } from '@sconv/bufferization';
import { edgeChoices, paddedInput, parseShape, planForTarget } from '@sconv/csa';
import type { ConvolutionShape } from '@sconv/csa';
import { unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import { convolutionName, recordPlan, sconv } from '@sconv/slicing';
import { wasm } from '@sconv/targets';
import type { Handle, Schedule } from '@sconv/transform';
import { runSchedule, schedule } from '@sconv/transform';
import { emitModule, instantiate } from '@sconv/wasm';
import { payloadText } from './support/convolutions.ts';
import { nestsOfModule, nestsOfPlan } from './support/nests.ts';
import { registry } from './support/registry.ts';
import type { Data } from './support/stages.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const rows = readFileSync(new URL('convbench/rows.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Every n-th row. */
const every = Number(process.env['PLANS_EVERY'] ?? (isThorough ? 50 : 150));

const cases = rows
  .filter((_, i) => i % every === 0)
  .flatMap((row) => edgeChoices.map((edges) => [row, edges] as const));

/** The same convolution on a padded input. */
const withPadding = (shape: ConvolutionShape) => {
  const { h: inputHeight, w: inputWidth } = paddedInput(shape);
  return { ...shape, inputHeight, inputWidth, padding: { top: 0, bottom: 0, left: 0, right: 0 } };
};

const recorded = (record: (target: Handle<typeof convolutionName>) => unknown): Schedule =>
  schedule(($) => {
    record($.match(convolutionName));
  });

const runOnWasm = (module: Module, data: Data): Float32Array => {
  const bufferized = unwrap(bufferizeModule(module, { registry }));
  const output = data.initial.slice();
  instantiate(unwrap(emitModule(bufferized, { registry }))).run('conv', data.input, data.filters, output);
  return output;
};

describe('the plan that was priced is what is generated', () => {
  it.each(cases)('%s, edges %s', (row, edges) => {
    const shape = parseShape(row);
    const spatial = withPadding(shape);
    const payload = parse(
      payloadText({
        name: row,
        shape: spatial,
        schedule: 'is',
        microkernel: [1, 1],
        caches: [0, 0, 0, 64],
        edges: 'scalar',
      }),
      'payload.mlir',
    );
    const data = dataOf(spatial);
    for (const stationary of ['is', 'ws'] as const) {
      const plan = planForTarget(shape, wasm, { schedule: stationary, edges });
      const short = recorded((target) =>
        sconv({ target }, { plan: plan.tree.kind === 'scalar' ? plan : plan.tree }),
      );
      const { module } = unwrap(runSchedule(short.module, payload, { registry }));
      expect(nestsOfModule(module)).toBe(nestsOfPlan(plan.tree, shape));
      expect(firstMismatch(runOnWasm(module, data), data.expected)).toBeUndefined();
      const text = printModule(module, { registry });
      for (const form of [short, recorded((target) => recordPlan(target, plan.tree))]) {
        const read = parse(form.toMlir(registry), 'schedule.mlir');
        const again = unwrap(runSchedule(read, payload, { registry })).module;
        expect(printModule(again, { registry })).toBe(text);
      }
      expect(short.toMlir(registry)).toContain('structured.sconv');
    }
  });
});
