/**
 * The body of a structured operation, sorted by the loop that each of its operations depends on: what only uses the
 * variables of outer loops runs when those change, not at every point. Element accesses by tiled convolutions are such:
 * most of their index arithmetic belongs to outer loops.
 */
import type { Block, Id, Operation, Value } from '@sconv/ir';
import { walk } from '@sconv/ir';
import type { Context, Exec } from './context.ts';
import { trap } from './trap.ts';

export interface LinalgBody {
  /** Depends on no loop. */
  readonly invariant: readonly Exec[];
  /** Depends on the loop of this index and on none within it. The last is empty: see `innermost`. */
  readonly prologues: readonly (readonly Exec[])[];
  /** Runs at every point. */
  readonly innermost: readonly Exec[];
  /** What becomes of each output's element. */
  readonly yielded: readonly Value[];
}

/** Whether an operation can run earlier than where it stands: it reads nothing that the loops write. */
const isMovable = (operation: Operation): boolean =>
  operation.regions.length === 0 &&
  /^(arith|math|affine\.(apply|min|max|delin)|tensor\.(extract|dim)$)/.test(operation.name);

/** Compiles `block`; `variables` are the slots of the loops' variables, which `linalg.index` reads. */
export const compileLinalgBody = (
  operation: Operation,
  context: Context,
  block: Block,
  variables: readonly number[],
): LinalgBody => {
  const innermostDepth = variables.length;
  // Depth 0 depends on no loop, depth d on loop d - 1. Values that are not listed come from outside.
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
    const exec = context.compile(inner);
    const depth = isMovable(inner)
      ? Math.max(0, ...inner.operands.map(({ id }) => depths.get(id) ?? 0))
      : innermostDepth;
    for (const { id } of inner.results) depths.set(id, depth);
    if (exec !== undefined) execs[depth]!.push(exec);
  }
  if (innermostDepth === 0) {
    return { invariant: [], prologues: [], innermost: execs[0]!, yielded: terminator.operands };
  }
  const prologues = [...execs.slice(1, innermostDepth), []];
  return { invariant: execs[0]!, prologues, innermost: execs[innermostDepth]!, yielded: terminator.operands };
};

/** For each block argument, whether the body uses it. */
export const usedArguments = (block: Block): readonly boolean[] => {
  const used = new Set<Id>();
  for (const operation of block.operations) {
    for (const inner of walk(operation)) for (const { id } of inner.operands) used.add(id);
  }
  return block.arguments.map(({ id }) => used.has(id));
};
