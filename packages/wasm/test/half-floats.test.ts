import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfBits, halfValues } from '@sconv/backend';
import type { HalfName } from '@sconv/backend';
import { narrow, narrowVector, rounded, roundedVector, widen, widenVector } from '../src/half-floats.ts';
import { f32, f64, i32, v128 } from '../src/instructions.ts';
import { runFunction } from './run-function.ts';

const formats = ['f16', 'bf16'] as const;

/** All bits that there are. */
const everyBits = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);

describe.each(formats)('%s', (format: HalfName) => {
  it('is widened to its value, in a local and in vectors', () => {
    const values = halfValues(format, everyBits);
    const one = runFunction(['i32'], ['f32'], (f, bits) => {
      f.return(widen(format, f.get(bits)));
    });
    const four = runFunction(['i32'], [], (f, at) => {
      f.statement(v128.store(f.get(at), widenVector(f, format, v128.load16x4U(f.get(at))), 64));
    });
    const bits = new Uint16Array(four.memory.buffer, 1024, 4);
    const lanes = new Float32Array(four.memory.buffer, 1024 + 64, 4);
    for (let i = 0; i < 2 ** 16; i += 4) {
      bits.set(everyBits.subarray(i, i + 4));
      four.f(1024);
      for (let j = 0; j < 4; j += 1) {
        const value = values[i + j]!;
        if (!Object.is(lanes[j], value) || !Object.is(one.f(i + j), value))
          expect([i + j, lanes[j], one.f(i + j)]).toEqual([i + j, value, value]);
      }
    }
  });

  it('is stored as what was loaded, also a NaN', () => {
    const { f, memory } = runFunction(['i32'], [], (b, at) => {
      const value = b.let(widen(format, i32.load16U(b.get(at))));
      b.statement(i32.store16(b.get(at), narrow(format, b.get(value)), 2));
    });
    const place = new Uint16Array(memory.buffer, 1024, 2);
    for (const bits of everyBits) {
      place[0] = bits;
      f(1024);
      if (place[1] !== bits) expect(place[1]).toBe(bits);
    }
  });

  it('is rounded to the nearest, ties to even', () => {
    const { f } = runFunction(['f64'], ['f32'], (b, value) => {
      b.return(rounded(b, format, b.get(value)));
    });
    const check = (value: number): void => {
      expect(f(value)).toBe(halfValues(format, halfBits(format, [value]))[0]);
    };
    fc.assert(fc.property(fc.double(), check), { numRuns: 2000 });
    fc.assert(fc.property(fc.float(), check), { numRuns: 2000 });
    // Halfway between two numbers, and next to that.
    const values = halfValues(format, everyBits);
    for (let i = 0; i < 2 ** 15; i += 97) {
      const middle = (values[i]! + values[i + 1]!) / 2;
      for (const value of [middle, middle * (1 + 2 ** -52), middle * (1 - 2 ** -52), -middle]) check(value);
    }
    for (const value of [0, -0, Infinity, -Infinity, NaN, 65519.99, 65520, 2 ** 128, 2 ** -25, 2 ** -134])
      check(value);
  });

  it('is stored from vectors as from locals', () => {
    const { f, memory } = runFunction(['i32'], [], (b, at) => {
      const values = widenVector(b, format, v128.load16x4U(b.get(at)));
      b.statement(v128.store64Lane(b.get(at), narrowVector(b, format, values), 0, 64));
    });
    const [bits, stored] = [1024, 1024 + 64].map((at) => new Uint16Array(memory.buffer, at, 4)) as [
      Uint16Array,
      Uint16Array,
    ];
    for (let i = 0; i < 2 ** 16; i += 4) {
      bits.set(everyBits.subarray(i, i + 4));
      f(1024);
      if (stored.join() !== bits.join()) expect(stored).toEqual(bits);
    }
  });

  it('is rounded in vectors as in locals', () => {
    const { f, memory } = runFunction(['i32'], [], (b, at) => {
      b.statement(v128.store(b.get(at), roundedVector(b, format, v128.load(b.get(at))), 64));
    });
    const numbers = new Float32Array(memory.buffer, 1024, 4);
    const results = new Float32Array(memory.buffer, 1024 + 64, 4);
    const check = (four: readonly number[]): void => {
      numbers.set(four);
      f(1024);
      expect([...results]).toEqual([...halfValues(format, halfBits(format, [...numbers]))]);
    };
    fc.assert(fc.property(fc.array(fc.float(), { minLength: 4, maxLength: 4 }), check), {
      numRuns: 2000,
      seed: 1,
    });
    const values = halfValues(format, everyBits);
    for (let i = 0; i < 2 ** 15; i += 97) {
      const middle = (values[i]! + values[i + 1]!) / 2;
      check([middle, middle * (1 + 2 ** -23), middle * (1 - 2 ** -23), -middle]);
    }
    check([0, -0, Infinity, -Infinity]);
    check([NaN, 65519.99, 65520, 2 ** 127]);
    check([2 ** -25, 2 ** -134, 2 ** -149, -(2 ** -25)]);
  });

  it('holds a NaN of f32 as one', () => {
    const { f } = runFunction(['i32'], ['i32'], (b, bits) => {
      const value = f32.reinterpretI32(b.get(bits));
      b.return(narrow(format, b.get(b.let(rounded(b, format, f64.promoteF32(value))))));
    });
    for (const bits of [0x7f800001, 0x7fc00000, -1, 0x7fffffff])
      expect(halfValues(format, Uint16Array.of(f(bits)))[0]).toBeNaN();
  });
});
