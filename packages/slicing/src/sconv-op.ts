/**
 * `transform.structured.sconv` (ST §5, Listing 9): from a convolution to a tiled and packed macro-kernel around a
 * microkernel, planned by Convolution Slicing Analysis.
 */
import { convolution, CsaError, planConvolution } from '@sconv/csa';
import type { ConvolutionShape, Plan, PlanTarget, Schedule } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { error, silenceable, success, unknownName, warning } from '@sconv/diagnostics';
import type { Attribute, Operation } from '@sconv/ir';
import {
  arrayAttribute,
  attributeKind,
  f32,
  i64,
  integerAttribute,
  isShaped,
  isStaticShape,
  named,
  optionalAttribute,
  printType,
  stringAttribute,
  typeEquals,
} from '@sconv/ir';
import { convolutionGeometry } from '@sconv/normalization';
import type { ConvolutionGeometry } from '@sconv/normalization';
import { machineFromFigures, sconvDefaults } from '@sconv/targets';
import { consumes, defineTransformOp, produces, stageAttribute } from '@sconv/transform';
import type { Edges } from './fragments.ts';
import { sconvSchedule } from './sconv-schedule.ts';
import { sconvExamples } from './examples.ts';

type Pair = readonly [number, number];
type Quadruple = readonly [number, number, number, number];

/** `[16, 8]` or `array<i64: 16, 8>`; undefined for a number that a double does not hold. */
const integersOf = (attribute: Attribute): readonly number[] | undefined => {
  const values =
    attribute.kind === 'array'
      ? attribute.elements.map((element) => (element.kind === 'integer' ? Number(element.value) : NaN))
      : attribute.kind === 'dense-array'
        ? attribute.values.map(Number)
        : [];
  return values.every(Number.isSafeInteger) ? values : undefined;
};

const i64Array = (values: readonly number[]): Attribute =>
  arrayAttribute(values.map((value) => integerAttribute(value, i64)));

const pairAttribute = attributeKind<Pair>(
  'array of two integers [Nwin, Nf]',
  (attribute) => {
    const [first, second, ...more] = integersOf(attribute) ?? [];
    return first === undefined || second === undefined || more.length > 0 ? undefined : [first, second];
  },
  i64Array,
);

/** The three levels of cache and a fourth number. */
const levelsAttribute = (description: string) =>
  attributeKind<Quadruple>(
    `array of four integers ${description}`,
    (attribute) => {
      const [l1, l2, l3, fourth, ...more] = integersOf(attribute) ?? [];
      const missing = l1 === undefined || l2 === undefined || l3 === undefined || fourth === undefined;
      return missing || more.length > 0 ? undefined : [l1, l2, l3, fourth];
    },
    i64Array,
  );

/** A string that is one of `words`. */
const wordAttribute = <const W extends string>(words: readonly W[]) =>
  attributeKind<W>(
    words.map((word) => `"${word}"`).join(' or '),
    (attribute) => (attribute.kind === 'string' ? words.find((word) => word === attribute.value) : undefined),
    stringAttribute,
  );

/** How a convolution is to be sliced; what is left out has ST's defaults. */
export interface SconvOptions {
  /** Microkernel tile [N_win, N_f]. */
  readonly mkInfo?: Pair | undefined;
  /** [L1, L2, L3, line] in bytes; 0 for a level that is missing. */
  readonly archInfo?: Quadruple | undefined;
  /** [L1, L2, L3, memory] in cycles. */
  readonly latency?: Quadruple | undefined;
  /** Forces a schedule. */
  readonly schedule?: Schedule | undefined;
  readonly edges?: Edges | undefined;
}

/** The target that the attributes describe, on top of ST's defaults. */
export const targetOf = ({ mkInfo, archInfo, latency }: SconvOptions): PlanTarget => {
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
  const other = operation.operands.find(({ type }) => !isShaped(type) || !typeEquals(type.elementType, f32));
  if (other !== undefined) {
    return silenceable(
      error(
        'sconv/element-type',
        `expected operands of element type f32, got ${printType(other.type)}`,
        operation.location,
      ),
    );
  }
  try {
    const plan = planConvolution(shapeOf(geometry), target, schedule === undefined ? {} : { schedule });
    return success(
      plan,
      plan.warnings.map(({ code, message }) => warning(code, message, operation.location)),
    );
  } catch (problem) {
    if (!isCsaError(problem)) throw problem;
    return silenceable(error(problem.code, problem.message, operation.location));
  }
};

/**
 * The shape of a convolution in the IR. MLIR lets an output be smaller than its input allows; the rows and columns that no
 * window reaches are then left out, so that the shape has the windows that the IR has.
 */
const shapeOf = (geometry: ConvolutionGeometry): ConvolutionShape => {
  const { outputHeight, outputWidth, filterHeight, filterWidth, strides, dilations } = geometry;
  const shape = convolution(geometry);
  if (shape.outputHeight === outputHeight && shape.outputWidth === outputWidth) return shape;
  const reach = (windows: number, stride: number, size: number, dilation: number) =>
    (windows - 1) * stride + (size - 1) * dilation + 1;
  return convolution({
    ...geometry,
    inputHeight: reach(outputHeight, strides.h, filterHeight, dilations.h),
    inputWidth: reach(outputWidth, strides.w, filterWidth, dilations.w),
  });
};

const isCsaError = (problem: unknown): problem is CsaError =>
  problem instanceof Error && problem.name === 'CsaError';

const documentedAttributes = ['mk_info', 'arch_info', 'latency', 'schedule', 'edges'];
const knownAttributes = new Set([...documentedAttributes, 'mK_info', stageAttribute]);

/** `transform.structured.sconv`. */
export const sconvOp = defineTransformOp({
  name: 'transform.structured.sconv',
  summary: 'Slices convolutions into tiled and packed macro-kernels around a microkernel.',
  paper: ['ST §5, Figure 4 and Listing 9', 'SC §4'],
  operands: { target: consumes('linalg.conv_2d_nchw_fchw ops on tensors of static shape') },
  attributes: {
    mkInfo: optionalAttribute(pairAttribute),
    // The reference implementation writes mK_info.
    referenceMkInfo: named(optionalAttribute(pairAttribute), 'mK_info'),
    archInfo: optionalAttribute(levelsAttribute('[L1, L2, L3, line] in bytes')),
    latency: optionalAttribute(levelsAttribute('[L1, L2, L3, memory] in cycles')),
    schedule: optionalAttribute(wordAttribute(['is', 'ws'])),
    edges: optionalAttribute(wordAttribute(['scalar', 'small'])),
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
    'sconv/element-type': { mode: 'silenceable', when: 'the elements of an operand are not f32' },
    'csa/not-positive': {
      mode: 'silenceable',
      when: 'a size, the tile, a cache or a latency is not a positive number',
    },
    'csa/too-large': {
      mode: 'silenceable',
      when: 'there are more elements or operations than a plan counts',
    },
    'csa/no-output': { mode: 'silenceable', when: 'the dilated filter is larger than the input' },
  },
  assembly: { format: '$target attr-dict `:` functional-type(operands, results)' },
  *verify(operation) {
    for (const name of Object.keys(operation.attributes)) {
      if (!knownAttributes.has(name)) {
        yield `has ${unknownName('attribute', name, documentedAttributes)}`;
      }
    }
    const { mk_info: tile, mK_info: sameTile } = operation.attributes;
    if (tile !== undefined && sameTile !== undefined) {
      yield "has both 'mk_info' and 'mK_info', which name the same tile";
    }
  },
  examples: () => sconvExamples,
  expand: (target, { mkInfo, referenceMkInfo, archInfo, latency, schedule, edges }) => {
    const planned = planOperation(
      target,
      targetOf({ mkInfo: mkInfo ?? referenceMkInfo, archInfo, latency }),
      schedule,
    );
    if (planned.status !== 'success') return planned;
    return success(sconvSchedule(planned.value, edges ?? 'scalar'), planned.diagnostics);
  },
});
