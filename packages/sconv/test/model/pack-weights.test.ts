import type { RunValue } from '@sconv/backend';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import { writeOnnx } from '@sconv/onnx';
import { expect, it, vi } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { compileModel } from '../../src/model.ts';
import { packWeights } from '../../src/model/pack-weights.ts';

const location = unknownLocation;
const buffer = {
  kind: 'buffer',
  element: 'f32',
  elementBytes: 4,
  shape: [2],
  length: 2,
  written: false,
} as const;
const constant = { function: 'main', parameter: 1, bytes: new Uint8Array(8) };
const signature = { name: 'main', location, parameters: [buffer], results: [] };
const divided = definite(error('wasm/division-by-zero', 'divides by 0', location));

/** Code with weights whose calls answer this, one after the other. */
const codeAnswering = (
  ...answers: readonly (typeof divided | ReturnType<typeof success<readonly RunValue[]>>)[]
) => {
  const callAsync =
    vi.fn<(name: string, ...values: readonly RunValue[]) => Promise<(typeof answers)[number]>>();
  for (const answer of answers) callAsync.mockResolvedValueOnce(answer);
  return {
    emitted: { backend: 'wasm', functions: [], constants: [constant] },
    functions: [signature],
    callAsync,
  };
};

it.each([
  ['zeros', [success([])], [[0, 0]]],
  [
    'ones where it divides by zero',
    [divided, success([])],
    [
      [0, 0],
      [1, 1],
    ],
  ],
  [
    'nothing else where it fails anyway',
    [divided, divided],
    [
      [0, 0],
      [1, 1],
    ],
  ],
])('weights are packed by a call with %s', async (_, answers, values) => {
  const code = codeAnswering(...answers);
  await packWeights(code, 'main');
  expect(code.callAsync.mock.calls).toEqual(values.map((each) => ['main', Float32Array.from(each)]));
});

it('nothing is called without weights, and in an emulator', async () => {
  const code = codeAnswering();
  await packWeights({ ...code, emitted: { backend: 'wasm', functions: [] } }, 'main');
  await packWeights({ ...code, emulator: 'qemu-aarch64' }, 'main');
  expect(code.callAsync).not.toHaveBeenCalled();
});

it('a model that no such call can pack is there, and right', async () => {
  const shape = { dim: [{ value: { case: 'dimValue' as const, value: 3n } }] };
  // a / (a - 0) / (a - 1): of zeros and of ones a division by zero.
  const integers = (name: string, value: number) => ({
    name,
    dims: [3n],
    dataType: 6,
    rawData: new Uint8Array(Int32Array.of(value, value, value).buffer),
  });
  const file = writeOnnx({
    opsetImport: [{ version: 17n }],
    graph: {
      node: [
        { opType: 'Sub', input: ['a', 'zero'], output: ['same'] },
        { opType: 'Sub', input: ['a', 'one'], output: ['less'] },
        { opType: 'Mul', input: ['same', 'less'], output: ['divisor'] },
        { opType: 'Div', input: ['dividend', 'divisor'], output: ['quotient'] },
      ],
      initializer: [integers('zero', 0), integers('one', 1), integers('dividend', 60)],
      input: [{ name: 'a', type: { tensorType: { elemType: 6, shape } } }],
      output: [{ name: 'quotient' }],
    },
  });
  const model = unwrap(await compileModel(file));
  expect(model.runSync({ a: Int32Array.of(2, 3, -1) })).toEqual({ quotient: Int32Array.of(30, 10, 30) });
  expect(() => model.runSync({ a: Int32Array.of(2, 3, 1) })).toThrow(/division/);
  model.dispose();
});
