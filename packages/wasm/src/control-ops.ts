/** scf: loops and branches; cf: assertions. */
import type { AffineExpr } from '@sconv/affine';
import { constant, equals } from '@sconv/affine';
import { knownBounds, tripCount } from '@sconv/dialects';
import { forBounds } from '@sconv/dialects/scf';
import type { Block, Operation, Value } from '@sconv/ir';
import { terminatorOf, valuesBetween } from '@sconv/ir';
import type { Local } from './encoder.ts';
import { unboundedIndex } from './index-expressions.ts';
import type { Expr } from './instructions.ts';
import { i32, typed } from './instructions.ts';
import type { Buffer, LaneBytes, Lowering } from './lowering.ts';
import type { CountedBounds } from './counted-loop.ts';
import { countedLoop, lowerScope } from './counted-loop.ts';
import { lowerForall } from './forall-op.ts';
import type { TileRow } from './tile-row.ts';
import { onlyWorkOf } from './tile-row.ts';
import { registersIn } from './arrange-lanes.ts';
import { registerCount, vectorTypeOf } from './vector-value.ts';
import type { WasmLowering } from './wasm-lowering.ts';
import {
  bufferOf,
  constantOf,
  elementOffset,
  fail,
  indexOf,
  onlyBlock,
  operandOf,
  scalarOf,
  scalarTypeOf,
  trapIf,
  unsupported,
} from './lowering.ts';

/** A loop-carried or yielded value in locals: a number, the address of a buffer's first element, or registers. */
interface Carried {
  readonly locals: readonly Local[];
  /** For a buffer: everything except the address; all its values agree on it. */
  readonly shape: Buffer | undefined;
  /** For a vector: bytes of its lanes. */
  readonly bytes: LaneBytes | undefined;
}

const firstElement = (state: Lowering, buffer: Buffer): Expr<'i32'> =>
  i32.add(
    buffer.base,
    state.indices.emit(
      elementOffset(
        buffer,
        buffer.sizes.map(() => constant(0)),
      ),
    ),
  );

const declare = (state: Lowering, operation: Operation, value: Value, like: Value): Carried => {
  const { f } = state;
  if (value.type.kind === 'memref') {
    return { locals: [f.local('i32')], shape: bufferOf(state, operation, like), bytes: undefined };
  }
  if (value.type.kind === 'vector') {
    const { count, bytes } = vectorTypeOf(operation, value);
    const locals = Array.from({ length: registerCount(count, bytes) }, () => f.local('v128'));
    return { locals, shape: undefined, bytes };
  }
  const type = scalarTypeOf(value.type);
  if (type === undefined) return unsupported(operation, 'a loop-carried value of this type');
  return { locals: [f.local(type)], shape: undefined, bytes: undefined };
};

/** The current value of `value`, as code for its locals. */
const passedOn = (
  state: Lowering,
  operation: Operation,
  value: Value,
  { shape, bytes }: Carried,
): readonly Expr[] => {
  if (bytes !== undefined) return registersIn(state, operation, value, bytes);
  if (shape === undefined) return [scalarOf(state, operation, value)];
  const buffer = bufferOf(state, operation, value);
  const same = (a: readonly AffineExpr[], b: readonly AffineExpr[]): boolean =>
    a.length === b.length && a.every((expr, i) => equals(expr, b[i]!));
  if (!same(buffer.strides, shape.strides) || !same(buffer.sizes, shape.sizes)) {
    return unsupported(operation, 'a buffer whose layout changes');
  }
  return [firstElement(state, buffer)];
};

/** The values that a block yields, which must outlive the block's allocations. */
const yieldedFrom = (
  state: Lowering,
  operation: Operation,
  values: readonly Value[],
  carried: readonly Carried[],
): readonly Expr[] =>
  values.flatMap((value, i) => {
    const lowered = state.values.get(value.id);
    if (lowered?.kind === 'buffer' && lowered.root !== undefined && state.arena.freesAtEnd(lowered.root)) {
      return fail(
        operation,
        'wasm/escaping-allocation',
        'yields a buffer that is allocated in its body and freed there',
      );
    }
    return passedOn(state, operation, value, carried[i]!);
  });

const bindCarried = (state: Lowering, value: Value, { locals, shape, bytes }: Carried): void => {
  const { f } = state;
  const [local] = locals;
  if (bytes !== undefined) {
    const registers = locals.map((each) => typed(f.get(each), 'v128'));
    state.values.set(value.id, { kind: 'vector', bytes, registers });
  } else if (local === undefined) {
    throw new Error('a carried value has a local');
  } else if (shape !== undefined) {
    const base = typed(f.get(local), 'i32');
    state.values.set(value.id, { ...shape, base, offset: constant(0), root: undefined });
  } else if (value.type.kind === 'index') {
    const variable = state.indices.of(
      { type: 'i32', index: local.index },
      unboundedIndex.lo,
      unboundedIndex.hi,
    );
    state.values.set(value.id, { kind: 'index', expr: variable.expr });
  } else state.values.set(value.id, { kind: 'scalar', expr: f.get(local) });
};

/** Parallel assignment of all locals: a new value may read another local's old one. */
const setAll = (state: Lowering, carried: readonly Carried[], values: readonly Expr[]): void => {
  const { f } = state;
  const locals = carried.flatMap((each) => each.locals);
  const fresh = values.map((value) => f.let(value));
  fresh.forEach((value, i) => {
    f.set(locals[i]!, f.get(value));
  });
};

const lowerFor = (state: Lowering, operation: Operation): void => {
  const { lower, upper, step } = forBounds(operation);
  const bounds = {
    lower: indexOf(state, operation, lower),
    upper: indexOf(state, operation, upper),
    step: indexOf(state, operation, step),
  };
  const body = onlyBlock(operation);
  const [counter, ...argumentsCarried] = body.arguments;
  const yielded = terminatorOf(body).operands;
  const initial = valuesBetween(operation.operands, 3);
  if (counter === undefined) return unsupported(operation, 'a loop without counter');

  // An iter arg that every iteration yields unchanged needs no local.
  const carried = argumentsCarried.map((value, i) =>
    yielded[i]!.id === value.id ? undefined : declare(state, operation, value, initial[i]!),
  );
  const changing = carried.flatMap((entry, i) => (entry === undefined ? [] : [{ entry, i }]));
  const locals = changing.map(({ entry }) => entry);
  const bindAll = (values: readonly Value[]): void => {
    values.forEach((value, i) => {
      const entry = carried[i];
      const same = state.values.get(initial[i]!.id);
      if (entry !== undefined) bindCarried(state, value, entry);
      else if (same !== undefined) state.values.set(value.id, same);
    });
  };

  setAll(
    state,
    locals,
    changing.flatMap(({ entry, i }) => passedOn(state, operation, initial[i]!, entry)),
  );
  const work = onlyWorkOf(body);
  countedLoop(state, operation, bounds, (variable) => {
    state.values.set(counter.id, { kind: 'index', expr: variable });
    bindAll(argumentsCarried);
    const row = work && tileRow(variable, bounds);
    if (row !== undefined) state.tileRows.set(work!.id, row);
    lowerScope(state, body, () => {
      const values = changing.map(({ i }) => yielded[i]!);
      setAll(state, locals, yieldedFrom(state, operation, values, locals));
    });
    return row?.isDone === true;
  });
  bindAll(operation.results);
};

/** A loop with constant bounds and more than one iteration. */
const tileRow = (variable: AffineExpr, bounds: CountedBounds): TileRow | undefined => {
  const known = knownBounds(bounds, constantOf);
  if (known === undefined || variable.kind !== 'symbol') return undefined;
  const { lower, step } = known;
  const trips = tripCount(known);
  return trips < 2 ? undefined : { position: variable.position, lower, step, trips, isDone: false };
};

const lowerIf = (state: Lowering, operation: Operation): void => {
  const condition = scalarOf(state, operation, operandOf(operation, 0));
  if (condition.type !== 'i32') return unsupported(operation, 'this condition');
  if (operation.results.some(({ type }) => type.kind === 'memref')) {
    return unsupported(operation, 'a choice of buffers');
  }
  const [then, otherwise] = operation.regions.map((region) => region.blocks[0]);
  const carried = operation.results.map((value) => declare(state, operation, value, value));
  const branch = (block: Block | undefined) => (): void => {
    if (block === undefined) return;
    lowerScope(state, block, () => {
      setAll(state, carried, yieldedFrom(state, operation, terminatorOf(block).operands, carried));
    });
  };
  state.f.if(typed(condition, 'i32'), branch(then), otherwise && branch(otherwise));
  operation.results.forEach((value, i) => {
    bindCarried(state, value, carried[i]!);
  });
};

/** Ends the execution with the message where the condition does not hold. */
const lowerAssert = (state: Lowering, operation: Operation): void => {
  const condition = typed(scalarOf(state, operation, operandOf(operation, 0)), 'i32');
  const { msg } = operation.attributes;
  const message = msg?.kind === 'string' ? `failed: ${msg.value}` : 'failed';
  trapIf(state, operation, i32.eqz(condition), 'wasm/assertion', message);
};

/** By operation name. */
export const controlLowerings: Readonly<Record<string, WasmLowering>> = {
  'cf.assert': lowerAssert,
  'scf.for': lowerFor,
  'scf.if': lowerIf,
  'scf.forall': lowerForall,
};
