/** Shared by the tests of several transforms. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { transforms } from '../src/transforms.ts';

/** Applies a script; checks that the result computes the same. */
export const apply = scriptTester(transforms, { difference: firstDifference });

export const any = '!transform.any_op';

/** `%loop`: the op with the attribute `here`. */
export const here = `%loop = transform.structured.match attributes {here} in %root : (${any}) -> ${any}\n`;

/** A function with a loop from `lower` to `upper` in steps of `step`, whose sum and buffer both depend on the order. */
export const counting = (lower: number, upper: number, step: number, type = 'index'): string => {
  const index = type === 'index' ? '' : `%i = arith.index_cast %n : ${type} to index\n    `;
  return `func.func @f(%m: memref<16xf32>, %x: f32) -> f32 {
  %lower = arith.constant ${lower} : ${type}
  %upper = arith.constant ${upper} : ${type}
  %step = arith.constant ${step} : ${type}
  %sum = scf.for ${index === '' ? '%i' : '%n'} = %lower to %upper step %step iter_args(%s = %x) -> f32 ${type === 'index' ? '' : `: ${type} `}{
    ${index}%0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.mulf %s, %0 : f32
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %m[%i] : memref<16xf32>
    scf.yield %2 : f32
  } {here}
  return %sum : f32
}`;
};
