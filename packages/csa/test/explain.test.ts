import { avx2, cascadeLake, sconvDefaults, wasm } from '@sconv/targets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explain,
  parseShape,
  planConvolution,
  planForTarget,
  planWithTiling,
  printExplanation,
} from '../src/index.ts';
import { arbitraryPlan } from './arbitrary.ts';
import { namedPlans } from './plans.ts';

const listing1 = parseShape('1x32x152x152,256x32x3x3,s2');

describe('explain', () => {
  it('gives the reasons in numbers', () => {
    expect(printExplanation(explain(planConvolution(listing1, sconvDefaults)))).toMatchInlineSnapshot(`
      "1x32x152x152,256x32x3x3,s2: 414,720,000 multiply-adds; microkernel 16x8 (windows x filters)
      IS, input stationary: sc predicts 23,918,400 cycles; WS (K2 = 43, K3 = 32) 32,018,132, 1.339 times that
      tiles: 351 of windows (#IN) x 32 of filters (#FS) x 1 channel sets = 11,232 microkernel calls, 99.8 % of the multiply-adds
      sizes:
        Nc  32  channels      all: 27.5 KiB of L1, 28.8 KiB may be used
        K2  32  filter tiles  all: 322 KiB of L2, 921.6 KiB may be used
        K3  87  input tiles   halved from 351: 175 would need 6.1 MiB of L3, 3.6 MiB may be used
      caches:
        L1  27.5 KiB of 28.8 KiB  95.5 %  1 input 18 KiB + 1 filter 9 KiB + 1 output 512 B
        L2  322 KiB of 921.6 KiB  34.9 %  1 input 18 KiB + 32 filter 288 KiB + 32 output 16 KiB
        L3  3.2 MiB of 3.6 MiB    88.1 %  87 input 1.5 MiB + 32 filter 288 KiB + 2,784 output 1.4 MiB
      fragments:
        windows 0..5567, filters 0..255, channels 0..31: Nc = 32, K2 = 32, K3 = 87
        windows 5568..5615, filters 0..255, channels 0..31: Nc = 32, K2 = 32, K3 = 3
        windows 5616..5624, filters 0..255: edge, less than a tile, not packed
      "
    `);
  });

  it.each(namedPlans)('explains $name', async ({ name, plan }) => {
    await expect(printExplanation(explain(plan))).toMatchFileSnapshot(`explanations/${name}.txt`);
  });

  it('has a number wherever one belongs', () => {
    fc.assert(
      fc.property(arbitraryPlan, ({ plan }) => {
        expect(printExplanation(explain(plan))).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });

  it.each([
    ['halving', 'halved from 512: 32 would need 46.5 KiB of L1, 28.8 KiB may be used'],
    ['binary-search', 'the largest that fits, of 512: 20 would need 29.6 KiB of L1, 28.8 KiB may be used'],
    ['divisors', 'the largest divisor that fits, of 512: 32 would need 46.5 KiB of L1, 28.8 KiB may be used'],
  ] as const)('says what stopped Nc (%s)', (heuristic, reason) => {
    const plan = planConvolution(parseShape('1x512x7x7,512x512x3x3,p1'), cascadeLake, { heuristic });
    expect(explain(plan).parameters[0]).toMatchObject({ name: 'nc', reason });
  });

  it('names the value that would fit but costs more', () => {
    const plan = planConvolution(listing1, sconvDefaults, { heuristic: 'exhaustive', schedule: 'is' });
    expect(explain(plan).parameters[2]).toMatchObject({
      value: 88,
      reason: 'the cheapest of 351: 89 would fit too',
    });
  });

  it.each([
    ['1x12x8x8,8x12x1x1', 12, 1],
    ['1x12x8x8,8x12x1x1', 4, 3],
    // The channel remainder is its own set.
    ['1x12x8x8,8x12x1x1', 5, 3],
    ['1x12x8x8,8x12x1x1', 11, 2],
  ])('counts the channel sets of %s at Nc = %i', (shape, nc, sets) => {
    const planned = planConvolution(parseShape(shape), wasm);
    const plan = { ...planned, ...planWithTiling(planned.shape, planned.microkernel, { ...planned, nc }) };
    expect(printExplanation(explain(plan))).toMatch(new RegExp(` x ${sets} channel sets = `));
  });

  it('fills add up to what the constraints count', () => {
    for (const schedule of ['is', 'ws'] as const) {
      for (const { fills, bytes } of explain(planConvolution(listing1, wasm, { schedule })).caches) {
        expect(fills.reduce((sum, fill) => sum + fill.bytes, 0)).toBe(bytes);
      }
    }
  });

  it('says that a schedule was forced, and what the other would cost', () => {
    const { scheduleReason } = explain(planConvolution(listing1, sconvDefaults, { schedule: 'ws' }));
    expect(scheduleReason).toBe(
      'forced; sc predicts 32,018,132 cycles; IS (K2 = 32, K3 = 87) 23,918,400, 0.747 times that',
    );
  });

  it('says that a schedule was measured to be faster', () => {
    const { scheduleReason } = explain(planForTarget(parseShape('1x64x28x28,40x64x1x1'), avx2));
    expect(scheduleReason).toMatch(/^measured to be faster; sc predicts [\d,]+ cycles; IS /);
  });

  it('explains a plan without a full tile', () => {
    const { parameters, fragments, inMicrokernels, warnings } = explain(
      planConvolution(parseShape('1x16x1x1,2x16x1x1'), wasm),
    );
    expect(parameters[1]?.reason).toBe('there is no full tile');
    expect(fragments).toEqual(['windows 0..0, filters 0..1: edge, less than a tile, not packed']);
    expect(inMicrokernels).toBe(0);
    expect(warnings).toHaveLength(2);
  });
});
