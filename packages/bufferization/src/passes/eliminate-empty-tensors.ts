/**
 * Replaces empty tensors by the slice that they end up in, so that their contents are computed in place instead of
 * copied. The pass `eliminate-empty-tensors`, and upstream's step for structured ops.
 */
import { equals } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { success } from '@sconv/diagnostics';
import { materializeInDestination, toTensor } from '@sconv/dialects/bufferization';
import { moduleOp } from '@sconv/dialects/builtin';
import { copy, generic, structured } from '@sconv/dialects/linalg';
import { cast, empty, insertSlice, parallelInsertSlice } from '@sconv/dialects/tensor';
import { extractSliceState, mixedSlice } from '@sconv/dialects';
import type { DraftOperation, Rewriter, TensorType, Value } from '@sconv/ir';
import { ancestorInBlock, defineOperationPass, Structure, typeEquals } from '@sconv/ir';
import { innerFirst } from '../inner-first.ts';
import { diagnosed } from '../failure.ts';
import { analyse, analyseModule } from '../upstream/one-shot-analysis.ts';
import { OneShotState } from '../analysis/one-shot-state.ts';
import { resolveOptions } from '../options.ts';

/** An op that inserts its first operand: how to build the slice, and the tensor that it is inserted into. */
interface Insertion {
  readonly needs: readonly Value[];
  /** Undefined if the buffer of the slice may have another alias. */
  readonly build: (rewriter: Rewriter) => Value | undefined;
}

const insertionOf = (operation: DraftOperation): Insertion | undefined => {
  const { operands } = operation;
  if (insertSlice.is(operation) || parallelInsertSlice.is(operation)) {
    const [source, dest, ...indices] = operands as [Value, Value, ...Value[]];
    const build = (rewriter: Rewriter): Value =>
      rewriter.createValue(extractSliceState(dest, mixedSlice(operation), source.type as TensorType));
    return { needs: [...indices, dest], build };
  }
  if (copy.is(operation) && operation.results.length > 0)
    return { needs: [operands[1]!], build: () => operands[1]! };
  if (!materializeInDestination.is(operation)) return undefined;
  const { dest } = materializeInDestination.operands(operation);
  if (operation.results.length > 0) return { needs: [dest], build: () => dest };
  // An op that promises exclusive access passes the promise on to the new tensor.
  const build = (rewriter: Rewriter): Value | undefined => {
    const { restrict, writable } = materializeInDestination.attributes(operation);
    if (!restrict) return undefined;
    rewriter.setAttribute(operation, 'restrict', undefined);
    return rewriter.createValue(
      toTensor.state({ operands: { memref: dest }, attributes: { restrict, writable } }),
    );
  };
  return { needs: [dest], build };
};

/** Analyses a target; a module is analysed across calls. */
const analysed = (rewriter: Rewriter, target: DraftOperation, isModule: boolean): OneShotState => {
  const options = resolveOptions({
    decisions: 'upstream',
    allowReturnAllocsFromLoops: true,
    bufferizeFunctionBoundaries: isModule,
  });
  const state = new OneShotState(rewriter, options, target);
  if (isModule) analyseModule(state, target);
  else analyse(state, target);
  return state;
};

/** Replaces empty tensors by the slices that their contents are inserted into. Fails if the analysis does. */
export const eliminateEmptyTensors = (rewriter: Rewriter, target: DraftOperation): Diagnosed<undefined> =>
  diagnosed(() => {
    const state = analysed(rewriter, target, moduleOp.is(target));
    for (const operation of innerFirst(target)) {
      const insertion = insertionOf(operation);
      if (insertion === undefined || !state.isInPlace(state.operand(operation, 0))) continue;
      const how = { includeLeaves: false, onlyEquivalent: true, onlySameType: true };
      for (const value of state.findUpwards(operation.operands[0]!, isEmpty(rewriter), how))
        replaceEmpty(rewriter, rewriter.definingOperation(value)!, insertion);
    }
    return success(undefined);
  });

const isEmpty =
  (rewriter: Rewriter) =>
  (value: Value): boolean => {
    const definition = rewriter.definingOperation(value);
    return definition !== undefined && empty.is(definition);
  };

const replaceEmpty = (rewriter: Rewriter, operation: DraftOperation, { needs, build }: Insertion): void => {
  const point = insertionPoint(rewriter, operation, needs);
  if (point === undefined || needs.some((value) => dependsOn(rewriter, value, operation))) return;
  const result = operation.results[0]!;
  rewriter.setInsertionPointBefore(point);
  const replacement = build(rewriter);
  if (replacement === undefined || replacement.id === result.id) return;
  if (typeEquals(replacement.type, result.type)) {
    rewriter.replaceOperation(operation, [replacement]);
    return;
  }
  const definition = rewriter.definingOperation(replacement);
  if (definition === undefined) rewriter.setInsertionPointToStart(rewriter.owningBlock(replacement)!);
  else rewriter.setInsertionPointAfter(definition);
  const created = rewriter.createValue(
    cast.state({ operands: { source: replacement }, resultTypes: [result.type] }),
  );
  rewriter.replaceOperation(operation, [created]);
};

/** Whether a value is, or is computed from, a result of an operation: it is inserted into itself. */
const dependsOn = (rewriter: Rewriter, value: Value, operation: DraftOperation): boolean => {
  const seen = new Set<DraftOperation>();
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const around = rewriter.definingOperation(next) ?? rewriter.owningBlock(next)?.region.operation;
    if (around === operation) return true;
    if (around === undefined || around === rewriter.root || seen.has(around)) continue;
    seen.add(around);
    pending.push(...around.operands);
    if (next.id === around.results[0]?.id && around.regions.length > 0)
      pending.push(...rewriter.walk(around).flatMap(({ operands }) => operands));
  }
  return false;
};

/**
 * The first point, at the empty tensor or behind a definition in `needs`, where these are available and that
 * dominates all uses.
 */
const insertionPoint = (
  rewriter: Rewriter,
  operation: DraftOperation,
  needs: readonly Value[],
): DraftOperation | undefined => {
  const structure = new Structure(rewriter.root);
  const users = rewriter.users(operation.results[0]!);
  const isKnownAt = (value: Value, point: DraftOperation): boolean => {
    const definition = rewriter.definingOperation(value);
    if (definition !== undefined)
      return definition !== point && structure.operationDominates(definition, point);
    const owner = rewriter.owningBlock(value)!;
    const at = ancestorInBlock(owner, point);
    return at !== undefined;
  };
  const candidates = needs.map((value) => {
    const definition = rewriter.definingOperation(value);
    return definition === undefined ? rewriter.owningBlock(value)!.first : definition.next;
  });
  return [operation, ...candidates].find(
    (point) =>
      point !== undefined &&
      needs.every((value) => isKnownAt(value, point)) &&
      users.every((user) => structure.operationDominates(point, user)),
  );
};

/**
 * Lets elementwise ops write to the destination that one of their inputs could have been computed in: the input
 * becomes the destination, and its empty tensor is replaced by the op's former destination.
 *
 * @deviation Upstream also does this to named ops, whose assembly then no longer matches their bodies.
 */
export const eliminateAnchoredEmptyTensors = (
  rewriter: Rewriter,
  target: DraftOperation,
): Diagnosed<undefined> =>
  diagnosed(() => {
    const state = analysed(rewriter, target, false);
    for (const operation of innerFirst(target)) {
      const view = structured(rewriter.registry, operation);
      if (
        view === undefined ||
        !generic.is(operation) ||
        view.iteratorTypes.some((type) => type !== 'parallel')
      )
        continue;
      view.inputs.forEach((_, position) => {
        computeInDestination(rewriter, state, operation, position);
      });
    }
    return success(undefined);
  });

const computeInDestination = (
  rewriter: Rewriter,
  state: OneShotState,
  operation: DraftOperation,
  position: number,
): void => {
  const view = structured(rewriter.registry, operation);
  const body = operation.regions[0]?.blocks[0];
  const input = operation.operands[position];
  if (view === undefined || body === undefined || input?.type.kind !== 'tensor') return;
  const isWanted = (value: Value): boolean => isEmpty(rewriter)(value) && typeEquals(value.type, input.type);
  const found = state.findUpwards(input, isWanted, { includeLeaves: false, onlyEquivalent: true });
  const first = view.inputs.length;
  const output = view.outputs.findIndex(
    ({ type }, i) =>
      !rewriter.hasUses(body.arguments[first + i]!) &&
      typeEquals(type, input.type) &&
      equals(view.indexingMaps[first + i]!, view.indexingMaps[position]!),
  );
  if (found.length === 0 || output < 0) return;
  const dest = operation.operands[first + output]!;
  const structure = new Structure(rewriter.root);
  const definition = rewriter.definingOperation(dest);
  const isKnown = (value: Value): boolean => {
    const at = rewriter.definingOperation(value)!;
    return definition === undefined
      ? rewriter.isWithin(at, rewriter.owningBlock(dest)!.region.operation)
      : definition !== at && structure.operationDominates(definition, at);
  };
  if (!found.every(isKnown)) return;
  for (const value of found) rewriter.replaceUsesIf(value, dest, () => true);
  const [spare] = found as [Value];
  const computed = operation.operands[position]!;
  rewriter.setOperands(operation, operation.operands.with(first + output, computed).with(position, spare));
  rewriter.replaceUsesIf(body.arguments[position]!, body.arguments[first + output]!, () => true);
};

export const eliminateEmptyTensorsPass = defineOperationPass({
  name: 'eliminate-empty-tensors',
  title: 'EmptyTensorElimination',
  summary: 'compute tensors in place of the slices that they are inserted into',
  runOn: (rewriter, operation) => eliminateEmptyTensors(rewriter, operation),
});
