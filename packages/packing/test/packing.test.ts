import { describe, expect, it } from 'vitest';
import { dim } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, edit, parseModule } from '@sconv/ir';
import { scriptTester } from '@sconv/transform/testing';
import { formMicrokernelOp, multipackOp, packFiltersOp, packOperand, packWindowsOp } from '../src/index.ts';
import { packWindowsExamples } from '../src/examples.ts';

const apply = scriptTester([packWindowsOp, packFiltersOp, formMicrokernelOp, multipackOp]);

/** In loops over windows, then filters: the order of the input stationary schedule. */
const tiled = packWindowsExamples[0]!.payload;

const any = '!transform.any_op';
const matchOps = (name: string) =>
  `%op = transform.structured.match ops{["${name}"]} in %root : (${any}) -> ${any}`;
const packWindows = `%windows, %t1 = transform.structured.pack_windows %op : (${any}) -> (${any}, ${any})`;
const packFilters = `%filters, %t2 = transform.structured.pack_filters %t1 : (${any}) -> (${any}, ${any})`;
const formMicrokernel = `%kernel = transform.structured.form_microkernel %t2 : (${any}) -> ${any}`;
const multipack = (packing: string) =>
  `%all = transform.structured.multipack ${packing} : (${any}) -> ${any}`;
const script = (...lines: readonly string[]) => [matchOps('linalg.generic'), ...lines].join('\n');

/** Lines of a text that contain one of the words, without the names of values. */
const excerpt = (text: string, ...words: readonly string[]) =>
  text
    .split('\n')
    .filter((line) => words.some((word) => line.includes(word)))
    .map((line) => line.trim().replaceAll(/%\w+/g, '%'));

describe('transform.structured.pack_windows', () => {
  const { text } = apply(tiled, script(packWindows));

  it('packs N x Nc x Fh x Fw x Nwin (Eq. 5) at absolute rows and columns (Eqs. 10-12 and 8)', () => {
    expect(excerpt(text, 'tensor.empty', 'affine.apply', 'tensor.extract ')).toEqual([
      '% = tensor.empty() : tensor<1x2x3x3x6xf32>',
      '% = affine.apply affine_map<(d0, d1, d2, d3) -> (((d2 + d3) floordiv 6 + d0) * 8 + (d2 + d3) mod 6 + d1)>(%, %, %, %)',
      '% = tensor.extract %[%, %, %] : tensor<1x2x56xf32>',
    ]);
  });

  it('stands in the loop over windows, before the loop over filters', () => {
    expect(excerpt(text, 'scf.for', 'tensor.empty').map((line) => line.split(' ')[2])).toEqual([
      'scf.for',
      'tensor.empty()',
      'scf.for',
    ]);
  });

  it('leaves a tile that reads the packed windows', () => {
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5, d2)>');
    expect(text).toContain(': tensor<1x2x3x3x6xf32>, tensor<2x2x3x3xf32>) outs(');
  });
});

describe('transform.structured.pack_filters', () => {
  it('packs Nc x Fh x Fw x Nf (Eq. 2) from the unsliced filters', () => {
    const { text } = apply(tiled, script(packWindows, packFilters));
    expect(excerpt(text, 'tensor.empty', 'tensor.extract ')).toEqual([
      '% = tensor.empty() : tensor<1x2x3x3x6xf32>',
      '% = tensor.extract %[%, %, %] : tensor<1x2x56xf32>',
      '% = tensor.empty() : tensor<2x3x3x2xf32>',
      '% = tensor.extract %[%, %, %, %] : tensor<4x2x3x3xf32>',
    ]);
  });
});

describe('transform.structured.form_microkernel', () => {
  it('contracts over one dimension K = Nc x Fh x Fw', () => {
    const { text } = apply(tiled, script(packWindows, packFilters, formMicrokernel));
    expect(text).toContain('tensor<1x2x3x3x6xf32> into tensor<1x18x6xf32>');
    expect(text).toContain('tensor<2x3x3x2xf32> into tensor<18x2xf32>');
    expect(text).toContain('attrs =  {microkernel}');
  });
});

describe('transform.structured.multipack', () => {
  it('packs the filters of all iterations before both loops (Eq. 3)', () => {
    const { text } = apply(tiled, script(packWindows, packFilters, formMicrokernel, multipack('%filters')));
    expect(text).toContain('affine_map<(d0, d1) -> (d1 + d0 * 2)>');
    expect(text).toContain('affine_map<(d0) -> (d0 floordiv 2)>');
    expect(
      excerpt(text, 'scf.for', 'tensor.empty').map((line) => line.replace(/^% = /, '').slice(0, 40)),
    ).toEqual([
      'tensor.empty() : tensor<2x2x3x3x2xf32>',
      'scf.for % = % to % step % iter_args(% = ',
      'tensor.empty() : tensor<1x2x3x3x6xf32>',
      'scf.for % = % to % step % iter_args(% = ',
    ]);
  });

  // A tile is a row here, so that iNt * Nwin is a number of rows.
  it('packs the windows of all iterations (Eq. 14)', () => {
    const { text } = apply(tiled, script(packWindows, multipack('%windows')));
    expect(text).toContain('tensor.empty() : tensor<5x1x2x3x3x6xf32>');
    expect(text).toContain('affine_map<(d0, d1, d2, d3) -> ((d3 floordiv 6 + d0 + d1) * 8 + d3 mod 6 + d2)>');
  });
});

describe('a slice of the filters', () => {
  const tileSlice =
    '%tile_f = tensor.extract_slice %filters[%f, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1] : tensor<4x2x3x3xf32>';
  const sliced = (type: string, slice: string) =>
    tiled
      .replace('%filters: tensor<4x2x3x3xf32>', `%filters: ${type}`)
      .replace(tileSlice, `%tile_f = tensor.extract_slice %filters${slice} : ${type}`);

  it.each([
    ['of step 1 is read through', 'tensor<4x2x3x3xf32>', '[%f, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1]', '%arg1'],
    [
      'with a stride is read itself',
      'tensor<8x2x3x3xf32>',
      '[%f, 0, 0, 0] [2, 2, 3, 3] [2, 1, 1, 1]',
      '%extracted_slice',
    ],
    [
      'of reduced rank is read itself',
      'tensor<7x4x2x3x3xf32>',
      '[6, %f, 0, 0, 0] [1, 2, 2, 3, 3] [1, 1, 1, 1, 1]',
      '%extracted_slice',
    ],
  ])('%s', (_, type, slice, read) => {
    const { text, diagnostics } = apply(sliced(type, slice), script(packWindows, packFilters));
    expect(diagnostics).toBe('');
    expect(/tensor\.extract (%\w+)\[%\w+, %\w+, %\w+, %\w+\]/.exec(text)?.[1]).toBe(read);
    expect(text.includes('tensor.extract_slice %arg1')).toBe(read !== '%arg1');
  });
});

describe('what stands on or in the tile', () => {
  const steps = script(packWindows, packFilters, formMicrokernel);

  it('is kept: attributes, on the microkernel alone', () => {
    const tagged = tiled.replace('outs(%tile_o : tensor<1x2x6xf32>)', '$& attrs = {tag = "keep"}');
    const { text } = apply(tagged, steps);
    expect(text.match(/attrs =.*\}/g)).toEqual(['attrs =  {microkernel, tag = "keep"}']);
  });

  it('is kept: ops with effects', () => {
    const call = tiled
      .replace('func.func', 'func.func private @f()\nfunc.func')
      .replace('%3 = arith.mulf', 'func.call @f() : () -> ()\n%3 = arith.mulf');
    expect(apply(call, steps).text).toContain('call @f()');
  });

  it('is kept: indices that the microkernel has too', () => {
    const filterIndex = tiled.replace('%3 = arith.mulf', '%own = linalg.index 1 : index\n%3 = arith.mulf');
    expect(apply(filterIndex, steps).diagnostics).toBe('');
  });
});

describe('packOperand', () => {
  it('throws where an element depends on a dimension that is not packed', () => {
    const module = unwrap(parseModule(tiled, { registry: createRegistry(payloadDialects) }));
    edit(module, (rewriter) => {
      const tile = rewriter.walk(rewriter.root).find((op) => op.name === 'linalg.generic')!;
      const source = { tensor: tile.operands[0]!, indices: [dim(1), dim(3), dim(4), dim(5)], outer: [] };
      expect(() => packOperand(rewriter, tile, source, [3, 4, 5])).toThrow('not packed');
    });
  });
});

describe('refusals', () => {
  const twice = `${packWindows}\n%w2, %t3 = transform.structured.pack_windows %t1 : (${any}) -> (${any}, ${any})`;
  const dependsOnFilter = tiled.replace('%c = linalg.index 3', '%c = linalg.index 1');
  const loops = `%loops = transform.structured.match ops{["scf.for"]} in %root : (${any}) -> ${any}`;
  const dependent = tiled
    .replace('%in: tensor<1x2x56xf32>', '%all: tensor<9x2x56xf32>')
    .replace(
      '%tile_f =',
      '%in = tensor.extract_slice %all[%f, 0, 0] [1, 2, 56] [1, 1, 1] : tensor<9x2x56xf32> to tensor<1x2x56xf32>\n%tile_f =',
    );

  const computed = tiled
    .replace('func.func', 'func.func private @f() -> index\nfunc.func')
    .replace('%c = linalg.index 3 : index', '%c = func.call @f() : () -> index');
  const ofK = tiled.replace('%3 = arith.mulf', '%own = linalg.index 4 : index\n%3 = arith.mulf');
  const twoLoops = `func.func @two(%in: tensor<9xf32>, %out: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<4x6xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %in[%i] : tensor<9xf32>
    linalg.yield %x : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}`;

  it.each([
    ['pack-windows/no-gather', twoLoops, script(packWindows)],
    ['pack-windows/dependent', computed, script(packWindows)],
    ['form-microkernel/index', ofK, script(packWindows, packFilters, formMicrokernel)],
    ['pack-windows/no-gather', tiled, script(twice)],
    ['pack-windows/depends-on-filter', dependsOnFilter, script(packWindows)],
    ['pack-filters/no-filters', tiled, script(packFilters.replace('%t1', '%op'))],
    ['form-microkernel/not-packed', tiled, script(packWindows, formMicrokernel.replace('%t2', '%t1'))],
    ['multipack/not-a-packing', tiled, `${loops}\n${multipack('%loops')}`],
    [
      'multipack/no-loop',
      tiled,
      script(
        packWindows,
        packFilters,
        multipack('%filters'),
        multipack('%all').replace('%all =', '%again ='),
      ),
    ],
    [
      'multipack/bounds',
      tiled.replace('= %c0 to %c30', '= %c6 to %c30'),
      script(packWindows, multipack('%windows')),
    ],
    ['multipack/dependent', dependent, script(packWindows, multipack('%windows'))],
  ])('%s', (code, payload, lines) => {
    const { status, diagnostics } = apply(payload, lines);
    expect(diagnostics).toContain(`[${code}]`);
    expect(status).toBe('definite');
  });
});
