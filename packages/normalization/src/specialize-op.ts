/** Replaces generic ops by equivalent named ones: upstream's `specializeGenericOp`. */
import type { AffineMap } from '@sconv/affine';
import { isIdentity, isPermutation, isProjectedPermutation } from '@sconv/affine';
import type { Diagnosed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import { createNamed } from '@sconv/dialects';
import * as linalg from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { Block, DraftOperation, Operation, Rewriter, Value } from '@sconv/ir';
import { isShaped, terminatorOf, typeEquals } from '@sconv/ir';

type Definition = typeof linalg.matmul;

/** The equivalent named op, and the inputs in its order. */
interface Named {
  readonly definition: Definition;
  readonly inputs: readonly Value[];
}

/**
 * Replaces a `linalg.generic` by the equivalent named op: a copy, a fill, an elementwise op, or a matrix product. Named
 * ops stay. Fails with `specialize/no-name` if there is no equivalent.
 *
 * @deviation Upstream makes a fill of what stores a scalar in part of the elements, such as a diagonal, and a matrix
 * product of sums of products of `i1`: that of a named op is `or` of `and`.
 */
export const specializeOp = (rewriter: Rewriter, operation: DraftOperation): Diagnosed<DraftOperation> => {
  const view = linalg.structured(rewriter.registry, operation);
  if (view !== undefined && !linalg.generic.is(operation)) return success(operation);
  const { body } = view ?? {};
  const named = view && body && (movesOnly(view, body) ?? elementwise(view, body) ?? product(view, body));
  if (named === undefined)
    return silenceableError('specialize/no-name', 'there is no equivalent named operation', operation);
  rewriter.setInsertionPointBefore(operation);
  const none = Object.fromEntries(Object.keys(operation.attributes).map((name) => [name, undefined]));
  const made = createNamed(rewriter, operation, named.definition, {
    inputs: named.inputs,
    outputs: view!.outputs,
    attributes: none,
  });
  rewriter.replaceOperation(operation, made.results, [made]);
  return success(made);
};

const isParallel = ({ iteratorTypes }: StructuredOp): boolean =>
  iteratorTypes.every((type) => type === 'parallel');

const isOf = (value: Value | undefined, argument: Value | undefined): boolean =>
  value !== undefined && value.id === argument?.id;

const movesOnly = ({ ...view }: StructuredOp, body: Block): Named | undefined => {
  const { inputs, outputs, indexingMaps } = view;
  const [input] = inputs;
  if (input === undefined || inputs.length !== 1 || outputs.length !== 1 || !isParallel(view))
    return undefined;
  if (body.operations.length !== 1 || !isOf(terminatorOf(body).operands[0], body.arguments[0]))
    return undefined;
  if (!isShaped(input.type))
    return isPermutation(indexingMaps[1]!) ? { definition: linalg.fill, inputs } : undefined;
  return indexingMaps.every(isIdentity) ? { definition: linalg.copy, inputs } : undefined;
};

const elementwiseOps: ReadonlyMap<string, Definition> = new Map([
  ['math.exp', linalg.exp],
  ['arith.addf', linalg.add],
  ['arith.subf', linalg.sub],
  ['arith.mulf', linalg.mul],
  ['arith.divf', linalg.div],
]);

/** An op whose body is a single operation that uses each input once. */
const elementwise = (view: StructuredOp, body: Block): Named | undefined => {
  const { inputs, outputs, indexingMaps } = view;
  const [first] = body.operations;
  const definition = first && elementwiseOps.get(first.name);
  if (first === undefined || definition === undefined || body.operations.length !== 2) return undefined;
  if (!isParallel(view) || !indexingMaps.every(isIdentity) || outputs.length !== 1) return undefined;
  if (!isOf(terminatorOf(body).operands[0], first.results[0])) return undefined;
  if (first.operands.length !== inputs.length || inputs.some(({ type }) => !isShaped(type))) return undefined;
  const order = first.operands.map((operand) =>
    body.arguments.slice(0, inputs.length).findIndex((argument) => isOf(operand, argument)),
  );
  if (new Set(order).size !== inputs.length || order.includes(-1)) return undefined;
  return { definition, inputs: order.map((position) => inputs[position]!) };
};

/** Matrix products: plain, with the first input transposed, with the second one transposed. */
const products = {
  plain: [linalg.matmul, linalg.matmulTransposeA, linalg.matmulTransposeB],
  batched: [linalg.batchMatmul, linalg.batchMatmulTransposeA, linalg.batchMatmulTransposeB],
} as const;

const product = (view: StructuredOp, body: Block): Named | undefined => {
  const { inputs, indexingMaps } = view;
  const dimensions = linalg.contractionDimensions(view);
  if (
    dimensions === undefined ||
    !multipliesAndAdds(body) ||
    !indexingMaps.every((map) => isProjectedPermutation(map))
  )
    return undefined;
  const { batch, m, n, k } = dimensions;
  const [row, column, reduced] = [m[0], n[0], k[0]];
  if (row === undefined || column === undefined || reduced === undefined) return undefined;
  if (m.length + n.length + k.length !== 3 || view.iteratorTypes.length !== batch.length + 3)
    return undefined;
  const isBatched = (map: AffineMap): boolean =>
    map.results.length === batch.length + 2 &&
    map.results.slice(0, batch.length).every((result, i) => result.kind === 'dim' && result.position === i);
  if (!indexingMaps.every(isBatched)) return undefined;
  const [a, b, c] = indexingMaps.map((map) =>
    map.results.slice(batch.length).map((result) => (result.kind === 'dim' ? result.position : -1)),
  ) as [number[], number[], number[]];
  if (String(c) !== String([row, column])) return undefined;
  const [isA, isB] = [String(a) !== String([row, reduced]), String(b) !== String([reduced, column])];
  if (isA && isB) return undefined;
  // The named ops have at most one batch dimension.
  if (batch.length > 1) return undefined;
  const definitions = batch.length === 0 ? products.plain : products.batched;
  return { definition: definitions[isA ? 1 : isB ? 2 : 0], inputs };
};

const pairs: Readonly<Record<string, string>> = {
  'arith.addf': 'arith.mulf',
  'arith.addi': 'arith.muli',
};
/** The casts by which the named products extend narrower elements. */
const casts: ReadonlySet<string> = new Set(['arith.extf', 'arith.extsi']);

/** Whether a body adds the product of both inputs, possibly extended to the output's type, to the output. */
const multipliesAndAdds = (body: Block): boolean => {
  const definitions = new Map<number, Operation>(
    body.operations.flatMap((operation) => operation.results.map(({ id }) => [id, operation] as const)),
  );
  const through = (value: Value): Value => {
    const cast = definitions.get(value.id);
    return cast !== undefined && casts.has(cast.name) ? through(cast.operands[0]!) : value;
  };
  const [a, b, out] = body.arguments;
  const [yielded] = terminatorOf(body).operands;
  const sum = yielded && definitions.get(yielded.id);
  if (sum === undefined || out === undefined || body.arguments.length !== 3) return false;
  if (out.type.kind === 'integer' && out.type.width === 1) return false;
  const multiply = sum.operands.filter(({ id }) => id !== out.id).map(({ id }) => definitions.get(id));
  const [factors] = multiply;
  if (multiply.length !== 1 || factors === undefined || pairs[sum.name] !== factors.name) return false;
  const used = factors.operands.map(through);
  const isBoth = (isOf(used[0], a) && isOf(used[1], b)) || (isOf(used[0], b) && isOf(used[1], a));
  const only = body.operations.every(
    (each) => each === sum || each === factors || casts.has(each.name) || each.name === 'linalg.yield',
  );
  return isBoth && only && typeEquals(sum.results[0]!.type, out.type);
};
