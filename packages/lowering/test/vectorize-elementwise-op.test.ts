import { firstDifference } from '@sconv/interpreter/testing';
import type { Module, Value } from '@sconv/ir';
import { bodyOf, edit, operationsIn, printModule, verify } from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import { lowerTiles, vectorizeElementwiseOp } from '../src/index.ts';
import { parse, registry } from './support.ts';

/** The arguments of the only function, which callers pass without aliasing. */
const argumentsOf = ({ root }: Module): ReadonlySet<Value['id']> =>
  new Set(bodyOf(bodyOf(root).operations[0]!).arguments.map(({ id }) => id));

const lowered = (module: Module, bits: number): Module => {
  const after = edit(module, { registry }, (rewriter) => {
    lowerTiles(rewriter, rewriter.root, { bits, registers: 16 }, argumentsOf(module));
  }).module;
  expect(verify(after, registry)).toEqual([]);
  return after;
};

const clamp = `%s = arith.addf %x, %w : f32
      %z = arith.constant 3.0 : f32
      %l = arith.cmpf olt, %s, %zero : f32
      %m = arith.select %l, %zero, %s : f32
      %y = arith.minimumf %m, %z : f32`;

/** A bias in rows of `%out`, and this body; `%r` has its type. */
const epilogue = (width: number, body = clamp, rank = '2x3'): string => {
  const type = `memref<${rank}x${width}xf32>`;
  return `func.func @f(%bias: memref<3xf32>, %r: ${type}, %out: ${type}, %zero: f32) {
    linalg.generic {indexing_maps = [affine_map<(n, f, w) -> (f)>, affine_map<(n, f, w) -> (n, f, w)>, affine_map<(n, f, w) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%bias, %r : memref<3xf32>, ${type}) outs(%out : ${type}) {
    ^bb0(%w: f32, %res: f32, %x: f32):
      ${body}
      linalg.yield %y : f32
    }
    return
  }`;
};

describe('elementwise ops', () => {
  it.each([2, 3, 7, 8, 16, 33, 70])('are computed in vectors, in rows of %d', (width) => {
    for (const bits of [128, 256, 512]) {
      for (const body of [clamp, '%p = arith.mulf %res, %x : f32\n%y = arith.negf %p : f32']) {
        const module = parse(epilogue(width, body));
        const after = lowered(module, bits);
        expect(operationsIn(after.root).map(({ name }) => name)).not.toContain('linalg.generic');
        expect(firstDifference(module, after)).toBeUndefined();
      }
    }
  });

  it('load what is invariant across lanes once for a row', () => {
    const text = printModule(lowered(parse(epilogue(64)), 128), { registry });
    expect(text.split('memref.load').length - 1).toBe(1);
    expect(text).toMatch(/memref\.load[^]*scf\.for[^]*vector\.load[^]*vector\.store/);
  });

  it.each([
    [
      'a fill',
      (w: number) => [`memref<3x${w}xf32>`, `linalg.fill ins(%n : f32) outs(%a : memref<3x${w}xf32>)`],
    ],
    [
      'a copy of integers',
      (w: number) => [
        `memref<3x${w}xi8>, %b: memref<3x${w}xi8>`,
        `linalg.copy ins(%a : memref<3x${w}xi8>) outs(%b : memref<3x${w}xi8>)`,
      ],
    ],
    [
      'every second element of every second row',
      (w: number) => [
        `memref<6x${2 * w}xf32>, %b: memref<3x${w}xf32>`,
        `linalg.generic {indexing_maps = [affine_map<(y, x) -> (y * 2, x * 2)>, affine_map<(y, x) -> (y, x)>],
           iterator_types = ["parallel", "parallel"]} ins(%a : memref<6x${2 * w}xf32>) outs(%b : memref<3x${w}xf32>) {
         ^bb0(%x: f32, %y: f32):
           linalg.yield %x : f32
         }`,
      ],
    ],
    [
      'rows of a longer row',
      (w: number) => [
        `memref<${3 * w + 6}xf32>, %b: memref<3x${w}xf32>`,
        `linalg.generic {indexing_maps = [affine_map<(y, x) -> (y * ${w + 2} + x)>, affine_map<(y, x) -> (y, x)>],
           iterator_types = ["parallel", "parallel"]} ins(%a : memref<${3 * w + 6}xf32>) outs(%b : memref<3x${w}xf32>) {
         ^bb0(%x: f32, %y: f32):
           %s = arith.addf %x, %n : f32
           linalg.yield %s : f32
         }`,
      ],
    ],
  ])('take %s in vectors, the last of which may lie over its predecessor', (_, of) => {
    for (const width of [2, 3, 7, 9, 21]) {
      const [types, operation] = of(width) as [string, string];
      const module = parse(`func.func @f(%n: f32, %a: ${types}) {\n${operation}\nreturn\n}`);
      const after = lowered(module, 128);
      const loads = operationsIn(after.root).map(({ name }) => name);
      expect(loads).toContain('vector.store');
      expect(loads.filter((name) => name.startsWith('linalg.') || name === 'memref.load')).toEqual([]);
      expect(firstDifference(module, after)).toBeUndefined();
    }
  });

  const outsOf = (text: string): string => text.replace('ins(%bias, %r', 'ins(%bias, %out');
  it.each([
    ['reads its output elsewhere', outsOf(epilogue(8)), 'may share memory'],
    ['has one element in a row', epilogue(1), 'no lanes'],
    ['has sizes that are not known', epilogue(8, clamp, '?x3'), 'sizes are not known'],
    [
      'computes of indices',
      epilogue(
        8,
        '%i = linalg.index 2 : index\n%k = arith.index_cast %i : index to i32\n%y = arith.sitofp %k : i32 to f32',
      ),
      'other ops',
    ],
    [
      'has integers',
      epilogue(8, '%y = arith.addi %x, %w : f32')
        .replaceAll('f32', 'i32')
        .replace('%zero: i32', '%zero: i32'),
      'not all f32',
    ],
    [
      'has no contiguous lanes',
      epilogue(8, '%y = arith.addf %x, %res : f32')
        .replace('affine_map<(n, f, w) -> (f)>', 'affine_map<(n, f, w) -> (f)>')
        .replace('ins(%bias, %r', 'ins(%bias, %r')
        .replace(
          'affine_map<(n, f, w) -> (n, f, w)>, affine_map<(n, f, w) -> (n, f, w)>]',
          'affine_map<(n, f, w) -> (n, f, w)>, affine_map<(n, f, w) -> (w, f, n)>]',
        )
        .replaceAll('2x3x8', '8x3x8'),
      'are not contiguous',
    ],
  ])('stay where one %s', (_, text, reason) => {
    const module = parse(text);
    edit(module, { registry }, (rewriter) => {
      const operation = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.generic')!;
      const result = vectorizeElementwiseOp(
        rewriter,
        operation,
        { bits: 128, registers: 16 },
        argumentsOf(module),
      );
      expect(result.status).toBe('silenceable');
      expect(result.diagnostics[0]).toMatchObject({ code: 'lowering/no-elementwise' });
      expect(result.diagnostics[0]!.message).toContain(reason);
    });
  });
});
