import { describe, expect, it } from 'vitest';
import { buffersAfter } from './differential.ts';

interface Gather {
  /** The source, its type, and where in it an element of the output is, over d0, d1, d2. */
  readonly type: string;
  readonly indices: string;
  readonly output?: string;
  readonly map?: string;
  readonly before?: string;
  readonly source?: string;
  readonly parameters?: string;
  readonly element?: string;
  /** Instead of the load. */
  readonly body?: string;
}

/** A function that fills %o from %s, in panels if the output is one. */
const gather = (spec: Gather): string => {
  const {
    type,
    indices,
    source = '%s',
    element = 'f32',
    before = '',
    map = '(d0, d1, d2) -> (d0, d1, d2)',
  } = spec;
  const output = spec.output ?? `memref<3x2x4x${element}>`;
  const rank = indices.split('|').length;
  const applied = indices
    .split('|')
    .map((index, i) => `%at${i} = affine.apply affine_map<(d0, d1, d2) -> (${index.trim()})>(%i, %j, %k)`);
  const at = Array.from({ length: rank }, (_, i) => `%at${i}`).join(', ');
  const body = spec.body ?? `%v = memref.load ${source}[${at}] : ${type}`;
  return `func.func @f(${spec.parameters ?? `%s: ${type}, %o: ${output}`}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9.0 : f32
    ${before}
    linalg.generic {indexing_maps = [affine_map<${map}>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%o : ${output}) {
      ^bb0(%old: ${element}):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = linalg.index 2 : index
        ${applied.join('\n')}
        ${body.replaceAll('AT', at).replaceAll('TYPE', type)}
        linalg.yield %v : ${element}
    }
    return
  }`;
};

const line = 'memref<64xf32>';
const plane = 'memref<6x7xf32>';

describe('what is gathered is the same as interpreted', () => {
  it.each<[string, Gather]>([
    ['side by side', { type: line, indices: 'd0 * 8 + d1 * 4 + d2' }],
    ['apart', { type: line, indices: 'd0 * 2 + d1 + d2 * 9' }],
    ['from the end', { type: line, indices: 'd0 * 8 + d1 * 4 - d2 + 3' }],
    ['rows from the end', { type: line, indices: 'd0 * 8 - d1 * 4 + d2 + 4' }],
    ['panels from the end', { type: line, indices: 'd0 * -8 + d1 * 4 + d2 + 16' }],
    ['the same for all lanes', { type: line, indices: 'd0 * 8 + d1' }],
    ['the same for all', { type: line, indices: '7' }],
    ['twice as far by two terms', { type: line, indices: 'd0 * 2 + d2 + d1 * 20 + d2 * 3' }],
    ['windows that break rows', { type: plane, indices: '(d0 * 4 + d2) floordiv 5 + d1 | (d0 * 4 + d2) mod 5 + d1' }],
    ['windows that never break rows', { type: plane, indices: '(d0 * 4 + d2) floordiv 4 + d1 | (d0 * 4 + d2) mod 4 + d1' }],
    ['windows of rows without gaps', { type: 'memref<6x4xf32>', indices: '(d0 * 4 + d2 + 1) floordiv 4 + d1 | (d0 * 4 + d2 + 1) mod 4' }],
    ['windows that always break rows', { type: plane, indices: '(d0 * 4 + d2) floordiv 3 + d1 | (d0 * 4 + d2) mod 3 + d1' }],
    ['windows with a stride', { type: plane, indices: '((d0 * 4 + d2) floordiv 3) * 1 + d1 | ((d0 * 4 + d2) mod 3) * 2 + d1' }],
    ['every second window', { type: line, indices: '(d2 * 2 + d0) mod 5 + d1' }],
    ['windows by another variable', { type: line, indices: '(d2 + d1 * 3 + d0) mod 7' }],
    ['windows of the rows', { type: line, indices: '(d1 + d0) floordiv 2 + d2' }],
    ['a division that rounds up', { type: line, indices: '(d2 + d0) ceildiv 2 + d1' }],
    ['a division of a division', { type: line, indices: '((d2 + d0 * 4) floordiv 3) mod 2 + d1 + (d2 mod 3) * 4' }],
    ['lanes that go back in their row', { type: line, indices: '(d0 * 4 + d2) mod 5 - d2 + d1 + 4' }],
    ['a single lane', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', output: 'memref<3x2x1xf32>' }],
    ['a single row', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', output: 'memref<3x1x4xf32>' }],
    ['no rows', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', output: 'memref<3x0x4xf32>' }],
    ['64 lanes', { type: 'memref<400xf32>', indices: 'd0 * 128 + d1 * 64 + d2', output: 'memref<3x2x64xf32>' }],
    ['65 lanes', { type: 'memref<400xf32>', indices: 'd0 * 130 + d1 * 65 + d2', output: 'memref<3x2x65xf32>' }],
    ['wide elements', { type: 'memref<64xf64>', indices: 'd0 * 8 + d1 * 4 + d2', element: 'f64' }],
    ['integers', { type: 'memref<64xi32>', indices: 'd0 * 8 + d1 * 4 + d2', element: 'i32', before: '' }],
    ['to another order', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', map: '(d0, d1, d2) -> (d0, d2, d1)', output: 'memref<3x4x2xf32>' }],
    ['to a view', {
      type: line,
      indices: 'd0 * 8 + d1 * 4 + d2',
      output: 'memref<3x2x4xf32, strided<[10, 5, 1], offset: 1>>',
      parameters: `%s: ${line}, %w: memref<3x2x5xf32>`,
      before: '%o = memref.subview %w[0, 0, 1] [3, 2, 4] [1, 1, 1] : memref<3x2x5xf32> to memref<3x2x4xf32, strided<[10, 5, 1], offset: 1>>',
    }],
    ['from a view', {
      type: 'memref<5x5xf32, strided<[14, 1], offset: 1>>',
      source: '%v0',
      indices: 'd0 + d1 | d2',
      parameters: '%s: memref<10x7xf32>, %o: memref<3x2x4xf32>',
      before: '%v0 = memref.subview %s[0, 1] [5, 5] [2, 1] : memref<10x7xf32> to memref<5x5xf32, strided<[14, 1], offset: 1>>',
    }],
    ['from its own memory', {
      type: 'memref<3x2x4xf32>',
      source: '%o',
      indices: 'd0 | d1 | 3 - d2',
      parameters: '%o: memref<3x2x4xf32>',
    }],
    ['where a loop stands', {
      type: line,
      indices: 'd0 * 8 + d1 * 4 + d2',
      body: '%y = affine.apply affine_map<(d0)[s0] -> (d0 + s0 * 5)>(%at0)[%c1]\n%v = memref.load %s[%y] : TYPE',
    }],
    ['the second of two loads', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', body: '%u = memref.load %s[%c1] : TYPE\n%v = memref.load %s[AT] : TYPE' }],
    ['the first of two loads', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', body: '%v = memref.load %s[AT] : TYPE\n%u = memref.load %s[%c1] : TYPE' }],
    ['what comes of the element', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', body: '%u = memref.load %s[AT] : TYPE\n%v = arith.negf %u : f32' }],
    ['what is already there', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', body: '%u = memref.load %s[AT] : TYPE\n%v = arith.addf %u, %old : f32' }],
    ['with a store beside it', { type: line, indices: 'd0 * 8 + d1 * 4 + d2', body: '%v = memref.load %s[AT] : TYPE\nmemref.store %c9, %s[%c0] : TYPE' }],
    ['at an index that is loaded', {
      type: line,
      indices: 'd0 * 8 + d1 * 4 + d2',
      parameters: `%s: ${line}, %o: memref<3x2x4xf32>, %n: memref<1xindex>`,
      before: '%off = memref.load %n[%c0] : memref<1xindex>',
      body: '%y = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%at0, %off)\n%v = memref.load %s[%y] : TYPE',
    }],
  ])('%s', (_, spec) => {
    const { onWasm, interpreted } = buffersAfter(gather(spec));
    expect(onWasm).toEqual(interpreted);
  }); // prettier-ignore
});
