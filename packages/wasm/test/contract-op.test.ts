import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { emitModule } from '../src/index.ts';
import { disassemble } from './disassemble.ts';
import { buffersAfter } from './differential.ts';
import { moduleOf, registry } from './emit.ts';

const convolution = `[affine_map<(d0, d1, d2, d3) -> (d2, d0 * 2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>,
  affine_map<(d0, d1, d2, d3) -> (d0, d1)>]`;
const product = `[affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>,
  affine_map<(d0, d1, d2) -> (d0, d1)>]`;

/** A tile of a contraction, with what its sums start with and what it decides. */
const tile = (
  element: string,
  maps: string,
  sizes: readonly string[],
  decisions: string,
  start = '',
): string => {
  const types = sizes.map((size) => `memref<${size}x${element}>`);
  const [value, condition] = [Number(start !== ''), Number(start.includes('%t'))];
  const extra = [element, 'i1'].slice(0, value + condition);
  const zero = element.startsWith('f') ? '0.5' : '7';
  return `func.func @f(%a: ${types[0]!}, %b: ${types[1]!}, %c: ${types[2]!}) {
    %v = arith.constant ${zero} : ${element}
    %t = arith.constant ${start.includes('not') ? 'false' : 'true'}
    "kernel.contract"(%a, %b, %c${['', ', %v', ', %v, %t'][value + condition]!}) {${decisions}, maps = ${maps},
      operand_segment_sizes = array<i32: 1, 1, 1, ${value}, ${condition}>} : (${[...types, ...extra].join(', ')}) -> ()
    return
  }`;
};

const rows = ['6x19', '5x6', '5x19'];

describe('a tile of a contraction', () => {
  it.each<[string, string]>([
    ['with lanes that are left over', tile('f32', product, rows, 'lanes = 1')],
    [
      'with lanes that are left over, and padding',
      tile('f32', product, ['6x20', '5x6', '5x19'], 'lanes = 1'),
    ],
    ['of f64', tile('f64', product, rows, 'lanes = 1')],
    ['of i32, unrolled', tile('i32', product, rows, 'lanes = 1, unroll = array<i64: 1, 1, 3>')],
    [
      'in tiles of its own',
      tile('f32', product, rows, 'lanes = 1, tiles = array<i64: 3, 16, 0, 5, 0, 3, 1, 4, 0, 3, 0, 1>'),
    ],
    ['with a start', tile('f32', product, rows, 'lanes = 1', 'start')],
    ['with a start that may be', tile('f32', product, rows, 'lanes = 1', 'start if %t')],
    ['with a start that may not be', tile('f32', product, rows, 'lanes = 1', 'start if not %t')],
    [
      'over windows of taps, both dimensions unrolled',
      tile('f32', convolution, ['4x9', '4x3x6', '4x6'], 'lanes = 1, unroll = array<i64: 1, 1, 2, 3>'),
    ],
  ])('%s computes the same as interpreted', (_, text) => {
    expect(unwrap(emitModule(moduleOf(text), { registry })).bytes.length).toBeGreaterThan(0);
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });

  it('loads whole vectors of what is padded', () => {
    const loadsOf = (width: number) => {
      const text = tile('f32', product, [`6x${width}`, '5x6', '5x19'], 'lanes = 1');
      return disassemble(unwrap(emitModule(moduleOf(text), { registry })).bytes).match(/v128\.load\d+_lane/g)
        ?.length;
    };
    // The fifth vector has three elements: of each of five sums, and of what is multiplied unless that has four.
    expect([loadsOf(19), loadsOf(20)]).toEqual([6, 5]);
  });

  it('is several basic blocks, each of whose ends is another condition', () => {
    const text = tile('f32', product, ['4x8', '5x4', '5x8'], 'lanes = 1, unroll = array<i64: 1, 1, 2>');
    const code = disassemble(unwrap(emitModule(moduleOf(text), { registry })).bytes);
    const ends = [...code.matchAll(/br_if.*i32\.eq\(\$\d+, (-\d+)\)/g)].map(([, constant]) => constant);
    // With two vectors and ten sums, two elements at once are in registers: three blocks in each of two steps.
    expect(ends).toEqual(['-1', '-3', '-5', '-7', '-9']);
  });

  it.each([
    [
      'of i8',
      tile('i8', product, rows, 'lanes = 1'),
      /this contraction.*: its elements are not all f32, all f64, or all i32/,
    ],
    [
      'of strides that are not known',
      tile('f32', product, rows, 'lanes = 1').replaceAll(
        'memref<6x19xf32>',
        'memref<6x19xf32, strided<[?, 1]>>',
      ),
      /a contraction of operands without a known layout/,
    ],
  ])('%s is refused', (_, text, message) => {
    const { status, diagnostics } = emitModule(moduleOf(text), { registry });
    expect(status).toBe('definite');
    expect(diagnostics[0]!.message).toMatch(message);
  });
});
