/** Lowers a structured operation to a loop nest around its body, one element or vector at a time. */
import type { AffineExpr } from '@sconv/affine';
import { constant } from '@sconv/affine';
import type { Id } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Local } from './encoder.ts';
import { positionsOf } from './index-expressions.ts';
import type { Code, Expr } from './instructions.ts';
import { i32 } from './instructions.ts';
import type { Access } from './loops.ts';
import { emitNest } from './loops.ts';
import type { Buffer, Lowering } from './lowering.ts';
import { elementOffset, mayAlias, scalarOf, unsupported } from './lowering.ts';
import type { StructuredOp } from './structured-op.ts';

/** An operand of the body in memory. */
export interface ElementAccess extends Access {
  readonly buffer: Buffer;
  readonly type: Expr['type'];
  load(pointer: Expr<'i32'>): Expr;
  store(pointer: Expr<'i32'>, value: Expr): Code;
}

/** How a nest loads, computes and stores. */
export interface NestMode {
  access(buffer: Buffer, indices: readonly AffineExpr[]): ElementAccess;
  /** Lowers the operations of the body; `loads` are the elements read by its `memref.load`s. */
  body(loads: readonly LoadedElement[]): void;
  /** A value that the body yields. */
  result(id: Id, scalar: () => Expr): Expr;
}

/** The element that a `memref.load` of the body reads, by operation. */
export interface LoadedElement {
  readonly id: Id;
  readonly access: ElementAccess;
  readonly pointer: Expr<'i32'>;
}

/** One element at a time. */
export const scalarMode = (state: Lowering, op: StructuredOp): NestMode => ({
  access: (buffer, indices) => ({
    buffer,
    base: buffer.base,
    offset: elementOffset(buffer, indices),
    type: buffer.storage.load(i32.const(0)).type,
    load: (pointer) => buffer.storage.load(pointer),
    store: (pointer, value) => buffer.storage.store(pointer, value),
  }),
  body: (loads) => {
    for (const { id, pointer } of loads) state.loadAddresses.set(id, pointer);
    state.lowerBlock(op.body);
  },
  result: (_, scalar) => scalar(),
});

/** A `memref.load` directly in the body whose address can be computed before the loops. */
export interface BodyLoad {
  readonly id: Id;
  readonly buffer: Buffer;
  readonly indices: readonly AffineExpr[];
}

export const bodyLoads = (state: Lowering, op: StructuredOp): readonly BodyLoad[] =>
  op.body.operations.flatMap((operation) => {
    if (operation.name !== 'memref.load') return [];
    const [source, ...indices] = operation.operands.map((operand) => state.values.get(operand.id));
    const exprs = indices.flatMap((index) => (index?.kind === 'index' ? [index.expr] : []));
    if (source?.kind !== 'buffer' || exprs.length !== indices.length) return [];
    return [{ id: operation.id, buffer: source, indices: exprs }];
  });

/** Whether the body accesses memory other than through its operands and `loads`. */
const hasOtherAccesses = (op: StructuredOp, loads: readonly BodyLoad[]): boolean => {
  const known = new Set(loads.map(({ id }) => id));
  return op.body.operations.some((operation) =>
    [...walk(operation)].some(({ name, id }) => name.startsWith('memref.') && !known.has(id)),
  );
};

/** The values that the body uses; a write-only output need not be loaded. */
export const usesOf = (op: StructuredOp): ReadonlySet<Id> => {
  const used = new Set<Id>();
  for (const operation of op.body.operations) {
    for (const inner of walk(operation)) for (const operand of inner.operands) used.add(operand.id);
  }
  return used;
};

/** Whether no output aliases another output, an input or a load of the body. */
export const outputsAreDistinct = (op: StructuredOp, loads: readonly BodyLoad[]): boolean => {
  const buffersOf = (operands: StructuredOp['inputs']): readonly Buffer[] =>
    operands.flatMap(({ value }) => (value.kind === 'buffer' ? [value] : []));
  const outputs = buffersOf(op.outputs);
  const read = [...buffersOf(op.inputs), ...loads.map(({ buffer }) => buffer)];
  return (
    !hasOtherAccesses(op, loads) &&
    outputs.every(
      (output, i) =>
        read.every((buffer) => !mayAlias(output, buffer)) &&
        outputs.every((other, j) => i === j || !mayAlias(output, other)),
    )
  );
};

/** An output, and the depth from which it is a single element kept in a local. */
interface Output {
  readonly access: ElementAccess;
  /** The body's argument for it; undefined if unused. */
  readonly argument: Id | undefined;
  readonly local: Local;
  readonly depth: number | undefined;
}

/** The depth from which the address is loop-invariant; undefined if the innermost loop changes it. */
const stillFrom = (op: StructuredOp, { offset }: Access): number | undefined => {
  const positions = new Set(positionsOf(offset));
  const depth = op.loops.findLastIndex(({ variable }) => positions.has(variable.position)) + 1;
  return depth < op.loops.length ? depth : undefined;
};

/** Placeholder for operands that are numbers. */
const noAccess: Access = { base: i32.const(0), offset: constant(0) };

/** Emits the nest of a structured operation. */
export const lowerLoopNest = (state: Lowering, op: StructuredOp, mode: NestMode): void => {
  const { f } = state;
  const loads = bodyLoads(state, op);
  const distinct = outputsAreDistinct(op, loads);
  const used = usesOf(op);
  const inputs = op.inputs.map(({ value, indices }) =>
    value.kind === 'buffer' ? mode.access(value, indices) : undefined,
  );
  const outputs = op.outputs.map(({ value, indices }, i): Output => {
    if (value.kind !== 'buffer') return unsupported(op.operation, 'an output that is no buffer');
    const access = mode.access(value, indices);
    // The body of `linalg.map` has no arguments for outputs.
    const argument = op.body.arguments[inputs.length + i]?.id;
    const isRead = argument !== undefined && used.has(argument);
    const depth = distinct && isRead ? stillFrom(op, access) : undefined;
    return { access, argument: isRead ? argument : undefined, local: f.local(access.type), depth };
  });
  const loaded = loads.map(({ id, buffer, indices }) => ({ id, access: mode.access(buffer, indices) }));

  // Order of pointers: inputs, outputs, loads of the body.
  const accesses: readonly Access[] = [
    ...inputs.map((access) => access ?? noAccess),
    ...outputs.map(({ access }) => access),
    ...loaded.map(({ access }) => access),
  ];
  const pointersOf = (pointers: readonly Local<'i32'>[], first: number) => (i: number) =>
    f.get(pointers[first + i]!);

  const bind = (id: Id, value: Expr): void => {
    state.values.set(id, { kind: 'scalar', expr: f.get(f.let(value)) });
  };
  const bindInputs = (pointerOf: (i: number) => Expr<'i32'>): void => {
    inputs.forEach((access, i) => {
      const { id } = op.body.arguments[i]!;
      if (access === undefined) state.values.set(id, op.inputs[i]!.value);
      else if (used.has(id)) bind(id, access.load(pointerOf(i)));
    });
  };
  const bindOutputs = (pointerOf: (i: number) => Expr<'i32'>): void => {
    outputs.forEach(({ access, argument, local, depth }, i) => {
      if (argument === undefined) return;
      if (depth !== undefined) state.values.set(argument, { kind: 'scalar', expr: f.get(local) });
      else bind(argument, access.load(pointerOf(i)));
    });
  };
  const writeResults = (pointerOf: (i: number) => Expr<'i32'>): void => {
    const results = op.yielded.map((value) =>
      f.let(mode.result(value.id, () => scalarOf(state, op.operation, value))),
    );
    outputs.forEach(({ access, local, depth }, i) => {
      const result = f.get(results[i]!);
      if (depth !== undefined) f.set(local, result);
      else f.statement(access.store(pointerOf(i), result));
    });
  };

  emitNest(f, state.indices, {
    loops: op.loops,
    accesses,
    around: (depth, pointers, inner) => {
      const pointerOf = pointersOf(pointers, inputs.length);
      const still = outputs.map((output, i) => ({ ...output, i })).filter((output) => output.depth === depth);
      for (const { access, local, i } of still) f.set(local, access.load(pointerOf(i)));
      inner();
      for (const { access, local, i } of still) f.statement(access.store(pointerOf(i), f.get(local)));
    },
    body: (pointers) => {
      const loadPointer = pointersOf(pointers, inputs.length + outputs.length);
      bindInputs(pointersOf(pointers, 0));
      bindOutputs(pointersOf(pointers, inputs.length));
      mode.body(loaded.map((element, i) => ({ ...element, pointer: loadPointer(i) })));
      writeResults(pointersOf(pointers, inputs.length));
    },
  });
};
