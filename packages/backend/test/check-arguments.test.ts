import { describe, expect, it } from 'vitest';
import { passedValues } from '../src/check-arguments.ts';
import { checkArguments } from '../src/index.ts';
import type { FunctionSignature, ParameterSignature, RunValue } from '../src/index.ts';

const buffer = (element: 'f32' | 'i64', written: boolean): ParameterSignature => ({
  kind: 'buffer',
  element,
  elementBytes: element === 'f32' ? 4 : 8,
  shape: [4],
  length: 4,
  written,
});
const scalar = (type: 'f32' | 'i32' | 'i64' | 'f64'): ParameterSignature => ({ kind: 'scalar', type });

const f = (...parameters: readonly ParameterSignature[]): Pick<FunctionSignature, 'name' | 'parameters'> => ({
  name: 'f',
  parameters,
});
const [reads, writes] = [buffer('f32', false), buffer('f32', true)];
const eight = new Float32Array(8);
const [head, middle, tail] = [eight.subarray(0, 4), eight.subarray(3, 7), eight.subarray(4)];
const other = (): Float32Array => new Float32Array(4);

describe('values that fit', () => {
  it.each<[string, ReturnType<typeof f>, readonly RunValue[]]>([
    ['none', f(), []],
    ['numbers', f(scalar('i32'), scalar('f32'), scalar('f64'), scalar('i64')), [1, 2, 3, 4n]],
    ['fractions', f(scalar('f32'), scalar('f64')), [0.5, NaN]],
    ['the least', f(scalar('i32'), scalar('i64')), [-(2 ** 31), -(2n ** 63n)]],
    ['the greatest', f(scalar('i32'), scalar('i64')), [2 ** 31 - 1, 2n ** 63n - 1n]],
    ['arrays', f(reads, buffer('i64', true)), [other(), new BigInt64Array(4)]],
    ['one array, read twice', f(reads, reads), [head, head]],
    ['parts that overlap, read', f(reads, writes, reads), [head, other(), middle]],
    ['parts side by side, written', f(writes, writes), [head, tail]],
    ['numbers beside what is written', f(scalar('i32'), writes, scalar('i32')), [0, head, 0]],
  ])('are taken: %s', (_, signature, values) => {
    expect(() => checkArguments(signature, values)).not.toThrow();
  });
});

describe('values that do not fit', () => {
  it.each<[ReturnType<typeof f>, readonly unknown[], typeof TypeError | typeof RangeError, string]>([
    [f(reads, reads), [other()], TypeError, "'f' takes 2 arguments, not 1"],
    [f(reads), [other(), other()], TypeError, "'f' takes 1 argument, not 2"],
    [f(reads, reads), [other(), 1], TypeError, "argument 1 of 'f' is not an array"],
    [f(reads), [null], TypeError, "argument 0 of 'f' is not an array"],
    [f(reads), [new Int32Array(4)], TypeError, "argument 0 of 'f' has type Int32Array, not Float32Array"],
    [f(reads), [[1, 2, 3, 4]], TypeError, "argument 0 of 'f' has type Array, not Float32Array"],
    [f(reads), [eight], RangeError, "argument 0 of 'f' has 8 elements, not 4"],
    [f(reads, scalar('i32')), [other(), 1n], TypeError, "argument 1 of 'f' is not a number"],
    [f(scalar('i64')), [1], TypeError, "argument 0 of 'f' is not a bigint"],
    [f(scalar('f32')), [head], TypeError, "argument 0 of 'f' is not a number"],
    [f(scalar('i32')), ['1'], TypeError, "argument 0 of 'f' is not a number"],
    [
      f(reads, scalar('i32')),
      [other(), 2 ** 32 + 1],
      RangeError,
      "argument 1 of 'f' is an integer from -2147483648 to 2147483647, not 4294967297",
    ],
    [f(scalar('i32')), [-(2 ** 31) - 1], RangeError, 'not -2147483649'],
    [f(scalar('i32')), [0.5], RangeError, 'to 2147483647, not 0.5'],
    [f(scalar('i32')), [NaN], RangeError, 'to 2147483647, not NaN'],
    [f(scalar('i64')), [0.5], RangeError, 'from -9223372036854775808 to 9223372036854775807, not 0.5'],
    [f(scalar('i64')), [2n ** 63n], RangeError, 'not 9223372036854775808'],
  ])('are refused (%#)', (signature, values, type, message) => {
    const check = () => checkArguments(signature, values as readonly RunValue[]);
    expect(check).toThrow(type);
    expect(check).toThrow(message);
  });

  it.each<[readonly ParameterSignature[], readonly RunValue[], string, string]>([
    [[writes, reads], [head, head], '0 and 1', '0'],
    [[reads, writes], [head, middle], '0 and 1', '1'],
    [[reads, reads, writes], [other(), tail, middle], '1 and 2', '2'],
    [[writes, reads, writes], [head, other(), middle], '0 and 2', '0 and 2'],
  ])('are refused where they share memory (%#)', (parameters, values, pair, written) => {
    const check = () => checkArguments(f(...parameters), values);
    expect(check).toThrow(RangeError);
    expect(check).toThrow(
      `arguments ${pair} of 'f' share memory, and the function may write ${written}; pass a copy of one of them`,
    );
  });
});

it('integers are passed as the code takes them, and what is too many as it is', () => {
  const { parameters } = f(scalar('i64'), scalar('i32'), scalar('i64'));
  expect(passedValues(parameters, [1, 2n, 3n, 4, 'x' as never])).toEqual([1n, 2, 3n, 4, 'x']);
});
