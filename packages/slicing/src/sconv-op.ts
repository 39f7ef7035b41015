/**
 * `transform.structured.sconv` (ST §5, Listing 9): from a convolution to a tiled and packed macro-kernel around a
 * microkernel, planned by Convolution Slicing Analysis.
 */
import {
  costModelNames,
  diagnosedPlan,
  edgeChoices,
  heuristics,
  planConvolution,
  planWarnings,
  planWithTiling,
} from '@sconv/csa';
import type { CostModelName, Dataflow, EdgeChoice, Heuristic, PlanTarget, SlicingPlan } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, mapSuccess, silenceable, success, unknownName } from '@sconv/diagnostics';
import { planAttributeName } from '@sconv/dialects';
import type { Operation } from '@sconv/ir';
import {
  attributeKind,
  i64Attribute,
  named,
  documented,
  optionalAttribute,
  stringAttribute,
  unitAttributeKind,
} from '@sconv/ir';
import { machineFromFigures, sconvDefaults } from '@sconv/targets';
import {
  consumes,
  defineTransformOp,
  integerArray,
  integersOf,
  pairAttribute,
  produces,
} from '@sconv/transform';
import { planOperation, shapeFailures, slicedAs, slicedNames } from './plan-operation.ts';
import { slicingSchedule } from './slicing-schedule.ts';
import type { PlannedShape } from './stored-plan.ts';
import { planFailures, storedPlan } from './stored-plan.ts';

type Pair = readonly [number, number];
type Quadruple = readonly [number, number, number, number];

const tileAttribute = pairAttribute('array of two integers [Nwin, Nf]');

/** The three cache levels and a fourth number. */
const levelsAttribute = (description: string) =>
  attributeKind<Quadruple>(
    `array of four integers ${description}`,
    (attribute) => {
      const [l1, l2, l3, fourth, ...more] = integersOf(attribute) ?? [];
      const missing = l1 === undefined || l2 === undefined || l3 === undefined || fourth === undefined;
      return missing || more.length > 0 ? undefined : [l1, l2, l3, fourth];
    },
    integerArray,
  );

/** A string attribute with one of `words`. */
const wordAttribute = <const W extends string>(words: readonly W[]) =>
  attributeKind<W>(
    words.map((word) => `"${word}"`).join(' or '),
    (attribute) => (attribute.kind === 'string' ? words.find((word) => word === attribute.value) : undefined),
    stringAttribute,
  );

/** The slicing parameters given as attributes; omitted ones have ST's defaults. */
export interface SconvAttributes {
  /** Microkernel tile [N_win, N_f]. */
  readonly mkInfo?: Pair | undefined;
  /** [L1, L2, L3, line] in bytes; 0 for a missing level. */
  readonly archInfo?: Quadruple | undefined;
  /** [L1, L2, L3, memory] in cycles. */
  readonly latency?: Quadruple | undefined;
  /** Forces a dataflow. */
  readonly schedule?: Dataflow | undefined;
  /** Sizes to use instead of searching: all three, with a schedule. */
  readonly nc?: number | undefined;
  readonly k2?: number | undefined;
  readonly k3?: number | undefined;
  readonly costModel?: CostModelName | undefined;
  readonly heuristic?: Heuristic | undefined;
  readonly edges?: EdgeChoice | undefined;
  /** Widths of the microkernel's panels [windows, filters]; a single panel if omitted. */
  readonly panels?: Pair | undefined;
  /** Whether to compute i32 sums two channels per step, as i16, if both operands fit. */
  readonly pairs?: boolean | undefined;
}

/** The target that the attributes describe, based on ST's defaults. */
export const targetOf = ({
  mkInfo,
  archInfo,
  latency,
}: Pick<SconvAttributes, 'mkInfo' | 'archInfo' | 'latency'>): PlanTarget => {
  const { machine, microkernel: standard } = sconvDefaults;
  const [windows, filters] = mkInfo ?? [standard.windows, standard.filters];
  const microkernel = { windows, filters };
  if (archInfo === undefined && latency === undefined) return { machine, microkernel };
  const { l1, l2, l3 } = machine.cache;
  const [bytes1, bytes2, bytes3, line] = archInfo ?? [l1!.bytes, l2!.bytes, l3!.bytes, l1!.lineBytes];
  return {
    machine: machineFromFigures({
      name: 'attributes',
      cacheBytes: [bytes1, bytes2, bytes3],
      lineBytes: line,
      latencyCycles: latency ?? [l1!.latency, l2!.latency, l3!.latency, machine.memoryLatency],
      source: 'arch_info and latency of transform.structured.sconv',
    }),
    microkernel,
  };
};

/** The attributes that say a plan of the analysis in short. They omit the machine, since the sizes are determined. */
export const attributesOfPlan = ({
  microkernel,
  schedule,
  nc,
  k2,
  k3,
  edgeKind,
}: Pick<SlicingPlan, 'microkernel' | 'schedule' | 'nc' | 'k2' | 'k3' | 'edgeKind'>): SconvAttributes => ({
  mkInfo: [microkernel.windows, microkernel.filters],
  schedule,
  nc,
  k2,
  k3,
  edges: edgeKind,
});

/** The plan that a convolution carries, or else the one that these attributes ask for. */
const planOf = (operation: Operation, attributes: SconvAttributes): Diagnosed<PlannedShape> =>
  andThen(storedPlan(operation), (plan) => {
    if (plan === undefined) return searchedPlan(operation, attributes);
    const asked = Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    if (asked.length === 0) return success(plan);
    const message =
      `this convolution has a plan, '${planAttributeName}': ${asked.join(', ')} would ask for ` + 'another';
    return silenceable(error('sconv/planned', message, operation.location));
  });

/** The plan of a convolution under these attributes. */
const searchedPlan = (operation: Operation, attributes: SconvAttributes): Diagnosed<SlicingPlan> =>
  planOperation(operation, (shape) =>
    diagnosedPlan<SlicingPlan>(() => {
      const { schedule, nc, k2, k3, costModel, heuristic, edges } = attributes;
      const target = targetOf(attributes);
      if (schedule !== undefined && nc !== undefined && k2 !== undefined && k3 !== undefined) {
        const kind = edges === 'best' ? undefined : edges;
        return planWithTiling(shape, target.microkernel, { schedule, nc, k2, k3 }, kind);
      }
      return planConvolution(shape, target, {
        ...(schedule === undefined ? {} : { schedule }),
        ...(costModel === undefined ? {} : { costModel }),
        ...(heuristic === undefined ? {} : { heuristic }),
        ...(edges === undefined ? {} : { edges }),
      });
    }),
  );

const sizeAttributes = ['nc', 'k2', 'k3'] as const;
const searchAttributes = ['cost_model', 'heuristic'] as const;

/** Errors of explicitly given sizes. */
function* sizeProblems({ attributes }: Operation): Generator<string> {
  const given = sizeAttributes.filter((name) => attributes[name] !== undefined);
  if (given.length === 0) return;
  if (given.length < sizeAttributes.length)
    yield `has ${given.join(' and ')} alone: nc, k2 and k3 go together`;
  if (attributes['schedule'] === undefined) yield 'has sizes without a schedule, whose tiles they count';
  const searching = searchAttributes.filter((name) => attributes[name] !== undefined);
  if (searching.length > 0) yield `has sizes, and ${searching.join(' and ')} to find them`;
  const { edges } = attributes;
  if (edges?.kind === 'string' && edges.value === 'best')
    yield 'has sizes, and edges = "best" to be found: say which edges';
}

const documentedAttributes = [
  'mk_info',
  'arch_info',
  'latency',
  'schedule',
  ...sizeAttributes,
  ...searchAttributes,
  'edges',
  'panels',
  'pairs',
];
const knownAttributes = new Set([...documentedAttributes, 'mK_info']);

/** `transform.structured.sconv`. */
export const structuredSconv = defineTransformOp({
  name: 'transform.structured.sconv',
  summary:
    'Slices convolutions and matrix products into tiled and packed macro-kernels around a microkernel.',
  paper: ['ST §5, Figure 4 and Listing 9', 'SC §4'],
  operands: {
    target: consumes(
      'two-dimensional convolutions and matrix products on tensors of static shape',
      ...slicedNames,
    ),
  },
  attributes: {
    mkInfo: documented(optionalAttribute(tileAttribute), 'the tile of the microkernel; [16, 8] if omitted'),
    // The reference implementation spells it mK_info.
    referenceMkInfo: documented(
      named(optionalAttribute(tileAttribute), 'mK_info'),
      'another spelling of `mk_info`',
    ),
    archInfo: documented(
      optionalAttribute(levelsAttribute('[L1, L2, L3, line] in bytes')),
      'the caches, 0 for a missing one; those of the target `default` if omitted, wherever it runs',
    ),
    latency: optionalAttribute(levelsAttribute('[L1, L2, L3, memory] in cycles')),
    schedule: documented(
      optionalAttribute(wordAttribute(['is', 'ws'])),
      'input or weight stationary; the cheaper one if omitted',
    ),
    nc: documented(optionalAttribute(i64Attribute), 'channels per tile, instead of searching'),
    k2: documented(optionalAttribute(i64Attribute), 'tiles of the moving operand in L2'),
    k3: documented(optionalAttribute(i64Attribute), 'tiles of the stationary operand in L3'),
    costModel: documented(
      optionalAttribute(wordAttribute(costModelNames)),
      'how plans are compared; "sc" if omitted',
    ),
    heuristic: documented(
      optionalAttribute(wordAttribute(heuristics)),
      'how sizes are searched; "halving" if omitted',
    ),
    edges: documented(
      optionalAttribute(wordAttribute(edgeChoices)),
      'the code of remaining windows and filters; "scalar" if omitted',
    ),
    panels: documented(
      optionalAttribute(pairAttribute('array of two integers [windows, filters]')),
      'the widths of packed panels; one panel per tile if omitted',
    ),
    pairs: documented(
      unitAttributeKind,
      'computes i32 sums two channels per step, as i16, if both operands fit',
    ),
  },
  results: {
    microkernels: produces('the microkernels', 'linalg.generic'),
    loops: produces(
      'the loops, six per part: N, Nc, two outer, two inner; preceded by the loop over groups, if any',
      'scf.for',
    ),
  },
  warnings: planWarnings,
  failures: {
    ...shapeFailures,
    ...planFailures,
    'sconv/planned': {
      mode: 'silenceable',
      when: 'a target has the attribute `sconv.plan`, and attributes of this op ask for another plan',
    },
    'csa/not-positive': {
      mode: 'silenceable',
      when: 'a size, the tile, a cache or a latency is not a positive number',
    },
    'csa/tiling': { mode: 'silenceable', when: '`nc`, `k2` or `k3` exceeds the extents of the convolution' },
    'csa/too-large': {
      mode: 'silenceable',
      when: 'there are too many elements or operations to count exactly',
    },
    'csa/no-output': { mode: 'silenceable', when: 'the dilated filter is larger than the input' },
    'pack-windows/panel': {
      mode: 'silenceable',
      when: 'a panel width does not divide a tile, or the lanes of the microkernel are filters',
    },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  *verify({ operation, attributes: { panels } }) {
    for (const name of Object.keys(operation.attributes)) {
      if (!knownAttributes.has(name)) {
        yield `has ${unknownName('attribute', name, documentedAttributes)}`;
      }
    }
    const { mk_info: tile, mK_info: sameTile } = operation.attributes;
    if (tile !== undefined && sameTile !== undefined) {
      yield "has both 'mk_info' and 'mK_info', which name the same tile";
    }
    if (panels?.some((width) => width < 1) === true) yield 'expected panels of at least one element';
    yield* sizeProblems(operation);
  },
  expand: (target, { referenceMkInfo, panels, pairs, ...attributes }) => {
    const mkInfo = attributes.mkInfo ?? referenceMkInfo;
    return mapSuccess(planOf(target, { ...attributes, mkInfo }), (plan) =>
      slicingSchedule(plan, slicedAs(target)!, panels && { windows: panels[0], filters: panels[1] }, pairs),
    );
  },
});
