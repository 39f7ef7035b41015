import { expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { bodyOf, walk } from '@sconv/ir';
import { affineMap } from '@sconv/affine';
import { generic, isMultiplyAdd, panelledMaps } from '../src/linalg.ts';
import { panelWidths } from '../src/multiply-add.ts';
import { parse } from './support.ts';

/** Whether the body of a generic with inputs `%a`, `%b` and output `%o` is a multiply-add. */
const isSo = (type: string, body: string): boolean => {
  const vector = `tensor<4x${type}>`;
  const module = unwrap(
    parse(
      `func.func @f(%x: ${vector}, %y: ${vector}, %z: ${vector}, %s: ${type}) -> ${vector} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : ${vector}, ${vector}) outs(%z : ${vector}) {
  ^bb0(%a: ${type}, %b: ${type}, %o: ${type}):
    ${body}
  } -> ${vector}
  return %0 : ${vector}
}`,
    ),
  );
  return isMultiplyAdd(bodyOf([...walk(module.root)].find((each) => generic.is(each))!));
};

const lines = (type: string, ...operations: readonly string[]) =>
  operations.map((line) => `${line} : ${type}`).join('\n');

it.each([
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.addf %o, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %b, %a', '%q = arith.addf %p, %o', 'linalg.yield %q']],
  ['f16', ['%p = arith.mulf %a, %b fastmath<contract>', '%q = arith.addf %o, %p', 'linalg.yield %q']],
  ['i8', ['%p = arith.muli %a, %b', '%q = arith.addi %o, %p', 'linalg.yield %q']],
])('is a multiplication and addition of %s: %j', (type, body) => {
  expect(isSo(type, lines(type, ...body))).toBe(true);
});

it.each([
  ['f32', ['%q = arith.addf %o, %a', 'linalg.yield %q']],
  ['f32', ['linalg.yield %a']],
  ['f32', ['%p = arith.mulf %a, %a', '%q = arith.addf %o, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %a, %s', '%q = arith.addf %o, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.addf %a, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.addf %p, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.subf %o, %p', 'linalg.yield %q']],
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.addf %o, %p', 'linalg.yield %p']],
  ['f32', ['%p = arith.mulf %a, %b', '%q = arith.addf %o, %p', '%r = arith.negf %q', 'linalg.yield %r']],
  ['i8', ['%p = arith.andi %a, %b', '%q = arith.addi %o, %p', 'linalg.yield %q']],
])('is something else of %s: %j', (type, body) => {
  expect(isSo(type, lines(type, ...body))).toBe(false);
});

it.each([{}, { windows: 8 }, { filters: 4 }, { windows: 16, filters: 1 }, { windows: 1 }])(
  'panels of %j are read off the maps',
  (widths) => {
    const maps = panelledMaps(widths);
    expect(panelWidths(maps)).toEqual({ windows: undefined, filters: undefined, ...widths });
  },
);

const windows = '(n, f, w, k) -> (n, w floordiv 8, k, w mod 8)';
const filters = '(n, f, w, k) -> (k, f)';
const output = '(n, f, w, k) -> (n, f, w)';
it.each([
  ['other numbers than lanes', ['(n, f, w, k) -> (n, w floordiv 4, k, w mod 8)', filters, output]],
  ['lanes alone', ['(n, f, w, k) -> (n, k, w mod 8)', filters, output]],
  ['a constant that is not 0', ['(n, f, w, k) -> (n, w, k, 1)', filters, output]],
  ['panels of the output', [windows, filters, '(n, f, w, k) -> (n, f, w floordiv 8, w mod 8)']],
  ['two maps', [windows, filters]],
  ['no maps', []],
])('%s are no panels of a microkernel', (_, maps) => {
  expect(panelWidths(maps.map((text) => affineMap(text)))).toBeUndefined();
});
