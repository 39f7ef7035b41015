/** Examples of the transforms of this package: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { promoteIfOneIteration, unroll } from '../src/transforms.ts';

/** Twice the elements of a buffer, from `lower` to `upper` in steps of `step`. */
const doubled = (lower: number, upper: number, step: number): string => `func.func @f(%m: memref<16xf32>) {
  %lower = arith.constant ${lower} : index
  %upper = arith.constant ${upper} : index
  %step = arith.constant ${step} : index
  scf.for %i = %lower to %upper step %step {
    %0 = memref.load %m[%i] : memref<16xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %m[%i] : memref<16xf32>
  }
  return
}
`;

const matchLoop = `%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op`;

const promoteExamples: readonly TransformExample[] = [
  {
    title: 'A loop whose first step leads past its end',
    payload: doubled(4, 8, 4),
    script: `${matchLoop}\ntransform.loop.promote_if_one_iteration %loop : !transform.any_op`,
    record: (recorder) => {
      promoteIfOneIteration({ target: recorder.match('scf.for') });
    },
  },
];

const unrollExamples: readonly TransformExample[] = [
  {
    title: 'Two iterations in one, and the last of five by itself',
    payload: doubled(0, 5, 1),
    script: `${matchLoop}\ntransform.loop.unroll %loop {factor = 2 : i64} : !transform.any_op`,
    record: (recorder) => {
      unroll({ target: recorder.match('scf.for') }, { factor: 2 });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  'transform.loop.promote_if_one_iteration': promoteExamples,
  'transform.loop.unroll': unrollExamples,
};
