import { foreignDialect, foreignPayload } from '@sconv/interpreter/testing';
import { exampleConvolution, replacementsOf, scriptTester } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { generalizeOp as generalizeOf } from '../src/index.ts';
import { transforms } from '../src/transforms.ts';
import { apply, delinearize, generalize, matchOps, printed } from './payloads.ts';

const conv = matchOps('linalg.conv_2d_nchw_fchw');

/** A function around one op on tensors of 3x4 (`%a`, `%b`) and 4x3 (`%t`), all of f32. */
const around = (
  op: string,
  type = 'tensor<3x4xf32>',
) => `func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %t: tensor<4x3xf32>, %v: tensor<3xf32>, %s: f32) -> ${type} {
  %r = ${op}
  return %r : ${type}
}`;

describe('transform.structured.generalize', () => {
  it('keeps operands, maps and body of a named convolution', () => {
    const { text, diagnostics } = apply(exampleConvolution, `${conv}\n${generalize}`);
    expect(diagnostics).toBe('');
    expect(text).toContain('affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>');
    expect(text).toContain('arith.mulf %in, %in_0 : f32');
    expect(text).not.toContain('conv_2d');
  });

  it.each([
    ['linalg.fill', around('linalg.fill ins(%s : f32) outs(%a : tensor<3x4xf32>) -> tensor<3x4xf32>')],
    [
      'linalg.copy',
      around('linalg.copy ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>'),
    ],
    [
      'linalg.sub',
      around(
        'linalg.sub ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>',
      ),
    ],
    [
      'linalg.matmul',
      around(
        'linalg.matmul ins(%t, %a : tensor<4x3xf32>, tensor<3x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>',
        'tensor<4x4xf32>',
      ).replace('%r =', '%o = tensor.splat %s : tensor<4x4xf32>\n%r ='),
    ],
    [
      'linalg.transpose',
      around('linalg.transpose ins(%t : tensor<4x3xf32>) outs(%a : tensor<3x4xf32>) permutation = [1, 0]'),
    ],
    [
      'linalg.broadcast',
      around('linalg.broadcast ins(%v : tensor<3xf32>) outs(%a : tensor<3x4xf32>) dimensions = [1]'),
    ],
    [
      'linalg.reduce',
      around(
        'linalg.reduce ins(%a : tensor<3x4xf32>) outs(%v : tensor<3xf32>) dimensions = [1]\n(%x: f32, %y: f32) { %z = arith.addf %x, %y : f32\nlinalg.yield %z : f32 }',
        'tensor<3xf32>',
      ),
    ],
    [
      'linalg.map',
      around(
        'linalg.map ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%b : tensor<3x4xf32>)\n(%x: f32, %y: f32) { %z = arith.subf %x, %y : f32\nlinalg.yield %z : f32 }',
      ),
    ],
  ])('keeps what %s computes', (name, payload) => {
    const { text, diagnostics } = apply(payload, `${matchOps(name)}\n${generalize}`);
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.generic/g)).toHaveLength(1);
    expect(text).not.toContain(`${name} `);
  });

  it('generalizes what works on buffers', () => {
    const payload = `func.func @f(%a: memref<3xf32>, %b: memref<3xf32>) {
  linalg.copy ins(%a : memref<3xf32>) outs(%b : memref<3xf32>)
  return
}`;
    expect(apply(payload, `${matchOps('linalg.copy')}\n${generalize}`).text).toContain('linalg.generic');
  });

  it('keeps what somebody noted on the op, without what is said by the maps', () => {
    const tagged = exampleConvolution.replace('{dilations', '{tag = "keep", dilations');
    expect(apply(tagged, `${conv}\n${generalize}`).text).toContain('attrs =  {tag = "keep"}');
  });

  it('leaves a generic op as it is, and gives handles to all', () => {
    const both = `${exampleConvolution}${exampleConvolution.replace('@conv', '@other')}`;
    const again = `${conv}
${generalize}
%again = transform.structured.generalize %g : (!transform.any_op) -> !transform.any_op
%g0, %g1 = transform.split_handle %again : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
%l = transform.structured.linearize %g1 : (!transform.any_op) -> !transform.any_op`;
    const { text, diagnostics } = apply(both, again);
    expect(diagnostics).toBe('');
    expect(text.match(/linalg\.generic/g)).toHaveLength(2);
    expect(text.indexOf('collapse_shape')).toBeGreaterThan(text.indexOf('@other'));
  });

  it('says that the generic op stands for the op', () => {
    const generic = replacementsOf(exampleConvolution, 'linalg.conv_2d_nchw_fchw', generalizeOf);
    expect(generic.map(({ name }) => name)).toEqual(['linalg.generic']);
  });

  it('refuses what is not structured', () => {
    const { status, diagnostics } = apply(exampleConvolution, `${matchOps('func.func')}\n${generalize}`);
    expect(status).toBe('definite');
    expect(diagnostics).toContain(
      "'func.func' is not a structured op with a body [generalize/not-structured]",
    );
  });

  it('refuses a structured op of another dialect that has no body', () => {
    const ofForeign = scriptTester(transforms, { dialects: [foreignDialect] });
    const bodiless = foreignPayload.replace(/\(\{.*\}\)/s, '({})');
    const { diagnostics } = ofForeign(bodiless, `${matchOps('foreign.add_next')}\n${generalize}`);
    expect(diagnostics).toContain("'foreign.add_next' is not a structured op with a body");
  });

  it.each(['', ' {tag = "kept"}'])('is printed as it is read:%s', (attributes) => {
    const line = `%0 = transform.structured.generalize %root${attributes} : (!transform.any_op) -> !transform.op<"linalg.generic">`;
    expect(printed(line)).toEqual([line]);
  });

  it('consumes its target', () => {
    const { diagnostics } = apply(exampleConvolution, `${conv}\n${generalize}\n${delinearize}`);
    expect(diagnostics).toContain('[transform/invalidated-handle]');
  });
});
