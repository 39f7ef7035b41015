/**
 * Fuses an elementwise op into the loops that compute its operand: the op is applied to each part of the tensor as
 * soon as that is complete, while it is in the cache, instead of to the whole tensor afterwards.
 *
 *     scf.for %k { scf.for %i {                     scf.for %k { scf.for %i {
 *       linalg.generic … outs(%tile)                  linalg.generic … outs(%tile)
 *     } }                                       →     %last = arith.cmpi eq, %k, %k3
 *     linalg.generic ins(%c, %bias) { +, max }        scf.if %last { linalg.generic ins(%bias) outs(%tile) { +, max } }
 *                                                   } }
 */
import type { AffineMap } from '@sconv/affine';
import { constant, dim, identityMap, makeMap } from '@sconv/affine';
import type { Diagnosed, Diagnostic, Failed } from '@sconv/diagnostics';
import { andThen, silenceableError, success, warning } from '@sconv/diagnostics';
import type { MixedSlice } from '@sconv/dialects';
import {
  createConstantValue,
  createIndex,
  elementTypeOf,
  eraseUnused,
  insertSliceState,
} from '@sconv/dialects';
import { andi, cmpi } from '@sconv/dialects/arith';
import { generic, structured, yieldOp as yieldElement } from '@sconv/dialects/linalg';
import { ifOp, yieldOp } from '@sconv/dialects/scf';
import type { DraftOperation, Id, Rewriter, TensorType, Value } from '@sconv/ir';
import { ancestorInBlock, bodyOf, builder } from '@sconv/ir';
import type { Epilogue, EpilogueOperand, EpilogueView } from './epilogue.ts';
import { appliedTo, epilogueViewOf } from './epilogue.ts';
import { dimsAfter, extract, partOf, sliceAt, sourceOf } from './epilogue-operands.ts';
import { computedAfter } from './epilogue-order.ts';
import type { Site } from './epilogue-sites.ts';
import { sitesOf } from './epilogue-sites.ts';

/**
 * Applies an elementwise op, and the chain of sole users of its result, in place to each part of the operand that
 * loops complete last; returns the new ops, one per site. Warns about an elementwise op after the first that stays,
 * and with `fuse-epilogue/no-loops` of a named op that computes all of its result at once, without loops to fuse into.
 *
 * Fails as `epilogueViewOf`; with `fuse-epilogue/users` if the operand has other users; with `fuse-epilogue/loops` if
 * loops do not provably compute it, each part once; with `fuse-epilogue/order` if another operand depends on it, or
 * on effects after the loops; with `fuse-epilogue/reshape` if loops count collapsed dimensions of which an operand
 * has only some.
 */
export const fuseEpilogueOp = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<readonly DraftOperation[]> =>
  andThen(completedOperand(rewriter, operation), ({ first, sites }) => {
    const places = new Set(
      sites.map(({ value }) => ancestorInBlock(operation.block, rewriter.definingOperation(value)!)),
    );
    const anchor = operation.block!.operations.find((each) => places.has(each))!;
    return andThen(checkOperands(rewriter, first, sites, anchor), () => {
      const { chain, warnings } = chainFrom(rewriter, first, sites, anchor);
      for (const each of computedAfter(
        rewriter,
        anchor,
        chain.flatMap((part) => readBy(rewriter, part)),
      )!)
        rewriter.moveBefore(each, anchor);
      rewriter.setInsertionPointBefore(anchor);
      const operands = chain.map((part) => part.arguments.map((each) => materialized(rewriter, each)));
      const applied = sites.map((site) => applyAt(rewriter, chain, operands, site));
      const fused = applied.map((each) => each.fused);
      // Without enclosing loops the whole is one part.
      const result = applied.find((_, i) => sites[i]!.user === operation)?.result ?? first.value;
      const unused = chain.flatMap((each) => each.operation.operands);
      const whole = sites.flatMap((site) => wholeProduct(rewriter, site) ?? []);
      for (const each of chain.toReversed()) rewriter.replaceOperation(each.operation, [result], fused);
      for (const operand of unused) if (operand.id !== first.value.id) eraseUnused(rewriter, operand);
      return success(fused, [...whole.map(notTiled), ...warnings]);
    });
  });

/** The named op that computes all of the tensor at once, so that nothing comes into the cache earlier. */
const wholeProduct = (rewriter: Rewriter, { value, box, steps }: Site): DraftOperation | undefined => {
  const definition = rewriter.definingOperation(value);
  const isWhole = box === undefined && steps.length === 0;
  const isNamed = definition !== undefined && !generic.is(definition);
  return isWhole && isNamed && structured(rewriter.registry, definition) !== undefined
    ? definition
    : undefined;
};

const notTiled = ({ name, location }: DraftOperation): Diagnostic =>
  warning(
    'fuse-epilogue/no-loops',
    `what follows '${name}' is still applied to all of its result: tile or slice it before fusing`,
    location,
  );

/** The op, and the chain of users of its result, as far as they can be applied at the same sites. */
const chainFrom = (
  rewriter: Rewriter,
  first: Epilogue,
  sites: readonly Site[],
  anchor: DraftOperation,
): { readonly chain: readonly Epilogue[]; readonly warnings: readonly Diagnostic[] } => {
  const chain = [first];
  for (;;) {
    const [result] = chain.at(-1)!.operation.results;
    const [user, ...others] = rewriter.users(result!);
    if (user === undefined || others.length > 0 || user.block !== anchor.block)
      return { chain, warnings: [] };
    const view = epilogueViewOf(rewriter.registry, user);
    const value =
      view.status === 'success' ? view.value.values.find(({ id }) => id === result!.id) : undefined;
    if (view.status !== 'success' || value === undefined) return { chain, warnings: [] };
    const next = epilogueOf(rewriter, user, view.value, value);
    const checked = checkOperands(rewriter, next, sites, anchor);
    if (checked.status !== 'success') return { chain, warnings: checked.diagnostics.map(asWarning) };
    chain.push(next);
  }
};

/** The reason why an op stays, as a warning. */
export const asWarning = ({ code, message, location }: Diagnostic): Diagnostic =>
  warning(code, `this op is not fused: ${message}`, location);

/** An elementwise op as applied to the operand that loops, or a reduction, compute last. */
const completedOperand = (
  rewriter: Rewriter,
  operation: DraftOperation,
): Diagnosed<{ readonly first: Epilogue; readonly sites: readonly Site[] }> =>
  andThen(epilogueViewOf(rewriter.registry, operation), (view) => {
    let reason: Failed | undefined;
    for (const definition of operation.block?.operations.toReversed() ?? []) {
      const value = view.values.find(({ id }) => definition.results.some((result) => result.id === id));
      if (value === undefined || isElementwise(rewriter, definition)) continue;
      const sites = sitesOf(rewriter, value, operation);
      if (rewriter.users(value).some((user) => user !== operation)) {
        const message = 'its operand has another user';
        reason ??= silenceableError('fuse-epilogue/users', message, operation);
      } else if (typeof sites === 'string') {
        const message = `its operand is not computed by loops, each part once: ${sites}`;
        reason ??= silenceableError('fuse-epilogue/loops', message, operation);
      } else return success({ first: epilogueOf(rewriter, operation, view, value), sites });
    }
    const message = 'no loops in its block compute its operand';
    return reason ?? silenceableError('fuse-epilogue/loops', message, operation);
  });

const isElementwise = (rewriter: Rewriter, operation: DraftOperation): boolean =>
  structured(rewriter.registry, operation)?.iteratorTypes.every((type) => type === 'parallel') === true;

/** An op as applied to `value`; its other operands are replaced by the sources of copies. */
const epilogueOf = (
  rewriter: Rewriter,
  operation: DraftOperation,
  view: EpilogueView,
  value: Value<TensorType>,
): Epilogue => {
  const epilogue = appliedTo(operation, view, value);
  const sources = epilogue.arguments.map((each) =>
    typeof each === 'object' ? sourceOf(rewriter, each) : each,
  );
  return { ...epilogue, arguments: sources };
};

/** What an op reads besides its `value`. */
const readBy = (rewriter: Rewriter, { operation, arguments: all }: Epilogue): readonly Value[] => [
  ...bodyOf(operation).operations.flatMap(({ operands }) =>
    operands.filter((operand) => rewriter.isDefinedOutside(operand, operation)),
  ),
  ...all.flatMap((each) => (typeof each === 'object' && each.constant === undefined ? [each.value] : [])),
];

const checkOperands = (
  rewriter: Rewriter,
  epilogue: Epilogue,
  sites: readonly Site[],
  anchor: DraftOperation,
): Diagnosed<undefined> => {
  const { operation } = epilogue;
  if (computedAfter(rewriter, anchor, readBy(rewriter, epilogue)) === undefined) {
    const message = 'another operand is computed after the loops, and may depend on their result';
    return silenceableError('fuse-epilogue/order', message, operation);
  }
  const isCut = epilogue.arguments.some(
    (each) =>
      typeof each === 'object' && sites.some(({ steps }) => steps.reduce(dimsAfter, each.dims) === undefined),
  );
  if (!isCut) return success(undefined);
  const message = 'an operand has some of the dimensions only that the loops count as one';
  return silenceableError('fuse-epilogue/reshape', message, operation);
};

type Argument = Epilogue['arguments'][number];

/** An argument as a value: constants are materialized. */
const materialized = (rewriter: Rewriter, argument: Argument): Argument => {
  if (typeof argument === 'string' || argument.constant === undefined) return argument;
  const { value, constant: attribute, dims } = argument;
  return { value: createConstantValue(rewriter, attribute, (value.type as TensorType).elementType), dims };
};

/** Applies ops to the part that is complete at a site; returns the new op, and the replacement of the site's value. */
const applyAt = (
  rewriter: Rewriter,
  chain: readonly Epilogue[],
  operands: readonly (readonly Argument[])[],
  site: Site,
): { readonly fused: DraftOperation; readonly result: Value } => {
  const { value, user, box, summing } = site;
  const parts = operands.map((all) =>
    all.map((each) => (typeof each === 'object' ? partOf(rewriter, each, site.steps) : each)),
  );
  rewriter.setInsertionPointAfter(rewriter.definingOperation(value)!);
  let fused: DraftOperation | undefined;
  const apply = (): Value => {
    const slice = box && sliceAt(rewriter, box);
    const part = slice === undefined ? value : extract(rewriter, value, slice, new Set());
    fused = createPart(rewriter, chain, part, parts);
    return slice === undefined ? fused.results[0]! : insert(rewriter, fused.results[0]!, value, slice);
  };
  const result = summing.length === 0 ? apply() : inLastIteration(rewriter, site, apply);
  rewriter.replaceUsesIf(value, result, (each) => each === user);
  return { fused: fused!, result };
};

/**
 * Applies `build` to the site's value in the last iterations of the enclosing loops; passes it through in earlier ones.
 */
const inLastIteration = (rewriter: Rewriter, { value, summing }: Site, build: () => Value): Value => {
  const b = builder(rewriter);
  const condition = summing
    .map(({ variable, last }): Value =>
      b(cmpi, { predicate: 'eq', lhs: variable, rhs: createIndex(rewriter, last) }),
    )
    .reduce((all, each): Value => b(andi, { lhs: all, rhs: each }));
  const yielding = (of: () => Value) => (body: Rewriter) => {
    const result = of();
    body.create(yieldOp.state({ operands: { results: [result] } }));
  };
  return rewriter.createValue(
    ifOp.state<Rewriter>({
      operands: { condition },
      resultTypes: [value.type],
      bodies: [{ build: yielding(build) }, { build: yielding(() => value) }],
    }),
  );
};

const insert = (rewriter: Rewriter, source: Value, dest: Value, slice: MixedSlice): Value =>
  rewriter.createValue(insertSliceState(source, dest, slice));

/** The ops on a part, merged into one, in place. */
const createPart = (
  rewriter: Rewriter,
  chain: readonly Epilogue[],
  part: Value<TensorType>,
  operands: readonly (readonly Argument[])[],
): DraftOperation => {
  const rank = part.type.shape.length;
  const inputs = operands.flat().filter((each) => typeof each === 'object');
  const inputMap = ({ dims }: EpilogueOperand): AffineMap =>
    makeMap(
      rank,
      0,
      dims.map((each) => (each === undefined ? constant(0) : dim(each))),
    );
  const build = (body: Rewriter, ...values: readonly Value[]): void => {
    let element = values.at(-1)!;
    const read = values.values();
    for (const [i, { operation }] of chain.entries()) {
      const old = bodyOf(operation);
      const mapping = new Map<Id, Value>();
      for (const [position, argument] of operands[i]!.entries()) {
        if (argument === 'unused') continue;
        mapping.set(old.arguments[position]!.id, argument === 'value' ? element : read.next().value!);
      }
      for (const each of old.operations.slice(0, -1)) body.clone(each, mapping);
      const yielded = old.last!.operands[0]!;
      element = mapping.get(yielded.id) ?? yielded;
    }
    body.create(yieldElement.state({ operands: { values: [element] } }));
  };
  return rewriter.create(
    generic.state<Rewriter>({
      operands: { inputs: inputs.map(({ value }) => value), outputs: [part] },
      attributes: {
        indexingMaps: [...inputs.map(inputMap), identityMap(rank)],
        iteratorTypes: part.type.shape.map(() => 'parallel'),
      },
      resultTypes: [part.type],
      location: chain[0]!.operation.location,
      bodies: [
        {
          argumentTypes: [...inputs.map(({ value }) => elementTypeOf(value.type)), part.type.elementType],
          build,
        },
      ],
    }),
  );
};
