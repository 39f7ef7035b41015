/**
 * Plans of any form, drawn at random, which no analysis would make: each is consistent, priced, printed and read back;
 * the IR has its loops, and computes the convolution exactly, in the interpreter and on wasm.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bufferizeModule } from '@sconv/bufferization';
import { convolution, extentsOf, hierarchy, planLimits, slice, trafficOfPlan } from '@sconv/csa';
import { unknownLocation, unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { planProblems, printPlan } from '@sconv/plans';
import { convolutionName, planAttribute, planOfAttribute, sconv } from '@sconv/slicing';
import { wasm } from '@sconv/targets';
import { runSchedule, schedule } from '@sconv/transform';
import { emitModule, instantiate } from '@sconv/wasm';
import { payloadText } from './support/convolutions.ts';
import { drawPlan } from './support/draw-plan.ts';
import { nestsOfModule, nestsOfPlan } from './support/nests.ts';
import { registry } from './support/registry.ts';
import { dataOf, firstMismatch, parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const size = (max: number) => fc.integer({ min: 1, max });

const shapes = fc
  .record({
    batch: size(2),
    inputChannels: size(6),
    filters: size(9),
    rows: size(5),
    columns: size(6),
    filterHeight: size(3),
    filterWidth: size(3),
    stride: size(2),
    dilation: size(2),
  })
  .map(({ rows, columns, stride, dilation, filterHeight, filterWidth, ...sizes }) => ({
    ...sizes,
    filterHeight,
    filterWidth,
    inputHeight: (rows - 1) * stride + (filterHeight - 1) * dilation + 1,
    inputWidth: (columns - 1) * stride + (filterWidth - 1) * dilation + 1,
    strides: { h: stride, w: stride },
    dilations: { h: dilation, w: dilation },
  }));

const caches = hierarchy(wasm.machine, { l1: 0.9, l2: 0.9, l3: 0.9 });

it('plans of any form are what is generated, and compute the convolution', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(shapes, fc.gen(), (sizes, draw) => {
      const shape = convolution(sizes);
      const sliced = slice(shape, { windows: 1, filters: 1 });
      const plan = drawPlan((bound) => draw(fc.integer, { min: 0, max: bound - 1 }), extentsOf(sliced));
      for (const [word] of printPlan(plan).matchAll(/loop|part|pack|kernel|scalar/g))
        kinds.set(word, (kinds.get(word) ?? 0) + 1);
      expect(planProblems(plan, planLimits(sliced))).toEqual([]);
      expect(trafficOfPlan(sliced, plan, caches).cycles).toBeGreaterThan(0);
      const read = unwrap(planOfAttribute(planAttribute(plan), unknownLocation));
      expect(printPlan(read)).toBe(printPlan(plan));

      const payload = parse(
        payloadText({
          name: 'any',
          shape: sizes,
          schedule: 'is',
          microkernel: [1, 1],
          caches: [0, 0, 0, 64],
          edges: 'scalar',
        }),
        'payload.mlir',
      );
      const script = schedule(($) => {
        sconv({ target: $.match(convolutionName) }, { plan });
        return undefined;
      });
      const text = parse(script.toMlir(registry), 'schedule.mlir');
      const { module } = unwrap(runSchedule(text, payload, { registry }));
      expect(nestsOfModule(module)).toBe(nestsOfPlan(plan, shape));
      if (isThorough) expect(firstDifference(payload, module)).toBeUndefined();
      const data = dataOf(sizes);
      const output = data.initial.slice();
      const bufferized = unwrap(bufferizeModule(module, { registry }));
      instantiate(unwrap(emitModule(bufferized, { registry }))).run('conv', data.input, data.filters, output);
      expect(firstMismatch(output, data.expected)).toBeUndefined();
    }),
    { numRuns: isThorough ? 1000 : 60 },
  );
  for (const kind of ['loop', 'part', 'pack', 'kernel', 'scalar'])
    expect(kinds.get(kind), kind).toBeGreaterThanOrEqual(isThorough ? 50 : 10);
});
