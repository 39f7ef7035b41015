/** Examples of this package's transform ops: text and code that give the same IR. */
import type { TransformExample } from '@sconv/transform/testing';
import { match } from '@sconv/transform';
import {
  allocaToGlobal,
  bufferizeToAllocation,
  bufferLoopHoisting,
  eliminateEmptyTensorsOp,
  eliminateLinalgEmptyTensors,
  emptyTensorToAllocTensor,
  multibuffer,
  rewriteInDestinationPassingStyle,
} from '../src/transforms/buffer-ops.ts';
import { oneShotBufferize } from '../src/transforms.ts';

const rows = `func.func @clear_row(%t: tensor<4x8xf32>, %i: index, %x: f32) -> tensor<4x8xf32> {
  %row = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %cleared = linalg.fill ins(%x : f32) outs(%row : tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = tensor.insert_slice %cleared into %t[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
`;

const oneShotBufferizeExamples: readonly TransformExample[] = [
  {
    title: 'A slice that is changed and put back where it was is changed in place',
    payload: rows,
    script: `%buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op`,
    record: (recorder) => {
      oneShotBufferize(
        { target: recorder.root },
        {
          functionBoundaryTypeConversion: 'identity-layout-map',
          bufferizeFunctionBoundaries: true,
        },
      );
      return undefined;
    },
  },
];

const emptyTensorToAllocTensorExamples: readonly TransformExample[] = [
  {
    title: 'An empty tensor is allocated',
    payload: `func.func @f(%n: index, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
`,
    script: `%empty = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.op<"tensor.empty">
%allocated = transform.bufferization.empty_tensor_to_alloc_tensor %empty : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">`,
    record: (recorder) => {
      emptyTensorToAllocTensor({
        target: match({ target: recorder.root }, { ops: ['tensor.empty'] }).results,
      });
      return undefined;
    },
  },
];

const bufferLoopHoistingExamples: readonly TransformExample[] = [
  {
    title: 'A buffer of an iteration is allocated before the loop',
    payload: `func.func @f(%m: memref<8xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
    memref.copy %b, %m : memref<8xf32> to memref<8xf32>
  }
  return
}
`,
    script: `transform.bufferization.buffer_loop_hoisting %root : !transform.any_op`,
    record: (recorder) => {
      bufferLoopHoisting({ target: recorder.root });
      return undefined;
    },
  },
];

const multibufferExamples: readonly TransformExample[] = [
  {
    title: 'An iteration has not to wait until the buffer is free',
    payload: `func.func @f(%m: memref<8x4xf32>, %n: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<1x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %from = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    %to = memref.subview %n[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %from, %b : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32>
    memref.copy %b, %to : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  memref.dealloc %b : memref<1x4xf32>
  return
}
`,
    script: `%b = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
%parts = transform.memref.multibuffer %b {factor = 2 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.op<"memref.alloc">`,
    record: ({ root }) => {
      const { results: target } = match({ target: root }, { ops: ['memref.alloc'] });
      multibuffer({ target }, { factor: 2, skipAnalysis: true });
    },
  },
];

const allocaToGlobalExamples: readonly TransformExample[] = [
  {
    title: 'A buffer of the module',
    payload: `func.func @f(%m: memref<4xf32>, %x: f32) {
  %b = memref.alloca() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  return
}
`,
    script: `%b = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
%read, %global = transform.memref.alloca_to_global %b : (!transform.op<"memref.alloca">) -> (!transform.op<"memref.get_global">, !transform.op<"memref.global">)`,
    record: ({ root }) => {
      allocaToGlobal({ alloca: match({ target: root }, { ops: ['memref.alloca'] }).results });
    },
  },
];

const bufferizeToAllocationExamples: readonly TransformExample[] = [
  {
    title: 'A padding is written into a buffer of its own',
    payload: `func.func @f(%t: tensor<4xf32>) -> tensor<6xf32> {
  %x = arith.constant 0.0 : f32
  %0 = tensor.pad %t low[0] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}
`,
    script: `%pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
%buffer, %new = transform.structured.bufferize_to_allocation %pad {alloc_op = "memref.alloca"} : !transform.any_op`,
    record: ({ root }) => {
      const { results: target } = match({ target: root }, { ops: ['tensor.pad'] });
      bufferizeToAllocation({ target }, { allocOp: 'memref.alloca' });
    },
  },
];

const rewriteInDestinationPassingStyleExamples: readonly TransformExample[] = [
  {
    title: 'What is computed element by element, as a structured op',
    payload: `func.func @f(%n: index) -> tensor<?xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %1 = arith.muli %i, %i : index
    tensor.yield %1 : index
  } : tensor<?xindex>
  return %0 : tensor<?xindex>
}
`,
    script: `%t = transform.structured.match ops{["tensor.generate"]} in %root : (!transform.any_op) -> !transform.any_op
%0 = transform.structured.rewrite_in_destination_passing_style %t : (!transform.any_op) -> !transform.any_op`,
    record: ({ root }) => {
      rewriteInDestinationPassingStyle({
        target: match({ target: root }, { ops: ['tensor.generate'] }).results,
      });
    },
  },
];

const eliminateEmptyTensorsExamples: readonly TransformExample[] = [
  {
    title: 'What is inserted is computed in its place',
    payload: `func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
`,
    script: `transform.bufferization.eliminate_empty_tensors %root : !transform.any_op`,
    record: ({ root }) => {
      eliminateEmptyTensorsOp({ target: root });
    },
  },
];

const eliminateLinalgEmptyTensorsExamples: readonly TransformExample[] = [
  {
    title: 'An input is computed in the destination',
    payload: `func.func @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %2 = arith.addf %a, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
`,
    script: `%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
transform.structured.eliminate_empty_tensors %f : !transform.any_op`,
    record: ({ root }) => {
      eliminateLinalgEmptyTensors({ target: match({ target: root }, { ops: ['func.func'] }).results });
    },
  },
];

/** By the op that they show. */
export const examples: Readonly<Record<string, readonly TransformExample[]>> = {
  [bufferLoopHoisting.definition.name]: bufferLoopHoistingExamples,
  [eliminateEmptyTensorsOp.definition.name]: eliminateEmptyTensorsExamples,
  [emptyTensorToAllocTensor.definition.name]: emptyTensorToAllocTensorExamples,
  [oneShotBufferize.definition.name]: oneShotBufferizeExamples,
  [allocaToGlobal.definition.name]: allocaToGlobalExamples,
  [multibuffer.definition.name]: multibufferExamples,
  [bufferizeToAllocation.definition.name]: bufferizeToAllocationExamples,
  [eliminateLinalgEmptyTensors.definition.name]: eliminateLinalgEmptyTensorsExamples,
  [rewriteInDestinationPassingStyle.definition.name]: rewriteInDestinationPassingStyleExamples,
};
