import { expect, it } from 'vitest';
import { uniformValues } from '../src/runtime.ts';

const buffer = { kind: 'buffer', shape: [3], length: 3, written: false } as const;

it.each([0, 1] as const)('values of %i fit the parameters', (number) => {
  const values = uniformValues(
    [
      { ...buffer, element: 'f32', elementBytes: 4 },
      { kind: 'scalar', type: 'f64' },
      { ...buffer, element: 'i64', elementBytes: 8 },
      { ...buffer, element: 'i8', elementBytes: 1, length: 5 },
    ],
    number,
  );
  expect(values).toEqual([
    new Float32Array(3).fill(number),
    number,
    new BigInt64Array(3).fill(BigInt(number)),
    new Int8Array(5).fill(number),
  ]);
});
