/** Functions on vectors, run on WebAssembly and in the interpreter. */
import { expect } from 'vitest';
import { buffersAfter } from './differential.ts';

/** Sizes and element of a type, as in `2x3xf32`. */
type Shaped = string;

const elementOf = (type: Shaped): string => type.replaceAll(/\d+x/g, '');
const rankOf = (type: Shaped): number => (type.match(/\d+x/g) ?? []).length;
const list = (type: Shaped, each: string): string =>
  Array.from({ length: rankOf(type) }, () => each).join(', ');

const inBounds = (type: Shaped): string =>
  rankOf(type) === 0 ? '' : `{in_bounds = [${list(type, 'true')}]} `;

const zeroOf = (element: string): string => {
  if (element === 'i1') return 'false';
  return /^b?f\d/.test(element) ? `0.0 : ${element}` : `0 : ${element}`;
};

/**
 * `@f`, which reads vectors `%v0` … of these types from buffers `%m0` …, and writes vectors, or numbers, `%r0` … to others.
 * `%c0` to `%c3` are indices.
 */
export const vectorProgram = (given: readonly Shaped[], body: string, results: readonly Shaped[]): string => {
  const reads = given.map((each, i) => {
    return `%z${i} = arith.constant ${zeroOf(elementOf(each))}
      %v${i} = vector.transfer_read %m${i}[${list(each, '%c0')}], %z${i} ${inBounds(each)}: memref<${each}>, vector<${each}>`;
  });
  const writes = results.map((each, i) => {
    const to = `%m${given.length + i}`;
    return each.startsWith('number ')
      ? `memref.store %r${i}, ${to}[] : memref<${each.slice(7)}>`
      : `vector.transfer_write %r${i}, ${to}[${list(each, '%c0')}] ${inBounds(each)}: vector<${each}>, memref<${each}>`;
  });
  const buffers = [...given, ...results].map((each, i) => `%m${i}: memref<${each.replace('number ', '')}>`);
  return `func.func @f(${buffers.join(', ')}) {
    ${[0, 1, 2, 3].map((i) => `%c${i} = arith.constant ${i} : index`).join('\n')}
    ${reads.join('\n')}
    ${body}
    ${writes.join('\n')}
    return
  }`;
};

/** Whether `@f` leaves the same in all buffers on WebAssembly and in the interpreter. */
export const expectSame = (text: string): void => {
  const { onWasm, interpreted } = buffersAfter(text);
  expect(onWasm).toEqual(interpreted);
};
