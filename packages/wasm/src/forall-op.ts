/**
 * `scf.forall` on buffers: the body is outlined into a function that several threads may run concurrently. The values
 * it captures are passed in a frame in memory, numbers in eight bytes each, since threads share nothing else.
 */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { MixedIndex } from '@sconv/dialects';
import { knownBounds, tripCount } from '@sconv/dialects';
import { forallBounds } from '@sconv/dialects/scf';
import type { Block, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';
import { calleesOf } from './call-op.ts';
import type { CountedBounds } from './counted-loop.ts';
import { countedLoop, lowerScope } from './counted-loop.ts';
import type { IndexRange } from './index-expressions.ts';
import type { Expr } from './instructions.ts';
import { f32, f64, i32, i64, typed, v128 } from './instructions.ts';
import type { Buffer, LoweredValue, Lowering, ParallelBodies } from './lowering.ts';
import { constantOf, indexCode, indexOf, onlyBlock, unsupported } from './lowering.ts';
import { frameHeaderBytes } from './parallel-bodies.ts';
import type { WasmLowering } from './wasm-lowering.ts';

export const lowerForall: WasmLowering = (state, operation) => {
  if (operation.results.length > 0) return unsupported(operation, 'a loop on tensors');
  const bounds = boundsOf(state, operation);
  const body = onlyBlock(operation);
  const counts = bounds.map(iterationsOf);
  const isKnown = counts.every((count) => count !== undefined);
  // A function finds the globals in the scratch memory, which is that of the first thread only.
  const isCalling = calleesOf(operation).size > 0;
  if (isKnown && !isCalling && state.parallel !== undefined && product(counts) > 1) {
    lowerInParallel(state, state.parallel, operation, body, bounds, counts);
  } else lowerInSequence(state, operation, body, bounds);
};

const product = (numbers: readonly number[]): number => numbers.reduce((all, each) => all * each, 1);

const boundsOf = (state: Lowering, operation: Operation): readonly CountedBounds[] => {
  const exprOf = (index: MixedIndex): AffineExpr =>
    typeof index === 'number' ? constant(index) : indexOf(state, operation, index);
  return forallBounds(operation).map(({ lower, upper, step }) => ({
    lower: exprOf(lower),
    upper: exprOf(upper),
    step: exprOf(step),
  }));
};

/** The trip count of a loop; undefined if unknown. */
const iterationsOf = (bounds: CountedBounds): number | undefined => {
  const known = knownBounds(bounds, constantOf);
  return known && tripCount(known);
};

const lowerInSequence = (
  state: Lowering,
  operation: Operation,
  body: Block,
  bounds: readonly CountedBounds[],
): void => {
  const nest = (depth: number): void => {
    const loop = bounds[depth];
    if (loop === undefined) {
      lowerScope(state, body);
      return;
    }
    countedLoop(state, operation, loop, (variable) => {
      state.values.set(body.arguments[depth]!.id, { kind: 'index', expr: variable });
      nest(depth + 1);
    });
  };
  nest(0);
};

const lowerInParallel = (
  state: Lowering,
  parallel: ParallelBodies,
  operation: Operation,
  body: Block,
  bounds: readonly CountedBounds[],
  counts: readonly number[],
): void => {
  const { f, arena } = state;
  const frame = createFrame();
  const captured = capturedBy(state, operation, body).flatMap((value) => {
    const lowered = state.values.get(value.id);
    return lowered === undefined ? [] : [{ value, passed: pass(state, operation, frame, lowered) }];
  });
  // One of the threads uses the same scratch memory: its allocations are planned with those around the loop.
  arena.scope(() => {
    const at = arena.frame(frame.bytes());
    const address = f.get(f.let(i32.add(state.scratch, i32.const(at))));
    frame.store(state, address);
    const number = parallel.outline((inner, own, iteration) => {
      for (const { value, passed } of captured) inner.values.set(value.id, passed(inner, own));
      const counter = inner.indices.of(iteration, 0, product(counts)).expr;
      let left = product(counts);
      bounds.forEach(({ lower, step }, i) => {
        const count = counts[i]!;
        left /= count;
        const position = counter.floorDiv(left).mod(count);
        const variable = inner.indices.materialize(position.mul(step).add(lower));
        inner.values.set(body.arguments[i]!.id, { kind: 'index', expr: variable.expr });
      });
      lowerScope(inner, body);
    });
    parallel.fork(number, product(counts), address);
  });
};

/** The values that a body captures. */
const capturedBy = ({ keeper }: Lowering, operation: Operation, body: Block): readonly Value[] => {
  const defined = new Set(body.arguments.map(({ id }) => id));
  const captured = new Map<number, Value>();
  for (const inner of walk(operation)) {
    if (inner === operation) continue;
    for (const value of inner.results) defined.add(value.id);
    for (const region of inner.regions)
      for (const block of region.blocks) for (const { id } of block.arguments) defined.add(id);
  }
  for (const inner of walk(operation)) {
    if (inner === operation) continue;
    for (const value of [...inner.operands, ...(keeper?.neededBy(inner.id) ?? [])])
      if (!defined.has(value.id)) captured.set(value.id, value);
  }
  return [...captured.values()];
};

/** Reads a frame slot, in the body's function. */
type Slot = (inner: Pick<Lowering, 'f'>, frame: Expr<'i32'>) => Expr;

/** Numbers passed from the enclosing function to the body. */
interface Frame {
  slot(value: Expr): Slot;
  bytes(): number;
  store(state: Lowering, address: Expr<'i32'>): void;
}

const createFrame = (): Frame => {
  const values: { readonly value: Expr; readonly offset: number }[] = [];
  let end = frameHeaderBytes;
  return {
    slot: (value) => {
      const offset = end;
      values.push({ value, offset });
      end += value.type === 'v128' ? 16 : 8;
      return ({ f }, frame) => f.get(f.let(loadFrom(value.type, frame, offset)));
    },
    bytes: () => end,
    store: ({ f }, address) => {
      for (const { value, offset } of values) f.statement(storeTo(address, value, offset));
    },
  };
};

const loadFrom = (type: Expr['type'], address: Expr<'i32'>, offset: number): Expr => {
  switch (type) {
    case 'i32':
      return i32.load(address, offset);
    case 'i64':
      return i64.load(address, offset);
    case 'f32':
      return f32.load(address, offset);
    case 'f64':
      return f64.load(address, offset);
    case 'v128':
      return v128.load(address, offset);
  }
};

const storeTo = (address: Expr<'i32'>, value: Expr, offset: number) => {
  switch (value.type) {
    case 'i32':
      return i32.store(address, typed(value, 'i32'), offset);
    case 'i64':
      return i64.store(address, typed(value, 'i64'), offset);
    case 'f32':
      return f32.store(address, typed(value, 'f32'), offset);
    case 'f64':
      return f64.store(address, typed(value, 'f64'), offset);
    case 'v128':
      return v128.store(address, typed(value, 'v128'), offset);
  }
};

/** Puts a value into the frame; returns how the body reads it. */
const pass = (
  state: Lowering,
  operation: Operation,
  frame: Frame,
  value: LoweredValue,
): ((inner: Lowering, frame: Expr<'i32'>) => LoweredValue) => {
  switch (value.kind) {
    case 'index': {
      const index = passIndex(state, operation, frame, value.expr);
      return (inner, own) => ({ kind: 'index', expr: index(inner, own) });
    }
    case 'scalar': {
      const slot = frame.slot(value.expr);
      return (inner, own) => ({ kind: 'scalar', expr: slot(inner, own) });
    }
    case 'vector': {
      const { bytes } = value;
      const slots = value.registers.map((register) => frame.slot(register));
      return (inner, own) => ({
        kind: 'vector',
        bytes,
        registers: slots.map((slot) => typed(slot(inner, own), 'v128')),
      });
    }
    case 'buffer':
      return passBuffer(state, operation, frame, value);
  }
};

const passIndex = (
  state: Lowering,
  operation: Operation,
  frame: Frame,
  expr: AffineExpr,
): ((inner: Lowering, frame: Expr<'i32'>) => AffineExpr) => {
  if (expr.kind === 'constant') return () => expr;
  const range: IndexRange = state.indices.rangeOf(expr);
  const slot = frame.slot(indexCode(state, operation, expr));
  return ({ f, indices }, own) => {
    const local = f.let(typed(slot({ f }, own), 'i32'));
    return indices.of(local, range.lo, range.hi).expr;
  };
};

const passBuffer = (
  state: Lowering,
  operation: Operation,
  frame: Frame,
  buffer: Buffer,
): ((inner: Lowering, frame: Expr<'i32'>) => LoweredValue) => {
  const base = frame.slot(buffer.base);
  const index = (expr: AffineExpr) => passIndex(state, operation, frame, expr);
  const offset = index(buffer.offset);
  const sizes = buffer.sizes.map(index);
  const strides = buffer.strides.map(index);
  return (inner, own) => ({
    ...buffer,
    base: typed(base(inner, own), 'i32'),
    offset: offset(inner, own),
    sizes: sizes.map((size) => size(inner, own)),
    strides: strides.map((stride) => stride(inner, own)),
  });
};
