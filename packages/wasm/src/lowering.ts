/** The state of lowering one function: its values, its memory, and how it fails. */
import type { AffineExpr } from '@sconv/affine';
import { constant, mul } from '@sconv/affine';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import type { Block, Id, Operation, Registry, Type, Value } from '@sconv/ir';
import type { CallableFunction } from './call-op.ts';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';
import type { IndexVariables } from './index-expressions.ts';
import { unboundedIndex } from './index-expressions.ts';
import type { Code, Expr } from './instructions.ts';
import { i32, i64 } from './instructions.ts';
import { isHalf } from './half-floats.ts';
import { wordOf } from './integer-words.ts';
import type { PanelTable } from './panel-table.ts';
import type { PackingKeeper } from './packing-keeper.ts';
import type { MicrokernelOptions } from './microkernel.ts';
import type { Storage } from './storage.ts';
import type { TileRow } from './tile-row.ts';

/** A memref: the address of element 0 … 0 and the distance between elements. Offsets and strides count elements. */
export interface Buffer {
  readonly kind: 'buffer';
  /** Byte address of the allocation. */
  readonly base: Expr<'i32'>;
  readonly offset: AffineExpr;
  readonly sizes: readonly AffineExpr[];
  readonly strides: readonly AffineExpr[];
  readonly storage: Storage;
  /** The argument, allocation or global that it is a view of; undefined if known only at run time. */
  readonly root: Id | undefined;
}

export interface IndexValue {
  readonly kind: 'index';
  readonly expr: AffineExpr;
}

/** A number in a local, or a constant: code without side effects that may be repeated. */
export interface ScalarValue {
  readonly kind: 'scalar';
  readonly expr: Expr;
  /** The element of a vector that it is, if it is known to be one: repeating it takes a shuffle. */
  readonly element?: VectorElement;
}

/** An element of a vector, by its row-major position. */
export interface VectorElement {
  readonly vector: VectorValue;
  readonly position: number;
}

/** A vector of any shape: its elements in row-major order, in as many registers as they fill. */
export interface VectorValue {
  readonly kind: 'vector';
  /** Of a lane: those of an element, as it is held; of `i1`, any: each lane then has all bits set, or none. */
  readonly bytes: LaneBytes;
  /** Locals; what is in lanes behind the last element is not specified. */
  readonly registers: readonly Expr<'v128'>[];
}

/** Bytes of a lane. */
export type LaneBytes = 1 | 2 | 4 | 8;

export type LoweredValue = Buffer | IndexValue | ScalarValue | VectorValue;

/** What an operation in a `vector.mask` computes with. */
export interface Masking {
  readonly mask: Value;
  readonly passthru: Value | undefined;
}

/** A function's scratch memory, in nested scopes: what a block allocates is freed at its end. Offsets are in bytes. */
export interface Arena {
  /** The offset planned for a buffer that the function allocates: a multiple of 64. */
  place(buffer: Id): number;
  /** The offset planned for the scratch memory of a callee. */
  placeOfCall(call: Id): number;
  /** The offset of memory that no planned buffer shares, until the end of the innermost scope: a multiple of 64. */
  frame(bytes: number): number;
  /** Runs `body` and frees what it allocated. */
  scope(body: () => void): void;
  /** Whether the end of the innermost scope frees the buffer. */
  freesAtEnd(buffer: Id): boolean;
}

/** Outlines the bodies of parallel loops into functions that any thread may run. */
export interface ParallelBodies {
  /**
   * A function of a frame's address and an iteration number, written by `write`. From the enclosing function it sees
   * only the frame's contents, after `frameHeaderBytes`. Returns its number, for `fork`.
   */
  outline(write: (body: Lowering, frame: Expr<'i32'>, iteration: Local<'i32'>) => void): number;
  /** Runs iterations 0 to below `count` of a body, in any order and concurrently; returns when all are done. */
  fork(body: number, count: number, frame: Expr<'i32'>): void;
}

/** The lowering of one function. */
export interface Lowering {
  /** What the operations are. */
  readonly registry: Registry;
  readonly f: FunctionBuilder;
  readonly indices: IndexVariables;
  readonly values: Map<Id, LoweredValue>;
  readonly arena: Arena;
  /** Address of the function's scratch memory, which holds the allocations: in that of the executing thread. */
  readonly scratch: Expr<'i32'>;
  /** Its distance from the thread's scratch memory, if callers pass it. */
  readonly shift: Expr<'i32'> | undefined;
  /** Address of the scratch memory that holds the globals, shared by all threads. */
  readonly globals: Expr<'i32'>;
  /** Addresses that a loop nest has computed for the `memref.load`s in its body, by operation. */
  readonly loadAddresses: Map<Id, Expr<'i32'>>;
  /** Masks around operations, by operation. */
  readonly maskings: Map<Id, Masking>;
  /** Loops that may become one microkernel call, by the operation that emits it. */
  readonly tileRows: Map<Id, TileRow>;
  /** Code that ends the execution with this diagnostic, for conditions that the engine does not check. */
  trap(diagnostic: Diagnostic): Code;
  /** The function of a microkernel; equal options share one. */
  microkernel(options: Omit<MicrokernelOptions, 'relaxed'>): FunctionRef;
  /** A function that the module has once, where it is used: `add` adds the one of this name. */
  sharedFunction(name: string, add: (builder: ModuleBuilder) => FunctionRef): FunctionRef;
  /** Whether fused multiply-adds of relaxed SIMD may be used. */
  readonly relaxed: boolean;
  /** Packings whose result can be kept; absent if there are none. */
  readonly keeper?: PackingKeeper;
  /** Copies panels of constants outside of the memory; absent if there are none. */
  readonly panels?: PanelTable;
  /** The named function, if it has a body: callees are lowered before their callers. */
  callee(name: string): CallableFunction | undefined;
  /** Offset of the named `memref.global` in the scratch memory. */
  globalOffset(name: string): number | undefined;
  /** Whether it may be written: it then shares memory with what is given, or got elsewhere. */
  isVariable(name: string): boolean;
  /** Outlines parallel loop bodies; absent inside such a body, whose loops run sequentially in its thread. */
  readonly parallel?: ParallelBodies;
  lowerOperation(operation: Operation): void;
  /** Lowers the operations of a block, except its terminator. */
  lowerBlock(block: Block): void;
}

/** Aborts the lowering; `emitModule` turns it into its result. */
export class LoweringFailure extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

/** Fails at an operation. */
export const fail = (operation: Operation, code: string, message: string): never => {
  throw new LoweringFailure(error(code, message, operation.location));
};

/** Ends the execution if the condition holds; the message is prefixed by the operation's name. */
export const trapIf = (
  state: Lowering,
  operation: Operation,
  condition: Expr<'i32'>,
  code: string,
  message: string,
): void => {
  state.f.if(condition, () => {
    state.f.statement(state.trap(error(code, `'${operation.name}' ${message}`, operation.location)));
  });
};

/** Fails at what has no lowering; `hint` begins with a colon, and says what to do. */
export const unsupported = (operation: Operation, what: string, hint = ''): never =>
  fail(operation, 'wasm/unsupported', `'${operation.name}': ${what} cannot be emitted as WebAssembly${hint}`);

/** The only block of an operation, which nothing has verified; fails if there are more or none. */
export const onlyBlock = (operation: Operation): Block => {
  const [region, ...regions] = operation.regions;
  const [block, ...blocks] = region?.blocks ?? [];
  return block === undefined || regions.length + blocks.length > 0
    ? unsupported(operation, 'a body that is not one block')
    : block;
};

export const valueOf = (state: Lowering, operation: Operation, value: Value): LoweredValue =>
  state.values.get(value.id) ??
  fail(operation, 'wasm/unknown-value', `'${operation.name}' uses a value that has no lowering`);

export const bufferOf = (state: Lowering, operation: Operation, value: Value): Buffer => {
  const lowered = valueOf(state, operation, value);
  return lowered.kind === 'buffer' ? lowered : unsupported(operation, 'an operand that is no buffer');
};

export const indexOf = (state: Lowering, operation: Operation, value: Value): AffineExpr => {
  const lowered = valueOf(state, operation, value);
  return lowered.kind === 'index' ? lowered.expr : unsupported(operation, 'an operand that is no index');
};

/**
 * The value of an index expression as code. Expressions bound to values fit 32 bits; constants may not, as parts of
 * expressions that do.
 */
export const indexCode = (state: Lowering, operation: Operation, expr: AffineExpr): Expr<'i32'> => {
  if (expr.kind === 'constant' && expr.value !== (expr.value | 0)) {
    return fail(
      operation,
      'wasm/index-overflow',
      `'${operation.name}' uses ${expr.value}, beyond the largest index`,
    );
  }
  return state.indices.emit(expr);
};

/** The value as code; index expressions are computed. */
export const scalarOf = (state: Lowering, operation: Operation, value: Value): Expr => {
  const lowered = valueOf(state, operation, value);
  if (lowered.kind === 'index') return indexCode(state, operation, lowered.expr);
  return lowered.kind === 'scalar' ? lowered.expr : unsupported(operation, `a ${lowered.kind} as a number`);
};

/**
 * The expression, or a variable that holds its value. If it may overflow the 32 bits of an index it is computed in 64,
 * and overflow ends the execution; a large expression is computed only once.
 */
export const boundedIndex = (state: Lowering, operation: Operation, expr: AffineExpr): AffineExpr => {
  const { indices } = state;
  if (expr.kind === 'constant') return expr;
  if (indices.fits(expr)) return indices.isLarge(expr) ? indices.materialize(expr).expr : expr;
  const { lo, hi } = indices.rangeOf(expr);
  const local = state.f.let(indexFromWord(state, operation, indices.emitWide(expr)));
  return indices.of(local, Math.max(lo, unboundedIndex.lo), Math.min(hi, unboundedIndex.hi)).expr;
};

export const bindIndex = (state: Lowering, operation: Operation, value: Value, expr: AffineExpr): void => {
  state.values.set(value.id, { kind: 'index', expr: boundedIndex(state, operation, expr) });
};

/** An index from a 64-bit value; ends the execution if 32 bits cannot hold it. */
export const indexFromWord = (state: Lowering, operation: Operation, value: Expr<'i64'>): Expr<'i32'> => {
  const wide = state.f.get(state.f.let(value));
  const narrow = i32.wrapI64(wide);
  const message = 'gives an index beyond the 32 bits that WebAssembly has for it';
  trapIf(state, operation, i64.ne(i64.extendI32S(narrow), wide), 'wasm/overflow', message);
  return narrow;
};

/** Binds a result to a new local with this value; an index becomes a variable of index expressions. */
export const bindScalar = (state: Lowering, value: Value, expr: Expr): void => {
  const local = state.f.let(expr);
  if (value.type.kind === 'index' && local.type === 'i32') {
    const i32Local = { type: local.type, index: local.index };
    const variable = state.indices.of(i32Local, unboundedIndex.lo, unboundedIndex.hi);
    state.values.set(value.id, { kind: 'index', expr: variable.expr });
  } else state.values.set(value.id, { kind: 'scalar', expr: state.f.get(local) });
};

/** Whether two buffers may share memory. */
export const mayAlias = (a: Buffer, b: Buffer): boolean =>
  a.root === undefined || b.root === undefined || a.root === b.root;

/** The byte offset of an element from the buffer's base. */
export const elementOffset = (buffer: Buffer, indices: readonly AffineExpr[]): AffineExpr =>
  indices
    .reduce((sum, index, i) => sum.add(index.mul(buffer.strides[i] ?? constant(0))), buffer.offset)
    .mul(buffer.storage.bytes);

/** The address of an element as code. */
export const elementAddress = (
  state: Lowering,
  buffer: Buffer,
  indices: readonly AffineExpr[],
): Expr<'i32'> => i32.add(buffer.base, state.indices.emit(elementOffset(buffer, indices)));

/** The value of a constant index. */
export const constantOf = (expr: AffineExpr | undefined): number | undefined =>
  expr?.kind === 'constant' ? expr.value : undefined;

export const resultOf = (operation: Operation): Value =>
  operation.results[0] ?? unsupported(operation, 'an operation without a result');

export const operandOf = (operation: Operation, position: number): Value =>
  operation.operands[position] ?? unsupported(operation, `an operation without operand ${position}`);

/** The WebAssembly type that holds a number; undefined if unsupported. */
export const scalarTypeOf = (type: Type): 'i32' | 'i64' | 'f32' | 'f64' | undefined => {
  switch (type.kind) {
    case 'index':
      return 'i32';
    case 'integer':
      return wordOf(type.width);
    case 'float':
      if (isHalf(type.name)) return 'f32';
      return type.name === 'f32' || type.name === 'f64' ? type.name : undefined;
    default:
      return undefined;
  }
};

/** Strides of a contiguous row-major buffer, in elements. */
export const rowMajorStrides = (sizes: readonly AffineExpr[]): readonly AffineExpr[] =>
  sizes.map((_, i) => sizes.slice(i + 1).reduce((product, size) => mul(product, size), constant(1)));

/** Whether static sizes and strides make the buffer contiguous and row-major. */
export const isContiguous = (buffer: Buffer): boolean => {
  const expected = rowMajorStrides(buffer.sizes);
  return buffer.strides.every((stride, i) => {
    const size = constantOf(buffer.sizes[i]);
    return size === 1 || (stride.kind === 'constant' && constantOf(expected[i]) === stride.value);
  });
};
