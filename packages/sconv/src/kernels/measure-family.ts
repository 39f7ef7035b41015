/**
 * Measures the members of a family of microkernels on this machine, each alone (TT §5.1): the table of which kernels
 * are worth combining (`Target.kernels`).
 */
import type { ConvolutionShape, FamilyKernel, FamilyPlan } from '@sconv/csa';
import { familyPlan, printShape } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, DiagnosticError, error, success, unknownLocation, unwrap } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { findToolchain } from '@sconv/native';
import type { KernelGrid, KernelShares, KernelUnroll, Target } from '@sconv/targets';
import { kernelCycles, kernelUnrolls } from '@sconv/targets';
import { median } from '@sconv/tuning';
import type { Clock } from '../bench/clock.ts';
import { clocks } from '../bench/clock.ts';
import { inTurns } from '../bench/in-turns.ts';
import { arithmeticPeak } from '../bench/machine-loops.ts';
import { nativePeak } from '../bench/native-peak.ts';
import { compileModule } from '../compile-module.ts';
import { defaultRegistry } from '../default-registry.ts';
import { thisSystem } from '../host-machine.ts';
import { nodeBackends } from '../node.ts';

export interface FamilyOptions {
  /** What the classes unroll; default: TT's four, of three taps, and two and four channels. */
  readonly unrolls?: readonly KernelUnroll[];
  /** Samples of each kernel, of which the median counts. Default 15. */
  readonly samples?: number;
  /** Called before each class is compiled, and once more before all are measured. */
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: { readonly aborted: boolean };
}

/** The kernels of a target, as measured. */
export interface MeasuredFamily {
  /** The name of the target. */
  readonly target: string;
  /** GFLOP/s of multiply-adds in registers: median of the measurements next to each sample. */
  readonly peak: number;
  /** The best kernel's share of the peak, over as many channels as fit half of L1, and over 512. */
  readonly best: { readonly cached: number; readonly deep: number };
  /** Over as many channels as fit half of L1: those by which kernels are kept. */
  readonly kernels: KernelShares;
  /** Over 512 channels, whose filters may exceed L1, as TT measures. */
  readonly deep: readonly KernelGrid[];
}

/** TT's channels. */
const deepChannels = 512;

/** Half of L1, where there is no such cache. */
const usualHalf = 16 * 1024;

/** The most channels with which a kernel's operands fit half of L1, a multiple of those unrolled. */
export const channelsInHalf = (
  { unroll, vectors, height }: FamilyKernel,
  lanes: number,
  l1Bytes = 2 * usualHalf,
): number => {
  const { tapRows, tapColumns, channels: step } = unroll;
  const [filters, taps] = [vectors * lanes, tapRows * tapColumns];
  const ofChannel = 4 * (taps * filters + (height + tapRows - 1) * tapColumns);
  const left = l1Bytes / 2 - 4 * height * filters;
  return Math.max(Math.floor(left / ofChannel / step), 1) * step;
};

const sampleSeconds = 0.001;

/** Multiply-adds of one call, which repeats a kernel in its own code. */
const workOfCall = 1_000_000;

const textOf = (
  {
    inputHeight,
    inputWidth,
    inputChannels: c,
    filterHeight: r,
    filterWidth: s,
    filters: k,
  }: ConvolutionShape,
  name: string,
): string => {
  const [x, f, y] = [
    `tensor<1x${inputHeight}x${inputWidth}x${c}xf32>`,
    `tensor<${r}x${s}x${c}x${k}xf32>`,
    `tensor<1x${inputHeight - r + 1}x1x${k}xf32>`,
  ];
  return `func.func @${name}(%x: ${x}, %f: ${f}, %y: ${y}, %times: index) -> ${y} {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sums = scf.for %i = %zero to %times step %one iter_args(%before = %y) -> (${y}) {
      %after = linalg.conv_2d_nhwc_hwcf ins(%x, %f : ${x}, ${f}) outs(%before : ${y}) -> ${y}
      scf.yield %after : ${y}
    }
    return %sums : ${y}
  }`;
};

/** A kernel that can be timed. */
interface Member {
  /** Runs it many times; its code repeats it. */
  readonly call: () => void;
  /** Of a call. */
  readonly flop: number;
}

/** Kernels of one unrolling, compiled together; `dispose` frees them. */
const compileMembers = async (
  plans: readonly FamilyPlan[],
  target: Target,
): Promise<{ readonly members: readonly Member[]; readonly dispose: () => void }> => {
  const text = plans.map(({ shape }, i) => textOf(shape, `kernel${i}`)).join('\n');
  const isWasm = target.machine.isa === 'wasm32';
  const compiled = unwrap(
    await compileModule(unwrap(parseModule(text, { registry: defaultRegistry })), {
      target,
      backends: nodeBackends,
      planner: ({ dimensions }) => {
        const extent = (name: string) => dimensions.find((each) => each.name === name)!.extent;
        const found = plans.find(({ tree }) =>
          Object.entries(tree.extents).every(([name, size]) => extent(name) === size),
        )!;
        return success({ tree: found.tree });
      },
    }),
  );
  if (compiled.emulator !== undefined) {
    compiled.dispose();
    const message = `${compiled.emulator} would run the code for '${target.name}', whose time says nothing`;
    throw new DiagnosticError([error('sconv/emulated', message, unknownLocation)]);
  }
  const members = plans.map(({ shape }, i): Member => {
    const { inputHeight, inputWidth, inputChannels: c, filterHeight: r, filterWidth: s, filters: k } = shape;
    const outputs = (inputHeight - r + 1) * k;
    const [x, f, y] = [inputHeight * inputWidth * c, r * s * c * k, outputs].map((length) =>
      compiled.allocate('f32', length).fill(1),
    ) as [Float32Array, Float32Array, Float32Array];
    const work = outputs * r * s * c;
    const times = Math.max(1, Math.round(workOfCall / work));
    const call = (): void => {
      compiled.run(`kernel${i}`, x, f, y, isWasm ? times : BigInt(times));
    };
    call();
    if (!y.every((sum) => sum === 1 + r * s * c * times))
      throw new Error(`the kernel of ${printShape(shape)} computes wrong sums`);
    return { call, flop: 2 * work * times };
  });
  return {
    members,
    dispose: () => {
      compiled.dispose();
    },
  };
};

/** The share of the peak of each member, and the peaks: all in turns, so that all meet the same disturbances. */
const measureMembers = async (
  members: readonly Member[],
  peakNow: () => number,
  clock: Clock,
  warmUpSeconds: number,
  { samples = 15, signal }: FamilyOptions,
): Promise<{ readonly shares: readonly number[]; readonly peaks: readonly number[] }> => {
  const peaks: number[] = [];
  const positions = members.map((): number[] => []);
  const sides = members.map(({ call }, i) => ({
    call,
    before: () => {
      positions[i]!.push(peaks.push(peakNow()) - 1);
    },
  }));
  const timings = await inTurns(sides, {
    samples,
    sampleSeconds,
    warmUpSeconds,
    clock,
    ...(signal === undefined ? {} : { signal }),
  });
  peaks.push(peakNow());
  const shares = timings.map(({ seconds }, i) =>
    median(
      seconds.map((each, sample) => {
        const at = positions[i]![sample]!;
        return members[i]!.flop / each / ((peaks[at]! + peaks[at + 1]!) / 2);
      }),
    ),
  );
  return { shares, peaks };
};

/** The processor, and what makes the code. */
const fingerprintOf = async ({ machine }: Target): Promise<string> => {
  const { read, cpuModel } = thisSystem();
  const text = read('/proc/cpuinfo') ?? '';
  const field = (name: string): string | undefined => new RegExp(`^${name}\\s*: (.*)$`, 'm').exec(text)?.[1];
  const [family, model, stepping] = ['cpu family', 'model', 'stepping'].map(field);
  const processor =
    family === undefined ? cpuModel : `${cpuModel} family ${family} model ${model} stepping ${stepping}`;
  if (machine.isa === 'wasm32') return `${processor}, V8 ${process.versions.v8}`;
  const toolchain = await findToolchain();
  // The versions of several tools.
  const release = 'version' in toolchain ? /version (\S+?),?$/m.exec(toolchain.version)?.[1] : undefined;
  return `${processor}, LLVM ${release ?? 'unknown'}`;
};

const rounded = (value: number): number => Number(value.toPrecision(3));

/** Shares of the peak as shares of the best. */
const relative = (
  grids: readonly KernelGrid[],
): { readonly best: number; readonly grids: readonly KernelGrid[] } => {
  const best = Math.max(...grids.flatMap(({ shares }) => shares.flat()));
  return {
    best: rounded(best),
    grids: grids.map(({ unroll, shares }) => ({
      unroll,
      shares: shares.map((row) => row.map((share) => rounded(share / best))),
    })),
  };
};

/**
 * Measures all kernels that the target's registers hold. Fails as building and loading its code do, and with
 * `sconv/emulated` where the target is another processor.
 */
export const measureFamily = async (
  target: Target,
  options: FamilyOptions = {},
): Promise<Diagnosed<MeasuredFamily>> => {
  try {
    return success(await measuredFamily(target, options));
  } catch (problem) {
    if (problem instanceof DiagnosticError) return definite(...problem.diagnostics);
    throw problem;
  }
};

const measuredFamily = async (target: Target, options: FamilyOptions): Promise<MeasuredFamily> => {
  const { vector, isa, cache } = target.machine;
  if (vector === undefined) throw new Error(`'${target.name}' has no vectors`);
  const lanes = vector.bits / 32;
  const clock = clocks.processor;
  // Before minutes are spent on code that does not run here.
  const [unroll] = kernelUnrolls([]);
  const first = familyPlan({ unroll: unroll!, vectors: 1, height: 1 }, { lanes, channels: 1 });
  (await compileMembers([first], target)).dispose();
  const peakNow =
    isa === 'wasm32'
      ? arithmeticPeak(vector.fused, clock, sampleSeconds)
      : await nativePeak(target, clock, sampleSeconds);
  const cycles = kernelCycles(vector);
  const { unrolls = kernelUnrolls([3]), onProgress } = options;
  const depths = [
    (kernel: FamilyKernel) => channelsInHalf(kernel, lanes, cache.l1?.bytes),
    () => deepChannels,
  ];
  const classes = unrolls.flatMap((unroll) => depths.map((channelsOf) => ({ unroll, channelsOf })));
  const compiled: Awaited<ReturnType<typeof compileMembers>>[] = [];
  for (const { unroll, channelsOf } of classes) {
    onProgress?.(compiled.length, classes.length);
    const plans = cycles.flatMap((row, i) =>
      row.map((_, j) => {
        const kernel = { unroll, vectors: i + 1, height: j + 1 };
        return familyPlan(kernel, { lanes, channels: channelsOf(kernel) });
      }),
    );
    compiled.push(await compileMembers(plans, target));
  }
  onProgress?.(classes.length, classes.length);
  // V8 optimizes in the background what has run for a while.
  const warmUpSeconds = isa === 'wasm32' ? 0.2 : 0.01;
  const all = compiled.flatMap(({ members }) => members);
  const { shares, peaks } = await measureMembers(all, peakNow, clock, warmUpSeconds, options);
  for (const { dispose } of compiled) dispose();
  let from = 0;
  const grids = classes.map(({ unroll }): KernelGrid => ({
    unroll,
    shares: cycles.map((row) => shares.slice(from, (from += row.length))),
  }));
  const [cached, deep] = depths.map((_, depth) => grids.filter((__, i) => i % depths.length === depth));
  const [inCache, inDeep] = [relative(cached!), relative(deep!)];
  return {
    target: target.name,
    peak: rounded(median(peaks) / 1e9),
    best: { cached: inCache.best, deep: inDeep.best },
    kernels: {
      lanes,
      grids: inCache.grids,
      source: 'sconv kernels measure --families: each alone, over the channels that fit half of L1',
      fingerprint: await fingerprintOf(target),
    },
    deep: inDeep.grids,
  };
};
