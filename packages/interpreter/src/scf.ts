/** The `scf` dialect: structured control flow. `scf.forall` and `scf.parallel` run in sequence. */
import type { Operation, Value } from '@sconv/ir';
import { DYNAMIC } from '@sconv/ir';
import type { Context, Exec, Frame, Handler, Handlers } from './context.ts';
import { trap } from './trap.ts';

/** Bounds and step of a loop, evaluated once before it. */
export interface LoopRange {
  readonly lower: (frame: Frame) => number;
  readonly upper: (frame: Frame) => number;
  readonly step: (frame: Frame) => number;
}

/** A step; the loop refuses non-positive ones. */
const checked = (operation: Operation, step: number): number =>
  step > 0 ? step : trap(operation, 'interpreter/zero-step', `has the step ${step}, which is not positive`);

/**
 * `scf.for` and `affine.for`: the entry block takes the induction variable, then the iter args, initialised by `inits`.
 */
export const runRange = (
  operation: Operation,
  context: Context,
  inits: readonly Value[],
  { lower, upper, step }: LoopRange,
): Exec => {
  const region = context.region(operation, 0);
  const [variable, ...carried] = context.parameters(operation, region);
  if (variable === undefined) return context.invalid(operation, 'has no induction variable');
  const start = context.assign(operation, inits, carried);
  const slot = context.number(operation, variable);
  const body = context.body(operation, region, ({ operands }) =>
    context.assign(operation, operands, carried),
  );
  const finish = context.assign(operation, carried, operation.results);
  return (frame) => {
    const [end, stride] = [upper(frame), checked(operation, step(frame))];
    // Bounds first: the iter args' slots are disjoint from them, but the inits may be loop-carried themselves.
    const first = lower(frame);
    start(frame);
    for (let i = first; i < end; i += stride) {
      frame.numbers[slot] = i;
      body(frame);
    }
    finish(frame);
  };
};

const read =
  (slot: number) =>
  ({ numbers }: Frame): number =>
    numbers[slot]!;

const scfFor: Handler = (operation, context) => {
  const [lower, upper, step] = [0, 1, 2].map((i) =>
    read(context.number(operation, context.operand(operation, i))),
  ) as [LoopRange['lower'], LoopRange['upper'], LoopRange['step']];
  return runRange(operation, context, operation.operands.slice(3), { lower, upper, step });
};

const nothing: Exec = () => undefined;

/** The two branches of an operation, which give its results; an absent region does nothing. */
export const branches = (operation: Operation, context: Context): readonly [then: Exec, otherwise: Exec] => {
  const [then = nothing, otherwise = nothing] = operation.regions.map((region) =>
    region.blocks.length === 0
      ? nothing
      : context.body(operation, region, ({ operands }) =>
          context.assign(operation, operands, operation.results),
        ),
  );
  return [then, otherwise];
};

const scfIf: Handler = (operation, context) => {
  const condition = context.number(operation, context.operand(operation, 0));
  const [then, otherwise] = branches(operation, context);
  return (frame) => {
    if (frame.numbers[condition] !== 0) then(frame);
    else otherwise(frame);
  };
};

const scfWhile: Handler = (operation, context) => {
  const [before, after] = [context.region(operation, 0), context.region(operation, 1)];
  const beforeArguments = context.parameters(operation, before);
  const afterArguments = context.parameters(operation, after);
  const start = context.assign(operation, operation.operands, beforeArguments);
  const goesOn = context.scratch();
  const test = context.body(operation, before, (terminator) => {
    const slot = context.number(terminator, context.operand(terminator, 0));
    const forward = context.assign(terminator, terminator.operands.slice(1), afterArguments);
    return (frame) => {
      frame.numbers[goesOn] = frame.numbers[slot]!;
      forward(frame);
    };
  });
  const body = context.body(operation, after, ({ operands }) =>
    context.assign(operation, operands, beforeArguments),
  );
  const finish = context.assign(operation, afterArguments, operation.results);
  return (frame) => {
    start(frame);
    test(frame);
    while (frame.numbers[goesOn] !== 0) {
      body(frame);
      test(frame);
    }
    finish(frame);
  };
};

const executeRegion: Handler = (operation, context) =>
  context.body(operation, context.region(operation, 0), ({ operands }) =>
    context.assign(operation, operands, operation.results),
  );

const indexSwitch: Handler = (operation, context) => {
  const argument = context.number(operation, context.operand(operation, 0));
  const cases = context.attribute(operation, 'cases', 'dense-array').values.map(Number);
  // The default region comes first.
  const [fallback, ...bodies] = operation.regions.map((region) =>
    context.body(operation, region, ({ operands }) => context.assign(operation, operands, operation.results)),
  );
  const byCase = new Map(cases.map((value, i) => [value, bodies[i]]));
  return (frame) => {
    const chosen = byCase.get(frame.numbers[argument]!) ?? fallback;
    chosen?.(frame);
  };
};

/** Runs `body` for every point of a box, the last dimension fastest. */
export const runBox = (
  ranges: readonly (LoopRange & { readonly slot: number })[],
  operation: Operation,
  frame: Frame,
  body: Exec,
): void => {
  const run = (dimension: number): void => {
    const range = ranges[dimension];
    if (range === undefined) {
      body(frame);
      return;
    }
    const [lower, upper] = [range.lower(frame), range.upper(frame)];
    const step = checked(operation, range.step(frame));
    for (let i = lower; i < upper; i += step) {
      frame.numbers[range.slot] = i;
      run(dimension + 1);
    }
  };
  run(0);
};

/**
 * `scf.forall` in sequence. An iteration sees what earlier ones inserted into the shared outputs, which is correct for
 * race-free programs: iterations only read what they write themselves.
 */
const forall: Handler = (operation, context) => {
  const segments = context.attribute(operation, 'operandSegmentSizes', 'dense-array').values.map(Number);
  const rank = context.attribute(operation, 'staticLowerBound', 'dense-array').values.length;
  let next = 0;
  const group = (i: number): readonly Value[] => {
    const values = operation.operands.slice(next, next + segments[i]!);
    next += values.length;
    return values;
  };
  const bounds = ['staticLowerBound', 'staticUpperBound', 'staticStep'].map((name, i) => {
    const dynamic = context.numbers(operation, group(i)).values();
    return context.attribute(operation, name, 'dense-array').values.map((value) => {
      const fixed = Number(value);
      if (fixed !== DYNAMIC) return () => fixed;
      const slot = dynamic.next().value;
      return slot === undefined ? context.invalid(operation, `has too few operands for ${name}`) : read(slot);
    });
  });
  const outputs = operation.operands.slice(next);
  const region = context.region(operation, 0);
  const blockArguments = context.parameters(operation, region);
  const variables = context.numbers(operation, blockArguments.slice(0, rank));
  const shared = blockArguments.slice(rank);
  const ranges = variables.map((slot, i) => ({
    slot,
    lower: bounds[0]![i]!,
    upper: bounds[1]![i]!,
    step: bounds[2]![i]!,
  }));
  const start = context.assign(operation, outputs, shared);
  const finish = context.assign(operation, shared, operation.results);
  const body = context.body(operation, region, (terminator) => inParallel(terminator, context));
  return (frame) => {
    start(frame);
    runBox(ranges, operation, frame, body);
    finish(frame);
  };
};

/** The insertions of `scf.forall.in_parallel`, each into its shared output. */
const inParallel = (terminator: Operation, context: Context): Exec => {
  const insertions = terminator.regions
    .flatMap(({ blocks }) => blocks)
    .flatMap(({ operations }) => operations)
    .flatMap((insertion) => context.compile(insertion) ?? []);
  return (frame) => {
    for (const insert of insertions) insert(frame);
  };
};

/** `scf.parallel` in sequence; each reduction region takes the accumulator and the new value. */
const parallel: Handler = (operation, context) => {
  const region = context.region(operation, 0);
  const variables = context.numbers(operation, context.parameters(operation, region));
  const rank = variables.length;
  const bound = (group: number, i: number): LoopRange['lower'] =>
    read(context.number(operation, context.operand(operation, group * rank + i)));
  const ranges = variables.map((slot, i) => ({
    slot,
    lower: bound(0, i),
    upper: bound(1, i),
    step: bound(2, i),
  }));
  const start = context.assign(operation, operation.operands.slice(3 * rank), operation.results);
  const body = context.body(operation, region, (terminator) =>
    reduce(terminator, operation.results, context),
  );
  return (frame) => {
    start(frame);
    runBox(ranges, operation, frame, body);
  };
};

/** The terminator `scf.reduce`, or `scf.yield` in a loop without reductions. */
const reduce = (terminator: Operation, accumulators: readonly Value[], context: Context): Exec => {
  const reductions = terminator.regions.map((region, i) => {
    const value = context.operand(terminator, i);
    const accumulator = accumulators[i] ?? context.invalid(terminator, 'has more reductions than results');
    const enter = context.assign(terminator, [accumulator, value], context.parameters(terminator, region));
    const combine = context.body(terminator, region, ({ operands }) =>
      context.assign(terminator, operands, [accumulator]),
    );
    return [enter, combine] as const;
  });
  return (frame) => {
    for (const [enter, combine] of reductions) {
      enter(frame);
      combine(frame);
    }
  };
};

/** The operations of `scf`. */
export const scfHandlers: Handlers = {
  'scf.execute_region': executeRegion,
  'scf.for': scfFor,
  'scf.forall': forall,
  'scf.if': scfIf,
  'scf.index_switch': indexSwitch,
  'scf.parallel': parallel,
  'scf.while': scfWhile,
};
