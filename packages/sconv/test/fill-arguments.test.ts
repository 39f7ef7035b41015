import type { Elements, FunctionSignature, ParameterSignature } from '@sconv/backend';
import { arrayTypeOf, halfBits } from '@sconv/backend';
import { fileLocation } from '@sconv/diagnostics';
import { integerData } from '@sconv/interpreter';
import { describe, expect, it } from 'vitest';
import { fillArguments } from '../src/run/fill-arguments.ts';

type ElementName = Extract<ParameterSignature, { kind: 'buffer' }>['element'];

const elementBytes = { f32: 4, f64: 8, f16: 2, bf16: 2, i1: 1, i8: 1, i16: 2, i32: 4, i64: 8, index: 4 };

const buffer = (element: ElementName, length: number): ParameterSignature => ({
  kind: 'buffer',
  element,
  elementBytes: elementBytes[element],
  shape: [length],
  length,
  written: false,
});

const signatureOf = (...parameters: readonly ParameterSignature[]): FunctionSignature => ({
  name: 'f',
  location: fileLocation('in.mlir', 3, 1),
  parameters,
  results: [],
});

/** An array in the midst of a memory. */
const allocate = (element: ElementName, length: number): Elements => {
  const size = elementBytes[element];
  const memory = new ArrayBuffer(size * (length + 2));
  return new (arrayTypeOf({ element, elementBytes: size }))(memory, size, length);
};

const filled = (
  signature: FunctionSignature,
  inputs: readonly Uint8Array[] = [],
  allocation: (element: ElementName, length: number) => Elements = allocate,
) =>
  fillArguments(
    signature,
    { allocate: allocation as never },
    { inputs: inputs.map((bytes, i) => ({ name: `${i}.f32`, bytes })) },
  );

describe('arguments', () => {
  it('are what files hold, and then small integers and ones', () => {
    const [first, second] = [Float32Array.of(0.5, 1.5, 2.5), Int8Array.of(1, -2)];
    const signature = signatureOf(
      { kind: 'scalar', type: 'i64' },
      buffer('f32', 3),
      { kind: 'scalar', type: 'f32' },
      buffer('i8', 2),
      { kind: 'scalar', type: 'i32' },
      buffer('f32', 50),
    );
    const files = [new Uint8Array(first.buffer), new Uint8Array(second.buffer)];
    expect(filled(signature, files)).toMatchObject({
      status: 'success',
      value: [1n, first, 1, second, 1, integerData(50, 3)],
    });
  });

  it.each<[ElementName, (integers: readonly number[]) => unknown]>([
    ['f32', (integers) => Float32Array.from(integers)],
    ['f64', (integers) => Float64Array.from(integers)],
    ['f16', (integers) => halfBits('f16', integers)],
    ['bf16', (integers) => halfBits('bf16', integers)],
    ['i1', (integers) => Int8Array.from(integers, (each) => (each % 2 === 0 ? 0 : 1))],
    ['i8', (integers) => Int8Array.from(integers)],
    ['i16', (integers) => Int16Array.from(integers)],
    ['i32', (integers) => Int32Array.from(integers)],
    ['i64', (integers) => BigInt64Array.from(integers, BigInt)],
    ['index', (integers) => Int32Array.from(integers)],
  ])('of %s are different integers in each buffer', (element, of) => {
    const result = filled(signatureOf(buffer(element, 40), buffer(element, 40)));
    expect(result).toMatchObject({ value: [1, 2].map((seed) => of([...integerData(40, seed)])) });
  });
});

describe('arguments are refused', () => {
  const two = signatureOf(buffer('f32', 4), { kind: 'scalar', type: 'f32' }, buffer('f32', 4));
  it.each([
    [
      'too many files',
      [new Uint8Array(16), new Uint8Array(16), new Uint8Array(16)],
      '@f takes 2 buffers, but there are 3 inputs',
      '2.f32',
    ],
    [
      'a file of another length',
      [new Uint8Array(16), new Uint8Array(12)],
      'argument 1 of @f has 16 bytes, the file 12',
      '1.f32',
    ],
  ])('%s', (_, inputs, message, file) => {
    expect(filled(two, inputs)).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'run/inputs', message, location: { file, line: 1, column: 1 } }],
    });
  });

  it('for which there is no room, as the reason why a run ends', () => {
    const full = filled(two, [], () => {
      throw new RangeError('no room for 16 bytes');
    });
    expect(full).toMatchObject({
      status: 'definite',
      diagnostics: [
        { code: 'run/memory', message: 'no room for the arguments of @f', location: { line: 3 } },
      ],
    });
    const broken = () =>
      filled(two, [], () => {
        throw new Error('a bug');
      });
    expect(broken).toThrow('a bug');
  });
});
