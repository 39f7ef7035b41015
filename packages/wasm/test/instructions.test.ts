import { describe, expect, it } from 'vitest';
import { createModuleBuilder } from '../src/encoder.ts';
import type { Expr } from '../src/instructions.ts';
import { f32, f64, i32, i64 } from '../src/instructions.ts';

const zeros = { i32: i32.const(0), i64: i64.const(0n), f32: f32.const(0), f64: f64.const(0) } as const;
const types = ['i32', 'i64', 'f32', 'f64'] as const;
/** Instructions whose arguments are not values. */
const others = new Set(['const', 'load', 'store']);

type Instruction = (...operands: readonly Expr[]) => Expr;

const instructions = Object.entries({ i32, i64, f32, f64 }).flatMap(([type, group]) =>
  Object.entries<unknown>(group)
    .filter(
      ([name, instruction]) => !others.has(name.replace(/\d.*/, '')) && typeof instruction === 'function',
    )
    .map(([name, instruction]) => [`${type}.${name}`, instruction as Instruction] as const),
);

/** Whether an engine accepts the instruction on operands of this type, with the declared result type. */
const isValid = (instruction: Instruction, type: (typeof types)[number]): boolean => {
  const operands = Array.from({ length: instruction.length }, () => type);
  const module = createModuleBuilder();
  const { type: result } = instruction(...operands.map((each) => zeros[each]));
  module.function({ name: 'f', parameters: operands, results: [result] }, (f, ...locals) => {
    f.return(instruction(...locals.map((local) => f.get(local))));
  });
  return WebAssembly.validate(module.encode(0));
};

describe('an instruction gives what it says, for operands of one type', () => {
  it.each(instructions)('%s', (_, instruction) => {
    expect(types.filter((type) => isValid(instruction, type))).toHaveLength(1);
  });
});
