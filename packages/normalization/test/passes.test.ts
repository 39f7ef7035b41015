/** The passes of this package: what they make of named and generic ops computes the same. */
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { firstDifference, genericPayload } from '@sconv/interpreter/testing';
import { createRegistry, parseModule, walk } from '@sconv/ir';
import { functionOf } from '@sconv/transform/testing';
import { describe, expect, it } from 'vitest';
import { generalizePass, specializePass } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

/** The structured ops of a module after a pass. */
const made = (pass: typeof generalizePass, text: string): readonly string[] => {
  const before = unwrap(parseModule(text, { registry }));
  const after = unwrap(pass().run(before, { registry }));
  expect(firstDifference(before, after)).toBeUndefined();
  return [...walk(after.root)]
    .map(({ name }) => name)
    .filter((name) => name.startsWith('linalg.') && !/yield|index/.test(name));
};

const type = 'tensor<3x4xf32>';

it('linalg-generalize-named-ops makes named ops generic', () => {
  const named = functionOf(
    `(%a: ${type}, %b: ${type}, %x: f32) -> ${type}`,
    `%0 = linalg.sub ins(%a, %b : ${type}, ${type}) outs(%b : ${type}) -> ${type}
  %1 = linalg.fill ins(%x : f32) outs(%a : ${type}) -> ${type}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : ${type}) outs(%1 : ${type}) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> ${type}`,
  );
  expect(made(generalizePass, named)).toEqual(['linalg.generic', 'linalg.generic', 'linalg.generic']);
});

describe('linalg-specialize-generic-ops', () => {
  const binary = (body: string, inputs: readonly string[] = ['d0, d1', 'd0, d1']): string =>
    genericPayload({
      iterators: ['parallel', 'parallel'],
      inputs: inputs.map((map) => ({ map, type: map === '' ? 'f32' : type })),
      outputs: [{ map: 'd0, d1', type }],
      body: `${body}\n    linalg.yield %s : f32`,
    });

  it.each([
    ['arith.addf', 'linalg.add'],
    ['arith.subf', 'linalg.sub'],
    ['arith.mulf', 'linalg.mul'],
    ['arith.divf', 'linalg.div'],
  ])('names %s', (name, expected) => {
    expect(made(specializePass, binary(`%s = ${name} %x0, %x1 : f32`))).toEqual([expected]);
    expect(made(specializePass, binary(`%s = ${name} %x1, %x0 : f32`))).toEqual([expected]);
  });

  it.each([
    ['one input twice', binary('%s = arith.subf %x0, %x0 : f32')],
    ['an input and the output', binary('%s = arith.subf %x0, %y0 : f32')],
    ['an input and a number', binary('%s = arith.subf %x0, %x1 : f32', ['d0, d1', ''])],
    ['two operations', binary('%t = arith.subf %x0, %x1 : f32\n%s = arith.subf %t, %x1 : f32')],
    ['something without a name', binary('%s = arith.maximumf %x0, %x1 : f32')],
    ['one input of two', binary('%s = arith.subf %x0, %x1 : f32').replace('yield %s', 'yield %x1')],
  ])('leaves %s', (_, payload) => {
    expect(made(specializePass, payload)).toEqual(['linalg.generic']);
  });

  it('keeps the order of operands', () => {
    const text = binary('%s = arith.subf %x1, %x0 : f32');
    const after = unwrap(specializePass().run(unwrap(parseModule(text, { registry })), { registry }));
    const op = [...walk(after.root)].find(({ name }) => name === 'linalg.sub')!;
    const [f] = [...walk(after.root)].filter(({ name }) => name === 'func.func');
    const given = f!.regions[0]!.blocks[0]!.arguments.map(({ id }) => id);
    expect(op.operands.slice(0, 2).map(({ id }) => given.indexOf(id))).toEqual([1, 0]);
  });
});
