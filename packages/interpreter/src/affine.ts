/** The `affine` dialect. */
import type { AffineMap } from '@sconv/affine';
import { atomicKinds } from '@sconv/dialects/memref';
import type { Operation, Type, Value } from '@sconv/ir';
import { loadElement, storeElement } from './access.ts';
import type { IndexFunction } from './affine-closure.ts';
import { indexFunction } from './affine-closure.ts';
import { combineAtomically, neutralOf } from './atomics.ts';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { load, store } from './context.ts';
import type { Scalar } from './element.ts';
import type { Combine } from './scalar-function.ts';
import { branches, runBox, runRange } from './scf.ts';
import { trap } from './trap.ts';
import { contiguousLoad, contiguousStore } from './vector-memory.ts';

/** The results of a map over SSA operands, dimensions first. */
const mapFunctions = (
  operation: Operation,
  context: Context,
  map: AffineMap,
  operands: readonly Value[],
): IndexFunction[] => {
  const slots = context.numbers(operation, operands);
  const [dims, symbols] = [slots.slice(0, map.numDims), slots.slice(map.numDims)];
  return map.results.map((result) => indexFunction(operation, result, dims, symbols));
};

const mapOf = (operation: Operation, context: Context, name: string): AffineMap =>
  context.attribute(operation, name, 'affine-map').map;

const segmentsOf = (operation: Operation, context: Context): Value[][] => {
  let next = 0;
  return context.attribute(operation, 'operandSegmentSizes', 'dense-array').values.map((size) => {
    const group = operation.operands.slice(next, next + Number(size));
    next += group.length;
    return group;
  });
};

const greatest = (values: readonly IndexFunction[], frame: Frame): number =>
  values.reduce((max, value) => Math.max(max, value(frame)), -Infinity);

const least = (values: readonly IndexFunction[], frame: Frame): number =>
  values.reduce((min, value) => Math.min(min, value(frame)), Infinity);

/** `affine.apply`, `affine.max` and `affine.min`: the only, greatest or least result of the map. */
const mapHandler =
  (choose: (values: readonly IndexFunction[], frame: Frame) => number): Handler =>
  (operation, context) => {
    const values = mapFunctions(operation, context, mapOf(operation, context, 'map'), operation.operands);
    const result = context.number(operation, context.result(operation));
    const [only] = values;
    if (only === undefined) return context.invalid(operation, 'has a map without results');
    if (values.length === 1) {
      return (frame) => {
        frame.numbers[result] = only(frame);
      };
    }
    return (frame) => {
      frame.numbers[result] = choose(values, frame);
    };
  };

const affineFor: Handler = (operation, context) => {
  const [lowerOperands = [], upperOperands = [], inits = []] = segmentsOf(operation, context);
  const lower = mapFunctions(operation, context, mapOf(operation, context, 'lowerBoundMap'), lowerOperands);
  const upper = mapFunctions(operation, context, mapOf(operation, context, 'upperBoundMap'), upperOperands);
  const step = Number(context.attribute(operation, 'step', 'integer').value);
  return runRange(operation, context, inits, {
    lower: (frame) => greatest(lower, frame),
    upper: (frame) => least(upper, frame),
    step: () => step,
  });
};

const affineIf: Handler = (operation, context) => {
  const { set } = context.attribute(operation, 'condition', 'integer-set');
  const slots = context.numbers(operation, operation.operands);
  const [dims, symbols] = [slots.slice(0, set.numDims), slots.slice(set.numDims)];
  const constraints = set.constraints.map(({ expr, kind }) => {
    const value = indexFunction(operation, expr, dims, symbols);
    return kind === 'eq'
      ? (frame: Frame): boolean => value(frame) === 0
      : (frame: Frame): boolean => value(frame) >= 0;
  });
  const [then, otherwise] = branches(operation, context);
  return (frame) => {
    if (constraints.every((holds) => holds(frame))) then(frame);
    else otherwise(frame);
  };
};

/** `affine.parallel` in sequence. */
const affineParallel: Handler = (operation, context) => {
  const region = context.region(operation, 0);
  const variables = context.numbers(operation, context.parameters(operation, region));
  const { numDims, numSymbols } = mapOf(operation, context, 'lowerBoundsMap');
  const lowerOperands = operation.operands.slice(0, numDims + numSymbols);
  const upperOperands = operation.operands.slice(numDims + numSymbols);
  const lower = boundGroups(operation, context, 'lowerBounds', variables.length, lowerOperands);
  const upper = boundGroups(operation, context, 'upperBounds', variables.length, upperOperands);
  const steps = context
    .attribute(operation, 'steps', 'array')
    .elements.map((step) =>
      step.kind === 'integer' ? Number(step.value) : context.invalid(operation, 'has no valid steps'),
    );
  const ranges = variables.map((slot, i) => ({
    slot,
    lower: (frame: Frame) => greatest(lower[i]!, frame),
    upper: (frame: Frame) => least(upper[i]!, frame),
    step: () => steps[i]!,
  }));
  const reductions = reductionsOf(operation, context);
  const body = context.body(operation, region, ({ operands }) => {
    const yielded = operands.map((value) => context.slot(value));
    return (frame) => {
      reductions.forEach(({ slot, type, combine }, i) => {
        const [all, next] = [slot, yielded[i]!].map((each) => load(frame, each, type) as Scalar);
        store(frame, slot, combine(all!, next!));
      });
    };
  });
  return (frame) => {
    for (const { slot, neutral } of reductions) store(frame, slot, neutral);
    runBox(ranges, operation, frame, body);
  };
};

/** How the values that iterations yield for a result are combined, beginning with the neutral one. */
interface Reduction {
  readonly slot: number;
  readonly type: Type;
  readonly combine: Combine;
  readonly neutral: Scalar;
}

const reductionsOf = (operation: Operation, context: Context): readonly Reduction[] => {
  const { elements } = context.attribute(operation, 'reductions', 'array');
  return operation.results.map((result, i) => {
    const kind = elements[i];
    const name = kind?.kind === 'integer' ? atomicKinds[Number(kind.value)] : undefined;
    const { type } = result;
    const neutral = name && neutralOf(context, operation, name, result);
    if (name === undefined || neutral === undefined) {
      return trap(
        operation,
        'interpreter/unsupported-op',
        'combines values in a way that has no neutral one',
      );
    }
    return {
      slot: context.slot(result),
      type,
      combine: combineAtomically(context, operation, name, type),
      neutral,
    };
  });
};

/** Per loop, its results of the bounds' map. */
const boundGroups = (
  operation: Operation,
  context: Context,
  side: 'lowerBounds' | 'upperBounds',
  loops: number,
  operands: readonly Value[],
): IndexFunction[][] => {
  const values = mapFunctions(operation, context, mapOf(operation, context, `${side}Map`), operands);
  const sizes = context.attribute(operation, `${side}Groups`, 'dense-elements').values.map(Number);
  let next = 0;
  return Array.from({ length: loops }, (_, i) => {
    // A single size is a splat.
    const size = sizes[i] ?? sizes[0]!;
    next += size;
    return values.slice(next - size, next);
  });
};

/**
 * Slots that hold the results of a map over SSA operands after `prepare`; a result that is itself an operand stays in
 * its slot.
 */
const mapSlots = (
  operation: Operation,
  context: Context,
  operands: readonly Value[],
): { readonly slots: readonly number[]; readonly prepare: Exec } => {
  const map = mapOf(operation, context, 'map');
  const values = mapFunctions(operation, context, map, operands);
  const computed: { slot: number; value: IndexFunction }[] = [];
  const slots = map.results.map((result, i) => {
    if (result.kind === 'dim') return context.number(operation, operands[result.position]!);
    const slot = context.scratch();
    computed.push({ slot, value: values[i]! });
    return slot;
  });
  const prepare: Exec = (frame) => {
    for (const { slot, value } of computed) frame.numbers[slot] = value(frame);
  };
  return { slots, prepare };
};

const affineLoad: Handler = (operation, context) => {
  const buffer = context.operand(operation, 0);
  const { slots, prepare } = mapSlots(operation, context, operation.operands.slice(1));
  const loadAt = loadElement(operation, context, buffer, slots);
  return (frame) => {
    prepare(frame);
    loadAt(frame);
  };
};

const affineStore: Handler = (operation, context) => {
  const [value, buffer] = [context.operand(operation, 0), context.operand(operation, 1)];
  const { slots, prepare } = mapSlots(operation, context, operation.operands.slice(2));
  const storeAt = storeElement(operation, context, value, buffer, slots);
  return (frame) => {
    prepare(frame);
    storeAt(frame);
  };
};

/** `affine.vector_load` and `affine.vector_store`, whose `buffer` is that operand. */
const vectorAccess =
  (access: typeof contiguousLoad, buffer: number): Handler =>
  (operation, context) => {
    const { slots, prepare } = mapSlots(operation, context, operation.operands.slice(buffer + 1));
    const run = access(operation, context, operation.operands.slice(0, buffer + 1), slots);
    return (frame) => {
      prepare(frame);
      run(frame);
    };
  };

/** `linear_index = ((i0 * b1 + i1) * b2 + i2) …`; the first result is unbounded, as in LLVM 19. */
const delinearizeIndex: Handler = (operation, context) => {
  const linear = context.number(operation, context.operand(operation, 0));
  const basis = context.numbers(operation, operation.operands.slice(1));
  const results = context.numbers(operation, operation.results);
  return ({ numbers }) => {
    let rest = numbers[linear]!;
    for (let i = results.length - 1; i > 0; i--) {
      const size = numbers[basis[i]!]!;
      if (size <= 0) trap(operation, 'interpreter/division-by-zero', `has a basis of ${size}`);
      const quotient = Math.floor(rest / size);
      numbers[results[i]!] = rest - quotient * size;
      rest = quotient;
    }
    numbers[results[0]!] = rest;
  };
};

/** The operations of `affine`. */
export const affineHandlers: Handlers = {
  'affine.apply': mapHandler(greatest),
  'affine.max': mapHandler(greatest),
  'affine.min': mapHandler(least),
  'affine.delinearize_index': delinearizeIndex,
  'affine.for': affineFor,
  'affine.if': affineIf,
  'affine.parallel': affineParallel,
  'affine.load': affineLoad,
  'affine.store': affineStore,
  'affine.prefetch': () => undefined,
  'affine.vector_load': vectorAccess(contiguousLoad, 0),
  'affine.vector_store': vectorAccess(contiguousStore, 1),
};
