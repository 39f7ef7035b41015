import { describe, expect, it } from 'vitest';
import { apply, matrix, printed, tileTypes } from './payloads.ts';

const op = 'transform.structured.tile_using_for %root';

describe('the text of transform.structured.tile_using_for', () => {
  it.each([
    `%0:2 = ${op} tile_sizes [4] : ${tileTypes(1)}`,
    `%0:3 = ${op} tile_sizes [4, 0, 2] : ${tileTypes(2)}`,
    `%0:3 = ${op} tile_sizes [4, 0, 2] interchange = [2, 1, 0] : ${tileTypes(2)}`,
    `%0:3 = ${op} tile_sizes [4, 0, 2] interchange = [1] {tag = "kept", unit} : ${tileTypes(2)}`,
    `%0:2 = ${op} tile_sizes [4] {tag} : ${tileTypes(1)}`,
    `%0 = ${op} tile_sizes [] : (!transform.any_op) -> !transform.any_op`,
    `%0 = ${op} tile_sizes [0, -1] : (!transform.any_op) -> !transform.any_op`,
    `%0:2 = ${op} tile_sizes [4] : (!transform.any_op) -> (!transform.op<"linalg.generic">, !transform.op<"scf.for">)`,
  ])('is printed as it is read: %s', (line) => {
    expect(printed(line)).toEqual([line]);
  });

  it.each([
    [`%t, %l = ${op} tile_sizes [9007199254740993] : ${tileTypes(1)}`, '9007199254740993'],
    [`%t, %l = ${op} tile_sizes [%root] : ${tileTypes(1)}`, 'tile sizes given by handles are not supported'],
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
