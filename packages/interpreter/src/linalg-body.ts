/**
 * The body of a structured operation with loop-invariant code motion: each operation runs when the innermost loop that
 * it depends on advances, not at every point. This matters for element accesses of tiled convolutions, whose index
 * arithmetic mostly depends on outer loops.
 */
import { usedDims, usedSymbols } from '@sconv/affine';
import type { Block, Id, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { WeightedValue } from './affine-closure.ts';
import { indexFunction, sumFunction } from './affine-closure.ts';
import { affineSum } from './affine-sum.ts';
import type { Context, Exec } from './context.ts';
import { trap } from './trap.ts';

/** A compiled body, grouped by the loop that triggers an operation. */
export interface LinalgBody {
  /** Depends on no loop. */
  readonly invariant: readonly Exec[];
  /** Depends on the loop with this index and on none inside it. The last is empty: see `innermost`. */
  readonly prologues: readonly (readonly Exec[])[];
  /** Runs at every point. */
  readonly innermost: readonly Exec[];
  /** The result for each output's element. */
  readonly yielded: readonly Value[];
}

/** Whether an operation can be hoisted: it reads nothing that the loops write. */
const isMovable = (operation: Operation): boolean =>
  operation.regions.length === 0 &&
  /^(arith|math|affine\.(apply|min|max|delin)|tensor\.(extract|dim)$)/.test(operation.name);

/** Compiles `block`; `variables` are the slots of the induction variables, which `linalg.index` reads. */
export const compileLinalgBody = (
  operation: Operation,
  context: Context,
  block: Block,
  variables: readonly number[],
): LinalgBody => {
  const innermostDepth = variables.length;
  // Depth 0 depends on no loop, depth d on loop d - 1. Unlisted values are defined outside.
  const depths = new Map<Id, number>(block.arguments.map(({ id }) => [id, innermostDepth]));
  const execs: Exec[][] = Array.from({ length: innermostDepth + 1 }, () => []);
  const terminator = block.operations.at(-1) ?? context.invalid(operation, 'has an empty body');
  for (const inner of block.operations.slice(0, -1)) {
    if (inner.name === 'linalg.index') {
      const dim = Number(context.attribute(inner, 'dim', 'integer').value);
      const variable = variables[dim];
      if (variable === undefined)
        trap(inner, 'interpreter/invalid-ir', `asks for loop ${dim} of ${variables.length}`);
      context.alias(context.result(inner), variable);
      depths.set(context.result(inner).id, dim + 1);
      continue;
    }
    const operandDepths = inner.operands.map(({ id }) => depths.get(id) ?? 0);
    const depth = isMovable(inner) ? Math.max(0, ...operandDepths) : innermostDepth;
    const exec =
      inner.name === 'affine.apply'
        ? applyInParts(inner, context, operandDepths, execs.slice(0, depth))
        : context.compile(inner);
    for (const { id } of inner.results) depths.set(id, depth);
    if (exec !== undefined) execs[depth]!.push(exec);
  }
  if (innermostDepth === 0) {
    return { invariant: [], prologues: [], innermost: execs[0]!, yielded: terminator.operands };
  }
  const prologues = [...execs.slice(1, innermostDepth), []];
  return { invariant: execs[0]!, prologues, innermost: execs[innermostDepth]!, yielded: terminator.operands };
};

/**
 * An `affine.apply` whose divisions and remainders are hoisted as far as possible: `earlier` are the operations at
 * smaller depths than the whole.
 */
const applyInParts = (
  operation: Operation,
  context: Context,
  operandDepths: readonly number[],
  earlier: readonly Exec[][],
): Exec => {
  const { map } = context.attribute(operation, 'map', 'affine-map');
  const [expr] = map.results;
  if (expr === undefined) return context.invalid(operation, 'has a map without results');
  const operands = context.numbers(operation, operation.operands);
  const [dims, symbols] = [operands.slice(0, map.numDims), operands.slice(map.numDims)];
  const { constant, linear, nonlinear } = affineSum(expr);
  const slots = linear.map(
    ({ expr: { kind, position } }) => operands[kind === 'dim' ? position : map.numDims + position]!,
  );
  const factors = linear.map(({ factor }) => factor);
  const terms: WeightedValue[] = [];
  for (const { expr: term, factor } of nonlinear) {
    const value = indexFunction(operation, term, dims, symbols);
    const used = [...usedDims(term), ...usedSymbols(term).map((position) => map.numDims + position)];
    const home = earlier[Math.max(0, ...used.map((operand) => operandDepths[operand]!))];
    if (home === undefined) {
      terms.push({ value, factor });
      continue;
    }
    const slot = context.scratch();
    home.push((frame) => {
      frame.numbers[slot] = value(frame);
    });
    slots.push(slot);
    factors.push(factor);
  }
  const whole = sumFunction(operation, { constant, slots, factors }, terms);
  const result = context.number(operation, context.result(operation));
  return (frame) => {
    frame.numbers[result] = whole(frame);
  };
};

/** Per block argument, whether the body uses it. */
export const usedArguments = (block: Block): readonly boolean[] => {
  const used = new Set<Id>();
  for (const operation of block.operations) {
    for (const inner of walk(operation)) for (const { id } of inner.operands) used.add(id);
  }
  return block.arguments.map(({ id }) => used.has(id));
};
