/** Structured operations: the fast forms of microkernels and packing, and a loop nest that is right for all others. */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { Id, Operation } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Local } from './encoder.ts';
import type { Expr } from './instructions.ts';
import { i32, memoryCopy } from './instructions.ts';
import { positionsOf } from './index-expressions.ts';
import type { Access, NestLoop } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Buffer, LoweredValue, Lowering } from './lowering.ts';
import { elementOffset, isContiguous, mayAlias, scalarOf, unsupported } from './lowering.ts';
import { lowerMicrokernel } from './microkernel-op.ts';
import { lowerPacking } from './packing-op.ts';
import type { StructuredOp, StructuredOperand } from './structured-op.ts';
import { bindBodyIndices, readStructuredOp } from './structured-op.ts';

/** Lowers a structured operation on buffers. */
export const lowerStructuredOp = (state: Lowering, operation: Operation): void => {
  const op = readStructuredOp(state, operation);
  for (const { value } of op.outputs) {
    if (value.kind !== 'buffer') return unsupported(operation, 'an output that is no buffer');
    state.written.add(value.root);
  }
  bindBodyIndices(state, op);
  if (op.extents.some((extent) => extent.kind === 'constant' && extent.value <= 0)) return;
  if (lowerMicrokernel(state, op) || lowerPacking(state, op)) return;
  lowerLoopNest(state, op);
};

interface BufferAccess extends Access {
  readonly buffer: Buffer;
}

const accessOf = (buffer: Buffer, indices: readonly AffineExpr[]): BufferAccess => ({
  buffer,
  base: buffer.base,
  offset: elementOffset(buffer, indices),
});

/** A `memref.load` in the body whose address is known before the loops. */
interface BodyLoad {
  readonly id: Id;
  readonly access: BufferAccess;
}

const bodyLoads = (state: Lowering, op: StructuredOp): readonly BodyLoad[] =>
  op.body.operations.flatMap((operation) => {
    if (operation.name !== 'memref.load') return [];
    const [source, ...indices] = operation.operands.map((operand) => state.values.get(operand.id));
    const exprs = indices.flatMap((index) => (index?.kind === 'index' ? [index.expr] : []));
    if (source?.kind !== 'buffer' || exprs.length !== indices.length) return [];
    return [{ id: operation.id, access: accessOf(source, exprs) }];
  });

/**
 * From which loop on the output is one element, which can stay in a local; undefined where the innermost loop moves it or
 * another access may see it.
 */
const accumulationDepth = (
  op: StructuredOp,
  output: BufferAccess,
  others: readonly Buffer[],
): number | undefined => {
  if (others.some((buffer) => mayAlias(buffer, output.buffer))) return undefined;
  const positions = new Set(positionsOf(output.offset));
  const depth = op.loops.findLastIndex(({ variable }) => positions.has(variable.position)) + 1;
  return depth < op.loops.length ? depth : undefined;
};

const elementIn = (value: LoweredValue, pointer: Expr<'i32'> | undefined): Expr => {
  if (value.kind !== 'buffer') throw new Error('a scalar has no element');
  return value.storage.load(pointer ?? i32.const(0));
};

/** Whether the body uses a value; an output that is only written need not be read. */
const usesOf = (op: StructuredOp): ReadonlySet<Id> => {
  const used = new Set<Id>();
  for (const operation of op.body.operations) {
    for (const inner of walk(operation)) for (const operand of inner.operands) used.add(operand.id);
  }
  return used;
};

const lowerLoopNest = (state: Lowering, op: StructuredOp): void => {
  const { f } = state;
  const loads = bodyLoads(state, op);
  const bufferAccess = ({ value, indices }: StructuredOperand): BufferAccess | undefined =>
    value.kind === 'buffer' ? accessOf(value, indices) : undefined;
  const inputs = op.inputs.map(bufferAccess);
  const outputs = op.outputs.map(
    (output) => bufferAccess(output) ?? unsupported(op.operation, 'this output'),
  );
  const read = [...inputs.flatMap((access) => access ?? []), ...loads.map(({ access }) => access)];

  // Pointers stand in this order: inputs, outputs, loads of the body.
  const accesses: Access[] = [
    ...inputs.map((access) => access ?? noAccess),
    ...outputs,
    ...loads.map((l) => l.access),
  ];
  const firstOutput = inputs.length;
  const firstLoad = firstOutput + outputs.length;
  const used = usesOf(op);

  const accumulators = outputs.map((output, i) => {
    const others = [...read, ...outputs.filter((_, j) => j !== i)].map(({ buffer }) => buffer);
    const depth = accumulationDepth(op, output, others);
    const argument = op.body.arguments[firstOutput + i];
    const isRead = argument !== undefined && used.has(argument.id);
    return { depth: isRead ? depth : undefined, local: f.local(valueTypeOf(output.buffer)), isRead };
  });

  const yieldInto = (pointers: readonly Local<'i32'>[]): void => {
    const results = op.yielded.map((value) => f.let(scalarOf(state, op.operation, value)));
    results.forEach((result, i) => {
      const { depth, local } = accumulators[i]!;
      const pointer = f.get(pointers[firstOutput + i]!);
      if (depth !== undefined) f.set(local, f.get(result));
      else f.statement(outputs[i]!.buffer.storage.store(pointer, f.get(result)));
    });
  };

  const body = (pointers: readonly Local<'i32'>[]): void => {
    op.inputs.forEach(({ value }, i) => {
      const argument = op.body.arguments[i]!;
      if (value.kind !== 'buffer') state.values.set(argument.id, value);
      else if (used.has(argument.id)) bindElement(state, argument.id, elementIn(value, f.get(pointers[i]!)));
    });
    op.outputs.forEach(({ value }, i) => {
      const argument = op.body.arguments[firstOutput + i]!;
      const { depth, local, isRead } = accumulators[i]!;
      if (depth !== undefined) state.values.set(argument.id, { kind: 'scalar', expr: f.get(local) });
      else if (isRead) bindElement(state, argument.id, elementIn(value, f.get(pointers[firstOutput + i]!)));
    });
    loads.forEach(({ id }, i) => state.loadAddresses.set(id, f.get(pointers[firstLoad + i]!)));
    state.lowerBlock(op.body);
    yieldInto(pointers);
  };

  /** Keeps the accumulators of this depth in locals while `inner` runs. */
  const around = (depth: number, pointers: readonly Local<'i32'>[], inner: () => void): void => {
    const own = outputs.flatMap((output, i) => {
      const { depth: at, local } = accumulators[i]!;
      return at === depth ? [{ output, local, pointer: f.get(pointers[firstOutput + i]!) }] : [];
    });
    for (const { output, local, pointer } of own) f.set(local, output.buffer.storage.load(pointer));
    inner();
    for (const { output, local, pointer } of own) {
      f.statement(output.buffer.storage.store(pointer, f.get(local)));
    }
  };

  emitNest(f, state.indices, { loops: op.loops, accesses, around, body });
};

/** Stands for the address of an operand that is a number. */
const noAccess: Access = { base: i32.const(0), offset: constant(0) };

const valueTypeOf = (buffer: Buffer): Expr['type'] => buffer.storage.load(i32.const(0)).type;

const bindElement = (state: Lowering, id: Id, element: Expr): void => {
  state.values.set(id, { kind: 'scalar', expr: state.f.get(state.f.let(element)) });
};

/** Copies all elements; the buffers have the same shape. */
export const copyBuffer = (state: Lowering, source: Buffer, target: Buffer): void => {
  const { f, indices } = state;
  state.written.add(target.root);
  if (isContiguous(source) && isContiguous(target)) {
    const origin = source.sizes.map(() => constant(0));
    const [from, to] = [source, target].map((buffer) =>
      i32.add(buffer.base, indices.emit(elementOffset(buffer, origin))),
    ) as [Expr<'i32'>, Expr<'i32'>];
    const count = source.sizes.reduce((product, size) => product.mul(size), constant(source.storage.bytes));
    f.statement(memoryCopy(to, from, indices.emit(count)));
    return;
  }
  const loops = source.sizes.map((extent): NestLoop => {
    const count = extent.kind === 'constant' ? extent.value : 2 ** 31;
    return { variable: indices.of(f.local('i32'), 0, count), extent };
  });
  const at = loops.map(({ variable }) => variable.expr);
  emitNest(f, indices, {
    loops,
    accesses: [accessOf(source, at), accessOf(target, at)],
    body: ([from, to]) => {
      f.statement(target.storage.store(f.get(to!), source.storage.load(f.get(from!))));
    },
  });
};
