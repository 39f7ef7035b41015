/**
 * What a scheme is ranked by (TT §5.4): how much is summed up by a call of its microkernel, and the data that it moves
 * between the levels of memory, as the `traffic` model of `@sconv/csa` predicts it.
 */
import type { MachineCaches } from '@sconv/csa';
import { convolutionOf, hierarchy, multiplyAdds, slice, trafficOfPlan } from '@sconv/csa';
import type { Contraction } from '@sconv/plans';
import { planPaths } from '@sconv/plans';
import type { Scheme } from '@sconv/schemes';
import { planOfScheme } from '@sconv/schemes';
import { SpaceError } from './errors.ts';

/** A scheme's figures. */
export interface SchemeMetric {
  /** Iterations of the loops that sum up directly above the microkernel; the least where there are several. */
  readonly reduction: number;
  /** Bytes that are moved into each cache; 0 for a missing one. */
  readonly volume: { readonly l1: number; readonly l2: number; readonly l3: number };
  /** Latencies of all lines that L1 does not have, in cycles: the volumes, by what they cost. */
  readonly cycles: number;
  /** Floating-point operations for each byte that is moved into a cache. */
  readonly intensity: number;
}

/**
 * The figures of schemes without problems, on these caches. Throws a `SpaceError` for a contraction that is no
 * convolution, of which matrix products are some.
 *
 * @deviation TT takes the largest loop over `c`; here loops over `r` and `s` count as well, for sums stay in registers
 * over them, too. Volumes are weighed by the latencies of the levels, where TT adds them up.
 */
export const schemeMetric = (
  contraction: Contraction,
  machine: MachineCaches,
): ((scheme: Scheme) => SchemeMetric) => {
  const shape = convolutionOf(contraction);
  if (shape === undefined)
    throw new SpaceError('spaces/contraction', 'contraction', 'expected a convolution, or a product as one');
  const caches = hierarchy(machine, { l1: 1, l2: 1, l3: 1 });
  const has = (name: 'l1' | 'l2' | 'l3'): number => (caches.bytes[name] > 0 ? caches.lineBytes : 0);
  return (scheme) => {
    const { tree } = planOfScheme(scheme, contraction);
    const leaves = planPaths<string>(tree).map(({ leaf }) => leaf);
    const { extents } = leaves[0]!;
    const windows = extents['windows'] ?? extents['rows']! * extents['columns']!;
    const sliced = slice(shape, { windows, filters: extents['filters']! });
    const { accesses, cycles } = trafficOfPlan(sliced, tree, caches);
    const { l1, l2, l3, memory } = accesses;
    const volume = {
      l1: (l2 + l3 + memory) * has('l1'),
      l2: (l3 + memory) * has('l2'),
      l3: memory * has('l3'),
    };
    return {
      reduction: Math.min(...leaves.map(summedBy)),
      volume,
      cycles: cycles - l1 * caches.latency.l1,
      intensity: (2 * multiplyAdds(shape)) / (volume.l1 + volume.l2 + volume.l3),
    };
  };
};

type Leaf = ReturnType<typeof planPaths<string>>[number]['leaf'];

const summedBy = (leaf: Leaf): number =>
  ['channels', 'tapRows', 'tapColumns'].reduce((all, name) => {
    const unrolled = leaf.kind === 'kernel' ? (leaf.unroll?.[name] ?? 1) : 1;
    return (all * (leaf.extents[name] ?? 1)) / unrolled;
  }, 1);
