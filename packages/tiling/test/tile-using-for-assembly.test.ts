import { describe, expect, it } from 'vitest';
import { scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';
import { apply, matrix, printed, tileTypes } from './payloads.ts';

const op = 'transform.structured.tile_using_for %root';

describe('the text of transform.structured.tile_using_for', () => {
  it.each([
    `%tiled_linalg_op, %loops = ${op} tile_sizes [4] : ${tileTypes(1)}`,
    `%tiled_linalg_op, %loops:2 = ${op} tile_sizes [4, 0, 2] : ${tileTypes(2)}`,
    `%tiled_linalg_op, %loops:2 = ${op} tile_sizes [4, 0, 2] interchange = [2, 1, 0] : ${tileTypes(2)}`,
    `%tiled_linalg_op, %loops:2 = ${op} tile_sizes [4, 0, 2] interchange = [1] {tag = "kept", unit} : ${tileTypes(2)}`,
    `%tiled_linalg_op, %loops = ${op} tile_sizes [4] {tag} : ${tileTypes(1)}`,
    `%tiled_linalg_op = ${op} tile_sizes [] : (!transform.any_op) -> !transform.any_op`,
    `%tiled_linalg_op, %loops = ${op} tile_sizes [0, -1] : ${tileTypes(1)}`,
    `%tiled_linalg_op, %loops:2 = ${op} tile_sizes [4, [8]] : ${tileTypes(2)}`,
    `%tiled_linalg_op, %loops = ${op} tile_sizes [4] : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.op<"scf.for">)`,
  ])('is printed as it is read: %s', (line) => {
    expect(printed(line)).toEqual([line]);
  });

  it('has parameters among the sizes', () => {
    const lines = [
      '%0 = transform.param.constant 2 : i64 -> !transform.param<i64>',
      `%tiled_linalg_op, %loops:3 = ${op} tile_sizes [%0, 0, 4, %0] interchange = [1] : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)`,
    ];
    expect(printed(lines.join('\n'))).toEqual(lines);
  });

  it.each([
    [`%t, %l = ${op} tile_sizes [9007199254740993] : ${tileTypes(1)}`, '9007199254740993'],
    [
      `%t, %l = ${op} tile_sizes [%root] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)`,
      'expected sizes to be produced by ops with a single index-type result',
    ],
    [
      `%t, %l = "transform.structured.tile_using_for"(%root) {static_sizes = array<i64: 4>, scalable_sizes = array<i1: true>, exact} : ${tileTypes(1)}`,
      '`exact` of a scalable size is not implemented [transform/not-implemented]',
    ],
    [
      `%t, %l = "transform.structured.tile_using_for"(%root) {static_sizes = array<i64: 4>, scalable_sizes = array<i1: true, true>} : ${tileTypes(1)}`,
      'expected same number of sizes (1) and scalable sizes (2)',
    ],
    [
      `%t, %l = ${op} tile_sizes [4, 2] : ${tileTypes(1)}`,
      'expected number of loops to tile (2) to match number of `loops` results (1)',
    ],
    [
      `%t, %l = "transform.structured.tile_using_for"(%root) {static_sizes = array<i64: 4>, scalable_sizes = [true]} : ${tileTypes(1)}`,
      "'scalable_sizes' failed to satisfy constraint: i1 dense array attribute",
    ],
    [`%t, %l = ${op} tile_sizes [%root] : ${tileTypes(1)}`, '2 operands present, but expected 1'],
    [
      `%t, %l = "transform.structured.tile_using_for"(%root) {static_sizes = array<i64: -9223372036854775808>} : ${tileTypes(1)}`,
      'expects a parameter for each dynamic size, got 0 for 1',
    ],
    [`%t, %l = ${op} tile_sizes [4] interchange [0] : ${tileTypes(1)}`, "expected '='"],
    [`%t, %l = ${op} : ${tileTypes(1)}`, "expected 'tile_sizes'"],
    [`%t, %l = ${op} tile_sizes [4] {tag} ${tileTypes(1)}`, "expected ':'"],
    [`%t, %l = ${op} tile_sizes [4] : !transform.any_op`, 'expected'],
    [
      `%t, %l = ${op} tile_sizes [4] : (!transform.any_op, !transform.any_op) -> !transform.any_op`,
      '1 operand',
    ],
  ])('refuses %s', (line, message) => {
    const { status, diagnostics } = apply(matrix(), line);
    expect(status).not.toBe('success');
    expect(diagnostics).toMatch(/^script\.mlir:\d+:\d+: error/);
    expect(diagnostics).toContain(message);
  });
});

it('scalable sizes are multiples of how far vectors scale', () => {
  const script = `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
%t, %l:2 = transform.structured.tile_using_for %op tile_sizes [2, [4]] : ${tileTypes(2).replaceAll('%root', '%op')}`;
  const { text, diagnostics } = scriptTester(transforms)(matrix(), script);
  expect(diagnostics).toBe('');
  expect(text).toMatch(/%(\w+) = vector\.vscale\s+%\w+ = arith\.muli %c4(_\d+)?, %\1 : index/);
});
