/** The options of `compileConvolution`, checked, since callers may be untyped. */
import type { Backend, WorkerLike } from '@sconv/backend';
import type { CostModelName, Dataflow, EdgeChoice, Padding } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { describeValue, DiagnosticError } from '@sconv/diagnostics';
import type { Target } from '@sconv/targets';
import { wasm } from '@sconv/targets';
import type { OptionCode } from './check-options.ts';
import {
  namesProblem,
  optionProblem,
  schedulingProblem,
  targetProblem,
  threadsProblem,
} from './check-options.ts';

/** Sizes in elements. */
export interface ConvolutionSpec {
  /** Batch, channels, height, width. */
  readonly input: readonly [number, number, number, number];
  /** Filters, channels per group, height, width. */
  readonly filters: readonly [number, number, number, number];
  /** Height, width; default `[1, 1]`. */
  readonly strides?: readonly [number, number];
  /** Height, width; default `[1, 1]`. */
  readonly dilations?: readonly [number, number];
  /**
   * Zeros around the input, which is not copied for that: `[height, width]` on both sides, or all four; default none.
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
  /**
   * Number of threads for `runAsync`, with `workers`; default 1. Results are the same, bit-identical for the target
   * `wasm`.
   */
  readonly threads?: number;
  /** Creates a worker per thread: in Node `nodeWorkers` of `sconv/node`. */
  readonly workers?: () => WorkerLike;
}

type Planned = 'backends' | 'schedule' | 'costModel' | 'edges' | 'threads' | 'workers';

/** Options with the shape's defaults; defaults of planning are left to planning. */
export interface CheckedSpec
  extends Required<Omit<ConvolutionSpec, Planned | 'padding'>>, Pick<ConvolutionSpec, Planned> {
  readonly padding: Padding;
}

const optionNames: readonly (keyof ConvolutionSpec)[] = [
  'input',
  'filters',
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
  'threads',
  'workers',
];

const functionName = 'compileConvolution';

const problem = (code: OptionCode, message: string): Diagnostic => optionProblem(functionName, code, message);

const areSizes = (values: readonly unknown[], least: number): boolean =>
  values.every((each) => Number.isSafeInteger(each) && Number(each) >= least);

const sizesProblem = (name: keyof ConvolutionSpec, value: unknown, parts: string): Diagnostic | undefined => {
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

const accumulateProblem = (accumulate: unknown): Diagnostic | undefined =>
  typeof accumulate === 'boolean'
    ? undefined
    : problem('sconv/option', `'accumulate' is true or false, not ${describeValue(accumulate)}`);

const groupsProblem = (
  groups: unknown,
  channels: number,
  [filters, ofFilter]: readonly number[],
): Diagnostic | undefined => {
  if (!Number.isSafeInteger(groups) || Number(groups) < 1)
    return problem('sconv/option', `'groups' is a positive integer, not ${describeValue(groups)}`);
  const count = Number(groups);
  if (channels % count !== 0 || filters! % count !== 0) {
    const message = `'groups' of ${count} do not divide ${channels} channels and ${filters} filters`;
    return problem('sconv/groups', message);
  }
  if (ofFilter === channels / count) return undefined;
  const input = count === 1 ? `an input of ${channels}` : `${count} groups of ${channels / count}`;
  return problem('sconv/channels', `filters of ${ofFilter} channels do not fit ${input}`);
};

/** Fills in defaults. */
const complete = (spec: ConvolutionSpec) => {
  const { strides = [1, 1], dilations = [1, 1], padding = [0, 0], groups = 1, target = wasm } = spec;
  const { accumulate = true } = spec;
  return { ...spec, strides, dilations, padding, accumulate, groups, target } as const;
};

/** The first problem of complete options. */
const firstProblem = (spec: ReturnType<typeof complete>): Diagnostic | undefined => {
  const { input, filters, strides, dilations, padding, groups, target } = spec;
  const wrong =
    sizesProblem('input', input, 'batch, channels, height, width') ??
    sizesProblem('filters', filters, 'filters, channels, height, width') ??
    sizesProblem('strides', strides, 'height, width') ??
    sizesProblem('dilations', dilations, 'height, width') ??
    paddingProblem(padding) ??
    accumulateProblem(spec.accumulate) ??
    groupsProblem(groups, input[1], filters) ??
    targetProblem(functionName, target) ??
    schedulingProblem(functionName, spec) ??
    threadsProblem(functionName, spec.threads);
  if (wrong !== undefined) return wrong;
  if (typeof spec.schedule === 'object') {
    return problem('sconv/option', "'schedule' is 'is' or 'ws'; compileModule takes others");
  }
  return undefined;
};

/** The options with defaults. Throws `DiagnosticError` for an unknown or malformed option. */
export const checkedSpec = (spec: ConvolutionSpec): CheckedSpec => {
  const names = namesProblem(functionName, spec, optionNames);
  if (names !== undefined) throw new DiagnosticError([names]);
  const all = complete(spec);
  const wrong = firstProblem(all);
  if (wrong !== undefined) throw new DiagnosticError([wrong]);
  return { ...all, padding: paddingOf(all.padding)! };
};
