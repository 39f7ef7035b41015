/** Maxima and minima with constants, which have instructions of their own: as V8's general ones. */
import { describe, expect, it } from 'vitest';
import { instanceOf } from './emit.ts';

const numbers = [NaN, -Infinity, -2, -1e-45, -0, 0, 1e-45, 1, 6, 7.5, Infinity, 3.4e38];
const bounds = {
  zero: '0.0',
  'the other zero': '-0.0',
  six: '6.0',
  'a negative': '-1.5',
  infinity: '0x7F800000',
  nan: '0x7FC00000',
};

const textOf = (op: string, operands: string): string => `
  func.func @f(%x: memref<12xf32>, %o: memref<12xf32>, %c: f32) {
    ${operands.includes('%k') ? '%k = arith.constant BOUND : f32' : ''}
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<12xf32>) outs(%o : memref<12xf32>) {
    ^bb0(%a: f32, %b: f32):
      %m = arith.${op} ${operands} : f32
      linalg.yield %m : f32
    }
    return
  }`;

const valueOf = (bound: string): number =>
  ({ '0x7F800000': Infinity, '0x7FC00000': NaN })[bound] ?? Number(bound);

describe.each(['maximumf', 'minimumf'])('%s', (op) => {
  it.each(Object.entries(bounds))('with %s', (_, bound) => {
    const run = (text: string): Float32Array => {
      const result = new Float32Array(numbers.length);
      instanceOf(text.replace('BOUND', bound)).run('f', Float32Array.from(numbers), result, valueOf(bound));
      return result;
    };
    const plain = numbers.map((number) => (op === 'maximumf' ? Math.max : Math.min)(number, valueOf(bound)));
    const expected = Float32Array.from(plain);
    expect(run(textOf(op, '%a, %c'))).toEqual(expected);
    expect(run(textOf(op, '%a, %k'))).toEqual(expected);
    expect(run(textOf(op, '%k, %a'))).toEqual(expected);
  });
});
