/**
 * Folds of scalars, over all pairs of some values, and of an unknown operand `x` with each value and with itself.
 * `folds.json` holds the results, in that order: a constant, `x`, or `-` for no fold. Each constant and each `x` is
 * what `mlir-opt-19 --canonicalize` produces, except that here `maxnumf` and `minnumf` ignore a NaN, as they should,
 * `negf` of a NaN keeps its sign, `math.sqrt` also folds below zero, and `ceildivsi` folds where upstream's
 * computation overflows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap } from '@sconv/diagnostics';
import { describe, expect, it } from 'vitest';
import type { Attribute, Operation } from '@sconv/ir';
import { foldOperation, parseAttribute, printAttribute } from '@sconv/ir';
import { isConstant, isExactly } from '../src/arith-fold.ts';
import { findOperation, registry } from './support.ts';

const folds = JSON.parse(readFileSync(join(import.meta.dirname, 'folds.json'), 'utf8')) as Readonly<
  Record<string, string>
>;

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  i1: ['false', 'true'],
  i8: ['-128', '-3', '-1', '0', '1', '2', '7', '127'],
  i16: ['0', '16256', '-16512', '32640'],
  f32: ['-1.5', '-0.0', '0.0', '1.0', '2.5', '0x7F800000', '0x7FC00000'],
};

const unknown = 'x';

/** The operands of each case, for this arity. */
const casesOf = (type: string, arity: number): readonly (readonly string[])[] => {
  const values = valuesOf[type] ?? [];
  if (arity === 1) return values.map((value) => [value]);
  return [
    ...values.flatMap((a) => values.map((b) => [a, b])),
    ...values.flatMap((value) => [
      [unknown, value],
      [value, unknown],
    ]),
    [unknown, unknown],
  ];
};

const parse = (text: string): Attribute => unwrap(parseAttribute(text, { registry }));

/** The constant, or the operand, that `line` folds to. */
const foldOf = (line: string, type: string, operands: readonly string[]): string => {
  const same = operands.every((operand) => operand === unknown);
  const text = `func.func @f(%arg0: ${type}, %arg1: ${type}) {
    %0 = ${same ? line.replace('%arg1', '%arg0') : line}
    return
  }`;
  const name = line.split(' ', 1)[0]!;
  const parsed = operands.map((operand) =>
    operand === unknown ? undefined : parse(type === 'i1' ? operand : `${operand} : ${type}`),
  );
  return resultOf(findOperation(text, name), parsed);
};

const resultOf = (operation: Operation, constants: readonly (Attribute | undefined)[]): string => {
  const folded = foldOperation(registry.operations.get(operation.name)!, operation, constants);
  if (folded === undefined) return '-';
  if (folded.kind === 'in-place') {
    // Constants move to the right, and fold there.
    const operands = folded.operands ?? operation.operands;
    const moved = operands.map(({ id }) => constants[operation.operands.findIndex((old) => old.id === id)]);
    return resultOf({ ...operation, ...folded }, moved);
  }
  const [result] = folded.results;
  if ('kind' in result!) return printAttribute(result, { elideType: true });
  const constant = constants[operation.operands.findIndex(({ id }) => id === result!.id)];
  return constant === undefined ? unknown : printAttribute(constant, { elideType: true });
};

describe('folds', () => {
  it.each(Object.entries(folds))('%s', (line, results) => {
    const type = /: (\w+)/.exec(line)?.[1] ?? '';
    const cases = casesOf(type, line.includes('%arg1') ? 2 : 1);
    expect(cases.map((operands) => foldOf(line, type, operands)).join(' ')).toBe(results);
  });
});

it.each<[string | undefined, number, boolean, boolean]>([
  ['0 : i8', 0, true, false],
  ['1 : i8', 0, false, false],
  ['0.0 : f32', 0, true, true],
  ['-0.0 : f32', 0, true, false],
  ['-0.0 : f32', -0, true, true],
  ['dense<3> : tensor<2xi8>', 3, true, false],
  ['dense<[3, 3, 4]> : tensor<3xi8>', 3, false, false],
  ['dense<2.0> : tensor<2xf32>', 2, true, true],
  ['"text"', 0, false, false],
  [undefined, 0, false, false],
])('%s is the constant %d: %s, exactly: %s', (text, value, constant, exactly) => {
  const attribute = text === undefined ? undefined : parse(text);
  expect([isConstant(attribute, value), isExactly(attribute, value)]).toEqual([constant, exactly]);
});
