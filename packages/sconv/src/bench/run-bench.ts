/** The work of `sconv bench` on convolutions and matrix products: measures groups of rows in sequence. */
import type { Group, Row } from './figures.ts';
import type { FilterUse, Implementation } from './implementation.ts';
import { measureConvolution } from './measure-convolution.ts';
import type { SideOptions } from './measure-sides.ts';
import type { NamedShape } from './shape-sets.ts';
import { workOf } from './workload.ts';

/** Convolutions that are aggregated together. */
export interface ShapeGroup {
  /** The name of the set; empty for shapes given by the user. */
  readonly set: string;
  readonly shapes: readonly NamedShape[];
}

export interface BenchRequest {
  readonly groups: readonly ShapeGroup[];
  readonly filters: readonly FilterUse[];
  readonly implementations: readonly Implementation[];
  /** Called with what is measured next. */
  readonly onProgress: (what: string) => void;
}

/** Whether a group is of matrix products; there are none with convolutions in it. */
const areProducts = ({ shapes }: ShapeGroup): boolean => shapes.some(({ isProduct }) => isProduct);

/** The rows of each group; groups without any because of the signal are left out. */
export const runBench = async (
  { groups, filters, implementations, onProgress }: BenchRequest,
  options: SideOptions,
): Promise<readonly Group[]> => {
  const asked = groups.flatMap((group) => {
    const uses: readonly (FilterUse | null)[] = areProducts(group) ? [null] : filters;
    return uses.map((use) => ({ ...group, use }));
  });
  const total = asked.reduce((sum, { shapes }) => sum + shapes.length, 0);
  const measured: Group[] = [];
  let count = 0;
  for (const { set, shapes, use } of asked) {
    const rows: Row[] = [];
    for (const shape of shapes) {
      count += 1;
      onProgress(`${count}/${total} ${shape.name}`);
      const row =
        options.signal?.aborted === true
          ? undefined
          : await measureConvolution(shape, use ?? 'arguments', implementations, options);
      if (row !== undefined) rows.push(row);
    }
    if (rows.length > 0) measured.push({ set, filters: use, rows });
  }
  return measured;
};

/**
 * Estimated duration on a machine with this peak: data, compilation and warm-up take 0.7 s per side, and calls run at
 * some 40 % of the peak.
 */
export const expectedSeconds = (
  { groups, filters, implementations }: Omit<BenchRequest, 'onProgress'>,
  samples: number,
  peak: number,
): number => {
  const ofShape = ({ shape }: NamedShape): number => {
    const call = workOf(shape).flop / (0.4 * peak);
    return 0.7 + 6 * call + samples * Math.max(0.025, call);
  };
  const shapes = groups.flatMap((group) => group.shapes);
  return filters.length * implementations.length * shapes.reduce((sum, shape) => sum + ofShape(shape), 0);
};
