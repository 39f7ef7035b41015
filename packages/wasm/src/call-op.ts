/**
 * `func.call`: calls another function of the module. The callee's allocations are planned as one of the caller's, which
 * lasts as long as the call; a returned allocation is copied to one of the caller.
 */
import { constant } from '@sconv/affine';
import type { FunctionSignature, MemoryUse } from '@sconv/backend';
import { call } from '@sconv/dialects/func';
import type { Id, Operation, Value } from '@sconv/ir';
import { operationsIn, symbolNameOf } from '@sconv/ir';
import { calleesFirst } from '@sconv/dialects';
import type { FunctionRef } from './encoder.ts';
import type { Span } from './function-places.ts';
import type { Expr } from './instructions.ts';
import { i32, memoryCopy } from './instructions.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { bindScalar, bufferOf, elementAddress, fail, mayAlias, scalarOf, unsupported } from './lowering.ts';
import { bytesOf, staticLayout, storableType } from './memref-ops.ts';
import { notKept } from './packing-keeper.ts';
import type { WasmLowering } from './wasm-lowering.ts';

/** A function of the module that can be called. */
export interface CallableFunction {
  readonly ref: FunctionRef;
  readonly signature: FunctionSignature;
  /**
   * What each result is a view of: the parameter at a position, memory that the function allocates, or one of several,
   * known only at run time.
   */
  readonly returns: readonly (number | 'own' | 'unknown')[];
  /** The positions of the arguments for which, after all arguments, callers pass where their packings are kept. */
  readonly kept: readonly number[];
  /** What it and its callees use of the scratch memory. */
  readonly use: MemoryUse;
  /** The part of that which the bodies of parallel loops use: each thread has its own. */
  readonly inBodies: Span | undefined;
  /** Whether callers pass, last, where its scratch memory is: its distance from their thread's. */
  readonly isShifted: boolean;
}

/** The function that a call calls. */
export const calleeName = (operation: Operation): string => call.attributes(operation).callee;

/** The names of the functions that a function calls. */
export const calleesOf = (operation: Operation): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const each of operationsIn(operation)) if (call.is(each)) names.add(calleeName(each));
  return names;
};

/** The functions, callees first. Fails for recursion. */
export const inCallOrder = (functions: readonly Operation[]): readonly Operation[] => {
  const byName = new Map(functions.map((each) => [symbolNameOf(each), each]));
  const { ordered, recursive } = calleesFirst(functions, (caller) =>
    [...calleesOf(caller)].flatMap((name) => byName.get(name) ?? []),
  );
  if (recursive === undefined) return ordered;
  const name = symbolNameOf(recursive) ?? '';
  return fail(recursive, 'wasm/recursive-call', `@${name} is recursive, or calls a recursive function`);
};

export const lowerCall: WasmLowering = (state, operation) => {
  const callee = calleeOf(state, operation);
  const { signature, ref, kept } = callee;
  checkUnshared(state, operation, signature);
  const passed = operation.operands.map((value) => passedAs(state, operation, value));
  const places = kept.flatMap((parameter) => state.keeper?.passedTo(operation.id, parameter) ?? notKept);
  const locals = state.f.call(ref, ...passed, ...places, ...shiftFor(state, operation, callee));
  operation.results.forEach((result, i) => {
    const returned = state.f.get(locals[i]!);
    if (result.type.kind === 'memref') bindBuffer(state, operation, result, returned, callee.returns[i]!);
    else bindScalar(state, result, returned);
  });
};

/** Where a callee's scratch memory is. */
const shiftFor = (state: Lowering, { id }: Operation, { isShifted }: CallableFunction): readonly Expr[] => {
  if (!isShifted) return [];
  const at = i32.const(state.arena.placeOfCall(id));
  return [state.shift === undefined ? at : i32.add(state.shift, at)];
};

const calleeOf = (state: Lowering, operation: Operation): CallableFunction =>
  state.callee(calleeName(operation)) ?? unsupported(operation, 'a call of a function without a body');

/** The roots of the buffers that a call may store to. */
export const rootsWrittenByCall = (state: Lowering, operation: Operation): readonly (Id | undefined)[] =>
  calleeOf(state, operation).signature.parameters.flatMap((parameter, i) =>
    parameter.kind === 'buffer' && parameter.written
      ? [bufferOf(state, operation, operation.operands[i]!).root]
      : [],
  );

/** The code of a function assumes that a buffer that it writes shares memory with no other argument. */
const checkUnshared = (state: Lowering, operation: Operation, { parameters }: FunctionSignature): void => {
  const buffers = operation.operands.map((value) =>
    value.type.kind === 'memref' ? bufferOf(state, operation, value) : undefined,
  );
  buffers.forEach((buffer, i) => {
    const parameter = parameters[i]!;
    if (buffer === undefined || parameter.kind !== 'buffer' || !parameter.written) return;
    if (buffers.some((other, j) => j !== i && other !== undefined && mayAlias(buffer, other)))
      unsupported(operation, `a call that writes argument ${i}, which may share memory with another one,`);
  });
};

/** A value as it is passed to a function, or returned: a number, or the address of a buffer as its type has it. */
export const passedAs = (state: Lowering, operation: Operation, value: Value): Expr => {
  if (value.type.kind !== 'memref') return scalarOf(state, operation, value);
  const buffer = bufferOf(state, operation, value);
  const expected = staticLayout(operation, value.type);
  const { shape } = value.type;
  // Along a dimension of one element, and without any, strides don't matter.
  const asPromised =
    shape.includes(0) ||
    buffer.strides.every((stride, i) => shape[i] === 1 || String(stride) === String(expected.strides[i]));
  if (!asPromised) return unsupported(operation, 'a buffer whose layout is not that of its type');
  const first = elementAddress(
    state,
    buffer,
    buffer.sizes.map(() => constant(0)),
  );
  return i32.sub(first, state.indices.emit(expected.offset.mul(buffer.storage.bytes)));
};

/** What a function's result is a view of; `arguments` are those of its body. */
export const viewedBy = (
  state: Lowering,
  value: Value,
  parameters: readonly Value[],
): CallableFunction['returns'][number] => {
  const lowered = state.values.get(value.id);
  if (lowered?.kind !== 'buffer') return 'own';
  if (lowered.root === undefined) return 'unknown';
  const position = parameters.findIndex(({ id }) => id === lowered.root);
  return position < 0 ? 'own' : position;
};

/** Binds a returned buffer; one of the callee's own is overwritten by the next call, so it is copied. */
const bindBuffer = (
  state: Lowering,
  operation: Operation,
  result: Value,
  address: Expr,
  view: CallableFunction['returns'][number],
): void => {
  if (view === 'unknown')
    return unsupported(operation, 'a call of a function that returns one of several buffers');
  const { type, storage } = storableType(operation, result.type);
  const bytes = bytesOf(operation, type, storage);
  const returned = { type: 'i32', code: address.code } as Expr<'i32'>;
  let base = returned;
  let root: Id | undefined = result.id;
  if (view === 'own') {
    const at = state.arena.place(result.id);
    base = state.f.get(state.f.let(i32.add(state.scratch, i32.const(at))));
    state.f.statement(memoryCopy(base, returned, i32.const(bytes)));
  } else ({ root } = bufferOf(state, operation, operation.operands[view]!));
  const buffer: Buffer = {
    kind: 'buffer',
    base,
    ...staticLayout(operation, type),
    sizes: type.shape.map((size) => constant(size)),
    storage,
    root,
  };
  state.values.set(result.id, buffer);
};
