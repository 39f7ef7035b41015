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
