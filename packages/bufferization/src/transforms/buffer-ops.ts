/** Upstream's transform ops that create and change buffers; most have no implementation yet. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { collect, error, mapSuccess, silenceable, success } from '@sconv/diagnostics';
import type { DraftOperation } from '@sconv/ir';
import {
  anyAttribute,
  i64Attribute,
  optionalAttribute,
  positive,
  stringAttributeKind,
  unitAttributeKind,
  withDefault,
} from '@sconv/ir';
import {
  consumes,
  consumesExactly,
  defineTransformOp,
  functional,
  produces,
  producesExactly,
  producesAnyOp,
  producesValues,
  reads,
  typed,
} from '@sconv/transform';

import { allocaToGlobalOp } from '../allocations/alloca-to-global.ts';
import type { AllocationOptions } from '../allocations/bufferize-to-allocation.ts';
import { bufferizeToAllocationOp } from '../allocations/bufferize-to-allocation.ts';
import { destinationStyleOp } from '../allocations/destination-style.ts';
import { isUsedInLoops, multibufferOp } from '../allocations/multibuffer.ts';
import { hoistBuffers } from '../passes/buffer-loop-hoisting.ts';
import { eliminateAnchoredEmptyTensors, eliminateEmptyTensors } from '../passes/eliminate-empty-tensors.ts';
import { allocateEmpty } from '../passes/empty-tensor-to-alloc-tensor.ts';

const isOneOf =
  (...names: readonly string[]) =>
  (name: string): boolean =>
    names.includes(name);

/** The ops that copy buffers. */
export const isCopy = isOneOf('memref.copy', 'linalg.copy');

export const bufferizeToAllocation = defineTransformOp({
  name: 'transform.structured.bufferize_to_allocation',
  summary: 'Bufferizes the target to a new allocation, wrapped as a tensor.',
  operands: { target: consumes('ops on tensors') },
  // The op then stays, with another destination.
  keepsPayload: ({ attributes }) => attributes['bufferize_destination_only'] !== undefined,
  attributes: {
    memorySpace: optionalAttribute(anyAttribute),
    memcpyOp: withDefault(stringAttributeKind, 'bufferization.materialize_in_destination'),
    allocOp: withDefault(stringAttributeKind, 'memref.alloc'),
    bufferizeDestinationOnly: unitAttributeKind,
    emitDealloc: unitAttributeKind,
  },
  results: { allocatedBuffer: producesValues('the buffers'), newOps: producesAnyOp('what was made') },
  failures: {
    'bufferize-to-allocation/failed': {
      mode: 'silenceable',
      when: 'a target has no bufferization model, or needs more than one new buffer',
    },
  },
  assembly: typed(),
  apply: ({ rewriter }, { target }, attributes) => {
    const { memorySpace, bufferizeDestinationOnly: destinationOnly, emitDealloc } = attributes;
    // The verifier accepts no others.
    const [memcpyOp, allocOp] = [attributes.memcpyOp, attributes.allocOp] as [
      AllocationOptions['memcpyOp'],
      AllocationOptions['allocOp'],
    ];
    const options = { memorySpace, memcpyOp, allocOp, destinationOnly, emitDealloc } as AllocationOptions;
    const made = new Set<DraftOperation>();
    const before = new Set(rewriter.walk(rewriter.root));
    const listener = {
      inserted: (operation: DraftOperation): void => {
        if (!before.has(operation)) made.add(operation);
      },
      erasing: (operation: DraftOperation): void => {
        made.delete(operation);
      },
    };
    const buffers = rewriter.listening(listener, () =>
      collect(target, (operation) => bufferizeToAllocationOp(rewriter, operation, options)),
    );
    return mapSuccess(buffers, (allocatedBuffer) => ({ allocatedBuffer, newOps: [...made] }));
  },
  *verify({ attributes: { memcpyOp, allocOp } }) {
    if (!isCopy(memcpyOp) && memcpyOp !== 'bufferization.materialize_in_destination')
      yield 'unsupported memcpy op';
    if (!isOneOf('memref.alloc', 'memref.alloca')(allocOp)) yield 'unsupported alloc op';
  },
});

/** Diagnostics of a failed analysis become notes of the failure. */
const eachTarget = (
  targets: readonly DraftOperation[],
  run: (target: DraftOperation) => Diagnosed<undefined>,
  failed: (target: DraftOperation) => Diagnostic,
): Diagnosed<Readonly<Record<string, never>>> => {
  for (const target of targets) {
    const { status, diagnostics } = run(target);
    if (status !== 'success') return silenceable(failed(target), ...diagnostics);
  }
  return success({});
};

export const eliminateEmptyTensorsOp = defineTransformOp({
  name: 'transform.bufferization.eliminate_empty_tensors',
  summary: 'Replaces each empty tensor by the slice that its contents are later inserted into.',
  operands: { target: reads('where to look') },
  failures: {
    'eliminate-empty-tensors/analysis': { mode: 'silenceable', when: 'a target cannot be analysed' },
  },
  assembly: typed(),
  apply: ({ rewriter }, { target }) =>
    eachTarget(
      target,
      (each) => eliminateEmptyTensors(rewriter, each),
      ({ location }) =>
        error('eliminate-empty-tensors/analysis', 'empty tensor elimination failed', location),
    ),
});

export const eliminateLinalgEmptyTensors = defineTransformOp({
  name: 'transform.structured.eliminate_empty_tensors',
  summary: 'Lets elementwise ops write in place of an input, so that its empty tensor is not needed.',
  operands: { target: reads('where to look') },
  failures: { 'eliminate-empty-tensors/op': { mode: 'silenceable', when: 'a target cannot be analysed' } },
  assembly: typed(),
  apply: ({ rewriter }, { target }) =>
    eachTarget(
      target,
      (each) => eliminateAnchoredEmptyTensors(rewriter, each),
      ({ location }) => error('eliminate-empty-tensors/op', 'failed to analyze op', location),
    ),
});

export const emptyTensorToAllocTensor = defineTransformOp({
  name: 'transform.bufferization.empty_tensor_to_alloc_tensor',
  summary: 'Replaces `tensor.empty` by `bufferization.alloc_tensor`.',
  operands: { target: consumesExactly('empty tensors', 'tensor.empty') },
  results: { transformed: producesExactly('the allocations', 'bufferization.alloc_tensor') },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    success({ transformed: target.map((operation) => allocateEmpty(rewriter, operation)) }),
});

export const bufferLoopHoisting = defineTransformOp({
  name: 'transform.bufferization.buffer_loop_hoisting',
  summary: 'Hoists allocations out of loops.',
  operands: { target: reads('where to look') },
  assembly: typed(),
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) hoistBuffers(rewriter, operation);
    return success({});
  },
});

export const rewriteInDestinationPassingStyle = defineTransformOp({
  name: 'transform.structured.rewrite_in_destination_passing_style',
  summary: 'Rewrites an op that creates a tensor in destination-passing style.',
  operands: { target: consumes('tensor.from_elements, generate or pad ops') },
  results: { transformed: produces('what writes') },
  failures: {
    'destination-style/operation': { mode: 'silenceable', when: 'a target is none of these' },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }) =>
    mapSuccess(
      collect(target, (operation) => destinationStyleOp(rewriter, operation)),
      (transformed) => ({ transformed }),
    ),
});

export const multibuffer = defineTransformOp({
  name: 'transform.memref.multibuffer',
  summary: 'Multi-buffers an allocation: consecutive loop iterations use its slots round-robin.',
  operands: { target: consumesExactly('allocations', 'memref.alloc') },
  attributes: { factor: positive(i64Attribute), skipAnalysis: unitAttributeKind },
  results: { transformed: produces('the allocations', 'memref.alloc') },
  failures: {
    'multibuffer/failed': {
      mode: 'silenceable',
      when: 'no loop overwrites the buffer in each iteration before other accesses, or its size is dynamic',
    },
  },
  assembly: functional(),
  apply: ({ rewriter }, { target }, { factor, skipAnalysis }) => {
    const inLoops = target.filter((operation) => isUsedInLoops(rewriter, operation));
    return mapSuccess(
      collect(inLoops, (operation) => multibufferOp(rewriter, operation, factor, skipAnalysis)),
      (transformed) => ({ transformed }),
    );
  },
});

export const allocaToGlobal = defineTransformOp({
  name: 'transform.memref.alloca_to_global',
  summary: 'Turns a stack allocation into a global.',
  operands: { alloca: consumesExactly('allocations', 'memref.alloca') },
  results: {
    getGlobal: produces('what reads the globals', 'memref.get_global'),
    global: produces('the globals', 'memref.global'),
  },
  resultName: () => ['getGlobal', 'global'],
  failures: {
    'alloca-to-global/dynamic': {
      mode: 'silenceable',
      when: 'the size of a buffer is dynamic, or it is in no symbol table',
    },
  },
  assembly: functional('alloca'),
  apply: ({ rewriter }, { alloca }) =>
    mapSuccess(
      collect(alloca, (operation) => allocaToGlobalOp(rewriter, operation)),
      (made) => ({
        getGlobal: made.map(({ getGlobal }) => getGlobal),
        global: made.map(({ global }) => global),
      }),
    ),
});

export const bufferOps = [
  bufferizeToAllocation,
  eliminateLinalgEmptyTensors,
  eliminateEmptyTensorsOp,
  emptyTensorToAllocTensor,
  bufferLoopHoisting,
  rewriteInDestinationPassingStyle,
  multibuffer,
  allocaToGlobal,
];
