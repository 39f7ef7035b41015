/** Rejects tiles whose slices or order would change the result; tests of tiling and splitting execute the rest. */
import { createRegistry, parseModule, tryEdit, walk } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import { payloadDialects, tileableOf } from '../src/index.ts';

const registry = createRegistry(payloadDialects);

const payload = (map: string, size: number, body: string): string =>
  `func.func @f(%a: tensor<${size}xi32>, %b: tensor<i32>, %c: tensor<4x6xi32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (${map})>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%a, %c : tensor<${size}xi32>, tensor<4x6xi32>) outs(%b : tensor<i32>) {
  ^bb0(%x: i32, %z: i32, %y: i32):
    ${body}
    linalg.yield %s : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}`;

const sum = '%s = arith.addi %y, %x : i32';
const shift = '%d = arith.addi %y, %y : i32\n%s = arith.addi %d, %x : i32';

/** The code with which tiles of `box` are rejected, for the op called `name`. */
const refusal = (
  text: string,
  box: readonly (number | undefined)[],
  name = 'linalg.generic',
): string | undefined => {
  const module = unwrap(parseModule(text, { registry }));
  const found = [...walk(module.root)].find((operation) => operation.name === name)!;
  const edited = tryEdit(module, { registry }, (rewriter) =>
    tileableOf(registry, rewriter.find(found))!.check(box),
  );
  return edited.diagnostics[0]?.code;
};

describe('tiles of a structured op', () => {
  it.each([
    ['d0', 4, sum, [2, undefined], undefined],
    ['d0 * 2 + d1', 12, sum, [2, 3], undefined],
    ['d0 mod 3', 3, sum, [undefined, 3], undefined],
    ['d0 mod 3', 3, sum, [2, undefined], 'tile/unsound-slice'],
    ['-d0 + 3', 4, sum, [2, undefined], 'tile/unsound-slice'],
    ['d0 + 1', 5, sum, [2, undefined], 'tile/unsound-slice'],
    ['d0', 4, shift, [2, undefined], undefined],
    ['d0', 4, shift, [undefined, 3], 'tile/order'],
    ['d0', 4, shift, [1, 3], undefined],
    ['d0', 4, shift, [2, 3], 'tile/order'],
  ])('with index %s of %d, %s: tiles of %j: %s', (map, size, body, box, code) => {
    expect(refusal(payload(map, size, body), box)).toBe(code);
  });
});

describe('tiles of a padding', () => {
  const padding = (body: string): string =>
    `func.func @f(%a: tensor<3xi8>, %v: i8) -> tensor<8xi8> {
  %0 = tensor.pad %a low[4] high[1] {
  ^bb0(%i: index):
    ${body}
  } : tensor<3xi8> to tensor<8xi8>
  return %0 : tensor<8xi8>
}`;

  it.each([
    ['the same value', 'tensor.yield %v : i8', undefined],
    ['a constant', '%k = arith.constant 7 : i8\ntensor.yield %k : i8', undefined],
    ['its position', '%k = arith.index_cast %i : index to i8\ntensor.yield %k : i8', 'tile/padding'],
  ])('by %s', (_, body, code) => {
    expect(refusal(padding(body), [2], 'tensor.pad')).toBe(code);
  });
});
