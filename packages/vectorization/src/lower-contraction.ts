/**
 * Contractions as outer products, one for each step of k, as upstream's `ContractionOpToOuterProductOpLowering`:
 *
 *     for each k:  sum = outerproduct lhs[:, k], rhs[k, :], sum
 */
import type { AffineMap } from '@sconv/affine';
import { elementTypeOf } from '@sconv/dialects';
import { extf, extsi } from '@sconv/dialects/arith';
import { contract, extract, outerproduct, transpose } from '@sconv/dialects/vector';
import type { Builder, RewritePattern, Type, Value, VectorType } from '@sconv/ir';
import { builder, typeEquals, vectorType } from '@sconv/ir';

/** Dimensions by letters: `k` is reduced, `m` and `n` are the rows and columns of the result. */
const layoutOf = (maps: readonly AffineMap[], letters: string): string =>
  maps
    .map(({ results }) =>
      results.map((each) => (each.kind === 'dim' ? letters[each.position] : '?')).join(''),
    )
    .join(' ');

/** How a layout is computed: the factors of the outer products, each transposed where k is not its first dimension. */
interface Plan {
  readonly first: 'lhs' | 'rhs';
  readonly turned: readonly ('lhs' | 'rhs')[];
}

const plans: Readonly<Record<string, Plan>> = {
  'mk kn mn': { first: 'lhs', turned: ['lhs'] },
  'mk nk mn': { first: 'lhs', turned: ['lhs', 'rhs'] },
  'km kn mn': { first: 'lhs', turned: [] },
  'km nk mn': { first: 'lhs', turned: ['rhs'] },
  'mk kn nm': { first: 'rhs', turned: ['lhs'] },
  'mk nk nm': { first: 'rhs', turned: ['rhs', 'lhs'] },
  'km kn nm': { first: 'rhs', turned: [] },
  'km nk nm': { first: 'rhs', turned: ['rhs'] },
  'mk k m': { first: 'lhs', turned: ['lhs'] },
  'km k m': { first: 'lhs', turned: [] },
  'k mk m': { first: 'rhs', turned: ['rhs'] },
  'k km m': { first: 'rhs', turned: [] },
};

const letters: Readonly<Record<string, string>> = {
  'parallel parallel reduction': 'mnk',
  'parallel reduction': 'mk',
  'reduction parallel': 'km',
};

export const contractionToOuterProducts: RewritePattern = {
  name: 'contraction-to-outer-products',
  root: contract.name,
  rewrite: (rewriter, operation) => {
    const { lhs, rhs, acc } = contract.operands(operation);
    const { indexingMaps, iteratorTypes, kind } = contract.attributes(operation);
    const names = letters[iteratorTypes.join(' ')];
    const plan = names === undefined ? undefined : plans[layoutOf(indexingMaps, names)];
    const steps =
      lhs.type.shape[
        indexingMaps[0]?.results.findIndex(
          (each) => each.kind === 'dim' && iteratorTypes[each.position] === 'reduction',
        ) ?? -1
      ];
    // A masked one stays: the mask is of all iterations.
    if (plan === undefined || steps === undefined || operation.parent?.name === 'vector.mask') return;
    if (acc.type.kind !== 'vector' || [...lhs.type.scalable, ...rhs.type.scalable].includes(true)) return;
    const b = builder(rewriter);
    const factors = { lhs, rhs };
    for (const turned of plan.turned) factors[turned] = transposed(b, factors[turned]);
    const [first, second] = plan.first === 'lhs' ? [factors.lhs, factors.rhs] : [factors.rhs, factors.lhs];
    const type = acc.type;
    let sum: Value<VectorType> = acc as Value<VectorType>;
    for (let k = 0; k < steps; k++) {
      const [left, right] = [first, second].map((vector): Value =>
        b(extract, { vector, staticPosition: [k] }),
      );
      sum = b(
        outerproduct,
        {
          lhs: promoted(b, left!, type.elementType) as Value<VectorType>,
          rhs: promoted(b, right!, type.elementType),
          acc: sum,
          kind,
        },
        { resultTypes: [type] },
      );
    }
    rewriter.replaceOperation(operation, [sum]);
  },
};

const transposed = (b: Builder, vector: Value<VectorType>): Value<VectorType> => {
  const { shape, elementType } = vector.type;
  const type = vectorType(shape.toReversed(), elementType);
  return b(transpose, { vector, permutation: [1, 0] }, { resultTypes: [type] });
};

/** A factor with the elements of the result. */
const promoted = (b: Builder, value: Value, elementType: Type): Value => {
  if (typeEquals(elementTypeOf(value.type), elementType)) return value;
  const type = value.type.kind === 'vector' ? vectorType(value.type.shape, elementType) : elementType;
  const options = { resultTypes: [type] };
  return elementType.kind === 'float' ? b(extf, { in: value }, options) : b(extsi, { in: value }, options);
};
