/**
 * Set-up of every test file: typed arrays whose bytes are the same are equal. vitest, which takes microseconds for each
 * element, compares those whose bytes differ: it decides about NaN and -0.0, and says what is wrong.
 */
import { expect } from 'vitest';

const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const isTypedArray = (value: unknown): value is NodeJS.TypedArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** True for typed arrays of one type and the same bytes; undefined leaves the answer to vitest. */
const sameBytes = (actual: unknown, expected: unknown): true | undefined =>
  isTypedArray(actual) &&
  isTypedArray(expected) &&
  actual.constructor === expected.constructor &&
  bytesOf(actual).equals(bytesOf(expected))
    ? true
    : undefined;

// Threads run many test files, and keep what is added.
const added = Symbol.for('sconv.compare-bytes');
if (!(added in globalThis)) {
  Object.defineProperty(globalThis, added, { value: true });
  expect.addEqualityTesters([sameBytes]);
}
