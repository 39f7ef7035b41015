import { expect, it } from 'vitest';
import type { Distribution } from '../src/distribution.ts';
import type { Fault } from '../src/fault.ts';
import { minimize } from '../src/minimize.ts';
import type { Step } from '../src/script.ts';

/** Payloads are numbers; smaller means less. */
const numbers: Distribution<number> = {
  payload: () => 0,
  subject: (payload) => ({ payload: String(payload), dynamicSizes: [] }),
  *smaller(payload) {
    if (payload > 0) yield payload - 1;
  },
  length: () => 0,
  step: () => undefined,
  features: () => [],
};

const step = (transform: string, operand: string, result: string): Step => ({
  transform,
  operands: [{ name: operand, promises: undefined }],
  attributes: {},
  results: [{ name: result, promises: undefined }],
});

const fault = (message: string): Fault => ({ kind: 'result', transform: 'b', message });

it('drops what the fault does not need, with all that depends on it, and makes the payload small', () => {
  const steps = [step('a', 'root', 'x'), step('b', 'root', 'y'), step('c', 'x', 'z'), step('d', 'y', 'w')];
  const found = minimize(numbers, 9, steps, fault('result 0 is [9]'), ({ payload }, left) =>
    Number(payload) >= 3 && left.some(({ transform }) => transform === 'b')
      ? fault(`result 0 is [${payload}]`)
      : undefined,
  );
  expect(found).toEqual({ payload: 3, steps: [steps[1]], fault: fault('result 0 is [3]') });
});

it('does not go over to another fault', () => {
  const found = minimize(numbers, 9, [], fault('result 0 is [9]'), ({ payload }) =>
    fault(Number(payload) > 5 ? 'result 0 is [1]' : 'out of bounds'),
  );
  expect(found.payload).toBe(6);
});
