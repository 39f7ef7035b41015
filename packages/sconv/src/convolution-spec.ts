/** The options of `compileConvolution`, checked: its callers may have no types. */
import type { Diagnostic } from '@sconv/diagnostics';
import { describeValue, DiagnosticError, error, unknownName } from '@sconv/diagnostics';
import type { Edges } from '@sconv/slicing';
import type { Target } from '@sconv/targets';
import { findTarget, targets, wasm } from '@sconv/targets';
import { supportsRelaxedSimd } from '@sconv/wasm';

/** Sizes in elements. */
export interface ConvolutionSpec {
  /** Batch, channels, height, width; padding, if there is any, included. */
  readonly input: readonly [number, number, number, number];
  /** Filters, channels, height, width. */
  readonly filters: readonly [number, number, number, number];
  /** Height, width; default `[1, 1]`. */
  readonly strides?: readonly [number, number];
  /** Height, width; default `[1, 1]`. */
  readonly dilations?: readonly [number, number];
  /** A WebAssembly target; default `wasm`, whose results are the same to the bit everywhere. */
  readonly target?: Target;
  /** What becomes of windows and filters that fill no tile: default `small`, smaller microkernels. */
  readonly edges?: Edges;
}

const optionNames: readonly (keyof ConvolutionSpec)[] = [
  'input',
  'filters',
  'strides',
  'dilations',
  'target',
  'edges',
];

/** What becomes of remainders. */
export const edgeNames: readonly Edges[] = ['small', 'scalar'];

/** Targets that there is a backend for. */
export const wasmTargets: readonly Target[] = targets.filter(isWasm);

function isWasm({ machine }: Target): boolean {
  return machine.isa === wasm.machine.isa;
}

type Code = 'sconv/unknown-option' | 'sconv/option' | 'sconv/channels' | 'sconv/no-relaxed-simd';

const problem = (code: Code, message: string): Diagnostic =>
  error(code, message, { kind: 'name', name: 'compileConvolution', child: { kind: 'unknown' } });

const isSizes = (value: unknown, count: number): boolean =>
  Array.isArray(value) &&
  value.length === count &&
  value.every((each) => Number.isSafeInteger(each) && each > 0);

const sizesProblem = (name: keyof ConvolutionSpec, value: unknown, parts: string): Diagnostic | undefined =>
  isSizes(value, parts.split(', ').length)
    ? undefined
    : problem('sconv/option', `'${name}' is [${parts}], positive integers, not ${describeValue(value)}`);

const targetProblem = (target: unknown): Diagnostic | undefined => {
  const names = wasmTargets.map(({ name }) => name);
  const isTarget =
    typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'target';
  if (!isTarget || !isWasm(target as Target)) {
    const isKnown = typeof target === 'string' && findTarget(target) !== undefined;
    const hint = isKnown ? `; target('${target}') gives one` : '';
    const message = `'target' is a WebAssembly target (${names.join(', ')}), not ${describeValue(target)}${hint}`;
    return problem('sconv/option', message);
  }
  const isFused = (target as Target).machine.vector?.fused ?? false;
  return isFused && !supportsRelaxedSimd()
    ? problem(
        'sconv/no-relaxed-simd',
        `this engine has no relaxed SIMD, which ${describeValue(target)} needs`,
      )
    : undefined;
};

/** What is wrong with the options; the first thing. */
const firstProblem = (spec: ConvolutionSpec): Diagnostic | undefined => {
  const given: unknown = spec;
  if (typeof given !== 'object' || given === null) {
    return problem('sconv/option', `expected an object of options, not ${describeValue(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || optionNames.some((known) => known === name)) continue;
    return problem('sconv/unknown-option', unknownName('option', name, optionNames));
  }
  const { input, filters, strides = [1, 1], dilations = [1, 1], target = wasm, edges = 'small' } = spec;
  const wrong =
    sizesProblem('input', input, 'batch, channels, height, width') ??
    sizesProblem('filters', filters, 'filters, channels, height, width') ??
    sizesProblem('strides', strides, 'height, width') ??
    sizesProblem('dilations', dilations, 'height, width') ??
    targetProblem(target);
  if (wrong !== undefined) return wrong;
  if (!edgeNames.includes(edges)) {
    return problem('sconv/option', `'edges': ${unknownName('kind of edges', edges, edgeNames)}`);
  }
  return filters[1] === input[1]
    ? undefined
    : problem('sconv/channels', `filters of ${filters[1]} channels do not fit an input of ${input[1]}`);
};

/** The options with their defaults. Throws `DiagnosticError` for an option that there is not, or of another form. */
export const checkedSpec = (spec: ConvolutionSpec): Required<ConvolutionSpec> => {
  const wrong = firstProblem(spec);
  if (wrong !== undefined) throw new DiagnosticError([wrong]);
  const { input, filters, strides = [1, 1], dilations = [1, 1], target = wasm, edges = 'small' } = spec;
  return { input, filters, strides, dilations, target, edges };
};
