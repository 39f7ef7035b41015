/**
 * Forms contractions from multiply-and-reduce, folds transposes, broadcasts and casts into their operands, and sinks
 * broadcasts: upstream's `populateVectorReductionToContractPatterns` and `populateSinkVectorBroadcastPatterns`.
 */
import type { AffineMap } from '@sconv/affine';
import {
  compose,
  dim,
  equals,
  identityMap,
  inversePermutation,
  makeMap,
  permutationMap,
} from '@sconv/affine';
import { constantOf, definedBy, onOp } from '@sconv/canonicalization/matching';
import { elementTypeOf } from '@sconv/dialects';
import { mulf, muli } from '@sconv/dialects/arith';
import { broadcast, contract, fma, isMasked, multiReduction, splat, transpose } from '@sconv/dialects/vector';
import type { DraftOperation, RewritePattern, Rewriter, Type, Value, VectorType } from '@sconv/ir';
import { builder, hasTrait, typeEquals, vectorType } from '@sconv/ir';
import { positionOf } from './contraction.ts';

const reductionAsContraction = onOp(multiReduction, 'reduction-as-contraction', (rewriter, operation) => {
  const { source, acc } = multiReduction.operands(operation);
  const { kind, reductionDims } = multiReduction.attributes(operation);
  const product = rewriter.definingOperation(source);
  if (kind !== 'add' || product === undefined || !(muli.is(product) || mulf.is(product))) return;
  const rank = source.type.shape.length;
  const kept = Array.from({ length: rank }, (_, i) => i).filter((i) => !reductionDims.includes(i));
  const whole = identityMap(rank);
  const [lhs, rhs] = product.operands;
  const result = builder(rewriter)(
    contract,
    {
      lhs: lhs!,
      rhs: rhs!,
      acc,
      indexingMaps: [
        whole,
        whole,
        makeMap(
          rank,
          0,
          kept.map((i) => dim(i)),
        ),
      ],
      iteratorTypes: whole.results.map((_, i) => (kept.includes(i) ? 'parallel' : 'reduction')),
      kind: 'add',
    },
    { resultTypes: [acc.type] },
  );
  rewriter.replaceOperation(operation, [result]);
});

/** The same contraction on other vectors, with other maps. */
const recontracted = (
  rewriter: Rewriter,
  operation: DraftOperation,
  change: {
    readonly lhs?: Value<VectorType>;
    readonly rhs?: Value<VectorType>;
    readonly acc?: Value;
    readonly maps: readonly AffineMap[];
    readonly iteratorTypes?: readonly ('parallel' | 'reduction')[];
  },
): Value => {
  const { lhs, rhs, acc } = contract.operands(operation);
  const attributes = contract.attributes(operation);
  const onto = change.acc ?? acc;
  return builder(rewriter)(
    contract,
    {
      lhs: change.lhs ?? lhs,
      rhs: change.rhs ?? rhs,
      acc: onto,
      indexingMaps: change.maps,
      iteratorTypes: change.iteratorTypes ?? attributes.iteratorTypes,
      kind: attributes.kind,
    },
    { resultTypes: [onto.type] },
  );
};

/** The dimensions that any of the maps uses. */
const usedBy = (maps: readonly AffineMap[]): ReadonlySet<number> =>
  new Set(maps.flatMap((map) => map.results.map((_, i) => positionOf(map, i))));

/**
 * A factor that is a broadcast along leading dimensions drops these.
 *
 * @deviation Upstream turns a contraction of any other kind into a sum, and drops a dimension that the mask has.
 */
const contractionOfBroadcast = onOp(contract, 'contraction-of-broadcast', (rewriter, operation) => {
  const { lhs, rhs } = contract.operands(operation);
  const { indexingMaps, iteratorTypes } = contract.attributes(operation);
  const factors = [lhs, rhs];
  const maps = [...indexingMaps];
  factors.forEach((factor, which) => {
    const [source] = definedBy(rewriter, factor, broadcast)?.operands ?? [];
    const map = maps[which]!;
    if (source?.type.kind !== 'vector') return;
    const lead = factor.type.shape.length - source.type.shape.length;
    if (lead === 0 || source.type.shape.some((size, i) => size !== factor.type.shape[lead + i])) return;
    const isSummed = (i: number): boolean =>
      factor.type.shape[i] !== 1 && iteratorTypes[positionOf(map, i)] === 'reduction';
    if (Array.from({ length: lead }, (_, i) => i).some(isSummed)) return;
    maps[which] = makeMap(map.numDims, 0, map.results.slice(lead));
    factors[which] = source as Value<VectorType>;
  });
  if (factors[0] === lhs && factors[1] === rhs) return;
  const used = usedBy(maps);
  const kept = iteratorTypes.flatMap((_, i) => (used.has(i) ? [i] : []));
  if (isMasked(operation) && kept.length < iteratorTypes.length) return;
  const compressed = maps.map((map) =>
    makeMap(
      kept.length,
      0,
      map.results.map((_, i) => dim(kept.indexOf(positionOf(map, i)))),
    ),
  );
  const iterators = kept.map((i) => iteratorTypes[i]!);
  const [left, right] = compressed.slice(0, 2).map((map) => usedBy([map]));
  if (!iterators.some((type, i) => type === 'reduction' && left!.has(i) && right!.has(i))) return;
  if (iterators.some((_, i) => !left!.has(i) && !right!.has(i))) return;
  rewriter.replaceOperation(operation, [
    recontracted(rewriter, operation, {
      lhs: factors[0]!,
      rhs: factors[1]!,
      maps: compressed,
      iteratorTypes: iterators,
    }),
  ]);
});

const contractionOfTranspose = onOp(contract, 'contraction-of-transpose', (rewriter, operation) => {
  const { lhs, rhs } = contract.operands(operation);
  const maps = [...contract.attributes(operation).indexingMaps];
  const factors = [lhs, rhs].map((factor, which) => {
    const turned = definedBy(rewriter, factor, transpose);
    if (turned === undefined) return factor;
    maps[which] = compose(orderOf(turned, true), maps[which]!);
    return transpose.operands(turned).vector;
  });
  if (factors[0] === lhs && factors[1] === rhs) return;
  rewriter.replaceOperation(operation, [
    recontracted(rewriter, operation, { lhs: factors[0]!, rhs: factors[1]!, maps }),
  ]);
});

/** The permutation of a transpose as a map, or its inverse. */
const orderOf = (operation: DraftOperation, inverse = false): AffineMap => {
  const map = permutationMap(transpose.attributes(operation).permutation);
  return inverse ? inversePermutation(map)! : map;
};

const transposeOfContraction = onOp(transpose, 'transpose-of-contraction', (rewriter, operation) => {
  const product = definedBy(rewriter, operation.operands[0], contract);
  if (product === undefined || rewriter.users(product.results[0]!).length !== 1) return;
  const turned = definedBy(rewriter, contract.operands(product).acc, transpose);
  if (turned === undefined || !equals(orderOf(turned, true), orderOf(operation))) return;
  const maps = contract.attributes(product).indexingMaps;
  rewriter.replaceOperation(operation, [
    recontracted(rewriter, product, {
      acc: transpose.operands(turned).vector,
      maps: [...maps.slice(0, 2), compose(orderOf(operation), maps[2]!)],
    }),
  ]);
});

/** The same operation on other operands. */
const createLike = (
  rewriter: Rewriter,
  { name, attributes }: DraftOperation,
  operands: readonly Value[],
  type: Type,
): Value =>
  rewriter.createValue({
    name,
    operands,
    resultTypes: [type],
    attributes,
  });

/** The type `source` with another element type. */
const withElements = (source: Type, element: Type): Type =>
  source.kind === 'vector' ? vectorType(source.shape, element, source.scalable) : element;

/** The casts of arith, whose results have their operand's shape. */
const casts = [
  'bitcast',
  'extf',
  'extsi',
  'extui',
  'fptosi',
  'fptoui',
  'index_cast',
  'index_castui',
  'sitofp',
  'truncf',
  'trunci',
  'uitofp',
];

const castOfBroadcast: readonly RewritePattern[] = casts.map((name) => ({
  name: 'cast-of-broadcast',
  root: `arith.${name}`,
  rewrite: (rewriter, operation) => {
    const [source] = definedBy(rewriter, operation.operands[0], broadcast)?.operands ?? [];
    if (source === undefined) return;
    const { type } = operation.results[0]!;
    const cast = createLike(rewriter, operation, [source], withElements(source.type, elementTypeOf(type)));
    rewriter.replaceOperation(operation, [
      builder(rewriter)(broadcast, { source: cast }, { resultTypes: [type] }),
    ]);
  },
}));

const elementwiseOfTranspose: RewritePattern = {
  name: 'elementwise-of-transpose',
  rewrite: (rewriter, operation) => {
    const [result] = operation.results;
    if (result?.type.kind !== 'vector' || operation.results.length !== 1 || operation.regions.length > 0)
      return;
    if (!hasTrait(rewriter.registry, operation, 'elementwise')) return;
    const turned = operation.operands.map((operand) => definedBy(rewriter, operand, transpose));
    const [first] = turned.filter((each) => each !== undefined);
    if (first === undefined) return;
    const { permutation } = transpose.attributes(first);
    const fits = turned.every((each, i) =>
      each === undefined
        ? constantOf(rewriter, operation.operands[i]) !== undefined
        : String(transpose.attributes(each).permutation) === String(permutation),
    );
    if (!fits) return;
    const inverse = permutation.map((_, i) => permutation.indexOf(i));
    const { type: sourceType } = transpose.operands(first).vector;
    const b = builder(rewriter);
    const operands = operation.operands.map((operand, i): Value => {
      const each = turned[i];
      if (each !== undefined) return each.operands[0]!;
      const type = withElements(sourceType, elementTypeOf(operand.type));
      return b(transpose, { vector: operand, permutation: inverse }, { resultTypes: [type] });
    });
    const made = createLike(
      rewriter,
      operation,
      operands,
      withElements(sourceType, elementTypeOf(result.type)),
    );
    rewriter.replaceOperation(operation, [
      b(transpose, { vector: made, permutation }, { resultTypes: [result.type] }),
    ]);
  },
};

const elementwiseOfBroadcast: RewritePattern = {
  name: 'elementwise-of-broadcast',
  rewrite: (rewriter, operation) => {
    const [result] = operation.results;
    const [first] = operation.operands;
    if (result?.type.kind !== 'vector' || first === undefined || !typeEquals(result.type, first.type)) return;
    if (operation.results.length !== 1 || fma.is(operation)) return;
    if (!hasTrait(rewriter.registry, operation, 'elementwise')) return;
    const sources = operation.operands.map((operand) => {
      const repeated = definedBy(rewriter, operand, broadcast) ?? definedBy(rewriter, operand, splat);
      return repeated?.operands[0];
    });
    const type = sources[0]?.type;
    if (type === undefined || !sources.every((each) => each !== undefined && typeEquals(each.type, type)))
      return;
    const made = createLike(rewriter, operation, sources as readonly Value[], type);
    rewriter.replaceOperation(operation, [
      builder(rewriter)(broadcast, { source: made }, { resultTypes: [result.type] }),
    ]);
  },
};

export const reductionToContractPatterns: readonly RewritePattern[] = [
  reductionAsContraction,
  contractionOfBroadcast,
  contractionOfTranspose,
  transposeOfContraction,
  ...castOfBroadcast,
  elementwiseOfTranspose,
];

export const sinkBroadcastPatterns: readonly RewritePattern[] = [...castOfBroadcast, elementwiseOfBroadcast];
