/** The options of `compileConvolution`, checked, since callers may be untyped. */
import type { Backend, LoadOptions, WorkerLike } from '@sconv/backend';
import type { CostModelName, Dataflow, EdgeChoice, Padding } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, unknownName } from '@sconv/diagnostics';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import type { OptionCode } from './check-options.ts';
import {
  backendsProblem,
  heapProblem,
  namesProblem,
  optionProblem,
  schedulingProblem,
  signalProblem,
  targetProblem,
  threadsProblem,
  workersProblem,
} from './check-options.ts';
import type { ConvolutionElement } from './convolution-elements.ts';
import { convolutionElements, sumElements } from './convolution-elements.ts';
import type { TunedPlans } from './tuned-plan.ts';

/**
 * The order of dimensions: `nchw` has the input and output as batch, channels, height, width, and the filters as
 * filters, channels per group, height, width; `nhwc`, TensorFlow's, has batch, height, width, channels, and height,
 * width, channels per group, filters.
 */
export type ConvolutionLayout = 'nchw' | 'nhwc';

/**
 * A function of each element: `relu` is the maximum with 0, `relu6` a clamp to 0 to 6. `low` may be -Infinity, and
 * `high` Infinity.
 */
export type Activation = 'relu' | 'relu6' | { readonly clamp: readonly [low: number, high: number] };

/** Sizes in elements. */
export interface ConvolutionSpec<E extends ConvolutionElement = 'f32'> {
  /** In the order of `layout`. */
  readonly input: readonly [number, number, number, number];
  /** In the order of `layout`. */
  readonly filters: readonly [number, number, number, number];
  /**
   * The elements of input and filters; default `f32`. Sums, and all other arrays, are `f64` for that, `i32` (modulo
   * 2^32) for `i8`, else `f32`.
   */
  readonly elementType?: E;
  /** Default `nchw`. */
  readonly layout?: ConvolutionLayout;
  /** Whether to add a number per filter to the sums; default false. */
  readonly bias?: boolean;
  /** Whether to add an array of the output's shape, after the bias; default false. */
  readonly residual?: boolean;
  /** What to apply last; default nothing. */
  readonly activation?: Activation;
  /** Height, width; default `[1, 1]`. */
  readonly strides?: readonly [number, number];
  /** Height, width; default `[1, 1]`. */
  readonly dilations?: readonly [number, number];
  /**
   * Zeros around the input: `[height, width]` on both sides, or all four; default none. The input is not copied for
   * that, but in depthwise convolutions.
   */
  readonly padding?: readonly [number, number] | Padding;
  /** Whether to accumulate into an initial output; default true. Otherwise that is not even read, which is faster. */
  readonly accumulate?: boolean;
  /** Number of groups of channels and filters, each a convolution of its own; default 1. */
  readonly groups?: number;
  /** The target; default `wasm`, whose results are bit-identical everywhere. */
  readonly target?: Target;
  /** The first one that serves the target is used; default `defaultBackends`. `sconv/node` has `nodeBackends`. */
  readonly backends?: readonly Backend[];
  /** `is` or `ws`, to keep the input or the filters stationary; default: the one with the lower predicted cost. */
  readonly schedule?: Dataflow;
  /** The cost model of plans; default `sc`. */
  readonly costModel?: CostModelName;
  /** How to compute windows and filters that fill no tile; default `best`, the least predicted cost. */
  readonly edges?: EdgeChoice;
  /** Plans that were measured before; convolutions without one are planned as without them. */
  readonly tuned?: TunedPlans;
  /**
   * Number of threads for `runAsync`, with `workers`; default 1; depthwise convolutions take one. Results are the same,
   * bit-identical for the target `wasm`.
   */
  readonly threads?: number;
  /** Creates a worker per thread: in Node `nodeWorkers` of `sconv/node`. */
  readonly workers?: () => WorkerLike;
  /** Ends the compilation, which then throws `DiagnosticError` (`sconv/aborted`, or the backend's code). */
  readonly signal?: NonNullable<LoadOptions['signal']>;
  /**
   * Bytes available to `bind` and to the artifact's `allocate`, on `wasm`; by default enough for three bindings.
   * Further ones take the room that is left: they pack their filters in every call rather than once, or throw a
   * RangeError.
   */
  readonly heapBytes?: number;
}

type Planned =
  'backends' | 'schedule' | 'costModel' | 'edges' | 'tuned' | 'threads' | 'workers' | 'signal' | 'heapBytes';

type AnySpec = ConvolutionSpec<ConvolutionElement>;

/** Options with the shape's defaults; defaults of planning are left to planning. */
export interface CheckedSpec<E extends ConvolutionElement = ConvolutionElement>
  extends Required<Omit<ConvolutionSpec<E>, Planned | 'padding' | 'activation'>>, Pick<AnySpec, Planned> {
  readonly padding: Padding;
  /** The bounds of the activation. */
  readonly clamp: readonly [low: number, high: number];
}

const optionNames: readonly (keyof AnySpec)[] = [
  'input',
  'filters',
  'elementType',
  'layout',
  'bias',
  'residual',
  'activation',
  'strides',
  'dilations',
  'padding',
  'accumulate',
  'groups',
  'target',
  'backends',
  'schedule',
  'costModel',
  'edges',
  'tuned',
  'threads',
  'workers',
  'signal',
  'heapBytes',
];

const functionName = 'compileConvolution';

const problem = (code: OptionCode, message: string): Diagnostic => optionProblem(functionName, code, message);

const areSizes = (values: readonly unknown[], least: number): boolean =>
  // Spread: `every` skips holes.
  [...values].every((each) => Number.isSafeInteger(each) && Number(each) >= least);

const sizesProblem = (name: keyof AnySpec, value: unknown, parts: string): Diagnostic | undefined => {
  const isGood = Array.isArray(value) && value.length === parts.split(', ').length && areSizes(value, 1);
  return isGood
    ? undefined
    : problem('sconv/option', `'${name}' is [${parts}], positive integers, not ${describeValue(value)}`);
};

const sides = ['top', 'bottom', 'left', 'right'] as const;

/** Zeros on each side; undefined for invalid padding. */
const paddingOf = (value: unknown): Padding | undefined => {
  if (Array.isArray(value)) {
    if (value.length !== 2 || !areSizes(value, 0)) return undefined;
    const [h, w] = value as [number, number];
    return { top: h, bottom: h, left: w, right: w };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Padding;
  return Object.keys(value).length === sides.length &&
    areSizes(
      sides.map((side) => given[side]),
      0,
    )
    ? given
    : undefined;
};

const paddingProblem = (padding: unknown): Diagnostic | undefined =>
  paddingOf(padding) !== undefined
    ? undefined
    : problem(
        'sconv/option',
        `'padding' is [height, width] or { ${sides.join(', ')} }, integers from 0, not ${describeValue(padding)}`,
      );

const booleanProblem = (name: keyof AnySpec, value: unknown): Diagnostic | undefined =>
  typeof value === 'boolean'
    ? undefined
    : problem('sconv/option', `'${name}' is true or false, not ${describeValue(value)}`);

const nameProblem = (name: keyof AnySpec, what: string, value: unknown, names: readonly string[]) => {
  if (names.some((each) => each === value)) return undefined;
  const message =
    typeof value === 'string' ? unknownName(what, value, names) : `no ${what} ${describeValue(value)}`;
  return problem('sconv/option', `'${name}': ${message}`);
};

/** The bounds of an activation; undefined for an invalid one. */
const clampOf = (activation: unknown): readonly [number, number] | undefined => {
  if (activation === undefined) return [-Infinity, Infinity];
  if (activation === 'relu') return [0, Infinity];
  if (activation === 'relu6') return [0, 6];
  if (typeof activation !== 'object' || activation === null) return undefined;
  const { clamp, ...others } = activation as { readonly clamp?: unknown };
  if (!Array.isArray(clamp) || clamp.length !== 2 || Object.keys(others).length > 0) return undefined;
  const [low, high] = clamp as [unknown, unknown];
  const areBounds = typeof low === 'number' && typeof high === 'number' && low <= high;
  // Nothing but infinity would be left.
  return areBounds && low < Infinity && high > -Infinity ? [low, high] : undefined;
};

const activationProblem = (activation: unknown, elementType: ConvolutionElement): Diagnostic | undefined => {
  const bounds = clampOf(activation);
  if (bounds === undefined) {
    const isObject = typeof activation === 'object' && activation !== null;
    const fields = isObject ? Object.entries(activation).slice(0, 4) : [];
    const listed = fields.map(([name, value]) => `${name}: ${describeValue(value)}`).join(', ');
    const given = fields.length > 0 ? `{ ${listed} }` : describeValue(activation);
    const clamp = '{ clamp: [low, high] } with low <= high, low below Infinity and high above -Infinity';
    const message = `'activation' is 'relu', 'relu6' or ${clamp}, not ${given}`;
    return problem('sconv/option', message);
  }
  const isInteger = (bound: number): boolean => !Number.isFinite(bound) || (bound | 0) === bound;
  if (sumElements[elementType] !== 'i32' || bounds.every(isInteger)) return undefined;
  const message =
    `'activation': sums of ${elementType} are i32, so the bounds are integers of 32 bits, not ` +
    describeValue(bounds);
  return problem('sconv/option', message);
};

/** The sizes of an operand by what they are, whatever the layout. */
export interface InputSizes {
  readonly batch: number;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

export interface FilterSizes {
  readonly filters: number;
  /** Channels per group. */
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

export const inputSizes = ({ input, layout }: Pick<CheckedSpec, 'input' | 'layout'>): InputSizes => {
  const [batch, a, b, c] = input;
  const [channels, height, width] = layout === 'nchw' ? [a, b, c] : [c, a, b];
  return { batch, channels, height, width };
};

export const filterSizes = ({
  filters: sizes,
  layout,
}: Pick<CheckedSpec, 'filters' | 'layout'>): FilterSizes => {
  const [a, b, c, d] = sizes;
  const [filters, channels, height, width] = layout === 'nchw' ? [a, b, c, d] : [d, c, a, b];
  return { filters, channels, height, width };
};

const groupsProblem = (
  spec: Pick<CheckedSpec, 'input' | 'filters' | 'layout' | 'groups'>,
): Diagnostic | undefined => {
  const { groups, layout } = spec;
  const { channels } = inputSizes(spec);
  const { filters, channels: ofFilter } = filterSizes(spec);
  if (!areSizes([groups], 1))
    return problem('sconv/option', `'groups' is a positive integer, not ${describeValue(groups)}`);
  if (channels % groups !== 0 || filters % groups !== 0) {
    const message = `'groups' of ${groups} do not divide ${channels} channels and ${filters} filters`;
    return problem('sconv/groups', message);
  }
  if (ofFilter !== channels / groups) {
    const whole = groups === 1 ? `an input of ${channels}` : `${groups} groups of ${channels / groups}`;
    return problem('sconv/channels', `filters of ${ofFilter} channels do not fit ${whole}`);
  }
  if (layout === 'nchw' || groups === 1 || groups === channels) return undefined;
  const message =
    `'groups' of ${groups} in layout 'nhwc', where there is 1, or one for each of ${channels} ` +
    `channels; layout 'nchw' has others`;
  return problem('sconv/groups', message);
};

/** Fills in the defaults. */
const complete = <E extends ConvolutionElement>(spec: ConvolutionSpec<E>) => {
  // Where it is absent, `E` is 'f32'.
  const { elementType = 'f32' as E } = spec;
  const { layout = 'nchw', bias = false, residual = false } = spec;
  const { strides = [1, 1], dilations = [1, 1], padding = [0, 0], groups = 1, target = wasm } = spec;
  const { accumulate = true } = spec;
  const shape = { elementType, layout, strides, dilations, padding, groups };
  return { ...spec, ...shape, bias, residual, accumulate, target } as const;
};

const axes = {
  nchw: { input: 'batch, channels, height, width', filters: 'filters, channels, height, width' },
  nhwc: { input: 'batch, height, width, channels', filters: 'height, width, channels, filters' },
} as const;

/** The first problem of complete options. */
const firstProblem = (spec: ReturnType<typeof complete>): Diagnostic | undefined => {
  const { input, filters, elementType, layout, strides, dilations, padding, target } = spec;
  const wrong =
    nameProblem('elementType', 'element type', elementType, convolutionElements) ??
    nameProblem('layout', 'layout', layout, Object.keys(axes)) ??
    sizesProblem('input', input, axes[layout].input) ??
    sizesProblem('filters', filters, axes[layout].filters) ??
    sizesProblem('strides', strides, 'height, width') ??
    sizesProblem('dilations', dilations, 'height, width') ??
    paddingProblem(padding) ??
    booleanProblem('bias', spec.bias) ??
    booleanProblem('residual', spec.residual) ??
    activationProblem(spec.activation, elementType) ??
    booleanProblem('accumulate', spec.accumulate) ??
    groupsProblem(spec) ??
    targetProblem(functionName, target) ??
    schedulingProblem(functionName, spec) ??
    threadsProblem(functionName, spec.threads) ??
    heapProblem(functionName, spec.heapBytes) ??
    signalProblem(functionName, spec.signal) ??
    backendsProblem(functionName, spec.backends) ??
    workersProblem(functionName, spec.workers);
  if (wrong !== undefined) return wrong;
  if (typeof spec.schedule === 'object') {
    return problem('sconv/option', "'schedule' is 'is' or 'ws'; compileModule takes others");
  }
  return undefined;
};

/** The options with defaults. Throws `DiagnosticError` for an unknown or malformed option. */
export const checkedSpec = <E extends ConvolutionElement>(spec: ConvolutionSpec<E>): CheckedSpec<E> => {
  const names = namesProblem(functionName, spec, optionNames);
  if (names !== undefined) throw new DiagnosticError([names]);
  const all = complete(spec);
  const wrong = firstProblem(all);
  if (wrong !== undefined) throw new DiagnosticError([wrong]);
  const { activation, ...others } = all;
  return { ...others, padding: paddingOf(all.padding)!, clamp: clampOf(activation)! };
};
