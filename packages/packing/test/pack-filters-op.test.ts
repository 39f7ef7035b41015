import { describe, expect, it } from 'vitest';
import {
  apply,
  changed,
  excerpt,
  packFilters,
  packWindows,
  placesOf,
  printed,
  script,
  tiled,
} from './payloads.ts';

const slice =
  '%tile_f = tensor.extract_slice %filters[%f, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1] : tensor<4x2x3x3xf32>';
const sliced = (type: string, part: string) =>
  changed(
    ['%filters: tensor<4x2x3x3xf32>', `%filters: ${type}`],
    [slice, `%tile_f = tensor.extract_slice %filters${part} : ${type}`],
  );

describe('transform.structured.pack_filters', () => {
  it('packs Nc x Fh x Fw x Nf (Eq. 2) from the unsliced filters', () => {
    const { text } = apply(tiled, script(packWindows, packFilters));
    expect(excerpt(text, 'tensor.empty', 'tensor.extract ')).toEqual([
      '% = tensor.empty() : tensor<1x2x3x3x6xf32>',
      '% = tensor.extract %[%, %, %] : tensor<1x2x56xf32>',
      '% = tensor.empty() : tensor<2x3x3x2xf32>',
      '% = tensor.extract %[%, %, %, %] : tensor<4x2x3x3xf32>',
    ]);
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d1)>');
    expect(text).toContain(': tensor<1x2x3x3x6xf32>, tensor<2x3x3x2xf32>) outs(');
  });

  it('packs into a tile with room for more filters', () => {
    const { text } = apply(tiled, script(packWindows, packFilters.replace(' : ', ' {padded = 8} : ')));
    expect(text).toMatch(
      /tensor\.empty\(\) : tensor<2x3x3x8xf32>\s+(%\w+) = tensor\.extract_slice .* tensor<2x3x3x8xf32> to tensor<2x3x3x2xf32>/,
    );
    expect(text).toContain(': tensor<1x2x3x3x6xf32>, tensor<2x3x3x2xf32>) outs(');
  });

  it.each([
    ['{padded = 1}', "a tile for 1 filters has no room for the tile's 2 [pack-filters/padded]"],
    ['{padded = 8, panel = 1}', 'a tile that is divided into panels is not padded [pack-filters/padded]'],
  ])('refuses %s', (attributes, message) => {
    const { diagnostics } = apply(
      tiled,
      script(packWindows, packFilters.replace(' : ', ` ${attributes} : `)),
    );
    expect(diagnostics).toContain(message);
  });

  it.each([
    ['of step 1 is read through', 'tensor<4x2x3x3xf32>', '[%f, 0, 0, 0] [2, 2, 3, 3] [1, 1, 1, 1]', '%arg1'],
    [
      'with offsets is read through',
      'tensor<5x3x4x5xf32>',
      '[%f, 1, 1, 2] [2, 2, 3, 3] [1, 1, 1, 1]',
      '%arg1',
    ],
    [
      'with a stride is read itself',
      'tensor<8x2x3x3xf32>',
      '[%f, 0, 0, 0] [2, 2, 3, 3] [2, 1, 1, 1]',
      '%extracted_slice',
    ],
    [
      'of reduced rank is read behind',
      'tensor<7x4x2x3x3xf32>',
      '[6, %f, 0, 0, 0] [1, 2, 2, 3, 3] [1, 1, 1, 1, 1]',
      '%arg1',
    ],
  ])('a slice %s', (_, type, part, read) => {
    const { text, diagnostics } = apply(sliced(type, part), script(packWindows, packFilters));
    expect(diagnostics).toBe('');
    expect(/tensor\.extract (%\w+)\[(?:%\w+, ){3,4}%\w+\]/.exec(text)?.[1]).toBe(read);
    expect(text.includes('tensor.extract_slice %arg1')).toBe(read !== '%arg1');
  });

  it('packs before all loops filters that they do not slice', () => {
    const whole = changed(
      [`${slice} to tensor<2x2x3x3xf32>`, ''],
      ['%filters: tensor<4x2x3x3xf32>', '%tile_f: tensor<2x2x3x3xf32>'],
    );
    const { text, diagnostics } = apply(whole, script(packWindows, packFilters));
    expect(diagnostics).toBe('');
    expect(placesOf(text)).toEqual(['tensor<2x3x3x2xf32>', 'scf.for', 'tensor<1x2x3x3x6xf32>', 'scf.for']);
  });

  it.each([
    ['windows', '(d0, d3, d2)', '(d1, d3, d4, d5)', '(d0, d1, d2)', '1x4x6', '2x4x1x1', '1x2x6'],
    [
      'rows and columns',
      '(d0, d4, d2 + d5, d3 + d6)',
      '(d1, d4, d5, d6)',
      '(d0, d1, d2, d3)',
      '1x4x3x5',
      '2x4x2x3',
      '1x2x2x3',
    ],
    [
      'channels last',
      '(d0, d2 + d5, d3 + d6, d4)',
      '(d5, d6, d4, d1)',
      '(d0, d2, d3, d1)',
      '1x3x5x4',
      '2x3x4x2',
      '1x2x3x2',
    ],
  ])('packs filters beside an input in place: %s', (_, input, filters, output, ...sizes) => {
    const [x, f, y] = sizes.map((size) => `tensor<${size}xf32>`) as [string, string, string];
    const dims =
      output.includes('d3') || input.includes('d6')
        ? '(d0, d1, d2, d3, d4, d5, d6)'
        : '(d0, d1, d2, d3, d4, d5)';
    const iterators = dims
      .split(',')
      .map((__, i, all) => (i < all.length - 3 ? '"parallel"' : '"reduction"'));
    const payload = `func.func @f(%x: ${x}, %f: ${f}, %y: ${y}) -> ${y} {
  %0 = linalg.generic {indexing_maps = [affine_map<${dims} -> ${input}>, affine_map<${dims} -> ${filters}>, affine_map<${dims} -> ${output}>], iterator_types = [${iterators.join(', ')}]} ins(%x, %f : ${x}, ${f}) outs(%y : ${y}) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %c, %1 : f32
    linalg.yield %2 : f32
  } -> ${y}
  return %0 : ${y}
}`;
    const { text, diagnostics } = apply(payload, script(packFilters.replace('%t1', '%op')));
    expect(diagnostics).toBe('');
    expect(text).toContain('tensor.extract %arg1');
    expect(text).toContain(`ins(%arg0, %1 : ${x}, `);
  });

  it('keeps attributes of the tile', () => {
    const tagged = changed([
      'outs(%tile_o : tensor<1x2x6xf32>)',
      'outs(%tile_o : tensor<1x2x6xf32>) attrs = {tag = "keep"}',
    ]);
    const { text } = apply(tagged, script(packWindows, packFilters));
    expect(text.match(/attrs =.*\}/g)).toEqual(['attrs =  {tag = "keep"}']);
  });

  it.each([
    [
      'filters that are packed already',
      script(
        packWindows,
        packFilters,
        packFilters.replace('%filters, %t2', '%f2, %t3').replace('%t1', '%t2'),
      ),
    ],
    ['what is no tile', script(packWindows, packFilters.replace('%t1', '%windows'))],
  ])('refuses %s', (_, lines) => {
    const { status, diagnostics } = apply(tiled, lines);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(
      'expected a tile with an input, packed or not, and filters in FCHW, CHWF, HWCF or FHWC [pack-filters/no-filters]',
    );
  });

  it('gives handles to packings and tiles', () => {
    const lines = script(packWindows, packFilters);
    const two = `${tiled}${tiled.replace('@conv', '@other')}`;
    const { text, diagnostics } = apply(
      two,
      `${lines}
%f0, %f1 = transform.split_handle %filters : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%all = transform.structured.multipack %f1 : (!transform.any_op) -> !transform.any_op
%kernels = transform.structured.form_microkernel %t2 : (!transform.any_op) -> !transform.any_op`,
    );
    expect(diagnostics).toBe('');
    expect(text.match(/tensor\.empty\(\) : tensor<2x2x3x3x2xf32>/g)).toHaveLength(1);
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%packing, %packed = transform.structured.pack_filters %root${attributes} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;
    expect(printed(line)).toEqual([line]);
  });
});
