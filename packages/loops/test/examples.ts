/** Examples of this package's transforms: text and code that give the same IR. */
import { dictionaryAttribute, unitAttribute } from '@sconv/ir';
import { match, splitHandle } from '@sconv/transform';
import type { TransformExample } from '@sconv/transform/testing';
import {
  coalesce,
  convertToLoops,
  forallToFor,
  forallToParallel,
  fuseSibling,
  outline,
  peel,
  pipeline,
  promoteIfOneIteration,
  takeAssumedBranch,
  unroll,
  unrollAndJam,
} from '../src/transforms.ts';

/** Doubles elements of a buffer, from `lower` to `upper` in steps of `step`. */
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

const summed = `func.func @f(%m: memref<16xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %0 = scf.for %i = %c0 to %c16 step %c1 iter_args(%sum = %x) -> (f32) {
    %1 = memref.load %m[%i] : memref<16xf32>
    %2 = arith.addf %sum, %1 : f32
    scf.yield %2 : f32
  }
  return %0 : f32
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

const rows = `func.func @f(%m: memref<8x4xf32>, %s: memref<4xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = memref.load %s[%i] : memref<4xf32>
    %1 = scf.for %k = %c0 to %c8 step %c1 iter_args(%sum = %0) -> f32 {
      %2 = memref.load %m[%k, %i] : memref<8x4xf32>
      %3 = arith.addf %sum, %2 : f32
      scf.yield %3 : f32
    }
    memref.store %1, %s[%i] : memref<4xf32>
  } {outer}
  return
}
`;

const jamExamples: readonly TransformExample[] = [
  {
    title: 'Two sums side by side',
    payload: rows,
    script: `%loop = transform.structured.match attributes {outer} in %root : (!transform.any_op) -> !transform.any_op\ntransform.loop.unroll_and_jam %loop {factor = 2 : i64} : !transform.any_op`,
    record: (recorder) => {
      const opAttrs = dictionaryAttribute({ outer: unitAttribute });
      unrollAndJam({ target: match({ target: recorder.root }, { opAttrs }).results }, { factor: 2 });
    },
  },
];

const matchFor = matchLoop.replace('-> !transform.any_op', '-> !transform.op<"scf.for">');

const peelExamples: readonly TransformExample[] = [
  {
    title: 'The last of five iterations, two of which are done at a time',
    payload: doubled(0, 5, 2),
    script: `${matchFor}\n%whole, %rest = transform.loop.peel %loop : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      peel({ target: recorder.match('scf.for') });
    },
  },
];

const outlineExamples: readonly TransformExample[] = [
  {
    title: 'A loop as a function',
    payload: doubled(0, 5, 1),
    script: `${matchLoop}\n%function, %call = transform.loop.outline %loop {func_name = "double"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      outline({ target: recorder.match('scf.for') }, { funcName: 'double' });
    },
  },
];

const coalesceExamples: readonly TransformExample[] = [
  {
    title: 'Rows and columns in one loop',
    payload: `func.func @f(%m: memref<4x8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %x, %m[%i, %j] : memref<4x8xf32>
    }
  } {outer}
  return
}
`,
    script: `%loop = transform.structured.match ops{["scf.for"]} attributes {outer} in %root : (!transform.any_op) -> !transform.any_op
%one = transform.loop.coalesce %loop : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      const { results } = match(
        { target: recorder.root },
        { ops: ['scf.for'], opAttrs: dictionaryAttribute({ outer: unitAttribute }) },
      );
      coalesce({ target: results });
    },
  },
];

const parallelStore = `func.func @f(%m: memref<4x8xf32>, %x: f32) {
  scf.forall (%i, %j) in (4, 8) {
    memref.store %x, %m[%i, %j] : memref<4x8xf32>
  }
  return
}
`;
const matchForall = `%loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op`;

const forallToForExamples: readonly TransformExample[] = [
  {
    title: 'One loop after the other',
    payload: parallelStore,
    script: `${matchForall}\n%rows, %columns = transform.loop.forall_to_for %loop : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`,
    record: (recorder) => {
      forallToFor({ target: recorder.match('scf.forall') }, {}, { resultCount: 2 });
    },
  },
];

const forallToParallelExamples: readonly TransformExample[] = [
  {
    title: 'With bounds as values',
    payload: parallelStore,
    script: `${matchForall}\n%parallel = transform.loop.forall_to_parallel %loop : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      forallToParallel({ target: recorder.match('scf.forall') });
    },
  },
];

const fuseSiblingExamples: readonly TransformExample[] = [
  {
    title: 'Two buffers written in one loop',
    payload: `func.func @f(%m: memref<4xf32> {llvm.noalias}, %n: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %n[%i] : memref<4xf32>
  }
  return
}
`,
    script: `%loops = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
%first, %second = transform.split_handle %loops : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
%one = transform.loop.fuse_sibling %first into %second : (!transform.op<"scf.for">, !transform.op<"scf.for">) -> !transform.any_op`,
    record: (recorder) => {
      const { results } = splitHandle({ handle: recorder.match('scf.for') }, {}, { resultCount: 2 });
      fuseSibling({ target: results[0]!, source: results[1]! });
    },
  },
];

const branchExamples: readonly TransformExample[] = [
  {
    title: 'What is done where the condition does not hold',
    payload: `func.func @f(%p: i1, %x: f32) -> f32 {
  %0 = scf.if %p -> f32 {
    %1 = arith.addf %x, %x : f32
    scf.yield %1 : f32
  } else {
    %two = arith.constant 2.0 : f32
    %1 = arith.mulf %x, %two : f32
    scf.yield %1 : f32
  }
  return %0 : f32
}
`,
    script: `%if = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
transform.scf.take_assumed_branch %if take_else_branch : (!transform.any_op) -> ()`,
    record: (recorder) => {
      takeAssumedBranch({ target: recorder.match('scf.if') }, { takeElseBranch: true });
    },
  },
];

const convertExamples: readonly TransformExample[] = [
  {
    title: 'A sum of rows',
    payload: `func.func @f(%x: memref<4x8xf32>, %s: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}
`,
    script: `%op = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
%loops = transform.structured.convert_to_loops %op : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      convertToLoops({ target: recorder.match('linalg.generic') });
    },
  },
];

/** By op. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  'transform.loop.coalesce': coalesceExamples,
  'transform.loop.forall_to_for': forallToForExamples,
  'transform.loop.forall_to_parallel': forallToParallelExamples,
  'transform.loop.fuse_sibling': fuseSiblingExamples,
  'transform.loop.outline': outlineExamples,
  'transform.loop.peel': peelExamples,
  'transform.loop.promote_if_one_iteration': promoteExamples,
  'transform.loop.unroll': unrollExamples,
  'transform.loop.unroll_and_jam': jamExamples,
  'transform.scf.take_assumed_branch': branchExamples,
  'transform.structured.convert_to_loops': convertExamples,
  [pipeline.definition.name]: [
    {
      title: 'An iteration loads what the next one adds',
      payload: summed,
      script: `%loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
%pipelined = transform.loop.pipeline %loop : (!transform.op<"scf.for">) -> !transform.op<"scf.for">`,
      record: (recorder) => {
        pipeline({ target: recorder.match('scf.for') });
      },
    },
  ],
};
