/** An LRU cache of single elements under a plan of rows and columns whose operands lie where they are. */
import { evaluate } from '@sconv/affine';
import type { Contraction, OpenDimension, OpenPlan } from '@sconv/plans';
import { foldPlan, planExtents } from '@sconv/plans';

const dimensionsOf = ({ dimensions }: Contraction): readonly OpenDimension[] =>
  dimensions.map(({ name }) => name as OpenDimension);

/** The distinct elements that each microkernel touches, in their order; a number for each element of an operand. */
export const touchedByKernels = (
  plan: OpenPlan,
  contraction: Contraction,
): readonly (readonly number[])[] => {
  const names = dimensionsOf(contraction);
  const elements = elementsIn(contraction);
  const calls: (readonly number[])[] = [];
  const kernel =
    (extents: Readonly<Record<OpenDimension, number>>) => (at: Readonly<Record<string, number>>) => {
      calls.push(elements(names.map((name) => [at[name]!, extents[name]])));
    };
  foldPlan<OpenDimension, (at: Readonly<Record<string, number>>) => void>(plan, {
    loop:
      ({ dimension, step, count }, body) =>
      (at) => {
        for (let i = 0; i < count; i += 1) body({ ...at, [dimension]: at[dimension]! + i * step });
      },
    split: () => () => undefined,
    pack: (_, body) => body,
    kernel: ({ extents }) => kernel(extents),
    scalar: ({ extents }) => kernel(extents),
  })(Object.fromEntries(names.map((name) => [name, 0])));
  return calls;
};

type Box = readonly (readonly [from: number, extent: number])[];

/** The distinct elements of all operands that the points of a box use. */
const elementsIn = ({ operands }: Contraction) => {
  const known = new Map<string, readonly number[]>();
  return (box: Box): readonly number[] => {
    const key = box.join(';');
    const found = known.get(key) ?? operands.flatMap((operand, i) => [...elementsOf(operand, i, box)]);
    known.set(key, found);
    return found;
  };
};

const elementsOf = (
  { map, sizes }: Contraction['operands'][number],
  operand: number,
  box: Box,
): ReadonlySet<number> => {
  const elements = new Set<number>();
  const visit = (point: readonly number[]): void => {
    const bounds = box[point.length];
    if (bounds === undefined) {
      const index = evaluate(map, point).reduce((sum, each, i) => sum * sizes[i]! + each, 0);
      elements.add(3 * index + operand);
      return;
    }
    for (let i = 0; i < bounds[1]; i += 1) visit([...point, bounds[0] + i]);
  };
  visit([]);
  return elements;
};

/** The touches that a fully associative LRU cache of so many elements does not have. */
export const missesOf = (calls: readonly (readonly number[])[], capacity: number): number => {
  const recency = new Map<number, true>();
  let misses = 0;
  for (const element of calls.flat()) {
    if (!recency.delete(element)) misses += 1;
    recency.set(element, true);
    if (recency.size > capacity) recency.delete(recency.keys().next().value!);
  }
  return misses;
};

/** The elements that the body of each loop touches, outermost first: what decides whether they stay in a cache. */
export const footprintsOf = (plan: OpenPlan, contraction: Contraction): readonly number[] => {
  const elements = elementsIn(contraction);
  const footprints: number[] = [];
  for (let at = plan; ; at = (at as { readonly body: OpenPlan }).body) {
    const extents = planExtents(at);
    const whole = dimensionsOf(contraction).map((name) => [0, extents[name]] as const);
    footprints.push(elements(whole).length);
    if (at.kind !== 'loop') return footprints;
  }
};
