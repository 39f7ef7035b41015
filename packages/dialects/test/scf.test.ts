import { describe, expect, it } from 'vitest';
import { errorsOf, inFunction, reprint } from './support.ts';

const values = '%arg0: index, %arg1: f32, %arg2: i1, %arg3: tensor<8xf32>, %arg4: i32';

describe('text', () => {
  it.each([
    'scf.for %arg5 = %arg0 to %arg0 step %arg0 {\n}',
    'scf.for %arg5 = %arg4 to %arg4 step %arg4  : i32 {\n}',
    `%0 = scf.for %arg5 = %arg0 to %arg0 step %arg0 iter_args(%arg6 = %arg1) -> (f32) {
  scf.yield %arg6 : f32
}`,
    'scf.if %arg2 {\n}',
    `%0 = scf.if %arg2 -> (f32) {
  scf.yield %arg1 : f32
} else {
  scf.yield %arg1 : f32
}`,
    `%0 = scf.while (%arg5 = %arg1) : (f32) -> f32 {
  scf.condition(%arg2) %arg5 : f32
} do {
^bb0(%arg5: f32):
  scf.yield %arg5 : f32
}`,
    `%0 = scf.execute_region -> f32 {
  scf.yield %arg1 : f32
}`,
    `%0 = scf.index_switch %arg0 -> f32 
case 2 {
  scf.yield %arg1 : f32
}
default {
  scf.yield %arg1 : f32
}`,
    `scf.index_switch %arg0 
case 2 {
  scf.yield
}
default {
}`,
    `scf.index_switch %arg0 
default {
  scf.yield {tag}
}`,
    `scf.parallel (%arg5) = (%arg0) to (%arg0) step (%arg0) {
  scf.reduce 
}`,
    `%0 = scf.parallel (%arg5) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
  scf.reduce(%arg1 : f32) {
  ^bb0(%arg6: f32, %arg7: f32):
    %1 = arith.addf %arg6, %arg7 : f32
    scf.reduce.return %1 : f32
  }
}`,
    'scf.forall (%arg5) in (4) {\n}',
    `%0 = scf.forall (%arg5, %arg6) = (0, 1) to (%arg0, 4) step (1, 2) shared_outs(%arg7 = %arg3) -> (tensor<8xf32>) {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %arg3 into %arg7[%arg5] [8] [1] : tensor<8xf32> into tensor<8xf32>
  }
}`,
  ])('%s', (line) => {
    const text = inFunction(values, line);
    expect(reprint(text)).toBe(text);
  });
});

describe('verifier', () => {
  it.each([
    [
      '%0 = scf.for %i = %arg0 to %arg0 step %arg0 iter_args(%x = %arg1) -> (f32) {\n  scf.yield\n}',
      'source has 0 operands, but target successor needs 1',
    ],
    [
      '%0 = scf.if %arg2 -> (f32) {\n  scf.yield %arg1 : f32\n}',
      'must have an else block if defining values',
    ],
    [
      'scf.for %i = %arg0 to %arg0 step %arg0 iter_args(%x = %arg1) -> () {\n}',
      'mismatch in number of loop-carried values',
    ],
    [
      '%0 = scf.for %i = %arg0 to %arg0 step %arg0 iter_args(%x = %arg1) -> (f32) {\n  scf.yield %i : index\n}',
      "0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'index'",
    ],
    [
      'scf.execute_region {\n  affine.for %i = 0 to 4 {\n    scf.yield\n  }\n  scf.yield\n}',
      "expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    ],
  ])('%s', (line, message) => {
    expect(errorsOf(inFunction(values, line)).join('\n')).toContain(message);
  });
});
