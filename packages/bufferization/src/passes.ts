/** The passes of this package, for a registry. */
import { oneShotBufferizePass } from './one-shot-bufferize-pass.ts';
import { bufferHoistingPass } from './passes/buffer-hoisting.ts';
import { bufferResultsToOutParamsPass } from './passes/buffer-results-to-out-params.ts';
import { bufferLoopHoistingPass } from './passes/buffer-loop-hoisting.ts';
import { convertLinalgToStdPass } from './passes/convert-linalg-to-std.ts';
import { dropEquivalentBufferResultsPass } from './passes/drop-equivalent-buffer-results.ts';
import { eliminateEmptyTensorsPass } from './passes/eliminate-empty-tensors.ts';
import { emptyTensorToAllocTensorPass } from './passes/empty-tensor-to-alloc-tensor.ts';
import { finalizingBufferizePass } from './passes/finalizing-bufferize.ts';
import { promoteBuffersToStackPass } from './passes/promote-buffers-to-stack.ts';
import { sinkFillsPass } from './sink-fills.ts';

export const passes = [
  oneShotBufferizePass,
  dropEquivalentBufferResultsPass,
  bufferResultsToOutParamsPass,
  bufferHoistingPass,
  bufferLoopHoistingPass,
  promoteBuffersToStackPass,
  emptyTensorToAllocTensorPass,
  eliminateEmptyTensorsPass,
  finalizingBufferizePass,
  convertLinalgToStdPass,
  sinkFillsPass,
] as const;
