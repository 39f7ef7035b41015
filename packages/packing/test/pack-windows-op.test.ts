import { describe, expect, it } from 'vitest';
import { replacementsOf } from '@sconv/transform/testing';
import { packWindowsOp as packWindowsOf } from '../src/index.ts';
import {
  apply,
  changed,
  excerpt,
  matchOps,
  packWindows,
  placesOf,
  printed,
  replaced,
  script,
  tiled,
} from './payloads.ts';

describe('transform.structured.pack_windows', () => {
  const { text } = apply(tiled, script(packWindows));

  it('packs N x Nc x Fh x Fw x Nwin (Eq. 5) at absolute rows and columns (Eqs. 10-12 and 8)', () => {
    expect(excerpt(text, 'tensor.empty', 'affine.apply', 'tensor.extract ')).toEqual([
      '% = tensor.empty() : tensor<1x2x3x3x6xf32>',
      '% = affine.apply affine_map<(d0, d1, d2, d3) -> (((d2 + d3) floordiv 6 + d0) * 8 + (d2 + d3) mod 6 + d1)>(%, %, %, %)',
      '% = tensor.extract %[%, %, %] : tensor<1x2x56xf32>',
    ]);
  });

  it('leaves a tile that reads the packed windows', () => {
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5, d2)>');
    expect(text).toContain(': tensor<1x2x3x3x6xf32>, tensor<2x2x3x3xf32>) outs(');
  });

  it('stands in the loop over windows, before the loop over filters', () => {
    expect(placesOf(text)).toEqual(['scf.for', 'tensor<1x2x3x3x6xf32>', 'scf.for']);
  });

  it('stays where a loop may not run', () => {
    const never = changed(['%c0 to %c4', '%c4 to %c4']);
    expect(placesOf(apply(never, script(packWindows)).text)).toEqual([
      'scf.for',
      'scf.for',
      'tensor<1x2x3x3x6xf32>',
    ]);
  });

  it('reads before all loops what depends on none of them', () => {
    const fixed = changed(['(%iw, %w, %fh, %fw)', '(%iw, %c6, %fh, %fw)']);
    const outcome = apply(fixed, script(packWindows));
    expect(outcome.diagnostics).toBe('');
    expect(placesOf(outcome.text)).toEqual(['tensor<1x2x3x3x6xf32>', 'scf.for', 'scf.for']);
  });

  it.each([
    [
      'an index from both loops',
      [
        '%c = linalg.index 3 : index',
        '%own = linalg.index 3 : index\n%c = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 2)>(%own, %f)',
      ],
    ],
    [
      'a symbol that has no affine form',
      [
        '%i = affine.apply affine_map<(d0, d1, d2, d3) -> (((d0 + d1) floordiv 6 + d2) * 8 + (d0 + d1) mod 6 + d3)>(%iw, %w, %fh, %fw)',
        `%row = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%w)[%c6]
%i = affine.apply affine_map<(d0, d1, d2)[s0] -> ((d2 + d0) * 8 + d1 + s0 * 0)>(%row, %fw, %fh)[%iw]`,
      ],
    ],
    [
      'index arithmetic of arith',
      ['%x = tensor.extract %in[%n', '%own = arith.muli %n, %n : index\n%x = tensor.extract %in[%n'],
    ],
    [
      'a constant index',
      ['%x = tensor.extract %in[%n', '%zero = arith.constant 0 : index\n%x = tensor.extract %in[%zero'],
    ],
    [
      'a gathered element used twice',
      ['%3 = arith.mulf %x, %filter', '%twice = arith.addf %x, %x : f32\n%3 = arith.mulf %twice, %filter'],
    ],
    ['an element that is not used', ['%3 = arith.mulf %x, %filter', '%3 = arith.mulf %sum, %filter']],
    ['an index of the body', ['%3 = arith.mulf %x', '%own = linalg.index 4 : index\n%3 = arith.mulf %x']],
  ] as const)('keeps what is computed: %s', (_, change) => {
    expect(apply(changed(change), script(packWindows))).toMatchObject({ status: 'success', diagnostics: '' });
  });

  it('keeps what has effects, and attributes', () => {
    const call = changed(
      ['func.func @conv', 'func.func private @f()\nfunc.func @conv'],
      ['%3 = arith.mulf', 'func.call @f() : () -> ()\n%3 = arith.mulf'],
      ['outs(%tile_o : tensor<1x2x6xf32>)', 'outs(%tile_o : tensor<1x2x6xf32>) attrs = {tag = "keep"}'],
    );
    const outcome = apply(call, script(packWindows));
    expect(outcome.text).toContain('call @f()');
    expect(outcome.text.match(/attrs =.*\}/g)).toEqual(['attrs =  {tag = "keep"}']);
  });

  it('says that the tile stands for the tile', () => {
    const tiles = replacementsOf(tiled, 'linalg.generic', packWindowsOf);
    expect(tiles.map(({ name, operands }) => [name, operands.length])).toEqual([['linalg.generic', 3]]);
  });

  it('packs each target, and gives handles to packings and tiles', () => {
    const two = `${tiled}${tiled.replace('@conv', '@other')}`;
    const outcome = apply(
      two,
      `${script(packWindows)}
%w0, %w1 = transform.split_handle %windows : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%f, %t2 = transform.structured.pack_filters %t1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%all = transform.structured.multipack %w1 : (!transform.any_op) -> !transform.any_op`,
    );
    expect(outcome.diagnostics).toBe('');
    expect(outcome.text.match(/tensor\.empty\(\) : tensor<5x1x2x3x3x6xf32>/g)).toHaveLength(1);
  });

  const gather = '%x = tensor.extract %in[%n, %c, %i] : tensor<1x2x56xf32>';
  const conditional = `%true = arith.constant true
%x = scf.if %true -> (f32) {
  %read = tensor.extract %in[%n, %c, %i] : tensor<1x2x56xf32>
  scf.yield %read : f32
} else {
  scf.yield %filter : f32
}`;
  const dynamic = `func.func @f(%in: tensor<1x2x56xf32>, %filters: tensor<?x2x3x3xf32>, %out: tensor<1x?x6xf32>) -> tensor<1x?x6xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%filters : tensor<?x2x3x3xf32>) outs(%out : tensor<1x?x6xf32>) {
  ^bb0(%filter: f32, %sum: f32):
    %n = linalg.index 0 : index
    %x = tensor.extract %in[%n, %n, %n] : tensor<1x2x56xf32>
    linalg.yield %x : f32
  } -> tensor<1x?x6xf32>
  return %0 : tensor<1x?x6xf32>
}`;
  const onBuffers = replaced(
    dynamic,
    ['tensor<?x2x3x3xf32>', 'memref<2x2x3x3xf32>'],
    ['-> tensor<1x?x6xf32> {', '{'],
    ['} -> tensor<1x?x6xf32>', '}'],
    ['%0 = linalg', 'linalg'],
    ['return %0 : tensor<1x?x6xf32>', 'return'],
    ['tensor<1x?x6xf32>', 'memref<1x2x6xf32>'],
  );

  it.each([
    ['no-gather', 'what is no generic', tiled, [matchOps('func.func'), packWindows]],
    [
      'no-gather',
      'no gather',
      changed([gather, '%x = arith.addf %filter, %filter : f32']),
      [matchOps(), packWindows],
    ],
    [
      'no-gather',
      'two gathers',
      changed([gather, `${gather}\n%x2 = tensor.extract %in[%n, %c, %i] : tensor<1x2x56xf32>`]),
      [matchOps(), packWindows],
    ],
    ['no-gather', 'a gather in a nested region', changed([gather, conditional]), [matchOps(), packWindows]],
    [
      'no-gather',
      'a tile that is packed already',
      tiled,
      [matchOps(), packWindows, packWindows.replace('%windows, %t1', '%w2, %t3').replace('%op', '%t1')],
    ],
    [
      'no-gather',
      'filters in another order',
      changed(['-> (d1, d3, d4, d5)>', '-> (d1, d3, d5, d4)>']),
      [matchOps(), packWindows],
    ],
    [
      'no-gather',
      'an output in another order',
      changed(
        ['-> (d0, d1, d2)>', '-> (d0, d2, d1)>'],
        [
          '%inner[0, %f, %w] [1, 2, 6] [1, 1, 1] : tensor<1x4x30xf32> to tensor<1x2x6xf32>',
          '%inner[0, %f, %w] [1, 2, 6] [1, 1, 1] : tensor<1x4x30xf32> to tensor<1x2x6xf32>\n%turned = tensor.empty() : tensor<1x6x2xf32>',
        ],
        ['outs(%tile_o : tensor<1x2x6xf32>)', 'outs(%turned : tensor<1x6x2xf32>)'],
        ['} -> tensor<1x2x6xf32>', '} -> tensor<1x6x2xf32>\n%back = tensor.empty() : tensor<1x2x6xf32>'],
        ['insert_slice %2 into', 'insert_slice %back into'],
      ),
      [matchOps(), packWindows],
    ],
    ['no-gather', 'dynamic sizes', dynamic, [matchOps(), packWindows]],
    ['no-gather', 'buffers', onBuffers, [matchOps(), packWindows]],
    ['no-gather', 'no iterations', replaced(dynamic, ['?', '0']), [matchOps(), packWindows]],
    [
      'depends-on-filter',
      'an index from the filter',
      changed(['%c = linalg.index 3', '%c = linalg.index 1']),
      [matchOps(), packWindows],
    ],
    [
      'dependent',
      'an index from a call',
      changed(
        ['func.func @conv', 'func.func private @f() -> index\nfunc.func @conv'],
        ['%c = linalg.index 3 : index', '%c = func.call @f() : () -> index'],
      ),
      [matchOps(), packWindows],
    ],
    [
      'dependent',
      'a product of indices',
      changed(['%c = linalg.index 3 : index', '%c = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%n)[%n]']),
      [matchOps(), packWindows],
    ],
    [
      'dependent',
      'a tensor from the body',
      changed([gather, `%own = tensor.empty() : tensor<1x2x56xf32>\n${gather.replace('%in', '%own')}`]),
      [matchOps(), packWindows],
    ],
  ])('refuses %s: %s', (code, _, payload, lines) => {
    const { status, diagnostics } = apply(payload, lines.join('\n'));
    expect(status).toBe('definite');
    expect(diagnostics).toContain(`[pack-windows/${code}]`);
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%packing, %packed = transform.structured.pack_windows %root${attributes} : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.any_op)`;
    expect(printed(line)).toEqual([line]);
  });
});
