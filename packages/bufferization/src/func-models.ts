/** Functions, calls and returns; `function-boundary.ts` handles the boundaries. */
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import { call as callOp } from '@sconv/dialects/func';
import type { DraftOperation, TensorType, Value } from '@sconv/ir';
import { typeEquals } from '@sconv/ir';
import type { BufferizationContext, BufferizedFunction } from './bufferization-context.ts';
import { allocateLike, bufferType, createCast, createCopy, isMoreGeneral } from './buffers.ts';
import type { Alias, OpModel } from './op-model.ts';
import { isTensor, noOperands } from './op-model.ts';
import { identityBuffer } from './options.ts';

/** Argument attribute: `false` if its buffer must not be written. */
export const writableAttribute = 'bufferization.writable';

const isWritableArgument = (value: Value, { attributes, regions }: DraftOperation): boolean => {
  const position = regions[0]!.blocks[0]!.arguments.findIndex((argument) => argument.id === value.id);
  const list = attributes['arg_attrs'];
  const entry = list?.kind === 'array' ? list.elements[position] : undefined;
  const writable = entry?.kind === 'dictionary' ? entry.entries[writableAttribute] : undefined;
  return !(writable?.kind === 'integer' && writable.value === 0n);
};

/** Calls a bufferized function. Operands with a different layout are copied to buffers of the expected one. */
const callOnBuffers = (
  call: DraftOperation,
  callee: BufferizedFunction,
  context: BufferizationContext,
): void => {
  const { rewriter } = context;
  const buffers = call.operands.map((_, i) => context.bufferFor(call, i));
  const copiedBack: (readonly [from: Value, to: Value])[] = [];
  const operands = buffers.map((buffer, i) => {
    const wanted = callee.inputs[i]!;
    if (wanted.kind !== 'memref' || typeEquals(buffer.type, wanted)) return buffer;
    if (isMoreGeneral(wanted, bufferType(buffer))) return createCast(rewriter, buffer, wanted);
    const contiguous = allocateLike(rewriter, buffer, context.alignment);
    createCopy(rewriter, buffer, contiguous);
    // Copy the callee's writes back to the operand's own buffer: results may be equivalent to it.
    if (callee.summary.writes[i] === true) copiedBack.push([contiguous, buffer]);
    return createCast(rewriter, contiguous, wanted);
  });
  const onBuffers = rewriter.create(
    callOp.state({
      operands: { operands },
      attributes: callOp.attributes(call),
      resultTypes: callee.results.flatMap((result) => ('argument' in result ? [] : [result])),
    }),
  );
  for (const [from, to] of copiedBack) createCopy(rewriter, from, to);
  const results = onBuffers.results.values();
  rewriter.replaceOperation(
    call,
    callee.results.map((result) =>
      'argument' in result ? buffers[result.argument]! : results.next().value!,
    ),
    [onBuffers],
  );
};

/** Calls a function that still takes and returns tensors. */
const callOnTensors = (call: DraftOperation, context: BufferizationContext): void => {
  const { rewriter } = context;
  const operands = call.operands.map((operand) =>
    operand.type.kind === 'memref'
      ? rewriter.createValue(
          toTensor.state({ operands: { memref: operand }, attributes: { restrict: true } }),
        )
      : operand,
  );
  const onTensors = rewriter.create(
    callOp.state({
      operands: { operands },
      attributes: callOp.attributes(call),
      resultTypes: call.results.map((result) => result.type),
    }),
  );
  rewriter.replaceOperation(
    call,
    onTensors.results.map((result) =>
      isTensor(result)
        ? rewriter.createValue(
            toMemref.state({
              operands: { tensor: result },
              resultTypes: [identityBuffer(result.type as TensorType)],
            }),
          )
        : result,
    ),
    [onTensors],
  );
};

export const functionModels: Readonly<Record<string, OpModel>> = {
  'func.func': {
    ...noOperands,
    isWritable: (value, operation, { options }) =>
      options.bufferizeFunctionBoundaries && isWritableArgument(value, operation),
    bufferize: () => {
      throw new Error('functions are bufferized by their module');
    },
  },

  'func.call': {
    reads: ({ operation, index }, { summaryOf }) => summaryOf(operation).reads[index] === true,
    writes: ({ operation, index }, { summaryOf }) => summaryOf(operation).writes[index] === true,
    aliases: ({ operation, index }, { summaryOf }) => {
      const { aliases, same } = summaryOf(operation);
      return operation.results.flatMap((value, i): readonly Alias[] => {
        if (same[i] === index) return [{ value, relation: 'same' }];
        return aliases[i]?.includes(index) === true ? [{ value, relation: 'overlaps' }] : [];
      });
    },
    isWritable: (_value, _operation, { options }) => options.bufferizeFunctionBoundaries,
    bufferize: (operation, context) => {
      const callee = context.module.calleeOf(operation);
      if (callee === undefined) callOnTensors(operation, context);
      else callOnBuffers(operation, callee, context);
    },
  },

  'func.return': {
    reads: () => true,
    writes: () => false,
    aliases: () => [],
    isAlwaysInPlace: true,
    bufferize: () => {
      // The function boundary decides what is returned.
    },
  },
};
