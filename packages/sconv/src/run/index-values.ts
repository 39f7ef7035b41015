/** Indices of one kind of code for another: native code has 64 bits, WebAssembly 32, the interpreter doubles. */
import type { RunValue } from '@sconv/backend';

/** An index or array of indices as numbers, the array copied; undefined if one is no exact element of such arrays. */
export const indicesIn = (
  arrays: typeof Int32Array | typeof Float64Array,
  value: RunValue,
): RunValue | undefined => {
  const isArray = typeof value === 'object';
  const numbers = isArray ? Array.from<number | bigint, number>(value, Number) : [Number(value)];
  const held = arrays.from(numbers);
  const areHeld = numbers.every((each, i) => Number.isSafeInteger(each) && held[i] === each);
  return areHeld ? (isArray ? held : numbers[0]!) : undefined;
};
