/** Which microkernels of a family leave no partial tiles of a contraction (TT §5.3). */
import type { KernelClass, KernelFamily } from '@sconv/targets';
import { combinations, type TileRun } from './combinations.ts';
import { expectExtent, expectHeights, expectList, expectRecord, SpaceError } from './errors.ts';

/** A microkernel, or the combination of two that differ in their heights. */
export interface SpaceKernel {
  readonly of: KernelClass;
  /** One run of one height, whose count is 1, or the two runs of a combination. */
  readonly runs: readonly TileRun[];
}

/** The dimensions of a contraction that a microkernel is made along, by name. */
export interface KernelRoles {
  /** Of the vectors. */
  readonly lanes: string;
  /** Of the heights. */
  readonly height: string;
}

/** Kernels that cover a tile of the same sizes. */
export interface KernelGroup {
  readonly of: KernelClass;
  readonly heights: readonly number[];
  /** How many kernels: one, or the ways in which two heights cover the tile. */
  readonly ways: number;
  readonly kernel: (way: number) => SpaceKernel;
  /** The sizes of the tile; 1 where a dimension is missing. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** More classes are no family: they are few unrolled sizes by few numbers of vectors. */
const mostClasses = 256;

/** The kernels whose sizes divide the extents, class by class: each height, then the combinations of two. */
export const kernelGroups = (
  family: KernelFamily,
  extents: ReadonlyMap<string, number>,
  { lanes, height }: KernelRoles,
): readonly KernelGroup[] => {
  checkFamily(family);
  const extentOf = (name: string): number => extents.get(name) ?? 1;
  return distinctClasses(family.classes).flatMap((of) => {
    const base = new Map<string, number>(Object.entries(of.unroll));
    base.set(lanes, of.vectors * family.lanes);
    if ([...base].some(([name, size]) => extentOf(name) % size !== 0)) return [];
    const sizes = (covered: number) => new Map([...base, [height, covered]]);
    const single = expectHeights('heights', of.heights)
      .filter((each) => extentOf(height) % each === 0)
      .map((each): KernelGroup => {
        const kernel = { of, runs: [{ count: 1, height: each }] };
        return { of, heights: [each], ways: 1, kernel: () => kernel, sizes: sizes(each) };
      });
    const combined = combinations(of.heights, extentOf(height)).map(
      ({ heights, covered, ways, at }): KernelGroup => ({
        of,
        heights,
        ways,
        kernel: (way) => ({ of, runs: at(way) }),
        sizes: sizes(covered),
      }),
    );
    return [...single, ...combined];
  });
};

/** Classes that differ in their heights alone are one. */
export const distinctClasses = (classes: readonly KernelClass[]): readonly KernelClass[] => {
  const distinct = new Map<string, KernelClass>();
  for (const of of classes) {
    const { channels, tapRows, tapColumns } = of.unroll;
    const key = [channels, tapRows, tapColumns, of.vectors].join();
    const known = distinct.get(key);
    distinct.set(key, known === undefined ? of : { ...known, heights: [...known.heights, ...of.heights] });
  }
  return [...distinct.values()];
};

const checkFamily = (family: KernelFamily): void => {
  expectRecord('family', family);
  expectExtent('family.lanes', family.lanes);
  expectList('family.classes', family.classes);
  if (family.classes.length === 0 || family.classes.length > mostClasses) {
    const message = `expected 1 to ${mostClasses} classes, not ${family.classes.length}`;
    throw new SpaceError('spaces/family', 'family.classes', message);
  }
  family.classes.forEach((of, i) => {
    const field = `family.classes.${i}`;
    expectRecord(field, of, 'unroll');
    expectExtent(`${field}.vectors`, of.vectors);
    for (const name of ['channels', 'tapRows', 'tapColumns'] as const)
      expectExtent(`${field}.unroll.${name}`, of.unroll[name]);
    expectHeights(`${field}.heights`, of.heights);
  });
};
