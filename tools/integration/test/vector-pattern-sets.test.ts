/** What the patterns of vectors leave alone; what they make is compared with mlir-opt in `upstream-schedules`. */
import { printModule } from '@sconv/ir';
import { transformInterpreterPass } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const applied = (set: string, payload: string) =>
  transformInterpreterPass().run(
    parse(
      `module attributes {transform.with_named_sequence} {
${payload}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.vector.${set}
  } : !transform.any_op
  transform.yield
}
}`,
      'vectors.mlir',
    ),
    { registry },
  );

const contraction = (rows: string, result: string) =>
  `func.func @f(%a: vector<${rows}x3xf32>, %b: vector<3x4xf32>, %c: ${result}) -> ${result} {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<${rows}x3xf32>, vector<3x4xf32> into ${result}
  return %0 : ${result}
}`;

const dot = `func.func @f(%a: vector<3xf32>, %b: vector<3xf32>, %c: f32) -> f32 {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<3xf32>, vector<3xf32> into f32
  return %0 : f32
}`;

const outerProduct = (masked: (op: string) => string, kind: string) =>
  `func.func @f(%a: vector<2xf32>, %b: vector<4xf32>, %c: vector<2x4xf32>, %m: vector<2x4xi1>) -> vector<2x4xf32> {
  %0 = ${masked(`vector.outerproduct %a, %b, %c {kind = #vector.kind<${kind}>} : vector<2xf32>, vector<4xf32>`)}
  return %0 : vector<2x4xf32>
}`;

describe('patterns of vectors', () => {
  it.each([
    ['lower_contraction', 'a scalable size', 'vector.contract', contraction('[2]', 'vector<[2]x4xf32>')],
    ['lower_contraction', 'a result that is no vector', 'vector.contract', dot],
    ['lower_outerproduct', 'what is no sum', 'vector.outerproduct', outerProduct((op) => op, 'mul')],
    [
      'lower_outerproduct',
      'a mask',
      'vector.outerproduct',
      outerProduct((op) => `vector.mask %m { ${op} } : vector<2x4xi1> -> vector<2x4xf32>`, 'add'),
    ],
  ])('%s leaves %s', (set, _, op, payload) => {
    const result = applied(set, payload);
    expect(result.status).toBe('success');
    if (result.status === 'success') expect(printModule(result.value, { registry })).toContain(op);
  });

  it('has other strategies not yet', () => {
    const { status, diagnostics } = applied('lower_contraction lowering_strategy = dot', dot);
    expect(status).toBe('definite');
    expect(diagnostics[0]?.code).toBe('transform/not-implemented');
  });
});
