/** Compiles, runs, checks and times convolutions of a dataset. */
import type { ConvolutionShape } from '@sconv/csa';
import type { ConvolutionDimension, Plan } from '@sconv/plans';
import { multiplyAdds } from '@sconv/csa';
import { foldPlan } from '@sconv/plans';
import { checkByProbe } from '@sconv/interpreter';
import type { Target } from '@sconv/targets';
import { median } from '@sconv/tuning';
import { clocks } from '../bench/clock.ts';
import type { Call } from '../bench/in-turns.ts';
import { timeCalls } from '../bench/in-turns.ts';
import type { Peaks } from '../bench/measure-sides.ts';
import { mixOf, planText, readyCall, specOf } from '../bench/ours.ts';
import { targetPeaks } from '../bench/target-peaks.ts';
import type { Data } from '../bench/workload.ts';
import { dataOf } from '../bench/workload.ts';
import type { CompiledConvolution } from '../compile-convolution.ts';
import { compileConvolutions } from '../compile-convolution.ts';
import { reason } from '../reason.ts';
import type { Outcome } from './records.ts';

export interface ShapeOptions {
  readonly target: Target;
  /** Timed samples; 0 only checks the convolution. */
  readonly samples: number;
}

/** How many convolutions to compile together: native tools take longer to start than to compile a function. */
export const batchFor = ({ machine }: Target): number => (machine.isa === 'wasm32' ? 1 : 16);

/**
 * Compiles convolutions as one module and runs each on small integers, with filters as arguments, then twice with bound
 * filters, the second time reusing what the first has kept of them; checks every output element by the linear probe.
 * Failures are part of the outcome.
 */
export const runShapes = async (
  shapes: readonly ConvolutionShape[],
  options: ShapeOptions,
): Promise<readonly Outcome[]> => {
  const start = clocks.wall();
  let compiled: readonly CompiledConvolution[];
  try {
    compiled = await compileConvolutions(shapes.map((shape) => specOf(shape, options.target)));
  } catch (problem) {
    const [only, ...others] = shapes;
    if (only !== undefined && others.length === 0) return [{ check: 'failed', reason: reason(problem) }];
    // One of them fails; the others need not.
    const outcomes: Outcome[] = [];
    for (const shape of shapes) outcomes.push(...(await runShapes([shape], options)));
    return outcomes;
  }
  const compileSeconds = (clocks.wall() - start) / shapes.length;
  const outcomes: Outcome[] = [];
  for (const [i, shape] of shapes.entries()) {
    const convolution = compiled[i]!;
    const { plan } = convolution;
    outcomes.push({
      plan: planText(plan),
      ...(plan === undefined
        ? { kernels: ['depthwise'] }
        : { kernels: kernelsOf(plan.tree), predictedCycles: plan.cost[plan.schedule] }),
      compileSeconds,
      ...(await runShape(shape, convolution, options)),
    });
    convolution.dispose();
  }
  return outcomes;
};

const runShape = async (
  shape: ConvolutionShape,
  compiled: CompiledConvolution,
  { target, samples }: ShapeOptions,
): Promise<Outcome> => {
  try {
    const data = dataOf(shape);
    const unbound = compiled.run(data.input, data.filters);
    const problem = firstProblem(shape, data, 'with filters as arguments', unbound);
    if (problem !== undefined) return { check: 'wrong', reason: problem };
    const { call, output } = readyCall(compiled, 'bound', data);
    for (const turn of ['first', 'second']) {
      output.fill(NaN);
      call();
      const wrong = firstProblem(shape, data, `of the ${turn} call with bound filters`, output);
      if (wrong !== undefined) return { check: 'wrong', reason: wrong };
    }
    // An emulator's time is meaningless.
    const isEmulated = compiled.artifact.emulator !== undefined;
    return { check: 'right', ...(await timed(call, shape, target, isEmulated ? 0 : samples)) };
  } catch (problem) {
    return { check: 'failed', reason: reason(problem) };
  }
};

/** What is wrong with a result, if anything. */
const firstProblem = (
  shape: ConvolutionShape,
  data: Data,
  what: string,
  result: Float32Array,
): string | undefined => {
  const { mismatches } = checkByProbe(shape, { ...data, initial: new Float32Array(result.length), result });
  return mismatches === 0 ? undefined : `${mismatches} output pixels ${what} are wrong`;
};

/** Minimum durations of a sample and of the warm-up: engines replace code that has run for a while. */
const sampleSeconds = 0.01;
const warmUpSeconds = 0.03;

/** The peak loops of each target, created once. */
const peaksOf = new Map<Target, Promise<Peaks>>();

const timed = async (
  call: Call,
  shape: ConvolutionShape,
  target: Target,
  samples: number,
): Promise<Pick<Outcome, 'seconds' | 'gflops' | 'peakShare'>> => {
  if (samples === 0) return {};
  const peaks = peaksOf.get(target) ?? targetPeaks(target, clocks.wall);
  peaksOf.set(target, peaks);
  const peak = (await peaks)[mixOf(target)];
  let once = Infinity;
  for (const start = clocks.wall(); clocks.wall() - start < warmUpSeconds;)
    once = Math.min(once, await timeCalls(call, 1));
  const calls = Math.ceil(sampleSeconds / Math.max(once, 1e-7));
  const times: number[] = [];
  const peakRates: number[] = [];
  for (let i = 0; i < samples; i++) {
    if (peak !== undefined) peakRates.push(peak());
    times.push(await timeCalls(call, calls));
  }
  const seconds = median(times);
  const rate = (2 * multiplyAdds(shape)) / seconds;
  return {
    seconds,
    gflops: rate / 1e9,
    ...(peakRates.length === 0 ? {} : { peakShare: rate / median(peakRates) }),
  };
};

/** The leaves of a plan by descending number of multiply-adds. */
const kernelsOf = (tree: Plan): readonly string[] => {
  const scaled = (work: Work, factor: number): Work =>
    new Map([...work].map(([name, amount]) => [name, amount * factor]));
  const work = foldPlan<ConvolutionDimension, Work>(tree, {
    loop: ({ count }, body) => scaled(body, count),
    split: (_, parts) => joined(parts),
    pack: (_, body) => body,
    kernel: ({ extents }) => new Map([[`${extents.windows}x${extents.filters}`, product(extents)]]),
    scalar: ({ extents }) => new Map([['scalar', product(extents)]]),
  });
  return [...work].sort(([, a], [, b]) => b - a).map(([name]) => name);
};

type Work = ReadonlyMap<string, number>;

const joined = (parts: readonly Work[]): Work => {
  const sums = new Map<string, number>();
  for (const [name, amount] of parts.flatMap((part) => [...part]))
    sums.set(name, (sums.get(name) ?? 0) + amount);
  return sums;
};

const product = (extents: Readonly<Record<string, number>>): number =>
  Object.values(extents).reduce((all, extent) => all * extent, 1);
