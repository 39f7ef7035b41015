/** An elementwise op of another dialect is executed as the ops that it is declared to stand for, everywhere. */
import { unwrap } from '@sconv/diagnostics';
import { composedOf } from '@sconv/dialects';
import { addf, divf, maximumf, negf } from '@sconv/dialects/arith';
import { elementsOf, interpret, tensor } from '@sconv/interpreter';
import { anyType, defineOp, extendRegistry, one, parseModule } from '@sconv/ir';
import type { Builder, Module, Value } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import { avx2 } from '@sconv/targets';
import { compileModuleSync, defaultRegistry } from 'sconv';
import { describe, expect, it } from 'vitest';

const traits = ['pure', 'elementwise', 'same-operands-and-result-type'] as const;

/** `x / (1 + |x|)`. */
const soften = defineOp({
  name: 'my.soften',
  summary: 'brings a number between -1 and 1',
  operands: { x: one(anyType) },
  results: { result: one(anyType) },
  traits,
  assembly: { format: '$x attr-dict `:` type($x)' },
  interfaces: [
    composedOf((b, [x], number) => {
      const minus: Value = b(negf, { operand: x! });
      const magnitude: Value = b(maximumf, { lhs: x!, rhs: minus });
      const least: Value = number(1);
      return b(divf, { lhs: x!, rhs: b(addf, { lhs: least, rhs: magnitude }) });
    }),
  ],
});

const softenTwice = defineOp({
  name: 'my.soften_twice',
  summary: 'softens what is softened',
  operands: { x: one(anyType) },
  results: { result: one(anyType) },
  traits,
  assembly: { format: '$x attr-dict `:` type($x)' },
  interfaces: [composedOf((b, [x]) => b(soften, { x: b(soften, { x: x! }) }))],
});

/** Never done. */
const endless = defineOp({
  name: 'my.endless',
  summary: 'itself',
  operands: { x: one(anyType) },
  results: { result: one(anyType) },
  traits,
  assembly: { format: '$x attr-dict `:` type($x)' },
  interfaces: [composedOf((b, [x]) => again(b, x!))],
});
const again = (b: Builder, x: Value): Value => b(endless, { x });

const registry = extendRegistry(defaultRegistry, [
  { name: 'my', operations: [soften, softenTwice, endless] },
]);

const parse = (text: string): Module => unwrap(parseModule(text, { registry }));

const spelledOut = `%m = arith.negf %y : f32
      %a = arith.maximumf %y, %m : f32
      %one = arith.constant 1.0 : f32
      %d = arith.addf %one, %a : f32
      %z = arith.divf %y, %d : f32`;

/** A convolution, and what its body calls `%z`, of `%y`, of each element of the sum. */
const convolved = (body: string): Module =>
  parse(`#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @f(%in: tensor<1x4x9x9xf32>, %filters: tensor<16x4x3x3xf32>, %out: tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32> {
  %0 = linalg.conv_2d_nchw_fchw ins(%in, %filters : tensor<1x4x9x9xf32>, tensor<16x4x3x3xf32>) outs(%out : tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %1 = tensor.empty() : tensor<1x16x7x7xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%0 : tensor<1x16x7x7xf32>) outs(%1 : tensor<1x16x7x7xf32>) {
    ^bb0(%y: f32, %w: f32):
      ${body}
      linalg.yield %z : f32
  } -> tensor<1x16x7x7xf32>
  return %2 : tensor<1x16x7x7xf32>
}`);

describe('after a convolution', () => {
  const [composed, spelled] = ['%z = my.soften %y : f32', spelledOut].map((body) => {
    const payload = convolved(body);
    const artifact = unwrap(compileModuleSync(payload, { registry }));
    const { bufferized } = artifact.stages;
    return { payload, artifact, native: unwrap(nativeBackend.emit(bufferized, { target: avx2, registry })) };
  });

  it('becomes the code of these ops', () => {
    expect(composed!.artifact.emitted).toEqual(spelled!.artifact.emitted);
    expect(composed!.native.mlir).toBe(spelled!.native.mlir);
    expect(composed!.native.mlir).toMatch(/arith\.divf .* : vector<8xf32>/);
  });

  it('computes the same in the interpreter', () => {
    const shapes = [
      [1, 4, 9, 9],
      [16, 4, 3, 3],
      [1, 16, 7, 7],
    ];
    const data = shapes.map((shape, at) =>
      Float32Array.from(
        { length: shape.reduce((all, size) => all * size, 1) },
        (_, i) => ((i * 7 + at) % 9) - 4,
      ),
    );
    const values = shapes.map((shape, i) => tensor(shape, data[i]!.slice()));
    const [result] = unwrap(interpret(composed!.payload, 'f', values, { registry }));
    expect(elementsOf(result as (typeof values)[0])).toEqual(composed!.artifact.run('f', ...data)[0]);
  });
});

it.each([
  ['tensor<?xf32>', '%0 = my.soften_twice %x : tensor<?xf32>'],
  ['tensor<3xf32>', '%0 = my.soften_twice %x : tensor<3xf32>'],
])('is interpreted on %s, composed of others', (type, line) => {
  const module = parse(`func.func @f(%x: ${type}) -> ${type} { ${line} return %0 : ${type} }`);
  const values = [tensor([3], Float32Array.of(1, -3, -0))];
  const [result] = unwrap(interpret(module, 'f', values, { registry }));
  expect([...elementsOf(result as (typeof values)[0])]).toEqual([1 / 3, -3 / 7, -0].map(Math.fround));
});

it('is refused where it has no end', () => {
  const module = parse('func.func @f(%x: f32) -> f32 { %0 = my.endless %x : f32 return %0 : f32 }');
  const codes = (diagnostics: readonly { readonly code: string }[]) => diagnostics.map(({ code }) => code);
  expect(codes(compileModuleSync(module, { registry }).diagnostics)).toEqual(['wasm/unsupported']);
  expect(codes(interpret(module, 'f', [1], { registry }).diagnostics)).toEqual([
    'interpreter/unsupported-op',
  ]);
});
