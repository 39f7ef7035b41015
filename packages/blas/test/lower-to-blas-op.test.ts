import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, edit, parseModule, walk } from '@sconv/ir';
import { replacementsOf, scriptTester } from '@sconv/transform/testing';
import { kernelCallSizes, lowerToBlasOp } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';
import type { MicrokernelText } from './payloads.ts';
import { lowered, microkernel, onePanel } from './payloads.ts';

const apply = scriptTester(transforms);

/** The lines of a result that contain one of these words. */
const excerpt = (text: string, ...words: readonly string[]): readonly string[] =>
  text.split('\n').flatMap((line) => (words.some((word) => line.includes(word)) ? [line.trim()] : []));

describe('a call', () => {
  it('has sizes, pointers to the first elements, and the distance of two filters', () => {
    const { text, diagnostics } = apply(microkernel(), lowered());
    expect(diagnostics).toBe('');
    expect(text).toMatchInlineSnapshot(`
      "module {
        func.func private @sgemm_kernel_HASWELL(i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
        func.func @tile(%arg0: memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>>) {
          %alloc = memref.alloc() : memref<1x2x72x8xf32>
          %alloc_0 = memref.alloc() : memref<2x72x4xf32>
          %c16_i64 = arith.constant 16 : i64
          %c8_i64 = arith.constant 8 : i64
          %c72_i64 = arith.constant 72 : i64
          %cst = arith.constant 1.000000e+00 : f32
          %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg0 : memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>> -> memref<f32>, index, index, index, index, index, index, index
          %intptr = memref.extract_aligned_pointer_as_index %alloc : memref<1x2x72x8xf32> -> index
          %0 = arith.index_cast %intptr : index to i64
          %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
          %intptr_1 = memref.extract_aligned_pointer_as_index %alloc_0 : memref<2x72x4xf32> -> index
          %2 = arith.index_cast %intptr_1 : index to i64
          %3 = llvm.inttoptr %2 : i64 to !llvm.ptr
          %intptr_2 = memref.extract_aligned_pointer_as_index %arg0 : memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>> -> index
          %4 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 4)>()[%intptr_2, %offset]
          %5 = arith.index_cast %4 : index to i64
          %6 = llvm.inttoptr %5 : i64 to !llvm.ptr
          %c5625_i64 = arith.constant 5625 : i64
          %7 = call @sgemm_kernel_HASWELL(%c16_i64, %c8_i64, %c72_i64, %cst, %1, %3, %6, %c5625_i64) : (i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
          return
        }
      }
      "
    `);
  });

  it('asks for no distance of images where there is one', () => {
    const { text, diagnostics } = apply(
      microkernel({ output: 'memref<1x8x16xf32, strided<[?, 5625, 1], offset: 7>>' }),
      lowered(),
    );
    expect(diagnostics).toBe('');
    expect(text).not.toContain('extract_strided_metadata');
  });

  it.each<readonly [string, MicrokernelText, string, readonly string[]]>([
    [
      'of doubles',
      {
        windows: 'memref<1x72x4xf64>',
        filters: 'memref<72x8xf64>',
        output: 'memref<1x8x4xf64, strided<[?, 32, 1], offset: 7>>',
        maps: onePanel,
        element: 'f64',
      },
      'dgemm_kernel_HASWELL',
      [
        'func.func private @dgemm_kernel_HASWELL(i64, i64, i64, f64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32',
        '% = arith.constant 1.000000e+00 : f64',
        '% = affine.apply affine_map<()[s0] -> (s0 + 56)>()[%]',
      ],
    ],
    [
      'with a distance that is not known before',
      { output: 'memref<1x8x16xf32, strided<[?, ?, 1], offset: ?>>' },
      'sgemm_kernel_ZEN',
      ['% = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 4)>()[%, %]'],
    ],
    [
      'of fewer windows and filters than a panel has',
      {
        windows: 'memref<1x72x4xf32>',
        filters: 'memref<72x2xf32>',
        output: 'memref<1x2x4xf32>',
        maps: onePanel,
      },
      'sgemm_kernel_SKYLAKEX',
      [],
    ],
    [
      'of windows a row apart in the output, one for each filter',
      {
        windows: 'memref<1x72x1xf32>',
        filters: 'memref<72x4xf32>',
        output: 'memref<1x4x1xf32, strided<[64, 2, 16]>>',
        maps: onePanel,
      },
      'sgemm_kernel_SKYLAKEX',
      [],
    ],
    [
      'of one filter, whose windows reach beyond where the next would begin',
      {
        windows: 'memref<1x72x4xf32>',
        filters: 'memref<72x1xf32>',
        output: 'memref<1x1x4xf32, strided<[64, 2, 1]>>',
        maps: onePanel,
      },
      'sgemm_kernel_SKYLAKEX',
      [],
    ],
  ])('%s', (_, tile, symbol, lines) => {
    const { text, diagnostics } = apply(microkernel(tile), lowered(symbol));
    expect(diagnostics).toBe('');
    expect(text).toContain(`call @${symbol}(`);
    const anonymous = text.replaceAll(/%[\w#]+/g, '%');
    for (const line of lines) expect(anonymous).toContain(line);
  });

  it('is made for each image of a tile', () => {
    const tile = {
      windows: 'memref<3x2x72x8xf32>',
      output: 'memref<3x8x16xf32, strided<[?, 5625, 1], offset: ?>>',
    };
    const { text, diagnostics } = apply(microkernel(tile), lowered());
    expect(diagnostics).toBe('');
    expect(excerpt(text, 'scf.for', 'affine.apply', 'constant 3')).toMatchInlineSnapshot(`
      [
        "%c3 = arith.constant 3 : index",
        "scf.for %arg1 = %c0 to %c3 step %c1 {",
        "%0 = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 4608)>()[%intptr, %arg1]",
        "%5 = affine.apply affine_map<()[s0, s1, s2, s3] -> (s0 + s1 * 4 + (s2 * s3) * 4)>()[%intptr_2, %offset, %arg1, %strides#0]",
      ]
    `);
  });

  it('finds the function that another has declared', () => {
    const twice = `${microkernel()}${microkernel().replace('@tile', '@other')}`;
    const { text, diagnostics } = apply(twice, lowered());
    expect(diagnostics).toBe('');
    expect(text.match(/func\.func private/g)).toHaveLength(1);
    expect(text.match(/call @sgemm_kernel_HASWELL/g)).toHaveLength(2);
  });

  it('stands for the microkernel', () => {
    const made = replacementsOf(microkernel(), 'linalg.generic', (rewriter, operation) =>
      lowerToBlasOp(rewriter, operation, { symbol: 'sgemm_kernel_HASWELL' }),
    );
    expect(made.map(({ name }) => name)).toEqual(['func.call']);
  });
});

describe('the sizes of a call', () => {
  const types = ['i64', 'i64', 'i64', 'f32', '!llvm.ptr', '!llvm.ptr', '!llvm.ptr', 'i64'];

  it.each([
    ['of a kernel are its windows, filters and steps', types, 'i32', [0, 1, 2]],
    ['of a kernel for doubles as well', types.with(3, 'f64'), 'i32', [0, 1, 2]],
    ['are not those of halves', types.with(3, 'f16'), 'i32', undefined],
    ['are not those of another result', types, 'i64', undefined],
    ['are not those of fewer operands', types.slice(1), 'i32', undefined],
  ])('%s', (_, operands, result, expected) => {
    const parameters = operands.map((type, index) => `%${index}: ${type}`);
    const names = operands.map((__, index) => `%${index}`);
    const module = unwrap(
      parseModule(
        `func.func private @kernel(${operands.join(', ')}) -> ${result}
        func.func @f(${parameters.join(', ')}) {
          %r = func.call @kernel(${names.join(', ')}) : (${operands.join(', ')}) -> ${result}
          %cast = builtin.unrealized_conversion_cast ${names.join(', ')} : ${operands.join(', ')} to ${result}
          return
        }`,
        { registry: createRegistry(payloadDialects) },
      ),
    );
    const found = [...walk(module.root)].map((operation) => {
      const sizes = kernelCallSizes(operation);
      return [operation.name, sizes?.map((size) => operation.operands.indexOf(size))];
    });
    expect(found.filter(([name]) => name === 'func.call')).toEqual([['func.call', expected]]);
    expect(found.filter(([name, sizes]) => name !== 'func.call' && sizes !== undefined)).toEqual([]);
  });
});

describe('panels', () => {
  const packed = (
    windows: number,
    filters: number,
    widths: { windows?: number; filters?: number },
  ): string => {
    const [inner, outer] = [widths.windows ?? windows, widths.filters ?? filters];
    return microkernel({
      windows: `memref<1x${widths.windows === undefined ? '' : `${windows / inner}x`}72x${inner}xf32>`,
      filters: `memref<${widths.filters === undefined ? '' : `${filters / outer}x`}72x${outer}xf32>`,
      output: `memref<1x${filters}x${windows}xf32>`,
      maps: [
        widths.windows === undefined
          ? onePanel[0]
          : `(n, f, w, k) -> (n, w floordiv ${inner}, k, w mod ${inner})`,
        widths.filters === undefined
          ? onePanel[1]
          : `(n, f, w, k) -> (f floordiv ${outer}, k, f mod ${outer})`,
      ],
    });
  };

  it.each([
    ['HASWELL', packed(8, 4, {})],
    ['HASWELL', packed(24, 12, { windows: 8, filters: 4 })],
    ['SKYLAKEX', packed(16, 8, { filters: 4 })],
    ['POWER10', packed(16, 8, {})],
    ['SKYLAKEX', packed(8, 1, {})],
  ])('fit %s', (core, payload) => {
    const { text, diagnostics } = apply(payload, lowered(`sgemm_kernel_${core}`));
    expect(diagnostics).toBe('');
    expect(text).toContain(`call @sgemm_kernel_${core}(`);
  });

  it.each([
    ['HASWELL', packed(16, 4, {}), 'windows in panels of 8, and the tile has its 16 in one of 16'],
    ['SKYLAKEX', packed(16, 8, {}), 'filters in panels of 4, and the tile has its 8 in one of 8'],
    [
      'POWER10',
      packed(16, 8, { windows: 8, filters: 4 }),
      'windows in panels of 16, and the tile has its 16 in panels of 8; filters in panels of 8, and the tile has its 8 in panels of 4',
    ],
    ['SKYLAKEX', packed(24, 4, {}), 'windows in panels of 16, then 8, and the tile has its 24 in one of 24'],
    [
      'SKYLAKEX',
      packed(24, 4, { windows: 8 }),
      'windows in panels of 16, then 8, and the tile has its 24 in panels of 8',
    ],
    ['HASWELL', packed(8, 3, {}), 'filters in panels of 2, then 1, and the tile has its 3 in one of 3'],
  ])('do not fit %s', (core, payload, message) => {
    const { diagnostics } = apply(payload, lowered(`sgemm_kernel_${core}`));
    expect(diagnostics).toContain(`'sgemm_kernel_${core}' takes ${message} [lower-to-blas/panels]`);
  });

  it('are said for other functions', () => {
    const script = lowered('sgemm_blas_kernel', ' {panels = [16, 8]}');
    expect(apply(packed(16, 8, {}), script)).toMatchObject({ status: 'success', diagnostics: '' });
    expect(apply(packed(16, 8, { filters: 4 }), script).diagnostics).toContain(
      "'sgemm_blas_kernel' takes filters in panels of 8, and the tile has its 8 in panels of 4 [lower-to-blas/panels]",
    );
  });

  it('are those of the tile, with a warning, where nobody says', () => {
    const { status, diagnostics } = apply(packed(16, 8, { filters: 4 }), lowered('sgemm_blas_kernel'));
    expect(status).toBe('success');
    expect(diagnostics).toContain(
      "warning: the panels of 'sgemm_blas_kernel' are not known: it is called with windows in panels of 16 and filters in panels of 4; say what it takes with 'panels' [lower-to-blas/unknown-panels]",
    );
  });
});

describe('refused', () => {
  const declared = (text: string): MicrokernelText => ({ declarations: `${text}\n` });

  it.each<readonly [string, MicrokernelText, string]>([
    [
      'other maps',
      {
        maps: ['(n, f, w, k) -> (n, w floordiv 8, k, w mod 8)', '(n, f, w, k) -> (f floordiv 4, f mod 4, k)'],
        filters: 'memref<2x4x72xf32>',
      },
      'expected a microkernel: its indexing maps are not those of packed panels, ',
    ],
    [
      'panels whose numbers and lanes do not fit',
      {
        maps: ['(n, f, w, k) -> (n, w floordiv 4, k, w mod 8)', '(n, f, w, k) -> (f floordiv 4, k, f mod 4)'],
        windows: 'memref<1x4x72x8xf32>',
      },
      'its indexing maps are not those of packed panels, (n, f, w, k) -> (n, k, w), (k, f), (n, f, w): pack it first, as transform.structured.sconv does; a matrix product is a 1x1 convolution [lower-to-blas/no-microkernel]',
    ],
    [
      'another body',
      { body: '%p = arith.mulf %x, %y : f32\n%sum = arith.subf %z, %p : f32' },
      'its body is not a multiplication and an addition [lower-to-blas/no-microkernel]',
    ],
    [
      'sizes that are not known',
      {
        windows: 'memref<1x2x?x8xf32>',
        filters: 'memref<2x?x4xf32>',
        arguments:
          '%windows: memref<1x2x?x8xf32>, %filters: memref<2x?x4xf32>, %output: memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>>',
        before: '',
      },
      'its tile of 1 x 8 x 16 x ? has no static size [lower-to-blas/no-microkernel]',
    ],
    [
      'no steps',
      { windows: 'memref<1x2x0x8xf32>', filters: 'memref<2x0x4xf32>' },
      'its tile of 1 x 8 x 16 x 0 has no static size [lower-to-blas/no-microkernel]',
    ],
    [
      'another memory',
      { output: 'memref<1x8x16xf32, 3>' },
      'an operand is not in the default memory [lower-to-blas/no-microkernel]',
    ],
    [
      'halves',
      {
        windows: 'memref<1x2x72x8xf16>',
        filters: 'memref<2x72x4xf16>',
        output: 'memref<1x8x16xf16>',
        element: 'f16',
      },
      'a BLAS library has kernels for f32 and f64, not for f16 [lower-to-blas/element-type]',
    ],
    [
      'doubles',
      {
        windows: 'memref<1x2x72x8xf64>',
        filters: 'memref<2x72x4xf64>',
        output: 'memref<1x8x16xf64>',
        element: 'f64',
      },
      "'sgemm_kernel_HASWELL' is a kernel for f32, and the tile has elements of f64 [lower-to-blas/element-type]",
    ],
    [
      'windows of a stride that is not known',
      { output: 'memref<1x8x16xf32, strided<[?, ?, ?], offset: ?>>' },
      "the kernel writes contiguous windows, but their stride is ? in 'memref<1x8x16xf32, strided<[?, ?, ?], offset: ?>>' [lower-to-blas/window-stride]",
    ],
    [
      'every other window',
      { output: 'memref<1x8x16xf32, strided<[256, 32, 2]>>' },
      'but their stride is 2 in',
    ],
    [
      'an output that is not strided',
      { output: 'memref<1x8x16xf32, affine_map<(a, b, c) -> (a, b, c floordiv 2, c mod 2)>>' },
      'but their stride is ? in',
    ],
    [
      'filters that overlap',
      { output: 'memref<1x8x16xf32, strided<[128, 15, 1]>>' },
      "16 windows of a filter overlap the next filter, which starts 15 elements later in 'memref<1x8x16xf32, strided<[128, 15, 1]>>' [lower-to-blas/filter-stride]",
    ],
    [
      'filters backwards',
      { output: 'memref<1x8x16xf32, strided<[128, -16, 1], offset: 112>>' },
      'which starts -16 elements later',
    ],
    [
      'panels with gaps',
      { windows: 'memref<1x2x72x8xf32, strided<[1280, 640, 8, 1]>>' },
      "the kernel takes contiguous panels, which 'memref<1x2x72x8xf32, strided<[1280, 640, 8, 1]>>' does not guarantee [lower-to-blas/panel-layout]",
    ],
    [
      'rows of filters with gaps',
      {
        filters: 'memref<2x72x4xf32, strided<[?, ?, 1]>>',
        before: '%windows = memref.alloc() : memref<1x2x72x8xf32>',
        arguments:
          '%filters: memref<2x72x4xf32, strided<[?, ?, 1]>>, %output: memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>>',
      },
      'does not guarantee [lower-to-blas/panel-layout]',
    ],
    [
      'memory that may be shared',
      {
        before: '',
        arguments:
          '%windows: memref<1x2x72x8xf32>, %filters: memref<2x72x4xf32>, %output: memref<1x8x16xf32, strided<[?, 5625, 1], offset: ?>>',
      },
      'the output may share memory with a panel; arguments are apart where they have the attribute llvm.noalias [lower-to-blas/shared-memory]',
    ],
    [
      'an address that no number holds',
      { output: 'memref<1x8x16xf32, strided<[128, 16, 1], offset: 9007199254740991>>' },
      '[lower-to-blas/arithmetic]',
    ],
    [
      'another function of this name',
      declared('func.func private @sgemm_kernel_HASWELL(f32) -> f32'),
      "'sgemm_kernel_HASWELL' is a (f32) -> f32 already, and the kernel a (i64, i64, i64, f32, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32 [lower-to-blas/symbol]",
    ],
    [
      'another symbol of this name',
      declared('memref.global "private" @sgemm_kernel_HASWELL : memref<4xf32>'),
      "'sgemm_kernel_HASWELL' is a memref.global already",
    ],
  ])('%s', (_, tile, message) => {
    const { diagnostics } = apply(microkernel(tile), lowered());
    expect(diagnostics).toContain(message);
  });

  it('a tile of tensors', () => {
    const tensors = microkernel()
      .replaceAll(/memref<([\dx]+f32)[^>]*>*/g, 'tensor<$1>')
      .replaceAll('memref.alloc', 'tensor.empty')
      .replace('linalg.generic', '%r = linalg.generic')
      .replace(/\}\n {2}return/, '} -> tensor<1x8x16xf32>\n  return');
    expect(apply(tensors, lowered()).diagnostics).toContain(
      'expected a microkernel: an operand is not a buffer [lower-to-blas/no-microkernel]',
    );
  });

  it('an op that is not structured', () => {
    const registry = createRegistry(payloadDialects);
    const module = unwrap(parseModule(microkernel(), { registry }));
    const { results } = edit(module, { registry }, (rewriter) =>
      lowerToBlasOp(rewriter, rewriter.walk(rewriter.root)[1]!, { symbol: 'sgemm_kernel_HASWELL' }),
    );
    expect(results.status).toBe('silenceable');
    expect(results.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['lower-to-blas/no-microkernel', "expected a microkernel: 'func.func' is not a structured op"],
    ]);
  });

  it.each([
    ['no name', lowered(''), 'expected the name of a function'],
    ['no width', lowered('k', ' {panels = [0, 4]}'), 'expected panels of at least one element'],
    ['one width', lowered('k', ' {panels = [4]}'), 'array of two integers [windows, filters]'],
  ])('a script with %s', (_, script, message) => {
    expect(apply(microkernel(), script).diagnostics).toContain(message);
  });
});
