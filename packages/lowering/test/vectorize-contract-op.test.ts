import { firstDifference } from '@sconv/interpreter/testing';
import { edit, printModule } from '@sconv/ir';
import { formKernels } from '@sconv/kernels';
import { describe, expect, it } from 'vitest';
import { refusedContract, vectorizeContractOp } from '../src/index.ts';
import { lowered, names, parse, registry, unit } from './support.ts';

/** A marked tile of a convolution of rows and columns: `%x` is 1 x channels x rows x columns, `%p` a condition. */
const tile = (element: string, decisions: string, before = '', columns = 11): string => {
  const [times, plus] = element.startsWith('f') ? ['mulf', 'addf'] : ['muli', 'addi'];
  const [x, f, y] = ['1x4x4x13', '3x4x3x3', `1x3x2x${columns}`].map((size) => `memref<${size}x${element}>`);
  const dims = '(d0, d1, d2, d3, d4, d5, d6)';
  return `func.func @f(%x: ${x!}, %f: ${f!}, %o: ${y!}, %p: i1) {
    %y = memref.alloc() : ${y!}
    linalg.copy ins(%o : ${y!}) outs(%y : ${y!})
    %v = arith.constant 3${element.startsWith('f') ? '.0' : ''} : ${element}
    ${before.replace('FILL', `linalg.fill ins(%v : ${element}) outs(%y : ${y!})`)}
    linalg.generic {indexing_maps = [affine_map<${dims} -> (d0, d4, d2 + d5, d3 + d6)>, affine_map<${dims} -> (d1, d4, d5, d6)>,
      affine_map<${dims} -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %f : ${x!}, ${f!}) outs(%y : ${y!}) attrs = {sconv.kernel = {${decisions}}} {
      ^bb0(%a: ${element}, %b: ${element}, %c: ${element}):
        %0 = arith.${times} %a, %b : ${element}
        %1 = arith.${plus} %c, %0 : ${element}
        linalg.yield %1 : ${element}
    }
    linalg.copy ins(%y : ${y!}) outs(%o : ${y!})
    return
  }`;
};

describe('a tile of a contraction', () => {
  it.each([
    ['of f32', 'f32', 'lanes = "columns"', ''],
    ['of i32, with a start', 'i32', 'lanes = "columns"', 'FILL'],
    ['of f64, with a start that may be', 'f64', 'lanes = "columns"', 'scf.if %p { FILL }'],
    ['unrolled', 'f32', 'lanes = "columns", unroll = {channels = 2, tapColumns = 3}', ''],
    ['in tiles', 'f32', 'lanes = "columns", tiles = [[0, 7, 0, 3], [7, 15, 0, 2], [7, 15, 2, 1]]', ''],
  ])('%s is computed in vectors', (_, element, decisions, before) => {
    const module = parse(tile(element, decisions, before));
    const after = lowered(module);
    expect([...names(after)].filter((name) => /^(?:kernel|linalg.generic)/.test(name))).toEqual([]);
    expect(names(after)).toContain(element === 'i32' ? 'arith.muli' : 'vector.fma');
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it('computes whole vectors where filters are padded', () => {
    const dims = '(d0, d1, d2, d3, d4, d5)';
    const module = parse(`func.func @f(%x: memref<1x2x4xf32>, %o: memref<1x2x13xf32>) {
      %f = memref.alloc() : memref<4x1x1x16xf32>
      %v = arith.constant 2.0 : f32
      linalg.fill ins(%v : f32) outs(%f : memref<4x1x1x16xf32>)
      %y = memref.alloc() : memref<1x2x13xf32>
      linalg.copy ins(%o : memref<1x2x13xf32>) outs(%y : memref<1x2x13xf32>)
      %z = memref.subview %f[0, 0, 0, 0] [4, 1, 1, 13] [1, 1, 1, 1] : memref<4x1x1x16xf32> to memref<4x1x1x13xf32, strided<[16, 16, 16, 1]>>
      linalg.generic {indexing_maps = [affine_map<${dims} -> (d0, d2, d3)>, affine_map<${dims} -> (d3, d4, d5, d1)>,
        affine_map<${dims} -> (d0, d2, d1)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%x, %z : memref<1x2x4xf32>, memref<4x1x1x13xf32, strided<[16, 16, 16, 1]>>) outs(%y : memref<1x2x13xf32>)
        attrs = {sconv.kernel = {lanes = "filters"}} {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %0 = arith.mulf %a, %b : f32
          %1 = arith.addf %c, %0 : f32
          linalg.yield %1 : f32
      }
        linalg.copy ins(%y : memref<1x2x13xf32>) outs(%o : memref<1x2x13xf32>)
      return
    }`);
    const after = lowered(module);
    const widths = printModule(after, { registry }).match(/vector\.fma .*vector<(\d+)xf32>/g) ?? [];
    expect(widths.length).toBeGreaterThan(0);
    for (const line of widths) expect(line).not.toContain('vector<13xf32>');
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it('reads the elements of each unrolled step anew', () => {
    const after = lowered(parse(tile('f32', 'lanes = "columns", unroll = {tapRows = 3, tapColumns = 3}')));
    const fences = printModule(after, { registry }).match(/llvm\.fence syncscope\("singlethread"\) acquire/g);
    // Two register tiles: before each of nine steps but the first.
    expect(fences).toHaveLength(16);
  });

  it.each([
    ['windows beside one another, whose taps overlap', '1x1x4x8', 1],
    ['a single window', '1x1x1x8', 0],
  ])('reads the elements of %s anew in each step', (_, output, fences) => {
    const dims = '(d0, d1, d2, d3, d4, d5, d6)';
    const module =
      parse(`func.func @f(%x: memref<1x3x3x9xf32>, %f: memref<3x3x3x8xf32>, %o: memref<${output}xf32>) {
      %y = memref.alloc() : memref<${output}xf32>
      linalg.copy ins(%o : memref<${output}xf32>) outs(%y : memref<${output}xf32>)
      linalg.generic {indexing_maps = [affine_map<${dims} -> (d0, d4, d1 + d5, d2 * 2 + d6)>, affine_map<${dims} -> (d4, d5, d6, d3)>,
        affine_map<${dims} -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%x, %f : memref<1x3x3x9xf32>, memref<3x3x3x8xf32>) outs(%y : memref<${output}xf32>) attrs = {sconv.kernel = {lanes = "d3"}} {
        ^bb0(%a: f32, %b: f32, %c: f32):
          %0 = arith.mulf %a, %b : f32
          %1 = arith.addf %c, %0 : f32
          linalg.yield %1 : f32
      }
      linalg.copy ins(%y : memref<${output}xf32>) outs(%o : memref<${output}xf32>)
      return
    }`);
    const after = lowered(module);
    expect([...names(after)].filter((name) => name === 'llvm.fence')).toHaveLength(fences);
    expect(firstDifference(module, after)).toBeUndefined();
  });

  it.each([
    ['of i16', 'i16', 'lanes = "columns"', 'its elements are not numbers of 32 or 64 bits'],
    [
      'with lanes along rows of one column',
      'f32',
      'lanes = "rows"',
      'its lanes are not along the innermost dimensions',
      1,
    ],
  ])('%s stays', (_, element, decisions, why, columns = 11) => {
    const text = tile(element, decisions, '', columns).replaceAll(
      columns === 1 ? '4x13' : ' ',
      columns === 1 ? '4x1' : ' ',
    );
    const module = parse(columns === 1 ? text.replaceAll('3x4x3x3', '3x4x3x1') : text);
    const { results } = edit(module, { registry }, (rewriter) =>
      formKernels(rewriter, rewriter.root, { unit: { refusesContract: refusedContract } }),
    );
    expect(results.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
    edit(module, { registry }, (rewriter) => {
      formKernels(rewriter, rewriter.root);
      const kernel = rewriter.walk(rewriter.root).find(({ name }) => name === 'kernel.contract')!;
      const [diagnostic] = vectorizeContractOp(rewriter, kernel, unit).diagnostics;
      expect(diagnostic).toMatchObject({
        code: 'lowering/no-contract',
        message: expect.stringContaining(why) as string,
      });
    });
  });

  it('is no other op', () => {
    edit(parse(tile('f32', 'lanes = "columns"')), { registry }, (rewriter) => {
      const generic = rewriter.walk(rewriter.root).find(({ name }) => name === 'linalg.generic')!;
      expect(vectorizeContractOp(rewriter, generic, unit).diagnostics[0]!.message).toContain(
        "'linalg.generic' is another op",
      );
    });
  });
});
