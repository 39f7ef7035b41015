import { randomIntegers } from '@sconv/interpreter';
import { describe, expect, it } from 'vitest';
import { emitModule } from '../src/index.ts';
import type { MicrokernelOptions } from '../src/microkernel.ts';
import { emitMicrokernel } from '../src/microkernel.ts';
import { buffersAfter } from './differential.ts';
import { moduleOf, registry } from './emit.ts';

type OtherElement = 'f64' | 'i32' | 'i16x2';

/** Runs the kernel with each of A, B and C once at the end of the memory, where an overread traps; and the plain sums. */
const outputsOf = (options: MicrokernelOptions & { readonly element: OtherElement }, k: number) => {
  const { windows, filters, element } = options;
  const halves = element === 'i16x2' ? 2 : 1;
  const Sums = element === 'f64' ? Float64Array : Int32Array;
  const Panel = element === 'i16x2' ? Int16Array : Sums;
  const next = randomIntegers(windows * 64 + filters);
  // Sums of f64 are exact in neither f32 nor i32.
  const number = element === 'f64' ? () => (next() % 2 ** 20) + 0.5 : () => next() | 0;
  const rowLength = windows + 3;
  const panel = (width: number) => new Panel(k * width * halves).map(number);
  const before = {
    a: panel(windows),
    b: panel(filters),
    c: new Sums((filters - 1) * rowLength + windows).map(number),
  };
  // The smallest products of i16, which only wrapping sums hold.
  if (element === 'i16x2' && k > 0) for (const half of [0, 1]) before.a[half] = before.b[half] = -(2 ** 15);
  const start = options.start === 'argument' ? [7] : [];
  const memory = new WebAssembly.Memory({ initial: 2 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(emitMicrokernel(options)), {
    env: { memory },
  });
  const kernel = instance.exports['microkernel'] as (...values: number[]) => void;
  const names = ['a', 'b', 'c'] as const;
  const outputs = names.map((last) => {
    const address = { a: 0, b: 0, c: 0 };
    let end = memory.buffer.byteLength;
    for (const name of [last, ...names.filter((each) => each !== last)]) {
      end -= before[name].byteLength;
      address[name] = end;
      const bytes = new Uint8Array(before[name].buffer);
      new Uint8Array(memory.buffer, end, bytes.length).set(bytes);
      end -= end % 8;
    }
    kernel(address.a, address.b, address.c, k, rowLength * Sums.BYTES_PER_ELEMENT, ...start);
    return [...new Sums(memory.buffer, address.c, before.c.length)];
  });
  const expected = [...before.c];
  for (let f = 0; f < filters; f += 1)
    for (let w = 0; w < windows; w += 1) {
      let sum = start[0] ?? before.c[f * rowLength + w]!;
      for (let step = 0; step < k; step += 1)
        for (let half = 0; half < halves; half += 1) {
          const x = before.a[(step * windows + w) * halves + half]!;
          const y = before.b[(step * filters + f) * halves + half]!;
          sum = element === 'f64' ? sum + x * y : (sum + Math.imul(x, y)) | 0;
        }
      expected[f * rowLength + w] = sum;
    }
  return { outputs, expected };
};

describe.each<OtherElement>(['f64', 'i32', 'i16x2'])('the microkernel of %s', (element) => {
  it.each([
    [16, 8],
    [16, 2],
    [12, 3],
    [1, 4],
    [5, 1],
    [7, 5],
    [32, 16],
  ])('of %d windows x %d filters is the loop; sums of integers wrap around', (windows, filters) => {
    for (const start of ['output', 'argument'] as const)
      for (const k of [0, 1, 17]) {
        const { outputs, expected } = outputsOf({ windows, filters, element, start }, k);
        for (const output of outputs) expect(output).toEqual(expected);
      }
  });
});

/** A function of a microkernel of 6 pairs of steps, for 5 windows and 3 filters. */
const paired = (element = 'i16', more = ''): string => {
  const [a, b, c] = [`memref<2x6x5x2x${element}>`, `memref<6x3x2x${element}>`, 'memref<2x3x5xi32>'];
  return `func.func @f(%a: ${a}, %b: ${b}, %c: ${c}) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2, d4)>,
        affine_map<(d0, d1, d2, d3, d4) -> (d3, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>],
        iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : ${a}, ${b}) outs(%c : ${c}) attrs = {microkernel} {
      ^bb0(%x: ${element}, %y: ${element}, %z: i32):
        %l = arith.extsi %x : ${element} to i32
        %r = arith.extsi %y : ${element} to i32
        ${more}
        %p = arith.muli %l, ${more === '' ? '%r' : '%s'} : i32
        %q = arith.addi %z, %p : i32
        linalg.yield %q : i32
    }
    return
  }`;
};

describe('a microkernel in pairs', () => {
  it('is emitted as one, and computes the same', () => {
    expect(emitModule(moduleOf(paired()), { registry }).diagnostics).toEqual([]);
    const { onWasm, interpreted } = buffersAfter(paired());
    expect(onWasm).toEqual(interpreted);
  });

  it.each([
    ['of i8', paired('i8')],
    ['less a zero point', paired('i16', '%k = arith.constant 3 : i32\n%s = arith.subi %r, %k : i32')],
    ['read without sign', paired().replace('%r = arith.extsi', '%r = arith.extui')],
  ])('is none of elements %s, and computes the same', (_, text) => {
    expect(emitModule(moduleOf(text), { registry }).diagnostics.map(({ message }) => message)).toEqual([
      'this microkernel is compiled as any other sum of products, which is slower: its body is not a multiplication and an addition',
    ]);
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });
});
