/** Numbers around the ends of words and doubles through passes, transforms, affine functions and options. */
import {
  affineExpr,
  compileExpr,
  evaluate,
  evaluateBigInt,
  ifAffine,
  isAffineError,
  linearForm,
  printExpr,
  range,
  simplify,
} from '@sconv/affine';
import type { AffineExpr, Bounds } from '@sconv/affine';
import { describeValue } from '@sconv/diagnostics';
import type { RuntimeValue } from '@sconv/interpreter';
import { interpret, memref } from '@sconv/interpreter';
import type { Module } from '@sconv/ir';
import { parseModule, printModule, verify } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import { compileConvolution, defaultRegistry as registry } from 'sconv';
import type { Campaign, CampaignOptions, FoundFault, Share } from './campaign.ts';
import { runEach } from './campaign.ts';
import type { NumberFunction } from './draw-numbers.ts';
import { drawExpression, drawNumber, drawNumberFunction, drawNumberSchedule } from './draw-numbers.ts';
import type { Fault } from './fault.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import { rendered, runText, thrownText } from './run-text.ts';
import { noStatistics } from './statistics.ts';

/** What became of an input: what it was put through, and whether that did something, refused it, or is at fault. */
interface Outcome {
  readonly step: string;
  readonly isApplied: boolean;
  readonly refused?: string;
  readonly fault?: Fault;
  readonly payload: string;
  readonly script?: string;
}

type Check = (random: Random) => Outcome;

/** No number makes a loop of these run on. */
const limits = { maxSteps: 20_000, maxElements: 1e5 };

const parsed = (text: string): Module | undefined => {
  const result = parseModule(text, { registry });
  return result.status === 'success' && verify(result.value, registry).length === 0
    ? result.value
    : undefined;
};

/** What `@f` computes on these arguments; undefined if it does not get to an end. */
const resultsOf = (module: Module, values: readonly (number | bigint)[]): string | undefined => {
  const data = new Float32Array(64);
  const given: readonly RuntimeValue[] = values.length === 0 ? [memref([8, 8], data)] : values;
  const outcome = interpret(module, 'f', given, limits);
  if (outcome.status !== 'success') return undefined;
  return [...outcome.value.map(String), ...data].join();
};

/** Checks a module made of another: verified, printed and parsed again, and computing the same. */
const checkMade = (
  before: Module,
  after: Module,
  values: readonly (number | bigint)[] | undefined,
): Pick<Fault, 'kind' | 'message'> | undefined => {
  const errors = verify(after, registry);
  if (errors.length > 0) return { kind: 'invalid', message: rendered(errors) };
  const text = printModule(after, { registry });
  const again = parseModule(text, { registry });
  if (again.status !== 'success')
    return { kind: 'round-trip', message: `${rendered(again.diagnostics)}\n${text}` };
  if (printModule(again.value, { registry }) !== text) return { kind: 'round-trip', message: text };
  if (values === undefined) return undefined;
  const [expected, actual] = [resultsOf(before, values), resultsOf(after, values)];
  return expected === undefined || actual === undefined || expected === actual
    ? undefined
    : { kind: 'result', message: `${expected}\nbecame ${actual}` };
};

/** Values for the integer parameters; undefined for a function whose other parameters nothing is known of. */
const valuesFor = (random: Random, { text, widths }: NumberFunction) => {
  if (widths.length === 0) return text.includes('(%m: memref<8x8xf32>)') ? [] : undefined;
  const isIndex = text.includes('%a: index');
  return widths.map((width) => {
    const value = drawNumber(random, width);
    if (width === 64 && !isIndex) return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : 3;
  });
};

const passes = [...registry.passes.values()].filter(({ name }) => !name.includes('interpreter'));

const throughPass: Check = (random) => {
  const drawn = drawNumberFunction(random);
  const definition = random.pick(passes);
  const step = definition.name;
  const payload = drawn.text;
  const values = valuesFor(random, drawn);
  const outcome = (fault: Pick<Fault, 'kind' | 'message'> | undefined, isApplied = true): Outcome => ({
    step,
    isApplied,
    payload,
    ...(fault === undefined ? {} : { fault: { ...fault, transform: step } }),
  });
  try {
    const module = parsed(payload);
    if (module === undefined) return { step, isApplied: false, refused: 'parse', payload };
    const pass = definition.fromText({});
    if (pass.status !== 'success') return outcome(undefined, false);
    const result = pass.value.run(module, { registry });
    if (result.status === 'success')
      return outcome(checkMade(module, result.value, values), result.value !== module);
    return { step, isApplied: false, refused: result.diagnostics.at(-1)?.code ?? 'none', payload };
  } catch (thrown) {
    return outcome({ kind: 'throw', message: thrownText(thrown) });
  }
};

const declaredCodes = (transform: string): readonly string[] => {
  const definition = registry.operations.get(transform);
  return definition !== undefined && isTransformOp(definition)
    ? Object.keys(definition.transform.failures)
    : [];
};

const throughTransform: Check = (random) => {
  const drawn = drawNumberSchedule(random);
  const { transform: step, script } = drawn;
  const payload = drawn.payload.text;
  const values = valuesFor(random, drawn.payload);
  const outcome = (fault: Pick<Fault, 'kind' | 'message'> | undefined): Outcome => ({
    step,
    isApplied: true,
    payload,
    script,
    ...(fault === undefined ? {} : { fault: { ...fault, transform: step } }),
  });
  try {
    const module = parsed(payload);
    if (module === undefined) return { step, isApplied: false, refused: 'parse', payload };
    const trial = runText(script, { payload: module, registry, transform: step });
    if ('fault' in trial) {
      if (trial.fault.kind !== 'script') return outcome(trial.fault);
      return { step, isApplied: false, refused: 'script', payload };
    }
    const { result, payload: after } = trial.run;
    if (result.status === 'success') return outcome(checkMade(module, after, values));
    const code = result.diagnostics.find(({ severity }) => severity === 'error')?.code ?? 'none';
    if (!code.startsWith('transform/') && !declaredCodes(step).includes(code))
      return outcome({ kind: 'undeclared', message: rendered(result.diagnostics) });
    return { step, isApplied: false, refused: code, payload };
  } catch (thrown) {
    return outcome({ kind: 'throw', message: thrownText(thrown) });
  }
};

/** Why a function of `@sconv/affine` is at fault for an expression at a point of a box; undefined if it is not. */
const affineFault = (
  expr: AffineExpr,
  bounds: readonly Bounds[],
  point: readonly number[],
): string | undefined => {
  const [dims, symbols] = [point.slice(0, 2), point.slice(2)];
  const valueOf = (each: AffineExpr): bigint => evaluateBigInt(each, dims.map(BigInt), symbols.map(BigInt));
  const value = valueOf(expr);
  const box = { dims: bounds.slice(0, 2), symbols: bounds.slice(2) };
  const { lo, hi } = range(expr, box);
  const form = ifAffine(() => linearForm(expr));
  const given: readonly (readonly [string, number | bigint | undefined])[] = [
    ['evaluate', ifAffine(() => evaluate(expr, dims, symbols))],
    ['compileExpr', ifAffine(() => compileExpr(expr)(dims, symbols))],
    ['simplify', valueOf(simplify(expr))],
    ['simplify in a box', valueOf(simplify(expr, box))],
    [
      'linearForm',
      form && [...form.dims, ...form.symbols].length === 3
        ? point.reduce(
            (sum, x, i) => sum + BigInt(x) * BigInt([...form.dims, ...form.symbols][i]!),
            BigInt(form.constant),
          )
        : undefined,
    ],
  ];
  const wrong = given.find(([, found]) => found !== undefined && BigInt(found) !== value);
  if (wrong !== undefined) return `${wrong[0]} gives ${wrong[1]}, not ${value}`;
  return value < lo || value >= hi ? `${value} is outside of range [${lo}, ${hi})` : undefined;
};

const throughAffine: Check = (random) => {
  const payload = drawExpression(random, 4);
  const step = 'affine';
  try {
    const expr = ifAffine(() => affineExpr(payload));
    if (expr === undefined) return { step, isApplied: false, refused: 'parse', payload };
    const bounds = Array.from({ length: 3 }, (): Bounds => {
      const lo = Number(BigInt.asIntN(53, drawNumber(random)));
      return [lo, lo + random.pick([1, 2, 5, 2 ** 31])];
    });
    const point = bounds.map(([lo, hi]) => random.pick([lo, hi - 1]));
    const message = affineFault(expr, bounds, point);
    const text = `${printExpr(expr)} at ${point.join(', ')} in ${JSON.stringify(bounds)}`;
    if (message === undefined) return { step, isApplied: true, payload };
    return { step, isApplied: true, payload: text, fault: { kind: 'result', transform: step, message } };
  } catch (thrown) {
    // A box beyond 2^53 has a diagnostic of its own.
    if (isAffineError(thrown)) return { step, isApplied: false, refused: thrown.code, payload };
    return {
      step,
      isApplied: true,
      payload,
      fault: { kind: 'throw', transform: step, message: thrownText(thrown) },
    };
  }
};

const junk: readonly unknown[] = [
  null, NaN, Infinity, -Infinity, -0, 0, -1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, '', 'x', true, 1n, [], {}, new Array(4),
]; // prettier-ignore

const optionNames = [
  'input', 'filters', 'elementType', 'layout', 'bias', 'residual', 'activation', 'strides', 'dilations', 'padding',
  'accumulate', 'groups', 'target', 'backends', 'schedule', 'costModel', 'edges', 'threads', 'signal', 'heapBytes',
]; // prettier-ignore

const throughOptions: Check = (random) => {
  const name = random.pick(optionNames);
  const value = random.chance(0.5)
    ? random.pick(junk)
    : Array.from({ length: random.pick([2, 4]) }, () => (random.chance(0.5) ? 1 : random.pick(junk)));
  const given = random.chance(0.2) ? { clamp: value } : value;
  const step = `compileConvolution ${name}`;
  const payload = `${name}: ${describeValue(value)}`;
  try {
    const spec = { input: [1, 1, 3, 3], filters: [1, 1, 1, 1], [name]: given };
    compileConvolution(spec as never).dispose();
    return { step, isApplied: true, payload };
  } catch (thrown) {
    if (thrown instanceof Error && ['DiagnosticError', 'CsaError'].includes(thrown.name))
      return { step, isApplied: false, refused: 'diagnostic', payload };
    return {
      step,
      isApplied: true,
      payload,
      fault: { kind: 'throw', transform: step, message: thrownText(thrown) },
    };
  }
};

/** Puts input `index` of a seed through something. */
export const fuzzNumbers = (seed: number, index: number): Campaign => {
  const random = randomOf(seed, index);
  const check = random.weighted<Check>([
    [4, throughPass],
    [4, throughTransform],
    [3, throughAffine],
    [1, throughOptions],
  ])!;
  const { step, isApplied, refused, fault, payload, script = '' } = check(random);
  const found = (each: Fault): FoundFault => ({
    seed,
    index,
    times: 1,
    fault: each,
    payload,
    dynamicSizes: [],
    script,
  });
  return {
    statistics: {
      ...noStatistics,
      payloads: 1,
      steps: { [step]: { drawn: 1, applied: isApplied ? 1 : 0 } },
      refused: refused === undefined ? {} : { [refused]: 1 },
    },
    faults: fault === undefined ? [] : [found(fault)],
    texts: [],
  };
};

/** Runs the inputs of a share. */
export const runNumbers = (share: Share, options: Omit<CampaignOptions, 'keepTexts'>): Campaign =>
  runEach(share, options, (index) => fuzzNumbers(share.seed, index));
