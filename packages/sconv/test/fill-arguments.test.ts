import type { FunctionSignature } from '@sconv/backend';
import { fileLocation } from '@sconv/diagnostics';
import { expect, it } from 'vitest';
import { fillArguments } from '../src/run/fill-arguments.ts';

const signature: FunctionSignature = {
  name: 'f',
  location: fileLocation('in.mlir', 3, 1),
  parameters: [
    { kind: 'buffer', element: 'f32', elementBytes: 4, shape: [4], length: 4, written: false },
    { kind: 'scalar', type: 'i64' },
    { kind: 'scalar', type: 'f32' },
    { kind: 'buffer', element: 'f32', elementBytes: 4, shape: [4], length: 4, written: false },
  ],
  results: [],
};

const filled = (allocate: () => Float32Array, ...inputs: readonly Uint8Array[]) =>
  fillArguments(
    signature,
    { allocate: allocate as never },
    { inputs: inputs.map((bytes, i) => ({ name: `${i}.f32`, bytes })) },
  );

it('arguments are what files hold, and then small integers and ones', () => {
  const given = Float32Array.of(0.5, 1.5, 2.5, 3.5);
  const result = filled(() => new Float32Array(4), new Uint8Array(given.buffer));
  expect(result).toMatchObject({ status: 'success', value: [given, 1n, 1, expect.any(Float32Array)] });
});

it.each([
  ['too many files', [new Uint8Array(16), new Uint8Array(16), new Uint8Array(16)], 'run/inputs', '2.f32'],
  ['a file of another length', [new Uint8Array(16), new Uint8Array(12)], 'run/inputs', '1.f32'],
])('arguments are refused: %s', (_, inputs, code, file) => {
  expect(filled(() => new Float32Array(4), ...inputs)).toMatchObject({
    status: 'definite',
    diagnostics: [{ code, location: { file } }],
  });
});

it('arguments that there is no room for are the reason why a run ends', () => {
  const full = filled(() => {
    throw new RangeError('no room for 16 bytes');
  });
  expect(full).toMatchObject({
    status: 'definite',
    diagnostics: [{ code: 'run/memory', message: 'no room for the arguments of @f', location: { line: 3 } }],
  });
  expect(() =>
    filled(() => {
      throw new Error('a bug');
    }),
  ).toThrow('a bug');
});
