/** Functions, calls and returns. */
import { isIdentity } from '@sconv/affine';
import { call, funcOp } from '@sconv/dialects/func';
import type { DraftOperation, Type, Value } from '@sconv/ir';
import { arrayAttribute, functionType, isPrivate, memrefType, typeAttribute, typeEquals } from '@sconv/ir';
import { fail } from '../failure.ts';
import { argumentAttributes, hasTensorSignature, returnsOf, signatureOf } from '../function-facts.ts';
import type { Alias, OpModel } from '../op-model.ts';
import { isTensor, isTensorType } from '../op-model.ts';
import { dynamicLayout, identityLayout } from '../options.ts';
import { branchOperandsOf, bufferizeArguments } from '../rewriting/block-signature.ts';
import type { BufferType, BufferTypes } from '../rewriting/buffer-types.ts';
import { isBufferType } from '../rewriting/buffer-types.ts';
import type { Bufferizer } from '../rewriting/bufferizer.ts';
import { isCastSafe } from '../rewriting/buffers.ts';

/** The type at a function boundary: tensors become buffers, other types stay. */
const boundaryType = (type: Type, operation: DraftOperation, types: BufferTypes): Type => {
  if (!isTensorType(type)) return type;
  const isIdentity = types.options.functionBoundaryTypeConversion === 'identity-layout-map';
  return (isIdentity ? identityLayout : dynamicLayout)(type, types.defaultSpace(operation));
};

/** The type of an argument, whose layout upstream takes from an attribute. */
const argumentType = (operation: DraftOperation, index: number, types: BufferTypes): Type => {
  const type = boundaryType(signatureOf(operation).inputs[index]!, operation, types);
  const layout = argumentAttributes(operation, index)['bufferization.buffer_layout'];
  if (types.options.decisions !== 'upstream' || layout?.kind !== 'affine-map' || type.kind !== 'memref')
    return type;
  const own = isIdentity(layout.map) ? undefined : layout;
  return memrefType(type.shape, type.elementType, own, type.memorySpace);
};

/** Converts a buffer to a type at a function boundary: a cast if that cannot fail, else a copy. */
const converted = (operation: DraftOperation, buffer: Value, type: Type, b: Bufferizer): Value => {
  if (typeEquals(buffer.type, type)) return buffer;
  const fitting =
    type.kind === 'memref' && buffer.type.kind === 'memref' ? b.castOrCopy(buffer, type) : undefined;
  if (fitting === undefined) throw new Error(`${operation.name} passes a buffer of another rank`);
  return fitting;
};

const callee: OpModel = {
  reads: ({ operation, index }, { summaryOf }) => summaryOf(operation)?.reads.has(index) ?? true,
  writes: ({ operation, index }, { summaryOf }) => summaryOf(operation)?.writes.has(index) ?? true,
  aliases: ({ operation, index }, { summaryOf }) => {
    const summary = summaryOf(operation);
    if (summary === undefined) {
      return operation.results.filter(isTensor).map((value): Alias => ({ value, relation: 'overlaps' }));
    }
    const results = summary.aliases.get(index) ?? [];
    const isSame = results.length === 1 && summary.same.get(results[0]!) === index;
    return results.map((result) => ({
      value: operation.results[result]!,
      relation: isSame ? 'same' : 'overlaps',
    }));
  },
  isWritable: (_value, _operation, { options }) => options.bufferizeFunctionBoundaries,
  bufferType: (value, operation, types) => {
    const position = operation.results.findIndex(({ id }) => id === value.id);
    const target = types.calleeOf(operation);
    const dropped = types.returned.get(target)?.slice(0, position) ?? [];
    const moved = position - dropped.filter((argument) => argument !== undefined).length;
    return boundaryType(signatureOf(target).results[moved]!, target, types) as BufferType;
  },
  /**
   * @deviation LLVM 19 casts, which fails at run time if the function expects a layout that the buffer does not have.
   */
  bufferize: (operation, b) => {
    const { types } = b;
    const target = types.calleeOf(operation);
    const { inputs } = signatureOf(target);
    const ownArguments = types.returned.get(target);
    const results = operation.results.flatMap((result, i) =>
      ownArguments?.[i] === undefined ? [isTensor(result) ? types.of(result) : result.type] : [],
    );
    const operands = operation.operands.map((value, i) => {
      const type = boundaryType(inputs[i]!, target, types);
      return isBufferType(type) ? converted(operation, b.buffer(value), type, b) : value;
    });
    const created = b.rewriter.create(
      call.state({
        operands: { operands },
        attributes: call.attributes(operation),
        extra: Object.fromEntries(Object.entries(operation.attributes).filter(([name]) => name !== 'callee')),
        resultTypes: results,
        location: operation.location,
      }),
    );
    if (ownArguments === undefined) {
      b.replace(operation, created.results, [created]);
      return;
    }
    const remaining = created.results.values();
    b.replace(
      operation,
      ownArguments.map((argument) =>
        argument === undefined
          ? remaining.next().value!
          : writtenBuffer(operation.operands[argument]!, operands[argument]!),
      ),
      [created],
    );
  },
};

/** The buffer that a call wrote: the one that it was passed, without a cast, or a copy of it. */
const writtenBuffer = (own: Value, given: Value): Value =>
  own.type.kind === 'memref' && given.type.kind === 'memref' && isCastSafe(own.type, given.type)
    ? own
    : given;

/** What became of a result of a function. */
interface Returned {
  /** The argument that it is, instead of a result. */
  readonly argument?: number;
  readonly type: Type;
}

/** Converts what a function returns, whose results would have these types. */
const bufferizeReturn = (
  operation: DraftOperation,
  end: DraftOperation,
  types: readonly Type[],
  b: Bufferizer,
): readonly Returned[] => {
  b.rewriter.setInsertionPointBefore(end);
  const { results } = signatureOf(operation);
  const { dropEquivalentBufferResults: drops, functionBoundaryTypeConversion } = b.options;
  const isDropping = drops === 'private' ? isPrivate(operation) : drops;
  const returned = end.operands.map((value, i): Returned & { readonly value: Value } => {
    const type = types[i]!;
    if (!isTensorType(results[i]!)) return { value, type };
    if (b.isBridging) {
      return { value: isTensor(value) ? b.createToMemref(value, type as BufferType) : value, type };
    }
    const argument = end.block!.arguments.findIndex(({ id }) => id === value.id);
    if (isDropping && argument >= 0) return { value, type, argument };
    // With bridges, the layout can be inferred only when they are folded.
    if (functionBoundaryTypeConversion === 'infer-layout-map') return { value, type: value.type };
    return { value: converted(operation, value, type, b), type };
  });
  b.rewriter.setOperands(
    end,
    returned.flatMap(({ value, argument }) => (argument === undefined ? [value] : [])),
  );
  return returned;
};

const functionModel: OpModel = {
  allowsBranches: true,
  holdsTensors: true,
  hasTensors: (operation) =>
    hasTensorSignature(operation) ||
    operation.regions.some(({ blocks }) => blocks.some((block) => block.arguments.some(isTensor))),
  isWritable: (value, operation, { rewriter, options }) => {
    const entry = operation.regions[0]?.blocks[0];
    if (rewriter.owningBlock(value) !== entry) return true;
    const position = entry?.arguments.findIndex(({ id }) => id === value.id) ?? -1;
    const writable = argumentAttributes(operation, position)['bufferization.writable'];
    return options.bufferizeFunctionBoundaries && !(writable?.kind === 'integer' && writable.value === 0n);
  },
  upstream: { sources: (value, _operation, state) => branchOperandsOf(value, state) },
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
    const boundary = results.map((type) => boundaryType(type, operation, types));
    let returned: readonly Returned[] = boundary.map((type) => ({ type }));
    for (const block of operation.regions[0]?.blocks ?? []) bufferizeArguments(block, b);
    b.bufferizeRegions(operation);
    for (const end of returnsOf(operation)) returned = bufferizeReturn(operation, end, boundary, b);
    if (b.isBridging && operation.regions[0]?.blocks.length === 0 && results.some(isTensorType)) {
      fail(
        'bufferize/declared-result',
        'cannot bufferize bodiless function that returns a tensor',
        operation,
      );
    }
    const kept = returned.filter(({ argument }) => argument === undefined);
    const type = functionType(
      newInputs,
      kept.map((each) => each.type),
    );
    rewriter.setAttribute(operation, 'function_type', typeAttribute(type));
    if (kept.length === returned.length) return;
    types.returned.set(
      operation,
      returned.map(({ argument }) => argument),
    );
    const list = operation.attributes['res_attrs'];
    if (list?.kind !== 'array') return;
    const left = list.elements.filter((_, i) => returned[i]!.argument === undefined);
    rewriter.setAttribute(operation, 'res_attrs', left.length === 0 ? undefined : arrayAttribute(left));
  },
};

export const functionModels: Readonly<Record<string, OpModel>> = {
  [funcOp.name]: functionModel,
  [call.name]: callee,
  'func.return': {
    reads: () => true,
    isAlwaysInPlace: true,
    upstream: { isAlwaysInPlace: false },
    // The function decides what it returns.
    bufferize: () => undefined,
  },
};
