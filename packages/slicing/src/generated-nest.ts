/** Which plans can be generated with the existing transforms, and the parameters of their loop nests and packings. */
import type { ConvolutionDimension, LoopNode, Plan, PlanPath } from '@sconv/csa';
import { belowSplits, planPaths } from '@sconv/csa';

/** Iteration dimensions of a linearised convolution that are tiled. */
export type TiledDimension = Exclude<ConvolutionDimension, 'group'>;

/** Perfectly nested loops over distinct dimensions: what one `tile_using_for` makes. */
export type TileLevel = readonly (LoopNode & { readonly dimension: TiledDimension })[];

/** How an operand is packed: each tile where it is used, or all tiles of a loop before it. */
export type Packing = 'packed' | 'multipacked';

/** The parameters of a leaf's loop nest. */
export interface GeneratedNest {
  /** Outermost first. */
  readonly levels: readonly TileLevel[];
  readonly input: Packing;
  readonly filters: Packing;
}

/** A part of a plan that cannot be generated yet. */
export interface NotGenerated {
  readonly path: string;
  readonly message: string;
}

const operandDimensions = {
  input: ['batch', 'channels', 'windows'],
  filters: ['channels', 'filters'],
} as const;

const tileDimensions = { input: 'windows', filters: 'filters' } as const;

/** The first part of a plan that no transforms exist for; undefined if all of it can be generated. */
export const notGenerated = (plan: Plan): NotGenerated | undefined => {
  for (const path of planPaths(plan)) {
    const message = pathProblem(path);
    if (message !== undefined) return { path: path.name, message };
  }
  return undefined;
};

const pathProblem = (path: PlanPath): string | undefined => {
  const { steps, leaf } = path;
  const { nest } = belowSplits(path);
  if (steps.some((step) => step.kind !== 'pack' && step.dimension === 'group') || leaf.extents.group !== 1)
    return 'groups are not generated: linalg.conv_2d_nchw_fchw has none';
  if (nest.some(({ kind }) => kind === 'part'))
    return 'a split inside of a loop or a packing is not generated';
  if (leaf.kind === 'scalar')
    return nest.length === 0 ? undefined : 'loops and packings around scalar code are not generated';
  if (leaf.fill === 'padded') return "a padded microkernel is not generated: fill 'exact' is";
  if (leaf.extents.batch !== 1) return 'a microkernel computes one image: a loop over batch by 1 is missing';
  if (levelsOf(nest).length === 0) return 'a microkernel without a loop around it is not generated';
  return (['input', 'filters'] as const)
    .map((operand) => packingOf(nest, operand))
    .find(({ problem }) => problem !== undefined)?.problem;
};

/** Splits the loops greedily into runs of distinct dimensions. */
const levelsOf = (nest: PlanPath['steps']): readonly TileLevel[] => {
  const levels: TileLevel[number][][] = [];
  for (const step of nest) {
    if (step.kind !== 'loop' || step.dimension === 'group') continue;
    const loop = { ...step, dimension: step.dimension };
    const last = levels.at(-1);
    if (last?.every(({ dimension }) => dimension !== loop.dimension)) last.push(loop);
    else levels.push([loop]);
  }
  return levels;
};

/** How the nest packs an operand, or why the plan's packing is not one that can be generated. */
const packingOf = (
  nest: PlanPath['steps'],
  operand: 'input' | 'filters',
): { readonly packing: Packing; readonly problem: string | undefined } => {
  const dimensions: readonly string[] = operandDimensions[operand];
  const at = nest.findIndex((step) => step.kind === 'pack' && step.operand === operand);
  const pack = nest[at];
  const isLoop = (step: PlanPath['steps'][number]): step is LoopNode => step.kind === 'loop';
  const around = nest.slice(0, at).findLast(isLoop);
  const inside = nest
    .slice(at + 1)
    .filter(isLoop)
    .filter(({ dimension }) => dimensions.includes(dimension));
  const [loop, ...more] = inside;
  const packing = loop === undefined ? 'packed' : 'multipacked';
  const problem = (): string | undefined => {
    if (pack?.kind !== 'pack') return `a microkernel without a packing of the ${operand} is not generated`;
    if (pack.lifetime === 'artifact') return "a packing for the 'artifact' is not generated: one 'here' is";
    if (around !== undefined && !dimensions.includes(around.dimension)) {
      return (
        `a packing of the ${operand} stands outside of loops that it does not depend on, as that over ` +
        around.dimension
      );
    }
    if (loop === undefined) return undefined;
    if (more.length > 0 || loop.dimension !== tileDimensions[operand] || loop.count !== pack.tiles) {
      return (
        `tiles of the ${operand} are packed at once for one loop over the ${tileDimensions[operand]}, ` +
        'which has as many iterations'
      );
    }
    return undefined;
  };
  return { packing, problem: problem() };
};

/** The parameters of a nest that can be generated. */
export const generatedNest = (steps: PlanPath['steps']): GeneratedNest => ({
  levels: levelsOf(steps),
  input: packingOf(steps, 'input').packing,
  filters: packingOf(steps, 'filters').packing,
});
