/** Linear probes of convolutions in all layouts, with sums of i32 and f32: against the interpreter. */
import type { Elements } from '@sconv/backend';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { children, defaultRegistry, parseModule, unwrap } from '../src/index.ts';
import { checkResult } from '../src/run/check-result.ts';
import { probeFunction } from '../src/run/probe-function.ts';
import { formCases, functionOf, resultOf } from './support/form-cases.ts';

const probe = (each: ReturnType<typeof functionOf>, value: Elements) =>
  probeFunction(each.definition, {
    given: each.given,
    outputs: [{ value, argument: undefined }],
    isExact: true,
  });

describe('the probe of a convolution in any layout', () => {
  it('agrees with the interpreter, and sees one wrong element', () => {
    fc.assert(
      fc.property(formCases, fc.nat(), fc.nat(31), (each, position, bit) => {
        const made = functionOf(each);
        const right = resultOf(made);
        expect(probe(made, right)).toEqual({
          oracle: 'linear probe',
          isExact: true,
          mismatches: 0,
          maxAbsError: 0,
        });
        const wrong = right.slice();
        // Any bit of an integer, even the highest.
        wrong[position % wrong.length]! += each.types[2] === 'i32' ? 1 << bit : 1;
        expect(probe(made, wrong)).toMatchObject({ mismatches: 1 });
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

it('checks sums of i32 that are too many to interpret', () => {
  const types = ['tensor<1x58x58x64xi8>', 'tensor<3x3x64x64xi8>', 'tensor<1x56x56x64xi32>'] as const;
  const text = `func.func @f(%x: ${types[0]}, %f: ${types[1]}, %o: ${types[2]}) -> ${types[2]} {
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : ${types[0]}, ${types[1]}) outs(%o : ${types[2]}) -> ${types[2]}
    return %0 : ${types[2]}
  }`;
  const module = unwrap(parseModule(text, { registry: defaultRegistry }));
  // Each window has 576 products of 7 and -2.
  const given = [
    new Int8Array(58 * 58 * 64).fill(7),
    new Int8Array(9 * 64 * 64).fill(-2),
    new Int32Array(56 * 56 * 64).fill(2 ** 31 - 1),
  ];
  const value = new Int32Array(56 * 56 * 64).fill(2 ** 31 - 1 - 576 * 14);
  const check = () =>
    unwrap(
      checkResult(module, children(module.root)[0]!, {
        given,
        outputs: [{ value, argument: undefined }],
        isExact: true,
      }),
    );
  expect(check()).toMatchObject({ oracle: 'linear probe', mismatches: 0 });
  value[12345]! ^= 1 << 30;
  expect(check()).toMatchObject({ oracle: 'linear probe', mismatches: 1 });
});
