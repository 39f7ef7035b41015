/** What the lowering of one function knows: its values, its memory, and how it fails. */
import type { AffineExpr } from '@sconv/affine';
import { constant, mul } from '@sconv/affine';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import type { Block, Id, Operation, Type, Value } from '@sconv/ir';
import type { FunctionBuilder, FunctionRef, Local } from './encoder.ts';
import type { FillBefore } from './fill-before.ts';
import type { IndexVariables } from './index-expressions.ts';
import { unboundedIndex } from './index-expressions.ts';
import type { Code, Expr } from './instructions.ts';
import { i32, i64 } from './instructions.ts';
import { wordOf } from './integer-words.ts';
import type { PackingKeeper } from './packing-keeper.ts';
import type { MicrokernelOptions } from './microkernel.ts';
import type { Storage } from './storage.ts';
import type { TileRow } from './tile-row.ts';

/** A memref: where its element 0 … 0 is and how far apart its elements are. Offsets and strides count elements. */
export interface Buffer {
  readonly kind: 'buffer';
  /** Byte address of the allocation. */
  readonly base: Expr<'i32'>;
  readonly offset: AffineExpr;
  readonly sizes: readonly AffineExpr[];
  readonly strides: readonly AffineExpr[];
  readonly storage: Storage;
  /** The argument, allocation or global that it is a view of; undefined where that is only known at run time. */
  readonly root: Id | undefined;
}

export interface IndexValue {
  readonly kind: 'index';
  readonly expr: AffineExpr;
}

/** A number in a local or a constant: code without effects that may be repeated. */
export interface ScalarValue {
  readonly kind: 'scalar';
  readonly expr: Expr;
}

export type LoweredValue = Buffer | IndexValue | ScalarValue;

/** Bytes of scratch memory, handed out as nested scopes: what a block allocates is free again after it. */
export interface Arena {
  /** The offset of the allocation that is the value `root`, if it is one, aligned to 64 bytes. */
  allocate(root: Id | undefined, bytes: number): number;
  /** Runs `body` and frees what it allocated. */
  scope(body: () => void): void;
  /** Whether the end of the innermost scope frees the value. */
  freesAtEnd(root: Id): boolean;
}

/** Makes functions of the bodies of parallel loops, which any thread may run. */
export interface ParallelBodies {
  /**
   * A function of the address of a frame and the number of an iteration, which `write` writes. It sees nothing of the
   * function around it but what stands in the frame, behind `frameHeaderBytes`. Its number, for `fork`.
   */
  outline(write: (body: Lowering, frame: Expr<'i32'>, iteration: Local<'i32'>) => void): number;
  /** Runs iterations 0 to below `count` of a body, in any order and at the same time; over when all are. */
  fork(body: number, count: number, frame: Expr<'i32'>): void;
}

/** The lowering of one function. */
export interface Lowering {
  readonly f: FunctionBuilder;
  readonly indices: IndexVariables;
  readonly values: Map<Id, LoweredValue>;
  readonly arena: Arena;
  /** Address of the scratch memory, where allocations stand: that of the thread which runs the code. */
  readonly scratch: Expr<'i32'>;
  /** Address of the scratch memory in which the globals stand, which all threads share. */
  readonly globals: Expr<'i32'>;
  /** Addresses that a loop nest has computed for the `memref.load`s in its body, by the operation. */
  readonly loadAddresses: Map<Id, Expr<'i32'>>;
  /** Fills that are left to the operation behind them, by that. */
  readonly fillsBefore: Map<Id, FillBefore>;
  /** Loops that may be one call of a microkernel, by the operation that becomes it. */
  readonly tileRows: Map<Id, TileRow>;
  /** What the author of the module should know. */
  readonly warnings: Diagnostic[];
  /** Code that ends the execution with this diagnostic: for what the engine does not check. */
  trap(diagnostic: Diagnostic): Code;
  /** The function of a microkernel, shared by equal ones. */
  microkernel(options: Omit<MicrokernelOptions, 'relaxed'>): FunctionRef;
  /** Whether a microkernel's tile is one register tile, whose tiles may be a row. */
  isOneRegisterTile(tile: Pick<MicrokernelOptions, 'windows' | 'filters'>): boolean;
  /** Packings whose result may be kept; absent where there are none. */
  readonly keeper?: PackingKeeper;
  /** Where `memref.global` of this name stands in the scratch memory. */
  globalOffset(name: string): number | undefined;
  /** Bodies of parallel loops as functions of their own; absent in such a body, whose loops run in its thread. */
  readonly parallel?: ParallelBodies;
  lowerOperation(operation: Operation): void;
  /** Lowers the operations of a block, its terminator apart. */
  lowerBlock(block: Block): void;
}

/** Ends the lowering; `emitModule` turns it into its result. */
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

/** Ends the execution where the condition holds; the message follows the operation's name. */
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

export const unsupported = (operation: Operation, what: string): never =>
  fail(operation, 'wasm/unsupported', `'${operation.name}': ${what} cannot be emitted as WebAssembly`);

const valueOf = (state: Lowering, operation: Operation, value: Value): LoweredValue =>
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
 * The value of an index expression as code. Expressions that are bound to values hold 32 bits, constants apart: those may
 * be parts of expressions that do.
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

/** The value as code; an index is computed. */
export const scalarOf = (state: Lowering, operation: Operation, value: Value): Expr => {
  const lowered = valueOf(state, operation, value);
  if (lowered.kind === 'index') return indexCode(state, operation, lowered.expr);
  return lowered.kind === 'scalar' ? lowered.expr : unsupported(operation, 'a buffer as a number');
};

/**
 * The expression, or a variable with its value: where that may need more than the 32 bits of an index, it is computed in
 * 64 and the execution ends if it does; where the expression is large, it is computed once.
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

/** An index with the value of 64 bits; ends the execution where its 32 bits do not hold it. */
export const indexFromWord = (state: Lowering, operation: Operation, value: Expr<'i64'>): Expr<'i32'> => {
  const wide = state.f.get(state.f.let(value));
  const narrow = i32.wrapI64(wide);
  const message = 'gives an index beyond the 32 bits that WebAssembly has for it';
  trapIf(state, operation, i64.ne(i64.extendI32S(narrow), wide), 'wasm/overflow', message);
  return narrow;
};

/** Binds a result to a new local with this value; of type index it becomes a variable of index expressions. */
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

/** The number that an index is known to be. */
export const constantOf = (expr: AffineExpr | undefined): number | undefined =>
  expr?.kind === 'constant' ? expr.value : undefined;

export const resultOf = (operation: Operation): Value =>
  operation.results[0] ?? unsupported(operation, 'an operation without a result');

export const operandOf = (operation: Operation, position: number): Value =>
  operation.operands[position] ?? unsupported(operation, `an operation without operand ${position}`);

/** The type of a number as WebAssembly has it; undefined for what it does not have. */
export const scalarTypeOf = (type: Type): 'i32' | 'i64' | 'f32' | 'f64' | undefined => {
  switch (type.kind) {
    case 'index':
      return 'i32';
    case 'integer':
      return wordOf(type.width);
    case 'float':
      return type.name === 'f32' || type.name === 'f64' ? type.name : undefined;
    default:
      return undefined;
  }
};

/** Strides of a contiguous row-major buffer, in elements. */
export const rowMajorStrides = (sizes: readonly AffineExpr[]): readonly AffineExpr[] =>
  sizes.map((_, i) => sizes.slice(i + 1).reduce((product, size) => mul(product, size), constant(1)));

/** Whether every element lies directly behind the one before it, by static sizes and strides. */
export const isContiguous = (buffer: Buffer): boolean => {
  const expected = rowMajorStrides(buffer.sizes);
  return buffer.strides.every((stride, i) => {
    const size = constantOf(buffer.sizes[i]);
    return size === 1 || (stride.kind === 'constant' && constantOf(expected[i]) === stride.value);
  });
};
