/**
 * Outlines parallel loops: the body of an `scf.forall` becomes a function of the iteration number, and the loop a
 * call of a C function that has threads call the body for each iteration (`thread-pool.ts`).
 *
 *     scf.forall (%i) = (0) to (24) step (3) {   →   func.call @sconv$share.0(%a, %b)
 *       … %a … %b …
 *     }                                              func.func @sconv$part.0(%a, %b, %n: index) { %i = 3 * %n; … }
 */
import { add, dim, floorDiv, makeMap, mod, mul } from '@sconv/affine';
import { applyComposed, countedLoops, indexNumber } from '@sconv/dialects';
import { constant } from '@sconv/dialects/arith';
import { call, funcOp, returnOp } from '@sconv/dialects/func';
import { forall } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Module, Registry, Rewriter, Value } from '@sconv/ir';
import { bodyOf, closestParent, edit, functionType, indexType, unitAttribute } from '@sconv/ir';
import type { CapturedValue } from './signature.ts';
import { capturedValue } from './signature.ts';

/** A loop shared by threads: what its body captures. */
export interface SharedLoop {
  readonly captured: readonly CapturedValue[];
  readonly iterations: number;
  /** MLIR symbols of the outlined body, and of the function that replaces the loop. */
  readonly part: string;
  readonly share: string;
}

/**
 * Outlines the outermost `scf.forall` loops in a module's functions that are on buffers and have a known trip count
 * above one. A loop stays if its body captures values that C cannot pass.
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

const isInLoop = (loop: DraftOperation): boolean =>
  closestParent(loop, (parent) => forall.is(parent)) !== undefined;

const outlineLoop = (rewriter: Rewriter, loop: DraftOperation, number: number): SharedLoop | undefined => {
  const counted =
    loop.results.length === 0 ? countedLoops(loop, (bound) => indexNumber(rewriter, bound)) : undefined;
  const iterations = counted?.reduce((product, { trips }) => product * trips, 1) ?? 0;
  const around = closestParent(loop, (parent) => funcOp.is(parent));
  if (counted === undefined || iterations < 2 || around === undefined) return undefined;
  const used = capturesOf(rewriter, loop);
  const passed = used.filter((value) => constantOf(rewriter, value) === undefined);
  const captured = passed.map(({ type }) => capturedValue(type));
  if (!captured.every((each) => each !== undefined)) return undefined;
  const types = passed.map(({ type }) => type);
  const [part, share] = [`sconv$part.${number}`, `sconv$share.${number}`];

  // 1. A function with the body, which computes the induction variables from the iteration number.
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
  const variables = counted.map(({ lower, step, trips }, i) => {
    inner /= trips;
    const position = floorDiv(dim(0), inner);
    const variable = add(mul(i === 0 ? position : mod(position, trips), step), lower);
    return applyComposed(rewriter, makeMap(1, 0, [variable]), entry.arguments.slice(-1));
  });
  const body = bodyOf(loop);
  rewriter.eraseOperation(body.operations.at(-1)!);
  rewriter.inlineBlock(body, variables);

  // 2. The call that replaces the loop, to a function defined in C.
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

/** The constant that defines a value; a function can clone it. */
const constantOf = (rewriter: Rewriter, value: Value): DraftOperation | undefined => {
  const source = rewriter.definingOperation(value);
  return source !== undefined && constant.is(source) ? source : undefined;
};

/** The values that a loop captures; its bounds are constants. */
const capturesOf = (rewriter: Rewriter, loop: DraftOperation): readonly Value[] => {
  const captured = new Map<Id, Value>();
  for (const each of rewriter.walk(loop))
    for (const value of each.operands)
      if (rewriter.isDefinedOutside(value, loop)) captured.set(value.id, value);
  return [...captured.values()];
};
