import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantiate, ownedBytes } from '../src/index.ts';
import type { Elements } from '@sconv/backend';
import type { WasmInstance } from '../src/index.ts';
import { emitted } from './emit.ts';

/** Four read-only inputs, two outputs: o = a + 10 b + 100 c + 1000 d, p = 2 o. */
const text = `
#id = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>, %o: memref<4xf32>, %p: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  %ten = arith.constant 10.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
    ins(%a, %b, %c, %d : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
    outs(%o, %p, %t : memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    ^bb0(%w: f32, %x: f32, %y: f32, %z: f32, %u: f32, %v: f32, %s: f32):
      %1 = arith.mulf %z, %ten : f32
      %2 = arith.addf %1, %y : f32
      %3 = arith.mulf %2, %ten : f32
      %4 = arith.addf %3, %x : f32
      %5 = arith.mulf %4, %ten : f32
      %6 = arith.addf %5, %w : f32
      %7 = arith.addf %6, %6 : f32
      linalg.yield %6, %7, %w : f32, f32, f32
  }
  return %o, %t, %p : memref<4xf32>, memref<4xf32>, memref<4xf32>
}`;
const module = emitted(text);

const expectedOf = (inputs: readonly Elements[]): number[] =>
  Array.from({ length: 4 }, (_, i) => inputs.reduce((sum, each, k) => sum + Number(each[i]) * 10 ** k, 0));

/** An instance in the middle of a larger memory, with a different small number in every float. */
const filled = (): { readonly instance: WasmInstance; readonly all: Float32Array; readonly at: number } => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const at = 256;
  const instance = instantiate(module, { memory, at });
  const all = new Float32Array(memory.buffer, 0, (at + ownedBytes(module) + 256) / 4);
  all.forEach((_, i) => (all[i] = (i * 7) % 10));
  return { instance, all, at };
};

describe('arguments', () => {
  const last = (256 + ownedBytes(module) + 256) / 4 - 4;
  // Places are 16 floats apart: most arrays overlap a place or the allocations.
  const position = fc.integer({ min: 0, max: last });
  const scratchEnd = (256 + module.scratchBytes) / 4;
  const isScratch = (first: number): boolean => first + 4 > 64 && first < scratchEnd;

  it('count as they were before the call, wherever in the memory they stand', () => {
    fc.assert(
      fc.property(
        fc.tuple(...Array.from({ length: 4 }, () => fc.option(position, { nil: 'heap' as const }))),
        fc.tuple(...Array.from({ length: 2 }, () => fc.option(position, { nil: 'heap' as const }))),
        (inputs, outputs) => {
          const places = [...inputs, ...outputs].filter((each) => each !== 'heap');
          const written = outputs.filter((each) => each !== 'heap');
          fc.pre(!written.some(isScratch));
          const shared = places.some((a, i) =>
            places.some((b, j) => i < j && Math.abs(a - b) < 4 && j >= places.length - written.length),
          );
          fc.pre(!shared);
          const { instance, all } = filled();
          const arrayAt = (first: number | 'heap', i: number): Float32Array =>
            first === 'heap'
              ? Float32Array.from([1, 2, 3, 4], (x) => (x * (i + 3)) % 10)
              : all.subarray(first, first + 4);
          const values = [...inputs, ...outputs].map(arrayAt);
          const expected = expectedOf(values.slice(0, 4));
          const firstInput = [...values[0]!];
          const before = all.slice();
          const [o, t, p] = instance.run('f', ...values);
          expect([...values[4]!]).toEqual(expected);
          expect([...values[5]!]).toEqual(expected.map((value) => 2 * value));
          expect([o, p]).toEqual([values[4], values[5]]);
          expect(o).toBe(values[4]);
          expect(p).toBe(values[5]);
          expect([...(t as Float32Array)]).toEqual(firstInput);
          const isOwn = (i: number): boolean =>
            (i >= 64 && i < (256 + ownedBytes(module)) / 4) ||
            written.some((first) => i >= first && i < first + 4);
          expect(all.findIndex((value, i) => !isOwn(i) && value !== before[i])).toBe(-1);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('may be the places of other arguments, in any order', () => {
    for (const shift of [0, 1, 2, 3, 4, 5]) {
      const { instance } = filled();
      const places = instance.buffers('f') as Float32Array[];
      const values = places.map((_, i) => places[(i + shift) % 6]!);
      const expected = expectedOf(values.slice(0, 4).map((each) => each.slice()));
      instance.run('f', ...values);
      expect([...values[4]!]).toEqual(expected);
    }
  });

  it('are used in place where nothing else needs the place', () => {
    const { instance, all } = filled();
    const outside = [0, 4, 8, 12].map((first) => all.subarray(first, first + 4));
    const places = instance.buffers('f') as Float32Array[];
    const before = places.map((place) => place.slice());
    instance.run('f', ...outside, places[4]!, places[5]!);
    expect(places.slice(0, 4)).toEqual(before.slice(0, 4));
    // Also next to a copied one.
    instance.run('f', Float32Array.of(1, 2, 3, 4), ...outside.slice(1), places[4]!, places[5]!);
    expect([...places[0]!]).toEqual([1, 2, 3, 4]);
    expect(places.slice(1, 4)).toEqual(before.slice(1, 4));
  });

  it('give a result as it was when the function ended, where an output is then copied', () => {
    const head = `func.func @g(%x: memref<4xf32>, %o: memref<4xf32>) -> memref<2xf32> {
      linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)
      %h = memref.subview %x[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
      %r = memref.cast %h : memref<2xf32, strided<[1]>> to memref<2xf32>
      return %r : memref<2xf32>
    }`;
    const instance = instantiate(emitted(head));
    const [place] = instance.buffers('g');
    const [result] = instance.run('g', Float32Array.of(1, 2, 3, 4), place!);
    expect(place).toEqual(Float32Array.of(2, 4, 6, 8));
    expect(result).toEqual(Float32Array.of(1, 2));
  });

  it('that are only read may share memory', () => {
    const { instance } = filled();
    const x = Float32Array.of(1, 2, 3, 4);
    const o = new Float32Array(4);
    instance.run('f', x, x, x, x, o, new Float32Array(4));
    expect([...o]).toEqual([1111, 2222, 3333, 4444]);
  });

  const two = new Float32Array(8);
  const [head, middle, tail] = [two.subarray(0, 4), two.subarray(1, 5), two.subarray(4, 8)];
  it.each([
    ['an input and an output', [head, 0, 0, 0, head, 0], '0 and 4', '4'],
    ['parts of them', [0, middle, 0, 0, 0, tail], '1 and 5', '5'],
    ['two outputs', [0, 0, 0, 0, head, middle], '4 and 5', '4 and 5'],
  ])('that share memory are refused where one is written: %s', (_, values, which, written) => {
    const { instance } = filled();
    const message = `arguments ${which} of 'f' share memory, and the function may write ${written}`;
    const passed = values.map((value) => (value === 0 ? new Float32Array(4) : (value as Float32Array)));
    expect(() => instance.run('f', ...passed)).toThrow(RangeError);
    expect(() => instance.run('f', ...passed)).toThrow(message);
  });

  it('side by side share no memory', () => {
    const { instance } = filled();
    const rest = [0, 0, 0, 0].map(() => new Float32Array(4));
    two.set([1, 2, 3, 4]);
    instance.run('f', head, rest[0]!, rest[1]!, rest[2]!, tail, rest[3]!);
    expect([...two]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
  });

  it('may be the result of an earlier call where they are read, and not where they are written', () => {
    const { instance } = filled();
    const heap = (value: number): Float32Array => new Float32Array(4).fill(value);
    const [, t] = instance.run('f', heap(5), heap(0), heap(0), heap(0), heap(0), heap(0));
    const o = heap(0);
    const [, again] = instance.run('f', heap(1), t!, heap(0), heap(0), o, heap(0));
    expect([...o]).toEqual([51, 51, 51, 51]);
    expect([...(again as Float32Array)]).toEqual([1, 1, 1, 1]);
    expect(() => instance.run('f', heap(1), heap(0), heap(0), heap(0), again!, heap(0))).toThrow(
      /argument 4 of 'f', which the function may write, stands in the memory of its allocations/,
    );
  });
});
