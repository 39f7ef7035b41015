import type { RunValue } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import {
  children,
  compileModuleSync,
  integerData,
  parseModule,
  parseShape,
  referenceConvolution,
  unwrap,
} from '../src/index.ts';
import { defaultRegistry } from '../src/default-registry.ts';
import { checkResult } from '../src/run/check-result.ts';
import type { Comparison, Output } from '../src/run/check-result.ts';
import { convolve } from '../src/convolve.ts';
import { payload } from './support/capture.ts';

const module = unwrap(parseModule(payload(), { registry: defaultRegistry }));
const definition = children(module.root)[0]!;

const input = { shape: [1, 3, 9, 9], data: integerData(243, 1) } as const;
const filters = { shape: [5, 3, 3, 3], data: integerData(135, 2) } as const;
const initial = new Float32Array(245);
const right = convolve(input, filters).data;

const check = (computed: Float32Array, isExact = true, tolerance?: number): Comparison | undefined =>
  unwrap(
    checkResult(module, definition, {
      given: [input.data, filters.data, initial],
      outputs: [{ value: computed, argument: undefined }],
      isExact,
      tolerance,
    }),
  );

/** The correct result with one element changed. */
const changed = (change: (value: number) => number): Float32Array => right.with(100, change(right[100]!));

describe('the check', () => {
  it('agrees with the right result', () => {
    expect(check(right)).toEqual({
      oracle: 'reference convolution',
      mismatches: 0,
      maxAbsError: 0,
      isExact: true,
    });
  });
  it('sees one element that is off by one', () => {
    expect(check(changed((value) => value + 1))).toMatchObject({ mismatches: 1, maxAbsError: 1 });
  });
  it('sees an element that is no number', () => {
    expect(check(changed(() => NaN))).toMatchObject({ mismatches: 1, maxAbsError: Infinity });
  });
  it('forgives what rounding explains, where data are no integers', () => {
    const rounded = changed((value) => value * (1 + 2 ** -22));
    expect(check(rounded, false)?.mismatches).toBe(0);
    expect(check(rounded)?.mismatches).toBe(1);
    expect(
      check(
        changed((value) => value + 0.1),
        false,
      )?.mismatches,
    ).toBe(1);
  });
});

describe('a tolerance', () => {
  const largest = Math.max(...right.map(Math.abs));
  it.each([0.25, 2 ** -10])('of %d is a share of the largest element', (tolerance) => {
    const [within, beyond] = [0.99, 1.01].map((share) =>
      changed((value) => value + share * tolerance * largest),
    );
    expect(check(within!, false, tolerance)).toMatchObject({ mismatches: 0, isExact: false });
    expect(check(beyond!, false, tolerance)).toMatchObject({ mismatches: 1 });
  });
  it('allows nothing of integers, and nothing of what an infinite element is beside', () => {
    const off = (text: string, given: RunValue, value: RunValue) =>
      unwrap(checked(text, [given], [result(value)], false, 0.5))?.mismatches;
    const doubled = (type: string) =>
      elementwise(`tensor<2x${type}>`, type, type === 'i32' ? 'arith.addi' : 'arith.addf');
    expect(off(doubled('i32'), Int32Array.of(100, 1), Int32Array.of(200, 3))).toBe(1);
    expect(off(doubled('f32'), Float32Array.of(100, 1), Float32Array.of(200, 3))).toBe(0);
    expect(off(doubled('f32'), Float32Array.of(Infinity, 1), Float32Array.of(Infinity, 4))).toBe(1);
    expect(off(doubled('f32'), Float32Array.of(Infinity, 1), Float32Array.of(0, 2))).toBe(1);
    const count = 'func.func @f(%a: i32) -> i32 {\nreturn %a : i32\n}';
    expect(off(count, 1000, 1001)).toBe(1);
  });
});

describe('a convolution of 231 million multiply-adds', () => {
  const shape = parseShape('1x128x58x58,64x128x3x3');
  const text = payload('1x128x58x58', '64x128x3x3', '1x64x56x56');
  const given = [128 * 58 * 58, 64 * 128 * 9, 64 * 56 * 56].map((length, i) => integerData(length, i));
  const computed = referenceConvolution(shape, given[0]!, given[1]!, given[2]!);
  const probed = { oracle: 'linear probe', isExact: true };

  it('is probed', () => {
    expect(unwrap(checked(text, given, [result(computed)]))).toEqual({
      ...probed,
      mismatches: 0,
      maxAbsError: 0,
    });
  });
  it.each([0, 777, computed.length - 1])('is wrong where element %i is off by one', (at) => {
    const wrong = computed.with(at, computed[at]! + 1);
    expect(unwrap(checked(text, given, [result(wrong)]))).toMatchObject({ ...probed, mismatches: 1 });
  });
  it('is compared element by element where data are no integers', { timeout: 30_000 }, () => {
    const rounded = computed.with(5, computed[5]! * (1 + 2 ** -22));
    expect(unwrap(checked(text, given, [result(rounded)], false))).toMatchObject({
      oracle: 'reference convolution',
      mismatches: 0,
    });
  });
});

/** The outcome of the check for a function `f` with these arguments and outputs. */
const checked = (
  text: string,
  given: readonly RunValue[],
  outputs: readonly Output[],
  isExact = true,
  tolerance?: number,
): Diagnosed<Comparison | undefined> => {
  const parsed = unwrap(parseModule(text, { registry: defaultRegistry }));
  return checkResult(parsed, children(parsed.root)[0]!, { given, outputs, isExact, tolerance });
};

const result = (value: RunValue): Output => ({ value, argument: undefined });

describe('rounding', () => {
  /** The comparison of a convolution to one number with a result that is so much larger. */
  const comparison = (sizes: readonly [string, string], data: readonly [number, number], off: number) => {
    const [i, f] = sizes.map((size) => size.split('x').reduce((product, each) => product * Number(each), 1));
    const [a, b] = [new Float32Array(i!).fill(data[0]), new Float32Array(f!).fill(data[1])];
    const sum = i! * data[0] * data[1];
    const value = Float32Array.of(sum + off);
    const text = payload(...sizes, '1x1x1x1');
    return unwrap(checked(text, [a, b, new Float32Array(1)], [result(value)], false));
  };
  // The tolerated error: (n + 2) 2^-24 of the sum of the magnitudes of n products.
  it.each([
    [['1x1x1x1', '1x1x1x1'], [1, 1], 2 * 2 ** -23, 1.5 * 2 ** -24],
    [['1x2x3x5', '1x2x3x5'], [1, 1], 31 * 2 ** -19, 30 * 2 ** -19],
    [['1x2x3x5', '1x2x3x5'], [-1, 1], -31 * 2 ** -19, -30 * 2 ** -19],
  ] as const)('of %j is forgiven up to a bound', (sizes, data, much, little) => {
    expect(comparison(sizes, data, little)).toMatchObject({ mismatches: 0, isExact: false });
    expect(comparison(sizes, data, much)).toMatchObject({ mismatches: 1, maxAbsError: Math.abs(much) });
  });
});

/** `f` of an argument, and what it computes of it element by element. */
const elementwise = (type: string, element: string, op: string): string => {
  const id = 'affine_map<(d0) -> (d0)>';
  return `func.func @f(%a: ${type}) -> ${type} {
    %0 = linalg.generic {indexing_maps = [${id}], iterator_types = ["parallel"]} outs(%a : ${type}) {
      ^bb0(%x: ${element}):
        %y = ${op} %x, %x : ${element}
        linalg.yield %y : ${element}
    } -> ${type}
    return %0 : ${type}
  }`;
};

describe('what is no convolution alone', () => {
  const right = { oracle: 'interpreter', mismatches: 0, maxAbsError: 0, isExact: true } as const;
  const add = (type: string): string => {
    const op = type.startsWith('i') ? 'arith.addi' : 'arith.addf';
    return `func.func @f(%a: ${type}, %b: ${type}) -> ${type} {\n%0 = ${op} %a, %b : ${type}\nreturn %0 : ${type}\n}`;
  };
  const store = `func.func @f(%x: f32, %m: memref<2xf32>, %n: memref<2xf32>) {
    %i = arith.constant 1 : index
    memref.store %x, %m[%i] : memref<2xf32>
    return
  }`;
  const f = (...values: readonly number[]): Float32Array => Float32Array.from(values);
  it.each<[string, string, readonly RunValue[], readonly Output[], readonly Output[]]>([
    ['numbers', add('f32'), [1, 2], [result(3)], [result(4)]],
    ['bigints', add('i64'), [1n, 2n], [result(3n)], [result(4n)]],
    ['tensors', elementwise('tensor<2xf32>', 'f32', 'arith.addf'), [f(1, 2)], [result(f(2, 4))], [result(f(2, 5))]],
    ['integers', elementwise('tensor<2xi32>', 'i32', 'arith.muli'), [Int32Array.of(3, -4)], [result(Int32Array.of(9, 16))], [result(Int32Array.of(9, 17))]],
    ['wide integers', elementwise('tensor<2xi64>', 'i64', 'arith.muli'), [BigInt64Array.of(3n, -4n)], [result(BigInt64Array.of(9n, 16n))], [result(BigInt64Array.of(10n, 16n))]],
    ['a buffer that is written', store, [7, f(1, 2), f(3, 4)], [{ value: f(1, 7), argument: 1 }], [{ value: f(0, 7), argument: 1 }]],
    ['one of several buffers', store, [7, f(1, 2), f(3, 4)], [{ value: f(1, 7), argument: 1 }, { value: f(3, 4), argument: 2 }], [{ value: f(1, 7), argument: 1 }, { value: f(3, 5), argument: 2 }]],
  ])('is interpreted: %s', (_, text, given, outputs, wrong) => {
    expect(unwrap(checked(text, given, outputs))).toEqual(right);
    expect(unwrap(checked(text, given, wrong))).toEqual({ ...right, mismatches: 1, maxAbsError: 1 });
  }); // prettier-ignore

  it('does not change what is given', () => {
    const given = [7, f(1, 2), f(3, 4)];
    expect(unwrap(checked(store, given, [{ value: f(1, 7), argument: 1 }]))).toEqual(right);
    expect(given).toEqual([7, f(1, 2), f(3, 4)]);
  });

  it('counts what differs in all results, by the largest difference', () => {
    const swap = `func.func @f(%a: f32, %b: tensor<3xf32>) -> (tensor<3xf32>, f32) {
      return %b, %a : tensor<3xf32>, f32
    }`;
    const given = [1, f(1, 2, 3)];
    expect(unwrap(checked(swap, given, [result(f(0, 5, 3)), result(3)]))).toMatchObject({
      mismatches: 3,
      maxAbsError: 3,
    });
    expect(unwrap(checked(swap, given, [result(f(1, 2, NaN)), result(1)]))).toMatchObject({
      mismatches: 1,
      maxAbsError: Infinity,
    });
    expect(unwrap(checked(swap, [NaN, f(1, NaN, 3)], [result(f(1, NaN, 3)), result(NaN)]))).toEqual(right);
  });

  it('is compared within a share of the largest element where data are no integers', () => {
    const text = elementwise('tensor<2xf32>', 'f32', 'arith.addf');
    const compared = (...values: readonly number[]) =>
      unwrap(checked(text, [f(-512, 1)], [result(f(...values))], false));
    expect(compared(-1024, 2 + 1 / 128)).toEqual({
      oracle: 'interpreter',
      isExact: false,
      mismatches: 0,
      maxAbsError: 1 / 128,
    });
    expect(compared(-1024, 2 + 1 / 64)).toMatchObject({ mismatches: 1, maxAbsError: 1 / 64 });
  });

  const convolution = (changes: (text: string) => string): string =>
    changes(payload('1x1x3x3', '1x1x2x2', '1x1x2x2'));
  const [image, kernel, start] = [integerData(9, 1), integerData(4, 2), integerData(4, 3)];
  const value = convolve(
    { shape: [1, 1, 3, 3], data: image },
    { shape: [1, 1, 2, 2], data: kernel },
  ).data.map((each, i) => each + start[i]!);
  it.each<[string, string, readonly RunValue[], Float32Array, string]>([
    ['that', convolution((text) => text), [image, kernel, start], value, 'reference convolution'],
    [
      'that, with its arguments in another order',
      convolution((text) => text.replace(/%in: (\S+), %filters: (\S+),/, '%filters: $2, %in: $1,')),
      [kernel, image, start],
      value,
      'reference convolution',
    ],
    [
      'more operations',
      convolution((text) => text.replace('  return', '  %c = arith.constant 0 : index\n  return')),
      [image, kernel, start],
      value,
      'interpreter',
    ],
    [
      'another result',
      convolution((text) => text.replace('return %0', 'return %out')),
      [image, kernel, start],
      start,
      'interpreter',
    ],
    [
      'a smaller output',
      payload('1x1x3x3', '1x1x2x2', '1x1x2x1'),
      [image, kernel, start.slice(0, 2)],
      Float32Array.of(value[0]! - start[0]! + start[0]!, value[2]! - start[2]! + start[1]!),
      'interpreter',
    ],
    [
      'another element type',
      payload('1x1x3x3', '1x1x2x2', '1x1x2x2', 'f64'),
      [image, kernel, start].map((data) => Float64Array.from(data)),
      Float64Array.from(value) as never,
      'interpreter',
    ],
  ])('or is, if it is %s', (_, text, given, computed, oracle) => {
    expect(unwrap(checked(text, given, [result(computed)]))).toEqual({ ...right, oracle });
    const wrong = computed.with(1, computed[1]! + 2);
    expect(unwrap(checked(text, given, [result(wrong)]))).toMatchObject({ mismatches: 1, maxAbsError: 2 });
  });

  // How often its loop runs is not known, so it is not interpreted.
  const counting = (type: string, body: string): string => `func.func @f(%n: index, %m: ${type}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      ${body}
    }
    return
  }`;
  const storing = 'memref.store %n, %m[%c0] : memref<2xindex>';
  it.each<[string, string, readonly RunValue[], RunValue, string]>([
    [
      'an index',
      'func.func @f(%n: index, %m: memref<2xf32>) {\nreturn\n}',
      [1n, f(1, 2)],
      f(1, 2),
      'interpreter',
    ],
    [
      'an array of them',
      `func.func @f(%n: index, %m: memref<2xindex>) {\n%c0 = arith.constant 0 : index\n${storing}\nreturn\n}`,
      [5n, BigInt64Array.of(1n, -2n)],
      BigInt64Array.of(5n, -2n),
      'interpreter',
    ],
    [
      'both, for WebAssembly',
      counting('memref<2xindex>', storing),
      [5n, BigInt64Array.of(1n, -2n)],
      BigInt64Array.of(5n, -2n),
      'plain code',
    ],
  ])('takes %s as native code does', (_, text, given, value, oracle) => {
    const outcome = checked(text, given, [{ value, argument: 1 }]);
    expect(unwrap(outcome)).toMatchObject({ oracle, mismatches: 0 });
  });

  it('takes a softmax that is too large to interpret', () => {
    const text = `func.func @f(%n: index, %x: tensor<2xf32>) -> tensor<2xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2xf32>) {
        %0 = linalg.softmax dimension(0) ins(%a : tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
        scf.yield %0 : tensor<2xf32>
      }
      return %r : tensor<2xf32>
    }`;
    const outcome = checked(text, [1n, Float32Array.of(1, 1)], [result(Float32Array.of(0.5, 0.5))]);
    expect(unwrap(outcome)).toMatchObject({ oracle: 'plain code', mismatches: 0 });
  });

  it.each([
    [
      'buffers with gaps',
      `func.func @f(%m: memref<2xf32, strided<[2]>>) {\nreturn\n}`,
      [f(1, 2, 3)],
      'it takes buffers that are not contiguous',
    ],
    [
      'indices that the interpreter cannot have',
      'func.func @f(%m: memref<2xindex>) {\nreturn\n}',
      [BigInt64Array.of(1n, 2n ** 53n)],
      'an index is beyond 2^53',
    ],
    [
      'indices that WebAssembly cannot have',
      counting('memref<1xindex>', ''),
      [1n, BigInt64Array.of(2n ** 31n)],
      'the function is too large to interpret, and as it is written it does not run on WebAssembly: an index of argument 1 has more than 32 bits',
    ],
    [
      'functions that WebAssembly has not',
      `func.func @f(%n: index, %x: i32) -> i32 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
          %0 = math.ipowi %a, %a : i32
          scf.yield %0 : i32
        }
        return %r : i32
      }`,
      [1n, 1],
      "the function is too large to interpret, and as it is written it does not run on WebAssembly: 'math.ipowi': this operation cannot be emitted as WebAssembly",
    ],
    [
      'what is too large, and does not run on WebAssembly',
      `func.func @f(%n: index, %a: memref<2x2xf32>, %v: vector<7xf128>) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        scf.for %i = %c0 to %n step %c1 {
          %0 = arith.addf %v, %v : vector<7xf128>
        }
        return
      }`,
      [1, f(1, 2, 3, 4)],
      "the function is too large to interpret, and as it is written it does not run on WebAssembly: 'func.func': a value of kind vector cannot be emitted as WebAssembly",
    ],
  ])('is not checked: %s', (_, text, given, why) => {
    const outcome = checked(text, given, [{ value: given.at(-1)!, argument: given.length - 1 }]);
    expect(outcome).toMatchObject({
      status: 'success',
      value: undefined,
      diagnostics: [
        { severity: 'warning', code: 'run/cannot-check', message: `the result is not checked: ${why}` },
      ],
    });
  });
});

describe('a function too large to interpret', () => {
  // Four convolutions one after the other, and an activation: 154 million multiply-adds.
  const image = 'tensor<1x64x56x56xf32>';
  const network = `func.func @f(%in: tensor<1x64x58x58xf32>, %f: tensor<64x64x3x3xf32>, %g: tensor<64x64x1x1xf32>, %out: ${image}) -> ${image} {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.conv_2d_nchw_fchw ins(%in, %f : tensor<1x64x58x58xf32>, tensor<64x64x3x3xf32>) outs(%out : ${image}) -> ${image}
    %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%0 : ${image}) {
    ^bb0(%x: f32):
      %y = arith.maximumf %x, %zero : f32
      linalg.yield %y : f32
    } -> ${image}
    %2 = linalg.conv_2d_nchw_fchw ins(%1, %g : ${image}, tensor<64x64x1x1xf32>) outs(%out : ${image}) -> ${image}
    %3 = linalg.conv_2d_nchw_fchw ins(%2, %g : ${image}, tensor<64x64x1x1xf32>) outs(%out : ${image}) -> ${image}
    %4 = linalg.conv_2d_nchw_fchw ins(%3, %g : ${image}, tensor<64x64x1x1xf32>) outs(%out : ${image}) -> ${image}
    return %4 : ${image}
  }`;
  const parsed = unwrap(parseModule(network, { registry: defaultRegistry }));
  const compiled = unwrap(compileModuleSync(parsed));
  /** The input times `scale`, the comparison of what was computed, and of that with an element off by `error` of the largest. */
  it.each([
    ['exactly', 1, true, 2 ** -23],
    ['within rounding where sums outgrow the integers of f32', 16, false, 2 ** -10],
  ])('is compared with its plain code, %s', (_, scale, isExact, error) => {
    const given = [64 * 58 * 58, 64 * 64 * 9, 64 * 64, 64 * 56 * 56].map((length, i) =>
      integerData(length, i + 1),
    );
    given[0] = given[0]!.map((value) => value * scale);
    const [value] = compiled.run('f', ...given.map((each) => each.slice())) as [Float32Array];
    const outcome = (output: Float32Array) =>
      unwrap(
        checkResult(parsed, children(parsed.root)[0]!, {
          given,
          outputs: [{ value: output, argument: undefined }],
          isExact: true,
        }),
      );
    const most = Math.max(...value.map(Math.abs));
    expect(outcome(value)).toMatchObject({ oracle: 'plain code', mismatches: 0, isExact });
    expect(outcome(value.with(7, Math.round(value[7]! + most * error)))).toMatchObject({ mismatches: 1 });
  });
});
