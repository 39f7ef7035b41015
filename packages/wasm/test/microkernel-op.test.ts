import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { emitModule } from '../src/index.ts';
import { buffersAfter } from './differential.ts';
import { moduleOf, registry } from './emit.ts';

const [windowsMap, filtersMap, outputMap] = [
  'affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>',
  'affine_map<(d0, d1, d2, d3) -> (d3, d1)>',
  'affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>',
];

interface Parts {
  readonly windows: string;
  readonly filters: string;
  readonly output: string;
  /** Names of the three, and what comes before. */
  readonly operands: readonly [string, string, string];
  readonly before: string;
  readonly parameters: readonly string[];
  readonly maps: readonly string[];
  readonly element: string;
  readonly body: string;
}

/** A microkernel of 6 steps for 4 windows and 3 filters, with parts of it changed. */
const kernel = (changes: Partial<Parts> = {}): string => {
  const element = changes.element ?? 'f32';
  const parts: Parts = {
    windows: `memref<2x6x4x${element}>`,
    filters: `memref<6x3x${element}>`,
    output: `memref<2x3x4x${element}>`,
    operands: ['%a', '%b', '%c'],
    before: '',
    parameters: [],
    maps: [windowsMap, filtersMap, outputMap],
    element,
    body: '%p = arith.mulf %x, %y : E\n%s = arith.addf %z, %p : E',
    ...changes,
  };
  const types = [parts.windows, parts.filters, parts.output];
  const parameters =
    parts.parameters.length > 0 ? parts.parameters : types.map((type, i) => `${parts.operands[i]!}: ${type}`);
  const [a, b, c] = parts.operands;
  return `func.func @f(${parameters.join(', ')}) {
    %c0 = arith.constant 0 : index
    ${parts.before}
    linalg.generic {indexing_maps = [${parts.maps.join(', ')}],
        iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(${a}, ${b} : ${parts.windows}, ${parts.filters}) outs(${c} : ${parts.output}) attrs = {microkernel} {
      ^bb0(%x: ${element}, %y: ${element}, %z: ${element}):
        ${parts.body.replaceAll('E', element)}
        linalg.yield %s : ${element}
    }
    return
  }`;
};

const view = (from: string, source: string, offsets: string, sizes: string, type: string): string =>
  `%v = memref.subview ${source}[${offsets}] [${sizes}] [${sizes.replace(/[^,]+/g, '1')}] : ${from} to ${type}`;

const wide = 'memref<2x6x4xf32, strided<[42, 7, 1], offset: 2>>';
const narrow = 'memref<2x6x4xf32, strided<[18, 3, 1]>>';
const single = 'memref<2x6x1xf32, strided<[24, 4, 1], offset: 2>>';
const open = 'memref<2x6x?xf32, strided<[24, 4, 1]>>';

describe('a microkernel', () => {
  it.each<[string, Partial<Parts>]>([
    ['of packed panels', {}],
    ['of f64', { element: 'f64' }],
    [
      'whose product is added from the left',
      { body: '%p = arith.mulf %x, %y : E\n%s = arith.addf %p, %z : E' },
    ],
    [
      'of panels that are wider than the tile',
      {
        windows: wide,
        operands: ['%v', '%b', '%c'],
        parameters: ['%w: memref<2x6x7xf32>', '%b: memref<6x3xf32>', '%c: memref<2x3x4xf32>'],
        before: view('memref<2x6x7xf32>', '%w', '0, 0, 2', '2, 6, 4', wide),
      },
    ],
    [
      'of one window',
      {
        windows: single,
        output: 'memref<2x3x1xf32>',
        operands: ['%v', '%b', '%c'],
        parameters: ['%w: memref<2x6x4xf32>', '%b: memref<6x3xf32>', '%c: memref<2x3x1xf32>'],
        before: view('memref<2x6x4xf32>', '%w', '0, 0, 2', '2, 6, 1', single),
      },
    ],
  ])('%s is emitted as one, and computes the same', (_, changes) => {
    const text = kernel(changes);
    expect(emitModule(moduleOf(text), { registry }).diagnostics).toEqual([]);
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  });

  const filled = 'linalg.fill ins(%x0 : f32) outs(%c : memref<2x3x4xf32>)';
  const number = '%x0 = arith.constant 0.1 : f32\n';
  const condition = '%t = arith.cmpi eq, %n, %c0 : index\n';
  it.each<[string, Partial<Parts>]>([
    ['a fill', { before: `${number}${filled}` }],
    ['a fill that may be', { before: `${number}${condition.replace('%n', '%c0')}scf.if %t {\n${filled}\n}` }],
    [
      'a fill that may not be',
      {
        before: `%c1 = arith.constant 1 : index\n${number}${condition.replace('%n', '%c1')}scf.if %t {\n${filled}\n}`,
      },
    ],
    [
      'a fill of another buffer',
      {
        parameters: [
          '%a: memref<2x6x4xf32>',
          '%b: memref<6x3xf32>',
          '%c: memref<2x3x4xf32>',
          '%d: memref<2x3x4xf32>',
        ],
        before: `${number}${filled.replace('%c', '%d')}`,
      },
    ],
    [
      'a fill and more',
      {
        before: `${number}${condition.replace('%n', '%c0')}scf.if %t {\n${filled}\nmemref.store %x0, %a[%c0, %c0, %c0] : memref<2x6x4xf32>\n}`,
      },
    ],
    [
      'a fill of no steps',
      { before: `${number}${filled}`, windows: 'memref<2x0x4xf32>', filters: 'memref<0x3xf32>' },
    ],
    [
      'a fill of what is no microkernel',
      { before: `${number}${filled}`, body: '%p = arith.addf %x, %y : E\n%s = arith.addf %z, %p : E' },
    ],
    [
      'a fill, of two passes',
      {
        before: `${number}${filled.replace('3x4', '7x12')}`,
        windows: 'memref<2x6x12xf32>',
        filters: 'memref<6x7xf32>',
        output: 'memref<2x7x12xf32>',
      },
    ],
  ])('computes the same behind %s', (_, changes) => {
    const { onWasm, interpreted } = buffersAfter(kernel(changes));
    expect(onWasm).toEqual(interpreted);
  });

  it('does not write the output before it has the sums', () => {
    const bytesOf = (before: string): number =>
      unwrap(emitModule(moduleOf(kernel({ before })), { registry })).bytes.length;
    const separate = bytesOf(`${number}${filled}\nmemref.store %x0, %a[%c0, %c0, %c0] : memref<2x6x4xf32>`);
    const store = bytesOf(
      '%x0 = arith.constant 0.1 : f32\nmemref.store %x0, %a[%c0, %c0, %c0] : memref<2x6x4xf32>',
    );
    expect(bytesOf(`${number}${filled}`)).toBeLessThan(store);
    expect(separate).toBeGreaterThan(store);
  });

  const otherMaps =
    'its indexing maps are not those of packed panels, (n, f, w, k) -> (n, k, w), (k, f), (n, f, w): pack it first, ' +
    'as transform.structured.sconv does; a matrix product is a 1x1 convolution';
  it.each<[string, Partial<Parts>]>([
    [otherMaps, { maps: [windowsMap, 'affine_map<(d0, d1, d2, d3) -> (d1, d3)>', outputMap], filters: 'memref<3x6xf32>' }],
    [otherMaps, { maps: [windowsMap, filtersMap, 'affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>'], output: 'memref<2x4x3xf32>' }],
    ['its body is not a multiplication and an addition', { body: '%p = arith.addf %x, %y : E\n%s = arith.addf %z, %p : E' }],
    ['its body is not a multiplication and an addition', { body: '%p = arith.mulf %x, %z : E\n%s = arith.addf %y, %p : E' }],
    ['its elements are not all f32, all f64, or all i32', { element: 'i64', body: '%p = arith.muli %x, %y : E\n%s = arith.addi %z, %p : E' }],
    ['its output may share memory with a panel', { windows: 'memref<2x3x4xf32>', filters: 'memref<3x3xf32>', operands: ['%c', '%b', '%c'], parameters: ['%b: memref<3x3xf32>', '%c: memref<2x3x4xf32>'] }],
    ['its output may share memory with a panel', { windows: 'memref<1x3x3xf32>', filters: 'memref<3x3xf32>', output: 'memref<1x3x3xf32>', operands: ['%a', '%v', '%c'], parameters: ['%a: memref<1x3x3xf32>', '%c: memref<1x3x3xf32>'], before: '%v = memref.collapse_shape %c [[0, 1], [2]] : memref<1x3x3xf32> into memref<3x3xf32>' }],
    ['its tile has no static size', { windows: open, output: 'memref<2x3x?xf32, strided<[12, 4, 1]>>', operands: ['%v', '%b', '%w'], parameters: ['%a: memref<2x6x4xf32>', '%n: memref<1xindex>', '%b: memref<6x3xf32>', '%c: memref<2x3x4xf32>'], before: `%k = memref.load %n[%c0] : memref<1xindex>
      ${view('memref<2x6x4xf32>', '%a', '0, 0, 0', '2, 6, %k', open)}
      ${view('memref<2x3x4xf32>', '%c', '0, 0, 0', '2, 3, %k', 'memref<2x3x?xf32, strided<[12, 4, 1]>>').replace('%v', '%w')}` }],
    ['its panels have no static width', { windows: narrow, operands: ['%v', '%b', '%c'], parameters: ['%a: memref<40xf32>', '%b: memref<6x3xf32>', '%c: memref<2x3x4xf32>'], before: `%v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 6, 4], strides: [18, 3, 1] : memref<40xf32> to ${narrow}` }],
    ['its innermost elements are not contiguous', { windows: 'memref<2x6x4xf32, strided<[24, 1, 6]>>', operands: ['%v', '%b', '%c'], parameters: ['%a: memref<48xf32>', '%b: memref<6x3xf32>', '%c: memref<2x3x4xf32>'], before: '%v = memref.reinterpret_cast %a to offset: [0], sizes: [2, 6, 4], strides: [24, 1, 6] : memref<48xf32> to memref<2x6x4xf32, strided<[24, 1, 6]>>' }],
    ['its innermost elements are not contiguous', { filters: 'memref<6x3xf32, strided<[1, 6]>>', operands: ['%a', '%v', '%c'], parameters: ['%a: memref<2x6x4xf32>', '%b: memref<18xf32>', '%c: memref<2x3x4xf32>'], before: '%v = memref.reinterpret_cast %b to offset: [0], sizes: [6, 3], strides: [1, 6] : memref<18xf32> to memref<6x3xf32, strided<[1, 6]>>' }],
    ['its innermost elements are not contiguous', { output: 'memref<2x3x4xf32, strided<[12, 1, 3]>>', operands: ['%a', '%b', '%v'], parameters: ['%a: memref<2x6x4xf32>', '%b: memref<6x3xf32>', '%c: memref<24xf32>'], before: '%v = memref.reinterpret_cast %c to offset: [0], sizes: [2, 3, 4], strides: [12, 1, 3] : memref<24xf32> to memref<2x3x4xf32, strided<[12, 1, 3]>>' }],
  ])('is scalar loops where %s, and computes the same', (reason, changes) => {
    const text = kernel(changes);
    const result = emitModule(moduleOf(text), { registry });
    unwrap(result);
    expect(result.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['kernels/no-microkernel', `this microkernel is compiled as any other sum of products, which is slower: ${reason}`],
    ]);
    const unmarked = emitModule(moduleOf(text.replace('attrs = {microkernel}', '')), { registry });
    expect(unmarked.diagnostics).toEqual([]);
    const { onWasm, interpreted } = buffersAfter(text);
    expect(onWasm).toEqual(interpreted);
  }); // prettier-ignore
});
