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

  it('keeps attributes of the tile', () => {
    const tagged = changed([
      'outs(%tile_o : tensor<1x2x6xf32>)',
      'outs(%tile_o : tensor<1x2x6xf32>) attrs = {tag = "keep"}',
    ]);
    const { text } = apply(tagged, script(packWindows, packFilters));
    expect(text.match(/attrs =.*\}/g)).toEqual(['attrs =  {tag = "keep"}']);
  });

  it.each([
    ['windows that are not packed', script(packFilters.replace('%t1', '%op'))],
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
      'expected a tile with packed windows and filters in FCHW, CHWF, HWCF or FHWC [pack-filters/no-filters]',
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
