/** Canonicalization of reductions and contractions. */
import { canonicalize } from '../src/index.ts';
import { testRows } from './support/table.ts';

const contraction =
  '{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}';
const matrix = 'vector<2x2xf32>';

testRows('sums of contractions', canonicalize(), [
  {
    name: 'accumulate onto the other term',
    arguments: `%a: ${matrix}, %b: ${matrix}, %x: ${matrix}`,
    results: matrix,
    before: `
      %cst = arith.constant dense<0.0> : ${matrix}
      %0 = vector.contract ${contraction} %a, %b, %cst : ${matrix}, ${matrix} into ${matrix}
      %1 = arith.addf %x, %0 : ${matrix}
      return %1 : ${matrix}`,
    after: `
      %0 = vector.contract ${contraction} %arg0, %arg1, %arg2 : ${matrix}, ${matrix} into ${matrix}
      return %0 : ${matrix}`,
  },
  {
    name: 'zeros that are multiplied, too, stay factors',
    arguments: `%a: ${matrix}, %x: ${matrix}`,
    results: matrix,
    before: `
      %cst = arith.constant dense<0.0> : ${matrix}
      %0 = vector.contract ${contraction} %a, %cst, %cst : ${matrix}, ${matrix} into ${matrix}
      %1 = arith.addf %0, %x : ${matrix}
      return %1 : ${matrix}`,
    after: `
      %cst = arith.constant dense<0.000000e+00> : ${matrix}
      %0 = vector.contract ${contraction} %arg0, %cst, %arg1 : ${matrix}, ${matrix} into ${matrix}
      return %0 : ${matrix}`,
  },
]);

testRows('reductions of single elements', canonicalize(), [
  {
    name: 'keep what is accumulated onto where a mask is not set',
    arguments: '%a: vector<2x1xf32>, %x: vector<2xf32>',
    results: 'vector<2xf32>',
    before: `
      %k = vector.constant_mask [1, 1] : vector<2x1xi1>
      %0 = vector.mask %k { vector.multi_reduction <add>, %a, %x [1] : vector<2x1xf32> to vector<2xf32> } : vector<2x1xi1> -> vector<2xf32>
      return %0 : vector<2xf32>`,
    after: `
      %0 = vector.constant_mask [1] : vector<2xi1>
      %1 = vector.shape_cast %arg0 : vector<2x1xf32> to vector<2xf32>
      %2 = arith.addf %1, %arg1 : vector<2xf32>
      %3 = arith.select %0, %2, %arg1 : vector<2xi1>, vector<2xf32>
      return %3 : vector<2xf32>`,
  },
]);
