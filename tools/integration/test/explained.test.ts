/** The documents of runs: what they say of each step is what the run did. */
import { edgeKinds } from '@sconv/csa';
import type { RunDocument } from '@sconv/explain';
import { recordRun, runStates, textOf } from '@sconv/explain';
import { randomIntegers } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import { sequenceText } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import type { Case } from './support/convolutions.ts';
import { payloadText, scheduleText } from './support/convolutions.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

/** A convolution of small random sizes, as text, with schedules: both dataflows, and tiling that first fails. */
const drawRun = (seed: number): { readonly payload: string; readonly schedules: readonly string[] } => {
  const next = randomIntegers(seed);
  const draw = (from: number, to: number) => from + (next() % (to - from + 1));
  const pair = (most: number) => ({ h: draw(1, most), w: draw(1, most) });
  const [strides, dilations] = [pair(2), pair(2)];
  const [filterHeight, filterWidth] = [draw(1, 3), draw(1, 3)];
  const extent = (size: number, stride: number, dilation: number) =>
    (draw(2, 9) - 1) * stride + (size - 1) * dilation + 1;
  const shape = {
    batch: draw(1, 2),
    inputChannels: draw(1, 8),
    inputHeight: extent(filterHeight, strides.h, dilations.h),
    inputWidth: extent(filterWidth, strides.w, dilations.w),
    filters: draw(2, 20),
    filterHeight,
    filterWidth,
    strides,
    dilations,
  };
  const sliced = (schedule: 'is' | 'ws'): Case => ({
    name: `seed ${seed}`,
    shape,
    schedule,
    microkernel: [draw(1, 8), draw(1, 4)],
    caches: [1024, 4096, 16384, 64],
    edges: edgeKinds[draw(0, edgeKinds.length - 1)]!,
  });
  const each = sliced('is');
  const tiles = [0, draw(1, 4), draw(1, 4), draw(0, 3), draw(0, 3)];
  const loops = tiles.filter((size) => size > 0).length;
  const results = Array.from({ length: loops + 1 }, () => '!transform.any_op').join(', ');
  const tile = (sizes: readonly number[], also: string) =>
    `%t, %l:${loops} = transform.structured.tile_using_for %g tile_sizes [${sizes.join(', ')}] ${also} : (!transform.any_op) -> (${results})`;
  return {
    payload: payloadText(each),
    schedules: [
      scheduleText(each),
      scheduleText(sliced('ws')),
      sequenceText(`%fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
%cs = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
transform.foreach %cs : !transform.any_op {
^bb0(%c: !transform.any_op):
  %x = transform.structured.generalize %c : (!transform.any_op) -> !transform.any_op
}
transform.alternatives %fs : !transform.any_op {
^bb0(%f: !transform.any_op):
  %g = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %g iterator_interchange = [0, 1, 2, 3, 4, 6, 5] : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.structured.split %i after 1000 {dimension = 1 : i64, exact} : !transform.any_op
}, {
^bb0(%f: !transform.any_op):
  %g = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
  ${tile(tiles, '')}
}`),
    ],
  };
};

/** Texts by module: most steps leave the payload as it is. */
const printer = (): ((module: Module) => string) => {
  const texts = new WeakMap<Module, string>();
  return (module) => {
    const text = texts.get(module) ?? printModule(module, { registry });
    texts.set(module, text);
    return text;
  };
};

/** The payload before and after each step, as it is printed while the schedule runs; and the document of that run. */
const observed = (payload: string, schedule: string) => {
  const texts: { before: string; after: string }[] = [];
  const open: number[] = [];
  const print = printer();
  const { document, result } = recordRun(parse(schedule, 'schedule.mlir'), parse(payload, 'payload.mlir'), {
    registry,
    observer: {
      enter: (_, module) => {
        open.push(texts.length);
        texts.push({ before: print(module), after: '' });
      },
      leave: (_, module) => {
        texts[open.pop()!]!.after = print(module);
      },
    },
  });
  expect(result.status).toBe('success');
  return { document, texts };
};

const seeds = Array.from({ length: isThorough ? 200 : 5 }, (_, i) => i + 1);

describe('the differences of a document', () => {
  it.each(seeds)('give the payload before and after each step, byte for byte: seed %i', (seed) => {
    const { payload, schedules } = drawRun(seed);
    schedules.forEach((schedule, i) => {
      const { document, texts } = observed(payload, schedule);
      // As another program reads it.
      const read = JSON.parse(JSON.stringify(document)) as RunDocument;
      const found = runStates(read).map(({ before, after }) => ({
        before: textOf(read, before),
        after: textOf(read, after),
      }));
      expect(found).toEqual(texts);
      const [nested, undone] = [
        read.nodes.filter(({ parent }) => parent !== undefined),
        read.nodes.filter((node) => node.undone),
      ];
      expect(nested.length).toBeGreaterThan(4);
      // The last schedule tries something first.
      expect(undone.length > 0).toBe(i === 2);
    });
  });
});
