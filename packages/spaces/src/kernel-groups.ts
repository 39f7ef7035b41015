/** Which microkernels of a family leave no partial tiles of a contraction (TT §5.3). */
import type { KernelClass, KernelFamily } from '@sconv/targets';
import { combinations, coveringOf, type TileRun } from './combinations.ts';
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
  /** Whether the last of the vectors' tiles is padded, if they do not divide their dimension. */
  readonly isPadded: boolean;
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
  roles: KernelRoles,
): readonly KernelGroup[] => {
  const extent = extents.get(roles.height) ?? 1;
  return fittingClasses(family, extents, roles).flatMap(({ of, sizes }) => {
    const single = expectHeights('heights', of.heights)
      .filter((each) => extent % each === 0)
      .map((each) => onlyGroup(of, [{ count: 1, height: each }], sizes(each)));
    const combined = combinations(of.heights, extent).map(({ heights, covered, ways, at }): KernelGroup => ({
      of,
      heights,
      ways,
      kernel: (way) => ({ of, runs: at(way) }),
      sizes: sizes(covered),
    }));
    return [...single, ...combined];
  });
};

/**
 * Kernels for an extent that no two heights of a class cover: tiles of the height with the least padding, of which the
 * last one leaves out what is beyond.
 *
 * @deviation TT would compute the padding, or rows twice: that takes as long as a whole tile, and compilers drop it.
 */
export const paddedGroups = (
  family: KernelFamily,
  extents: ReadonlyMap<string, number>,
  roles: KernelRoles,
): readonly KernelGroup[] => {
  const extent = extents.get(roles.height) ?? 1;
  return fittingClasses(family, extents, roles).flatMap(({ of, sizes }) => {
    const covering = coveringOf(of.heights, extent);
    if (covering.kind !== 'padded') return [];
    const { height } = covering;
    const rest = { count: 1, height: extent % height };
    const whole = { count: Math.floor(extent / height), height };
    return [onlyGroup(of, whole.count === 0 ? [rest] : [rest, whole], sizes(extent))];
  });
};

const onlyGroup = (
  of: KernelClass,
  runs: readonly TileRun[],
  sizes: ReadonlyMap<string, number>,
): KernelGroup => ({
  of,
  heights: runs.map(({ height }) => height),
  ways: 1,
  kernel: () => ({ of, runs }),
  sizes,
});

/** The classes whose sizes divide all extents but heights and padded ones, with the sizes of a tile of a height. */
const fittingClasses = (
  family: KernelFamily,
  extents: ReadonlyMap<string, number>,
  { lanes, height, isPadded }: KernelRoles,
) => {
  checkFamily(family);
  return distinctClasses(family.classes).flatMap((of) => {
    const base = new Map<string, number>(Object.entries(of.unroll));
    base.set(lanes, of.vectors * family.lanes);
    const mustDivide = [...base].filter(([name]) => !(isPadded && name === lanes));
    if (mustDivide.some(([name, size]) => (extents.get(name) ?? 1) % size !== 0)) return [];
    return [{ of, sizes: (covered: number) => new Map([...base, [height, covered]]) }];
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
