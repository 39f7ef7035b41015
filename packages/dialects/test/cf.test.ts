import { expect, it } from 'vitest';
import { errorsOf, reprint } from './support.ts';

it.each([
  'cf.br ^bb1(%arg1 : f32)',
  'cf.cond_br %arg0, ^bb1(%arg1 : f32), ^bb1(%arg1 : f32)',
  `cf.switch %arg2 : i32, [
      default: ^bb1(%arg1 : f32),
      42: ^bb1(%arg1 : f32),
      4294967295: ^bb1(%arg1 : f32)
    ]`,
])('%s', (line) => {
  const text = `module {
  func.func @f(%arg0: i1, %arg1: f32, %arg2: i32) {
    cf.assert %arg0, "a message"
    ${line}
  ^bb1(%0: f32):
    return
  }
}
`;
  expect(reprint(text).replace(/ {2}\/\/ .*/, '')).toBe(text);
});

it('a switch has a value for each case', () => {
  const text = `func.func @f(%f: i32) {
  "cf.switch"(%f)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}`;
  expect(errorsOf(text).join()).toContain(
    'number of case values (2) should match number of case destinations (1)',
  );
});

it.each([
  ['cf.br ^a ^a(%y: i64):', '%x: i32', 'branch has 0 operands for successor #0, but target block has 1'],
  ['cf.br ^a(%x : i32) ^a(%y: i64):', '%x: i32', 'type mismatch for bb argument #0 of successor #0'],
  [
    'cf.cond_br %c, ^b, ^a(%x : i32) ^a(%y: i64): cf.br ^b ^b:',
    '%c: i1, %x: i32',
    'type mismatch for bb argument #0 of successor #1',
  ],
  [
    'cf.switch %x : i32, [default: ^b, 1: ^a(%x : i32), 2: ^a] ^a(%y: i32): cf.br ^b ^b:',
    '%x: i32',
    'branch has 0 operands for successor #2, but target block has 1',
  ],
])('%s passes what its successors take', (line, parameters, message) => {
  expect(errorsOf(`func.func @f(${parameters}) { ${line} return }`).join()).toContain(message);
});
