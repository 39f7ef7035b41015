/**
 * Parallel loops as functions: the body of an `scf.forall` becomes one, and the loop a call of what C code does for it: it lets
 * threads call the body, each time with another number of an iteration (`threads.ts`).
 *
 *     scf.forall (%i) = (0) to (24) step (3) {   →   func.call @sconv$share.0(%a, %b)
 *       … %a … %b …
 *     }                                              func.func @sconv$part.0(%a, %b, %n: index) { %i = 3 * %n; … }
 */
import { add, dim, floorDiv, makeMap, mod, mul } from '@sconv/affine';
import { applyComposed } from '@sconv/dialects';
import { constant } from '@sconv/dialects/arith';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import { forall, staticForallBounds } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Module, Registry, Rewriter, Value } from '@sconv/ir';
import { bodyOf, edit, functionType, indexType, unitAttribute } from '@sconv/ir';
import type { CapturedValue } from './signature.ts';
import { capturedValue } from './signature.ts';

/** A loop that threads share: what its body takes besides the number of an iteration. */
export interface SharedLoop {
  readonly captured: readonly CapturedValue[];
  readonly iterations: number;
  /** MLIR's names of the body, and of what is called in place of the loop. */
  readonly part: string;
  readonly share: string;
}

/**
 * Outlines the outermost `scf.forall` loops of the functions of a module that are on buffers and have a known number of iterations,
 * more than one. One whose body uses what C cannot pass on stays as it is.
 */
export const outlineLoops = (
  module: Module,
  registry: Registry,
): { readonly module: Module; readonly loops: readonly SharedLoop[] } => {
  const { module: outlined, results: loops } = edit(module, { registry }, (rewriter) => {
    const outermost = rewriter.walk(rewriter.root).filter((each) => forall.is(each) && !isInLoop(each));
    const made: SharedLoop[] = [];
    for (const loop of outermost) {
      const shared = outlineLoop(rewriter, loop, made.length);
      if (shared !== undefined) made.push(shared);
    }
    return made;
  });
  return { module: outlined, loops };
};

const isInLoop = (loop: DraftOperation): boolean => {
  for (let at = loop.parent; at !== undefined; at = at.parent) if (forall.is(at)) return true;
  return false;
};

const outlineLoop = (rewriter: Rewriter, loop: DraftOperation, number: number): SharedLoop | undefined => {
  const bounds = loop.results.length === 0 ? staticForallBounds(loop) : undefined;
  const iterations = bounds?.reduce((product, { trips }) => product * trips, 1) ?? 0;
  const around = functionAround(loop);
  if (bounds === undefined || iterations < 2 || around === undefined) return undefined;
  const used = capturesOf(rewriter, loop);
  const passed = used.filter((value) => constantOf(rewriter, value) === undefined);
  const captured = passed.map(({ type }) => capturedValue(type));
  if (!captured.every((each) => each !== undefined)) return undefined;
  const types = passed.map(({ type }) => type);
  const [part, share] = [`sconv$part.${number}`, `sconv$share.${number}`];

  // 1. A function of the body, which computes the variables of the loop from the number of the iteration.
  rewriter.setInsertionPointBefore(around);
  const made = rewriter.create(
    funcOp.state<Rewriter>({
      attributes: { symName: part, functionType: functionType([...types, indexType], []) },
      extra: { 'llvm.emit_c_interface': unitAttribute },
      location: loop.location,
      bodies: [
        {
          argumentTypes: [...types, indexType],
          build: (body) => {
            body.create(returnOp.state({}));
          },
        },
      ],
    }),
  );
  const entry = bodyOf(made);
  rewriter.setInsertionPointToStart(entry);
  for (const value of used) {
    const source = constantOf(rewriter, value);
    const inside =
      source === undefined ? entry.arguments[passed.indexOf(value)]! : rewriter.clone(source).results[0]!;
    rewriter.replaceUsesIf(value, inside, (user) => rewriter.isWithin(user, loop));
  }
  let inner = iterations;
  const variables = bounds.map(({ lower, step, trips }, i) => {
    inner /= trips;
    const position = floorDiv(dim(0), inner);
    const variable = add(mul(i === 0 ? position : mod(position, trips), step), lower);
    return applyComposed(rewriter, makeMap(1, 0, [variable]), entry.arguments.slice(-1));
  });
  const body = bodyOf(loop);
  rewriter.eraseOperation(body.operations.at(-1)!);
  rewriter.inlineBlock(body, variables);

  // 2. What is called in place of the loop, which C code defines.
  rewriter.setInsertionPointBefore(around);
  rewriter.create(
    funcOp.state<Rewriter>({
      attributes: { symName: share, functionType: functionType(types, []), symVisibility: 'private' },
      extra: { 'llvm.emit_c_interface': unitAttribute },
      location: loop.location,
      bodies: [undefined],
    }),
  );
  rewriter.replaceWith(
    loop,
    call.state({ operands: { operands: passed }, attributes: { callee: share }, resultTypes: [] }),
  );
  return { captured, iterations, part, share };
};

const functionAround = (operation: DraftOperation): DraftOperation | undefined => {
  let at = operation.parent;
  while (at !== undefined && !funcOp.is(at)) at = at.parent;
  return at;
};

/** The operation that makes a constant, which a function can make by itself. */
const constantOf = (rewriter: Rewriter, value: Value): DraftOperation | undefined => {
  const source = rewriter.definingOperation(value);
  return source !== undefined && constant.is(source) ? source : undefined;
};

/** What the operations of a loop use and do not define; its bounds are numbers. */
const capturesOf = (rewriter: Rewriter, loop: DraftOperation): readonly Value[] => {
  const captured = new Map<Id, Value>();
  for (const each of rewriter.walk(loop))
    for (const value of each.operands)
      if (rewriter.isDefinedOutside(value, loop)) captured.set(value.id, value);
  return [...captured.values()];
};
