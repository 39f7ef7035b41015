/** Sums in blocks against the interpreter, bit by bit: the elements are thirds, whose sums depend on their order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';
import { disassemble } from './disassemble.ts';
import { emitted } from './emit.ts';

/** `@f` with one named op on buffers. */
const named = (op: string, attributes: string, ...shapes: readonly (readonly number[])[]): string => {
  const types = shapes.map((shape) => `memref<${[...shape, 'f32'].join('x')}>`);
  const [output, ...inputs] = types.toReversed();
  const ins = inputs.map((_, i) => `%${i}`).join(', ');
  return `func.func @f(${types.map((type, i) => `%${i}: ${type}`).join(', ')}) {
    linalg.${op} ${attributes} ins(${ins} : ${inputs.toReversed().join(', ')}) outs(%${inputs.length} : ${output})
    return
  }`;
};

const window = (strides: number, dilations: number, dimensions = 2): string =>
  `{dilations = dense<${dilations}> : vector<${dimensions}xi64>, strides = dense<${strides}> : vector<${dimensions}xi64>}`;

const isVector = (text: string): boolean => disassemble(emitted(text).bytes).includes('f32x4');

describe('sums in blocks', () => {
  it.each([
    ['matrices', named('matmul', '', [9, 7], [7, 21], [9, 21])],
    ['one row', named('vecmat', '', [9], [9, 21], [21])],
    ['one row of few steps', named('vecmat', '', [7], [7, 21], [21])],
    ['less than two vectors of few steps', named('matmul', '', [1, 8], [8, 6], [1, 6])],
    ['a transposed factor', named('matmul_transpose_a', '', [7, 9], [7, 13], [9, 13])],
    ['a batch', named('batch_matmul', '', [2, 5, 3], [2, 3, 6], [2, 5, 6])],
    [
      'depthwise, by channels',
      named('depthwise_conv_2d_nchw_chw', window(1, 1), [1, 3, 9, 9], [3, 3, 3], [1, 3, 7, 7]),
    ],
    [
      'depthwise, strided',
      named('depthwise_conv_2d_nchw_chw', window(2, 1), [1, 2, 13, 27], [2, 3, 3], [1, 2, 6, 13]),
    ],
    [
      'depthwise, dilated',
      named('depthwise_conv_2d_nhwc_hwc', window(1, 2), [1, 9, 7, 5], [3, 3, 5], [1, 5, 3, 5]),
    ],
    [
      'convolutions of one dimension',
      named('conv_1d_ncw_fcw', window(1, 1, 1), [2, 3, 19], [6, 3, 3], [2, 6, 17]),
    ],
    ['convolutions of three', named('conv_3d', '', [6, 5, 9], [3, 2, 2], [4, 4, 8])],
    ['poolings', named('pooling_nchw_max', window(2, 1), [1, 2, 8, 18], [2, 2], [1, 2, 4, 9])],
    ['poolings by sums', named('pooling_nhwc_sum', window(1, 1), [1, 6, 6, 5], [2, 3], [1, 5, 4, 5])],
  ])('are the sums of the interpreter: %s', (_, text) => {
    const { onWasm, interpreted } = buffersAfter(text, 3);
    expect(onWasm).toEqual(interpreted);
    expect(isVector(text)).toBe(true);
  });

  it.each([
    [2, 1],
    [8, 1],
    [9, 2],
  ])('of one row take %i steps in %i loops', (steps, loops) => {
    const text = named('vecmat', '', [steps], [steps, 64], [64]);
    expect(disassemble(emitted(text).bytes).match(/\bloop\b/g)).toHaveLength(loops);
  });

  const generic = fc
    .record({
      extents: fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 2, maxLength: 4 }),
      reductions: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
      order: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
      factors: fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 18, maxLength: 18 }), {
        minLength: 2,
        maxLength: 2,
      }),
      body: fc.constantFrom('mulf addf', 'subf maximumf', 'addf minimumf', 'mulf subf'),
    })
    .map(({ extents, reductions, order, factors, body }) => {
      // Reductions stand anywhere among the dimensions.
      const kinds = [
        ...extents.map((size) => ({ size, type: 'parallel' })),
        ...reductions.map((size) => ({ size, type: 'reduction' })),
      ]
        .map((each, i) => ({ ...each, key: order[i]! }))
        .toSorted((a, b) => a.key - b.key);
      const parallel = kinds.flatMap(({ type }, d) => (type === 'parallel' ? [d] : []));
      const operand = (list: readonly number[]) =>
        // Three indices, each a sum of dimensions; with the constant, none is a dimension alone, whose size would be the operand's.
        [0, 1, 2].map((result) => {
          const own = kinds.map((_, d) => (d % 3 === result || list[d] === 2 ? list[6 * result + d]! : 0));
          const sum = own.flatMap((factor, d) => (factor === 0 ? [] : [`d${d} * ${factor}`]));
          const size = own.reduce((total, factor, d) => total + factor * (kinds[d]!.size - 1), 2) + list[17]!;
          return { text: [...sum, '1'].join(' + '), size };
        });
      const plain = (d: number) => ({ text: `d${d}`, size: kinds[d]!.size });
      // The window of a pooling, which bounds the reductions and is not read.
      const window = kinds.flatMap(({ type }, d) => (type === 'reduction' ? [plain(d)] : []));
      const inputs = [...factors.map(operand), window];
      const output = parallel.map(plain);
      const all = [...inputs, output.map((_, i) => output[(i + 1) % output.length]!)];
      const dims = kinds.map((_, d) => `d${d}`).join(', ');
      const maps = all.map(
        (results) => `affine_map<(${dims}) -> (${results.map(({ text }) => text).join(', ')})>`,
      );
      const types = all.map((results) => `memref<${results.map(({ size }) => `${size}x`).join('')}f32>`);
      const [first, second] = body.split(' ');
      return `func.func @f(%a: ${types[0]}, %b: ${types[1]}, %w: ${types[2]}, %o: ${types[3]}) {
        linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${kinds.map(({ type }) => `"${type}"`).join(', ')}]}
          ins(%a, %b, %w : ${types[0]}, ${types[1]}, ${types[2]}) outs(%o : ${types[3]}) {
          ^bb0(%x: f32, %y: f32, %u: f32, %s: f32):
            %p = arith.${first} %x, %y : f32
            %q = arith.${second} %s, %p : f32
            linalg.yield %q : f32
        }
        return
      }`;
    });

  it('are those of the interpreter for any operands', () => {
    let vectors = 0;
    fc.assert(
      fc.property(generic, (text) => {
        const { onWasm, interpreted } = buffersAfter(text, 3);
        expect(onWasm).toEqual(interpreted);
        if (isVector(text)) vectors += 1;
      }),
      { seed: 1, numRuns: 150 },
    );
    expect(vectors).toBeGreaterThan(60);
  });

  it('read an output that is an input, too, element by element', () => {
    const text = `func.func @f(%a: memref<8x8xf32>) {
      linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
    expect(isVector(text)).toBe(false);
  });

  it('take numbers for operands', () => {
    const text = `func.func @f(%a: memref<5x9xf32>, %o: memref<9xf32>) {
      %c = arith.constant 0.7 : f32
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%a, %c : memref<5x9xf32>, f32) outs(%o : memref<9xf32>) {
        ^bb0(%x: f32, %y: f32, %s: f32):
          %p = arith.mulf %x, %y : f32
          %q = arith.addf %s, %p : f32
          linalg.yield %q : f32
      }
      return
    }`;
    const { onWasm, interpreted } = buffersAfter(text, 3);
    expect(onWasm).toEqual(interpreted);
  });
});
