import { describe, expect, it } from 'vitest';
import { replacementsOf } from '@sconv/transform/testing';
import { multipackOp as multipackOf } from '../src/index.ts';
import {
  apply,
  formMicrokernel,
  matchOps,
  multipack,
  packFilters,
  packWindows,
  placesOf,
  printed,
  replaced,
  script,
  tiled,
} from './payloads.ts';

/** A loop over four rows of a matrix that copies each to a tensor and adds it to the output. */
const rows = `func.func @f(%a: tensor<8x6xf32>, %out: tensor<8x6xf32>, %k: index) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c2 iter_args(%o = %out) -> (tensor<8x6xf32>) {
    %dest = tensor.empty() : tensor<2x6xf32>
    %packed = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%dest : tensor<2x6xf32>) {
    ^bb0(%old: f32):
      %r = linalg.index 0 : index
      %c = linalg.index 1 : index
      %row = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%r, %i)
      %x = tensor.extract %a[%row, %c] : tensor<8x6xf32>
      linalg.yield %x : f32
    } -> tensor<2x6xf32>
    %put = tensor.insert_slice %packed into %o[%i, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<8x6xf32>
    scf.yield %put : tensor<8x6xf32>
  }
  return %0 : tensor<8x6xf32>
}`;
const multipackOp = script(multipack('%op'));

const extract = '%x = tensor.extract %a[%row, %c] : tensor<8x6xf32>';
const yielded = 'linalg.yield %x : f32';

describe('transform.structured.multipack', () => {
  it('packs the filters of all iterations before both loops (Eq. 3)', () => {
    const { text } = apply(tiled, script(packWindows, packFilters, formMicrokernel, multipack('%filters')));
    expect(text).toContain('affine_map<(d0, d1) -> (d1 + d0 * 2)>');
    expect(text).toContain('affine_map<(d0) -> (d0 floordiv 2)>');
    expect(placesOf(text)).toEqual(['tensor<2x2x3x3x2xf32>', 'scf.for', 'tensor<1x2x3x3x6xf32>', 'scf.for']);
  });

  // Here a tile is a row, so iNt * Nwin counts rows.
  it('packs the windows of all iterations (Eq. 14)', () => {
    const { text } = apply(tiled, script(packWindows, multipack('%windows')));
    expect(text).toContain('tensor.empty() : tensor<5x1x2x3x3x6xf32>');
    expect(text).toContain('affine_map<(d0, d1, d2, d3) -> ((d3 floordiv 6 + d0 + d1) * 8 + d3 mod 6 + d2)>');
  });

  it('takes the present tile out of what it packed', () => {
    expect(apply(rows, multipackOp).text).toMatchInlineSnapshot(`
      "module {
        func.func @f(%arg0: tensor<8x6xf32>, %arg1: tensor<8x6xf32>, %arg2: index) -> tensor<8x6xf32> {
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %c8 = arith.constant 8 : index
          %0 = tensor.empty() : tensor<4x2x6xf32>
          %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%0 : tensor<4x2x6xf32>) {
          ^bb0(%out: f32):
            %3 = linalg.index 0 : index
            %4 = linalg.index 1 : index
            %5 = linalg.index 2 : index
            %6 = affine.apply affine_map<(d0, d1) -> (d1 + d0 * 2)>(%3, %4)
            %extracted = tensor.extract %arg0[%6, %5] : tensor<8x6xf32>
            linalg.yield %extracted : f32
          } -> tensor<4x2x6xf32>
          %2 = scf.for %arg3 = %c0 to %c8 step %c2 iter_args(%arg4 = %arg1) -> (tensor<8x6xf32>) {
            %3 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%arg3)
            %extracted_slice = tensor.extract_slice %1[%3, 0, 0] [1, 2, 6] [1, 1, 1] : tensor<4x2x6xf32> to tensor<2x6xf32>
            %inserted_slice = tensor.insert_slice %extracted_slice into %arg4[%arg3, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<8x6xf32>
            scf.yield %inserted_slice : tensor<8x6xf32>
          }
          return %2 : tensor<8x6xf32>
        }
      }
      "
    `);
  });

  it.each([
    ['a packing that does not depend on the loop', ['(%r, %i)', '(%r, %c2)']],
    ['one iteration', ['%c0 to %c8 step %c2', '%c0 to %c2 step %c2']],
    [
      'a constant index',
      [extract, '%three = arith.constant 3 : index\n%x = tensor.extract %a[%row, %three] : tensor<8x6xf32>'],
    ],
    ['an index from around the loop', [extract, '%x = tensor.extract %a[%row, %k] : tensor<8x6xf32>']],
    ['the induction variable alone', ['(%r, %i)', '(%i, %r)']],
    [
      'the induction variable twice',
      ['affine_map<(d0, d1) -> (d0 + d1)>(%r, %i)', 'affine_map<(d0, d1) -> ((d0 + d1 * 3) mod 8)>(%r, %i)'],
    ],
    [
      'a symbol times a dimension, which has no affine form',
      [
        'affine_map<(d0, d1) -> (d0 + d1)>(%r, %i)',
        'affine_map<(d0, d1)[s0] -> ((d0 + d1) mod 8 + s0 * 0)>(%r, %i)[%k]',
      ],
    ],
  ] as const)('keeps what is computed: %s', (_, change) => {
    expect(apply(replaced(rows, change), multipackOp)).toMatchObject({ status: 'success', diagnostics: '' });
  });

  it('goes no further out than a loop that may not run', () => {
    const around = replaced(
      rows,
      [
        '%0 = scf.for',
        `%0 = scf.for %j = %c0 to %k step %c2 iter_args(%all = %out) -> (tensor<8x6xf32>) {\n%1 = scf.for`,
      ],
      ['(%o = %out)', '(%o = %all)'],
      ['  return', '  scf.yield %1 : tensor<8x6xf32>\n}\n  return'],
    );
    expect(placesOf(apply(around, multipackOp).text)).toEqual(['scf.for', 'tensor<4x2x6xf32>', 'scf.for']);
    const often = replaced(around, ['%c0 to %k', '%c0 to %c8']);
    expect(placesOf(apply(often, multipackOp).text)).toEqual(['tensor<4x2x6xf32>', 'scf.for', 'scf.for']);
  });

  it('says that the packing of all tiles stands for that of one', () => {
    const packings = replacementsOf(rows, 'linalg.generic', multipackOf);
    expect(packings).toMatchObject([{ results: [{ type: { shape: [4, 2, 6] } }] }]);
  });

  it('gives handles to what it makes', () => {
    const again = `${multipackOp}\n${multipack('%all').replace('%all =', '%again =')}`;
    const { status, diagnostics } = apply(rows, again);
    expect(status).toBe('definite');
    expect(diagnostics).toContain('the packing is not directly in an scf.for [multipack/no-loop]');
  });

  it.each([
    ['not-a-packing', 'what is no generic', rows, [matchOps('func.func'), multipack('%op')]],
    [
      'not-a-packing',
      'an input',
      replaced(
        rows,
        ['{indexing_maps = [affine_map', '{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map'],
        ['outs(%dest', 'ins(%dest : tensor<2x6xf32>) outs(%dest'],
        ['(%old: f32)', '(%own: f32, %old: f32)'],
      ),
    ],
    [
      'not-a-packing',
      'two outputs',
      replaced(
        rows,
        ['{indexing_maps = [affine_map', '{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map'],
        ['outs(%dest : tensor<2x6xf32>)', 'outs(%dest, %dest : tensor<2x6xf32>, tensor<2x6xf32>)'],
        ['(%old: f32)', '(%old: f32, %older: f32)'],
        [yielded, 'linalg.yield %x, %x : f32, f32'],
        ['} -> tensor<2x6xf32>', '} -> (tensor<2x6xf32>, tensor<2x6xf32>)'],
        ['%packed = ', '%packed:2 = '],
        ['insert_slice %packed', 'insert_slice %packed#0'],
      ),
    ],
    [
      'not-a-packing',
      'a permuted output',
      replaced(
        rows,
        ['affine_map<(d0, d1) -> (d0, d1)>], iterator', 'affine_map<(d0, d1) -> (d1, d0)>], iterator'],
        ['index 0', 'index 9'],
        ['index 1', 'index 0'],
        ['index 9', 'index 1'],
      ),
    ],
    [
      'not-a-packing',
      'a reduction',
      replaced(rows, ['["parallel", "parallel"]', '["parallel", "reduction"]']),
    ],
    [
      'not-a-packing',
      'dynamic sizes',
      replaced(
        rows,
        ['tensor.empty() : tensor<2x6xf32>', 'tensor.empty(%c2) : tensor<?x6xf32>'],
        ['outs(%dest : tensor<2x6xf32>)', 'outs(%dest : tensor<?x6xf32>)'],
        ['} -> tensor<2x6xf32>', '} -> tensor<?x6xf32>'],
        [
          '%packed into %o[%i, 0] [2, 6] [1, 1] : tensor<2x6xf32>',
          '%packed into %o[%i, 0] [%c2, 6] [1, 1] : tensor<?x6xf32>',
        ],
      ),
    ],
    [
      'not-a-packing',
      'a sum with what was there',
      replaced(rows, [yielded, '%s = arith.addf %old, %x : f32\nlinalg.yield %s : f32']),
    ],
    ['not-a-packing', 'another value than it reads', replaced(rows, [yielded, 'linalg.yield %old : f32'])],
    [
      'not-a-packing',
      'another op beside the reading',
      replaced(rows, [yielded, `%s = arith.addf %old, %x : f32\n${yielded}`]),
    ],
    ['not-a-packing', 'no reading', replaced(rows, [extract, '%x = arith.constant 1.0 : f32'])],
    [
      'not-a-packing',
      'two readings',
      replaced(rows, [extract, `%y = tensor.extract %a[%c, %c] : tensor<8x6xf32>\n${extract}`]),
    ],
    [
      'not-a-packing',
      'a call',
      replaced(
        rows,
        ['func.func @f', 'func.func private @g()\nfunc.func @f'],
        [extract, `func.call @g() : () -> ()\n${extract}`],
      ),
    ],
    ['bounds', 'a loop that does not start at 0', replaced(rows, ['%c0 to %c8', '%c2 to %c8'])],
    ['bounds', 'a lower bound that is no constant', replaced(rows, ['%c0 to %c8', '%k to %c8'])],
    ['bounds', 'an upper bound that is no constant', replaced(rows, ['%c0 to %c8', '%c0 to %k'])],
    ['bounds', 'a step that is no constant', replaced(rows, ['step %c2', 'step %k'])],
    ['bounds', 'a step that does not divide the bound', replaced(rows, ['constant 8', 'constant 7'])],
    ['bounds', 'a step of 0', replaced(rows, ['step %c2', 'step %c0'])],
    ['bounds', 'a loop that never runs', replaced(rows, ['%c0 to %c8', '%c0 to %c0'])],
    ['bounds', 'a loop that runs below 0', replaced(rows, ['constant 8', 'constant -8'])],
    ['bounds', 'a negative step', replaced(rows, ['constant 2 ', 'constant -2 '])],
    [
      'bounds',
      'a loop over integers that are no indices',
      replaced(
        rows,
        ['constant 0 : index', 'constant 0 : i32'],
        ['constant 2 : index', 'constant 2 : i32'],
        ['constant 8 : index', 'constant 8 : i32'],
        ['-> (tensor<8x6xf32>) {', '-> (tensor<8x6xf32>) : i32 {\n%j = arith.index_cast %i : i32 to index'],
        ['(%r, %i)', '(%r, %k)'],
        ['%o[%i, 0]', '%o[%j, 0]'],
      ),
    ],
    ['dependent', 'a tensor of the loop', replaced(rows, ['tensor.extract %a[', 'tensor.extract %o['])],
    [
      'dependent',
      'an index of the loop',
      replaced(
        rows,
        ['%dest = ', '%own = arith.muli %i, %c2 : index\n%dest = '],
        ['tensor.extract %a[%row, %c]', 'tensor.extract %a[%row, %own]'],
      ),
    ],
    [
      'dependent',
      'an index of the body',
      replaced(
        rows,
        ['tensor.extract %a[%row, %c]', 'tensor.extract %a[%row, %own]'],
        [
          '%x = ',
          '%d = arith.constant 1 : index\n%own = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%d)[%i]\n%x = ',
        ],
        ['(%d)[%i]', '(%put_off)[%i]'],
        ['%dest = ', '%put_off = arith.addi %i, %i : index\n%dest = '],
      ),
    ],
    [
      'dependent',
      'a product of indices',
      replaced(rows, [
        'affine_map<(d0, d1) -> (d0 + d1)>(%r, %i)',
        'affine_map<(d0)[s0] -> (d0 * s0)>(%r)[%i]',
      ]),
    ],
    [
      'arithmetic',
      'a step that takes an index beyond 2^53',
      replaced(
        rows,
        ['constant 2 ', 'constant 2251799813685248 '],
        ['constant 8 ', 'constant 2251799813685248 '],
        ['affine_map<(d0, d1) -> (d0 + d1)>', 'affine_map<(d0, d1) -> (d0 + d1 * 4)>'],
      ),
    ],
  ] as const)('refuses %s: %s', (code, _, payload, lines = [matchOps(), multipack('%op')]) => {
    const { status, diagnostics } = apply(payload, lines.join('\n'));
    expect(diagnostics).toContain(`[multipack/${code}]`);
    expect(status).toBe('definite');
  });

  it('refuses a packing in another region of the loop', () => {
    const conditional = replaced(
      rows,
      ['%packed = ', '%true = arith.constant true\n%packed = scf.if %true -> (tensor<2x6xf32>) {\n%inner = '],
      [
        '} -> tensor<2x6xf32>',
        '} -> tensor<2x6xf32>\nscf.yield %inner : tensor<2x6xf32>\n} else {\nscf.yield %dest : tensor<2x6xf32>\n}',
      ],
    );
    expect(apply(conditional, multipackOp).diagnostics).toContain('[multipack/no-loop]');
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%0 = transform.structured.multipack %root${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
    expect(printed(line)).toEqual([line]);
  });
});
