/** Elements of a space as schemes, and back. */
import type { Scheme, Specifier } from '@sconv/schemes';
import type { KernelFamily } from '@sconv/targets';
import type { TileRun } from './combinations.ts';
import { distinctClasses, type KernelRoles } from './kernel-groups.ts';
import type { NestStep } from './nest-space.ts';
import type { SpaceProblem } from './space-problem.ts';
import type { SpaceElement } from './scheme-space.ts';

/** The letter of the height of the kernel that is computed. */
const variable = 'b';

/** The unrolled dimensions of a class, outermost first (TT §5.1). */
export const unrolled = ['channels', 'tapRows', 'tapColumns'] as const;

/** The scheme of an element; factors of 1 are left out. */
export const schemeOf = (
  { kernel, nest }: SpaceElement,
  { letterOf, roles, family: { lanes } }: ElementContext,
): Scheme => {
  const [height, vectors] = [letterOf(roles.height), letterOf(roles.lanes)];
  const unroll = (dimension: string, count: number): readonly Specifier[] =>
    count === 1 ? [] : [{ kind: 'U', dimension, count }];
  const isCombined = kernel.runs.length > 1;
  return [
    ...nest.map((step): Specifier => {
      switch (step.kind) {
        case 'loop':
          return { kind: 'T', dimension: letterOf(step.dimension), count: step.count };
        case 'pack':
          return { kind: 'P', operand: step.operand };
        case 'combination':
          return {
            kind: 'lambda',
            dimension: height,
            variable,
            parts: kernel.runs.map((run) => ({ count: run.count, size: run.height })),
          };
      }
    }),
    ...unrolled.flatMap((name) => unroll(letterOf(name), kernel.of.unroll[name])),
    ...(isCombined
      ? [{ kind: 'U', dimension: height, count: variable } as const]
      : unroll(height, kernel.runs[0]!.height)),
    ...unroll(vectors, kernel.of.vectors),
    { kind: 'V', dimension: vectors, count: lanes },
  ];
};

/** What a scheme is an element for. */
export interface ElementContext extends SpaceProblem {
  readonly roles: KernelRoles;
  readonly family: KernelFamily;
  /** Dimensions whose loops are outside of all others. */
  readonly separate: readonly string[];
}

/**
 * The element of a scheme, without the loops over separate dimensions; undefined for one that no family of microkernels
 * has. Loops of one iteration are left out, and those of one dimension right inside of each other are one.
 */
export const elementOf = (scheme: Scheme, context: ElementContext): SpaceElement | undefined => {
  const first = scheme.findIndex(({ kind }) => kind === 'U' || kind === 'V');
  const sizes = kernelSizes(scheme.slice(Math.max(first, 0)), context);
  if (first < 0 || sizes === undefined) return undefined;
  const loops = loopsOf(scheme.slice(0, first), sizes, context);
  if (loops === undefined) return undefined;
  const { family, roles } = context;
  const of = distinctClasses(family.classes).find(
    (each) =>
      unrolled.every((name) => each.unroll[name] === (sizes.get(name) ?? 1)) &&
      each.vectors * family.lanes === sizes.get(roles.lanes),
  );
  const runs = loops.runs ?? [{ count: 1, height: sizes.get(roles.height) ?? 1 }];
  return of === undefined ? undefined : { kernel: { of, runs }, nest: loops.nest };
};

/** The sizes of what is unrolled and vectorized; the height of a combination is 0. */
const kernelSizes = (inner: Scheme, { contraction, letterOf, roles, family }: ElementContext) => {
  const sizes = new Map<string, number>();
  const names = new Map(contraction.dimensions.map(({ name }) => [letterOf(name), name]));
  for (const specifier of inner) {
    const isUnrolled = specifier.kind === 'U' || specifier.kind === 'V';
    const name = isUnrolled ? names.get(specifier.dimension) : undefined;
    if (!isUnrolled || name === undefined) return undefined;
    if (specifier.kind === 'V' && (specifier.count !== family.lanes || name !== roles.lanes))
      return undefined;
    const count = typeof specifier.count === 'number' ? specifier.count : 0;
    sizes.set(name, (sizes.get(name) ?? 1) * count);
  }
  const known = new Set<string>([...unrolled, roles.lanes, roles.height]);
  return [...sizes].every(([name, size]) => known.has(name) || size === 1) ? sizes : undefined;
};

interface Loops {
  readonly nest: readonly NestStep[];
  /** Of a combination. */
  readonly runs: readonly TileRun[] | undefined;
}

const loopsOf = (
  outer: Scheme,
  sizes: ReadonlyMap<string, number>,
  { contraction, letterOf, roles, separate }: ElementContext,
): Loops | undefined => {
  const names = new Map(contraction.dimensions.map(({ name }) => [letterOf(name), name]));
  let runs: readonly TileRun[] | undefined;
  const steps: NestStep[] = [];
  for (const specifier of outer) {
    if (specifier.kind === 'P') {
      steps.push({ kind: 'pack', operand: specifier.operand });
      continue;
    }
    const dimension = names.get(specifier.dimension);
    if (dimension === undefined) return undefined;
    if (specifier.kind === 'T' && typeof specifier.count === 'number')
      steps.push({ kind: 'loop', dimension, count: specifier.count });
    // The count of what is left over is known when all others are.
    else if (specifier.kind === 'R') steps.push({ kind: 'loop', dimension, count: 0 });
    else if (specifier.kind === 'lambda' && runs === undefined && dimension === roles.height) {
      runs = specifier.parts.map(({ count, size }) => ({ count, height: size }));
      steps.push({ kind: 'combination' });
    } else return undefined;
  }
  const covered = runs?.reduce((sum, { count, height }) => sum + count * height, 0);
  const left = (name: string): number => {
    const { extent } = contraction.dimensions.find((each) => each.name === name)!;
    const size = name === roles.height && covered !== undefined ? covered : (sizes.get(name) ?? 1);
    return steps.reduce(
      (rest, step) =>
        step.kind === 'loop' && step.dimension === name && step.count > 0 ? rest / step.count : rest,
      Math.ceil(extent / size),
    );
  };
  const counted = steps.map((step) =>
    step.kind === 'loop' && step.count === 0 ? { ...step, count: left(step.dimension) } : step,
  );
  const isSeparate = (step: NestStep): boolean => step.kind === 'loop' && separate.includes(step.dimension);
  const own = counted.filter((step) => step.kind !== 'loop' || step.count > 1);
  const first = own.findIndex((step) => !isSeparate(step));
  const nest = first < 0 ? [] : own.slice(first);
  if (nest.some(isSeparate)) return undefined;
  return mergedLoops(nest, runs, roles);
};

/** Loops of one dimension right inside of each other as one. */
const mergedLoops = (
  nest: readonly NestStep[],
  runs: readonly TileRun[] | undefined,
  roles: KernelRoles,
): Loops => {
  const merged: NestStep[] = [];
  let scale = 1;
  for (const step of nest) {
    const last = merged.at(-1);
    if (step.kind !== 'loop') merged.push(step);
    else if (last?.kind === 'loop' && last.dimension === step.dimension)
      merged.splice(-1, 1, { ...last, count: last.count * step.count });
    // The runs of a combination are loops of this dimension.
    else if (last?.kind === 'combination' && step.dimension === roles.height) scale *= step.count;
    else merged.push(step);
  }
  return {
    nest: merged,
    runs: runs?.map((run) => ({ ...run, count: run.count * scale })),
  };
};
