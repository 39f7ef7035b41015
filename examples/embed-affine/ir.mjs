/** A foreign IR: three-address instructions `{ name, op, args }`, made of affine expressions with `fold`. */
import { fold, isNonNegative } from '@sconv/affine';
/** Where the bounds `over` keep a dividend from being negative, the truncating division stands for floordiv. */
export function lower(expr, over) {
  const code = [];
  const emit = (op, ...args) => code[code.push({ name: `%${code.length}`, op, args }) - 1].name;
  const divide =
    (rounding, op) =>
    (lhs, rhs, { lhs: dividend, rhs: divisor }) =>
      isNonNegative(dividend, over) && isNonNegative(divisor, over)
        ? emit(op, lhs, rhs)
        : emit(rounding, lhs, rhs);
  const result = fold(expr, {
    dim: (position) => `%d${position}`,
    symbol: (position) => `%s${position}`,
    constant: (value) => value,
    add: (lhs, rhs) => emit('add', lhs, rhs),
    mul: (lhs, rhs) => emit('mul', lhs, rhs),
    mod: divide('floormod', 'rem'),
    floordiv: divide('floordiv', 'div'),
    ceildiv: (lhs, rhs) => emit('ceildiv', lhs, rhs),
  });
  return { code, result };
}
/** Runs the instructions, truncating where they truncate. */
export function run({ code, result }, inputs) {
  const values = new Map(Object.entries(inputs));
  const valueOf = (operand) => values.get(operand) ?? operand;
  const ops = {
    add: (a, b) => a + b,
    mul: (a, b) => a * b,
    div: (a, b) => Math.trunc(a / b),
    rem: (a, b) => a % b,
    floordiv: (a, b) => Math.floor(a / b),
    floormod: (a, b) => a - b * Math.floor(a / b),
    ceildiv: (a, b) => Math.ceil(a / b),
  };
  for (const { name, op, args } of code) values.set(name, ops[op](...args.map(valueOf)));
  return valueOf(result);
}
