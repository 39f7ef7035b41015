/**
 * `transform.structured.sconv` (ST §5, Listing 9): from a convolution to a tiled and packed macro-kernel around a
 * microkernel, planned by Convolution Slicing Analysis.
 */
import { convolution, CsaError, planConvolution } from '@sconv/csa';
import type { Plan, PlanTarget, Schedule } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, warning } from '@sconv/diagnostics';
import type { Attribute, Operation } from '@sconv/ir';
import {
  arrayAttribute,
  attributeKind,
  i64,
  integerAttribute,
  isShaped,
  isStaticShape,
  named,
  optionalAttribute,
  printType,
  stringAttributeKind,
} from '@sconv/ir';
import { convolutionGeometry } from '@sconv/normalization';
import { machineFromFigures, sconvDefaults } from '@sconv/targets';
import { consumes, defineTransformOp, produces, stageAttribute } from '@sconv/transform';
import type { Edges } from './fragments.ts';
import { sconvSchedule } from './sconv-schedule.ts';
import { sconvExamples } from './examples.ts';

/** `[16, 8]`: an array of 64-bit integers of a given length. */
const integers = (length: number, description: string) =>
  attributeKind<readonly number[]>(
    description,
    (attribute: Attribute) => {
      const values =
        attribute.kind === 'array'
          ? attribute.elements.map((element) => (element.kind === 'integer' ? Number(element.value) : NaN))
          : attribute.kind === 'dense-array'
            ? attribute.values.map(Number)
            : [];
      return values.length === length && values.every(Number.isSafeInteger) ? values : undefined;
    },
    (values) => arrayAttribute(values.map((value) => integerAttribute(value, i64))),
  );

/** How a convolution is to be sliced; what is left out has ST's defaults. */
export interface SconvOptions {
  /** Microkernel tile [N_win, N_f]. */
  readonly mkInfo?: readonly number[] | undefined;
  /** [L1, L2, L3, line] in bytes; 0 for a level that is missing. */
  readonly archInfo?: readonly number[] | undefined;
  /** [L1, L2, L3, memory] in cycles. */
  readonly latency?: readonly number[] | undefined;
  /** Forces a schedule. */
  readonly schedule?: Schedule | undefined;
  readonly edges?: Edges | undefined;
}

/** The target that the attributes describe, on top of ST's defaults. */
export const targetOf = ({ mkInfo, archInfo, latency }: SconvOptions): PlanTarget => {
  const [windows, filters] = mkInfo ?? [sconvDefaults.microkernel.windows, sconvDefaults.microkernel.filters];
  const { machine } = sconvDefaults;
  if (archInfo === undefined && latency === undefined)
    return { machine, microkernel: { windows: windows!, filters: filters! } };
  const { l1, l2, l3 } = machine.cache;
  const [bytes1, bytes2, bytes3, line] = archInfo ?? [l1!.bytes, l2!.bytes, l3!.bytes, l1!.lineBytes];
  const [cycles1, cycles2, cycles3, memory] = latency ?? [
    l1!.latency,
    l2!.latency,
    l3!.latency,
    machine.memoryLatency,
  ];
  return {
    machine: machineFromFigures({
      name: 'attributes',
      cacheBytes: [bytes1!, bytes2!, bytes3!],
      lineBytes: line!,
      latencyCycles: [cycles1!, cycles2!, cycles3!, memory!],
      source: 'arch_info and latency of transform.structured.sconv',
    }),
    microkernel: { windows: windows!, filters: filters! },
  };
};

/** The plan of a convolution in the IR. A failure stands at the convolution. */
export const planOperation = (
  operation: Operation,
  target: PlanTarget,
  schedule?: Schedule,
): Diagnosed<Plan> => {
  const dynamic = operation.operands.find(({ type }) => isShaped(type) && !isStaticShape(type));
  if (dynamic !== undefined) {
    return silenceable(
      error(
        'sconv/dynamic-shape',
        `expected operands of static shape, got ${printType(dynamic.type)}: a plan needs all sizes`,
        operation.location,
      ),
    );
  }
  const geometry = convolutionGeometry(operation);
  if (geometry === undefined) {
    return silenceable(
      error(
        'sconv/not-a-convolution',
        `expected a linalg.conv_2d_nchw_fchw on tensors, got '${operation.name}'`,
        operation.location,
      ),
    );
  }
  const element = operation.operands[0]?.type;
  if (
    element?.kind !== 'tensor' ||
    element.elementType.kind !== 'float' ||
    element.elementType.name !== 'f32'
  ) {
    return silenceable(error('sconv/element-type', 'expected elements of type f32', operation.location));
  }
  try {
    const plan = planConvolution(convolution(geometry), target, schedule === undefined ? {} : { schedule });
    return success(
      plan,
      plan.warnings.map(({ code, message }) => warning(code, message, operation.location)),
    );
  } catch (problem) {
    if (!isCsaError(problem)) throw problem;
    return silenceable(error(problem.code, problem.message, operation.location));
  }
};

const isCsaError = (problem: unknown): problem is CsaError =>
  problem instanceof Error && problem.name === 'CsaError';

const isSchedule = (text: string | undefined): text is Schedule | undefined =>
  text === undefined || text === 'is' || text === 'ws';

const isEdges = (text: string | undefined): text is Edges | undefined =>
  text === undefined || text === 'scalar' || text === 'small';

const knownAttributes = new Set([
  'mk_info',
  'mK_info',
  'arch_info',
  'latency',
  'schedule',
  'edges',
  stageAttribute,
]);

/** `transform.structured.sconv`. */
export const sconvOp = defineTransformOp({
  name: 'transform.structured.sconv',
  summary: 'Slices convolutions into tiled and packed macro-kernels around a microkernel.',
  paper: ['ST §5, Figure 4 and Listing 9', 'SC §4'],
  operands: { target: consumes('linalg.conv_2d_nchw_fchw ops on tensors of static shape') },
  attributes: {
    mkInfo: optionalAttribute(integers(2, 'array of two integers [Nwin, Nf]')),
    // The reference implementation writes mK_info.
    referenceMkInfo: named(optionalAttribute(integers(2, 'array of two integers [Nwin, Nf]')), 'mK_info'),
    archInfo: optionalAttribute(integers(4, 'array of four integers [L1, L2, L3, line] in bytes')),
    latency: optionalAttribute(integers(4, 'array of four integers [L1, L2, L3, memory] in cycles')),
    schedule: optionalAttribute(stringAttributeKind),
    edges: optionalAttribute(stringAttributeKind),
  },
  results: {
    microkernels: produces('the microkernels', 'linalg.generic'),
    loops: produces('the loops, six a fragment: N, Nc, two outer, two inner'),
  },
  failures: {
    'sconv/not-a-convolution': {
      mode: 'silenceable',
      when: 'a target is not a conv_2d_nchw_fchw on tensors',
    },
    'sconv/dynamic-shape': { mode: 'silenceable', when: 'a size is not known statically' },
    'sconv/element-type': { mode: 'silenceable', when: 'the elements are not f32' },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  *verify(operation) {
    for (const name of Object.keys(operation.attributes)) {
      if (!knownAttributes.has(name)) {
        yield `has no attribute '${name}'; known are mk_info, arch_info, latency, schedule and edges`;
      }
    }
    const { schedule, edges } = operation.attributes;
    if (schedule?.kind === 'string' && !isSchedule(schedule.value)) {
      yield `schedule must be "is" or "ws", got "${schedule.value}"`;
    }
    if (edges?.kind === 'string' && !isEdges(edges.value)) {
      yield `edges must be "scalar" or "small", got "${edges.value}"`;
    }
  },
  examples: () => sconvExamples,
  expand: (target, { mkInfo, referenceMkInfo, archInfo, latency, schedule, edges }) => {
    if (!isSchedule(schedule) || !isEdges(edges)) throw new Error('not verified');
    const planned = planOperation(
      target,
      targetOf({ mkInfo: mkInfo ?? referenceMkInfo, archInfo, latency }),
      schedule,
    );
    if (planned.status !== 'success') return planned;
    return success(sconvSchedule(planned.value, edges ?? 'scalar'), planned.diagnostics);
  },
});
