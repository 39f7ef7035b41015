/** Functions, calls and returns. */
import { isIdentity } from '@sconv/affine';
import { call, funcOp } from '@sconv/dialects/func';
import type { DraftOperation, Type, Value } from '@sconv/ir';
import { functionType, memrefType, typeAttribute, typeEquals } from '@sconv/ir';
import { branchOperandsOf, bufferizeArguments } from '../block-signature.ts';
import type { BufferType, BufferTypes } from '../buffer-types.ts';
import type { Bufferizer } from '../bufferizer.ts';
import { argumentAttributes, calleeOf, functionsOf, returnsOf, signatureOf } from '../function-facts.ts';
import { fail } from '../failure.ts';
import type { OneShotModel } from '../model.ts';
import { isTensor } from '../model.ts';
import { unknownValues } from '../analysis-state.ts';
import { dynamicLayout, identityLayout } from '../options.ts';

const isTensorType = (type: Type): type is Extract<Type, { kind: 'tensor' | 'unranked-tensor' }> =>
  type.kind === 'tensor' || type.kind === 'unranked-tensor';

/** The type at a function boundary: tensors become buffers, other types stay. */
const boundaryType = (type: Type, operation: DraftOperation, types: BufferTypes): Type => {
  if (!isTensorType(type)) return type;
  const isIdentity = types.options.functionBoundaryTypeConversion === 'identity-layout-map';
  return (isIdentity ? identityLayout : dynamicLayout)(type, types.defaultSpace(operation));
};

/** The type of an argument, whose layout may be given by an attribute. */
const argumentType = (operation: DraftOperation, index: number, types: BufferTypes): Type => {
  const type = boundaryType(signatureOf(operation).inputs[index]!, operation, types);
  const layout = argumentAttributes(operation, index)['bufferization.buffer_layout'];
  if (layout?.kind !== 'affine-map' || type.kind !== 'memref') return type;
  const own = isIdentity(layout.map) ? undefined : layout;
  return memrefType(type.shape, type.elementType, own, type.memorySpace);
};

/** The callee of a call. */
const functionOf = (operation: DraftOperation, { rewriter }: BufferTypes): DraftOperation => {
  const found = functionsOf(rewriter, rewriter.root).get(calleeOf(operation));
  if (found === undefined) throw new Error('a call names a function');
  return found;
};

const callee: OneShotModel = {
  reads: ({ operation, index }, state) => state.functions?.of(operation)?.reads.has(index) ?? true,
  writes: ({ operation, index }, state) => state.functions?.of(operation)?.writes.has(index) ?? true,
  aliasingValues: (operand, state) => {
    const { operation, index } = operand;
    const fact = state.functions?.of(operation);
    if (fact === undefined) return unknownValues(operand);
    const results = fact.aliases.get(index) ?? [];
    const isSame = results.length === 1 && fact.equivalent.get(results[0]!) === index;
    return results.map((result) => ({
      value: operation.results[result]!,
      relation: isSame ? 'equivalent' : 'unknown',
      isDefinite: isSame,
    }));
  },
  bufferType: (value, operation, types) => {
    const position = operation.results.findIndex(({ id }) => id === value.id);
    const target = functionOf(operation, types);
    return boundaryType(signatureOf(target).results[position]!, target, types) as BufferType;
  },
  bufferize: (operation, b) => {
    const { types } = b;
    const results = operation.results.map((result) => (isTensor(result) ? types.of(result) : result.type));
    const target = functionOf(operation, types);
    const { inputs } = signatureOf(target);
    const operands = operation.operands.map((value, i) =>
      isTensor(value)
        ? passed(operation, b.buffer(value), boundaryType(inputs[i]!, target, types), b)
        : value,
    );
    const created = b.rewriter.create(
      call.state({
        operands: { operands },
        attributes: call.attributes(operation),
        extra: Object.fromEntries(Object.entries(operation.attributes).filter(([name]) => name !== 'callee')),
        resultTypes: results,
        location: operation.location,
      }),
    );
    b.replace(operation, created.results, [created]);
  },
};

/**
 * Converts a buffer to the type that a function takes.
 *
 * @deviation LLVM 19 casts, which fails at run time if the function expects a layout that the buffer does not have.
 */
const passed = (operation: DraftOperation, buffer: Value, type: Type, b: Bufferizer): Value => {
  if (typeEquals(buffer.type, type)) return buffer;
  const fitting =
    type.kind === 'memref' && buffer.type.kind === 'memref' ? b.castOrCopy(buffer, type) : undefined;
  if (fitting === undefined) throw new Error(`${operation.name} passes a buffer of another rank`);
  return fitting;
};

const functionModel: OneShotModel = {
  allowsBranches: true,
  hasTensors: (operation) => {
    const { inputs, results } = signatureOf(operation);
    return (
      [...inputs, ...results].some(isTensorType) ||
      operation.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isTensor)))
    );
  },
  isWritable: (value, operation, { rewriter }) => {
    const entry = operation.regions[0]?.blocks[0];
    if (rewriter.owningBlock(value) !== entry) return true;
    const position = entry?.arguments.findIndex(({ id }) => id === value.id) ?? -1;
    const writable = argumentAttributes(operation, position)['bufferization.writable'];
    return !(writable?.kind === 'integer' && writable.value === 0n);
  },
  aliasingOperands: (value, _operation, state) => branchOperandsOf(value, state),
  bufferType: (value, operation, types) => {
    const [entry] = operation.regions[0]!.blocks;
    const block = types.rewriter.owningBlock(value);
    if (block === entry) {
      const position = entry!.arguments.findIndex(({ id }) => id === value.id);
      return argumentType(operation, position, types) as BufferType;
    }
    return types.ofBlockArgument(value, operation);
  },
  bufferize: (operation, b) => {
    const { rewriter, types } = b;
    const { inputs, results } = signatureOf(operation);
    const newInputs = inputs.map((_, i) => argumentType(operation, i, types));
    const newResults = results.map((type) => boundaryType(type, operation, types));
    for (const block of operation.regions[0]?.blocks ?? []) bufferizeArguments(block, b);
    for (const end of returnsOf(operation)) {
      rewriter.setInsertionPointBefore(end);
      const values = end.operands.map((value, i) =>
        isTensor(value) ? b.createToMemref(value, newResults[i]! as BufferType) : value,
      );
      rewriter.setOperands(end, values);
    }
    if (operation.regions[0]?.blocks.length === 0 && results.some(isTensorType)) {
      fail(
        'bufferize/declared-result',
        'cannot bufferize bodiless function that returns a tensor',
        operation,
      );
    }
    const type = functionType(newInputs, newResults);
    rewriter.setAttribute(operation, 'function_type', typeAttribute(type));
  },
};

export const functionOneShotModels: Readonly<Record<string, OneShotModel>> = {
  [funcOp.name]: functionModel,
  [call.name]: callee,
  'func.return': {
    reads: () => true,
    // The function decides what it returns.
    bufferize: () => undefined,
  },
};
