/**
 * Lowers structured ops on buffers to loops over scalars: upstream's `lowerToLoopsUsingSCFForOp`, and its passes
 * `convert-linalg-to-loops`, `-to-parallel-loops` and `-to-affine-loops`.
 */
import type { AffineMap } from '@sconv/affine';
import { identityMap, makeMap, symbol } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { MixedIndex } from '@sconv/dialects';
import { applyFolded, createDims, createIndex, indexNumber, indexValue, isSymbol } from '@sconv/dialects';
import * as affine from '@sconv/dialects/affine';
import type { StructuredOp } from '@sconv/dialects/linalg';
import { index, structured } from '@sconv/dialects/linalg';
import { load, store, subview } from '@sconv/dialects/memref';
import { forOp, parallel, reduce, yieldOp } from '@sconv/dialects/scf';
import type { Block, DraftOperation, Id, Rewriter, Value } from '@sconv/ir';
import { bodyOf, indexType, isShaped, terminatorOf } from '@sconv/ir';

/** The kind of the created loops. */
export type LoopKind = 'for' | 'parallel' | 'affine';

/** How the loops access elements. */
interface Access {
  readonly indices: (map: AffineMap) => readonly Value[];
  readonly isAffine: boolean;
  /** Whether to load operands that the body does not use, too. */
  readonly readsAll: boolean;
}

const refused = (operation: DraftOperation, why: string): Diagnosed<never> =>
  definite(error('convert-to-loops/target', why, operation.location));

/** The view of a structured op on scalars and buffers, or why the op is not one. */
const onBuffers = (
  rewriter: Rewriter,
  operation: DraftOperation,
): { readonly view: StructuredOp; readonly body: Block } | string => {
  const view = structured(rewriter.registry, operation);
  if (view?.body === undefined) return 'expected a structured op with a body';
  const { body } = view;
  if (operation.results.length > 0 || operation.operands.some(({ type }) => type.kind === 'tensor'))
    return 'expected operation to have buffer semantics';
  return { view, body };
};

/**
 * Lowers a structured op on buffers to a nest of `scf.for` loops, returned outermost first.
 * Fails with `convert-to-loops/target` for an op that is not structured, or has tensors.
 */
export const convertToLoopsOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<readonly DraftOperation[]> => {
  const found = onBuffers(rewriter, operation);
  if (typeof found === 'string') return refused(operation, found);
  const { view, body } = found;
  rewriter.setInsertionPointBefore(operation);
  const loops: DraftOperation[] = [];
  const variables: Value[] = [];
  for (const size of sizesOf(rewriter, view)) {
    const [lower, upper, step] = [
      createIndex(rewriter, 0),
      indexValue(rewriter, size),
      createIndex(rewriter, 1),
    ];
    const loop = createFor(rewriter, lower, upper, step);
    loops.push(loop);
    variables.push(bodyOf(loop).arguments[0]!);
    rewriter.setInsertionPointToStart(bodyOf(loop));
  }
  // As upstream, each index is an affine.apply of all variables.
  const indices = (map: AffineMap): readonly Value[] =>
    map.results.map((result) =>
      rewriter.createValue(
        affine.apply.state({
          operands: { mapOperands: variables },
          attributes: { map: makeMap(map.numDims, map.numSymbols, [result]) },
          resultTypes: [indexType],
        }),
      ),
    );
  emitBody(rewriter, view, body, variables, { indices, isAffine: false, readsAll: false });
  rewriter.eraseOperation(operation);
  return success(loops);
};

/**
 * Lowers a structured op on buffers to loops of a kind; false, without changes, for any other op.
 * @deviation Affine loops end at symbols: where a size is none, as that of a buffer which is allocated in a loop, the
 * op becomes `scf.for` loops. Upstream's pass makes invalid affine loops, and fails.
 */
export const structuredToLoops = (
  rewriter: Rewriter,
  operation: DraftOperation,
  wanted: LoopKind,
): boolean => {
  const found = onBuffers(rewriter, operation);
  if (typeof found === 'string') return false;
  const { view, body } = found;
  rewriter.setInsertionPointBefore(operation);
  const sizes = sizesOf(rewriter, view);
  const isAffine = sizes.every((size) => isBound(rewriter, size));
  const kind = wanted === 'affine' && !isAffine ? 'for' : wanted;
  const variables = createNest(rewriter, view, sizes, kind);
  const indices = (map: AffineMap): readonly Value[] =>
    map.results.map((result) =>
      indexValue(rewriter, applyFolded(rewriter, makeMap(map.numDims, map.numSymbols, [result]), variables)),
    );
  emitBody(rewriter, view, body, variables, { indices, isAffine: kind === 'affine', readsAll: true });
  rewriter.eraseOperation(operation);
  return true;
};

/** Whether an affine loop may end at a size: a symbol, or one of a buffer whose sizes are symbols. */
const isBound = (rewriter: Rewriter, size: MixedIndex): boolean => {
  if (typeof size !== 'object' || isSymbol(rewriter, size)) return true;
  const dim = rewriter.definingOperation(size);
  const made = dim?.name === 'memref.dim' ? rewriter.definingOperation(dim.operands[0]!) : undefined;
  if (made === undefined) return false;
  switch (made.name) {
    case 'memref.alloc':
      return made.operands.every((each) => isSymbol(rewriter, each));
    case 'memref.subview':
      return subview.operands(made).sizes.every((each) => isSymbol(rewriter, each));
    case 'memref.view':
      return made.operands.slice(2).every((each) => isSymbol(rewriter, each));
    default:
      return false;
  }
};

/**
 * The trip count of each dimension, from the first operand that it indexes. As upstream, creates a `dim` for every
 * dynamic size.
 */
const sizesOf = (rewriter: Rewriter, view: StructuredOp): readonly MixedIndex[] => {
  const sizes = [...view.inputs, ...view.outputs].map((operand) => createDims(rewriter, operand));
  return view.loopRanges.map((_, dimension) => {
    for (const [i, { results }] of view.indexingMaps.entries()) {
      const position = results.findIndex((expr) => expr.kind === 'dim' && expr.position === dimension);
      if (position >= 0) return sizes[i]![position]!;
    }
    throw new Error(`no operand has the size of dimension ${dimension}`);
  });
};

const createFor = (rewriter: Rewriter, lowerBound: Value, upperBound: Value, step: Value): DraftOperation =>
  rewriter.create(
    forOp.state<Rewriter>({
      operands: { lowerBound, upperBound, step, initArgs: [] },
      resultTypes: [],
      bodies: [{ argumentTypes: [indexType], build: (inner) => inner.create(yieldOp.state({})) }],
    }),
  );

/**
 * Creates the loops of all dimensions and returns their variables; leaves the insertion point in the innermost loop.
 */
const createNest = (
  rewriter: Rewriter,
  { iteratorTypes }: StructuredOp,
  sizes: readonly MixedIndex[],
  kind: LoopKind,
): readonly Value[] => {
  if (kind === 'affine') return sizes.map((size) => enterAffine(rewriter, size));
  // In upstream's creation order.
  const [lower, upper, step]: readonly [Value[], Value[], Value[]] = [[], [], []];
  for (const size of sizes) {
    lower.push(createIndex(rewriter, 0));
    upper.push(indexValue(rewriter, size));
    step.push(createIndex(rewriter, 1));
  }
  const variables: Value[] = [];
  while (variables.length < sizes.length) {
    const at = variables.length;
    const after = iteratorTypes.findIndex((type, i) => i >= at && type !== 'parallel');
    const end = kind === 'for' ? at : after < 0 ? sizes.length : after;
    const loop =
      end > at
        ? createParallel(rewriter, lower.slice(at, end), upper.slice(at, end), step.slice(at, end))
        : createFor(rewriter, lower[at]!, upper[at]!, step[at]!);
    variables.push(...bodyOf(loop).arguments);
    rewriter.setInsertionPointToStart(bodyOf(loop));
  }
  return variables;
};

const createParallel = (
  rewriter: Rewriter,
  lowerBound: readonly Value[],
  upperBound: readonly Value[],
  step: readonly Value[],
): DraftOperation =>
  rewriter.create(
    parallel.state<Rewriter>({
      operands: { lowerBound, upperBound, step },
      resultTypes: [],
      bodies: [
        { argumentTypes: lowerBound.map(() => indexType), build: (inner) => inner.create(reduce.state({})) },
      ],
    }),
  );

const enterAffine = (rewriter: Rewriter, size: MixedIndex): Value => {
  const known = indexNumber(rewriter, size);
  const isKnown = known !== undefined;
  const loop = rewriter.create(
    affine.forOp.state<Rewriter>({
      operands: {
        lowerBoundOperands: [],
        upperBoundOperands: isKnown ? [] : [size as Value],
        inits: [],
      },
      attributes: {
        lowerBoundMap: makeMap(0, 0, [0]),
        upperBoundMap: isKnown ? makeMap(0, 0, [known]) : makeMap(0, 1, [symbol(0)]),
        step: 1,
      },
      resultTypes: [],
      bodies: [{ argumentTypes: [indexType], build: (inner) => inner.create(affine.yieldOp.state({})) }],
    }),
  );
  rewriter.setInsertionPointToStart(bodyOf(loop));
  return bodyOf(loop).arguments[0]!;
};

/** Reads the operands, computes the body and writes its results, at the insertion point. */
const emitBody = (
  rewriter: Rewriter,
  { inputs, outputs, indexingMaps }: StructuredOp,
  body: Block,
  variables: readonly Value[],
  { indices, isAffine, readsAll }: Access,
): void => {
  const operands = [...inputs, ...outputs];
  const mapping = new Map<Id, Value>();
  body.arguments.forEach((argument, i) => {
    const operand = operands[i]!;
    if (!readsAll && rewriter.users(argument).length === 0) return;
    if (!isShaped(operand.type)) {
      mapping.set(argument.id, operand);
      return;
    }
    const at = indices(indexingMaps[i]!);
    const [type] = [argument.type];
    const state = isAffine
      ? affine.load.state<Rewriter>({
          operands: { memref: operand, indices: at },
          attributes: { map: identityMap(at.length) },
          resultTypes: [type],
        })
      : load.state<Rewriter>({ operands: { memref: operand, indices: at }, resultTypes: [type] });
    mapping.set(argument.id, rewriter.createValue(state));
  });
  for (const operation of body.operations.slice(0, -1)) {
    if (index.is(operation)) {
      mapping.set(operation.results[0]!.id, variables[index.attributes(operation).dim]!);
      continue;
    }
    rewriter.clone(operation, mapping);
  }
  terminatorOf(body).operands.forEach((yielded, i) => {
    const value = mapping.get(yielded.id) ?? yielded;
    const target = outputs[i]!;
    const at = indices(indexingMaps[inputs.length + i]!);
    rewriter.create(
      isAffine
        ? affine.store.state<Rewriter>({
            operands: { value, memref: target, indices: at },
            attributes: { map: identityMap(at.length) },
          })
        : store.state<Rewriter>({ operands: { value, memref: target, indices: at } }),
    );
  });
};
