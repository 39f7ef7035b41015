/**
 * Measures the speed of register tiles on this machine: the table by which plans for WebAssembly are chosen
 * (`Target.speeds`).
 */
import type { KernelSpeeds } from '@sconv/targets';
import { registerUse, wasm, wasmRelaxed } from '@sconv/targets';
import { median } from '@sconv/tuning';
import type { FunctionBuilder, Local, ModuleBuilder } from '@sconv/wasm';
import { addMicrokernel, createModuleBuilder, f32, i32 } from '@sconv/wasm';
import { clocks } from '../bench/clock.ts';
import type { Side } from '../bench/in-turns.ts';
import { inTurns } from '../bench/in-turns.ts';
import { arithmeticPeak, instantiateLoop } from '../bench/machine-loops.ts';

export interface MeasureOptions {
  /** Fused multiply-add of relaxed SIMD. */
  readonly relaxed?: boolean;
  /** Samples of each loop, reduced to their median without disturbed ones. Default 61. */
  readonly samples?: number;
  /** Called for each register tile measured. */
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: { readonly aborted: boolean };
}

/** The speeds, and the share of the peak that each register tile reaches in its steps. */
export interface MeasuredSpeeds {
  readonly speeds: KernelSpeeds;
  /** GFLOP/s of the same instructions in registers: median of the measurements next to each tile. */
  readonly peak: number;
  /** Indexed as `KernelSpeeds.stepCycles`. */
  readonly shares: readonly (readonly number[])[];
}

const lanes = 4;
/** k steps of the two loops whose difference gives the time of a step: beyond a call's latencies, within L1. */
const [fewSteps, manySteps] = [64, 256];
/** Addresses of panels and outputs: apart, and in different cache sets. */
const [panelA, panelB, output, pages] = [0, 66_048, 132_608, 4];

/** Microkernel calls per iteration, on separate tiles, so that none waits for the previous one's stores. */
const tilesInTurn = 4;

/** Consecutive microkernel calls: `loop(calls, steps)`, four per iteration. */
const tileLoop = (vectors: number, filters: number, relaxed: boolean): Uint8Array<ArrayBuffer> => {
  const module = createModuleBuilder();
  const windows = vectors * lanes;
  const kernel = addMicrokernel(module, {
    windows,
    filters,
    relaxed,
    tiles: [{ firstWindow: 0, windows, firstFilter: 0, filters }],
  });
  repeat(module, (f, steps) => {
    for (let tile = 0; tile < tilesInTurn; tile += 1) {
      const c = i32.const(output + 128 * tile);
      f.call(kernel, i32.const(panelA), i32.const(panelB), c, f.get(steps), i32.const(1040));
    }
  });
  return module.encode(pages);
};

/** A scalar sum of `steps` products: code without a microkernel. */
const scalarLoop = (): Uint8Array<ArrayBuffer> => {
  const module = createModuleBuilder();
  repeat(module, (f, steps) => {
    const sum = f.let(f32.const(0));
    const address = f.let(i32.const(0));
    const end = f.let(i32.mul(f.get(steps), i32.const(4)));
    f.loop((next) => {
      const product = f32.mul(f32.load(f.get(address), panelA), f32.load(f.get(address), panelB));
      f.set(sum, f32.add(f.get(sum), product));
      f.set(address, i32.add(f.get(address), i32.const(4)));
      f.branchIf(next, i32.ltU(f.get(address), f.get(end)));
    });
    f.statement(f32.store(i32.const(output), f.get(sum)));
  });
  return module.encode(pages);
};

const repeat = (module: ModuleBuilder, body: (f: FunctionBuilder, steps: Local<'i32'>) => void): void => {
  module.function({ name: 'loop', parameters: ['i32', 'i32'] }, (f, calls, steps) => {
    f.loop((next) => {
      body(f, steps);
      f.set(calls, i32.sub(f.get(calls), i32.const(1)));
      f.branchIf(next, f.get(calls));
    });
  });
};

/** The flop that the peak loop computes in the time of a call, for few and many steps; and the peak in flop/s. */
interface Measured {
  readonly few: number;
  readonly many: number;
  readonly peak: number;
}

/** Short, so that most samples fit between two interruptions of the machine. */
const sampleSeconds = 0.0005;

/** Peaks around a sample that differ by more indicate a disturbance. */
const quietPeaks = 1.03;

/**
 * Measures a loop with few and with many steps, interleaved, in flop of the peak loop, which runs around each sample;
 * `inTurn` microkernel calls per iteration.
 */
const measure = async (
  bytes: Uint8Array<ArrayBuffer>,
  inTurn: number,
  peakNow: () => number,
  { samples = 61, signal }: MeasureOptions,
): Promise<Measured> => {
  const loop = instantiateLoop(bytes, pages);
  const peaks: number[] = [];
  const calls = 64;
  /** For each sample, its position among the peaks. */
  const positions: [number[], number[]] = [[], []];
  const side = (steps: number, own: number[]): Side => ({
    call: () => {
      loop(calls, steps);
    },
    before: () => {
      own.push(peaks.push(peakNow()) - 1);
    },
  });
  const timings = await inTurns([side(fewSteps, positions[0]), side(manySteps, positions[1])], {
    samples,
    sampleSeconds,
    warmUpSeconds: 0.2,
    ...(signal === undefined ? {} : { signal }),
  });
  peaks.push(peakNow());
  const [few, many] = timings.map(({ seconds }, which) => {
    const all = seconds.map((value, i) => {
      const [before, after] = [peaks[positions[which]![i]!]!, peaks[positions[which]![i]! + 1]!];
      const isQuiet = Math.max(before, after) < quietPeaks * Math.min(before, after);
      return { isQuiet, flop: (value * (before + after)) / 2 / (calls * inTurn) };
    });
    const quiet = all.filter(({ isQuiet }) => isQuiet);
    return median((quiet.length > 0 ? quiet : all).map(({ flop }) => flop));
  });
  return { few: few!, many: many!, peak: Math.max(...peaks) };
};

/** Register tiles that fit the registers, by vectors of windows and by filters, both from 1. */
const tilesThatFit = (relaxed: boolean): readonly (readonly { vectors: number; filters: number }[])[] => {
  const target = relaxed ? wasmRelaxed : wasm;
  const fits = (vectors: number, filters: number): boolean => {
    const kernel = { ...target.microkernel, windows: vectors * lanes, filters };
    const use = registerUse(kernel, target.machine);
    return use !== undefined && use.needed <= use.available;
  };
  const rows = [];
  for (let vectors = 1; fits(vectors, 1); vectors += 1) {
    const row = [];
    for (let filters = 1; fits(vectors, filters); filters += 1) row.push({ vectors, filters });
    rows.push(row);
  }
  return rows;
};

/** Measures all register tiles, about a second each. Cycles are those of the loop that reaches the peak. */
export const measureKernelSpeeds = async (options: MeasureOptions = {}): Promise<MeasuredSpeeds> => {
  const { relaxed = false, onProgress } = options;
  const flopPerCycle = (relaxed ? wasmRelaxed : wasm).machine.flopPerCycle!;
  const peakNow = arithmeticPeak(relaxed, clocks.wall, sampleSeconds);
  const rows = tilesThatFit(relaxed);
  const all = rows.flat().length;
  let done = 0;
  const steps: number[][] = [];
  const shares: number[][] = [];
  const passes: { readonly outputs: number; readonly cycles: number }[] = [];
  const peaks: number[] = [];
  for (const row of rows) {
    const [ownSteps, ownShares]: [number[], number[]] = [[], []];
    for (const { vectors, filters } of row) {
      const { few, many, peak } = await measure(
        tileLoop(vectors, filters, relaxed),
        tilesInTurn,
        peakNow,
        options,
      );
      const atPeak = (2 * lanes * vectors * filters) / flopPerCycle;
      // Nothing is much faster than the peak; it only seems so if one of the two loops was disturbed throughout.
      const step = Math.max((many - few) / (manySteps - fewSteps) / flopPerCycle, 0.9 * atPeak);
      ownSteps.push(rounded(step));
      ownShares.push(rounded(atPeak / step));
      passes.push({ outputs: vectors * filters, cycles: Math.max(few / flopPerCycle - fewSteps * step, 0) });
      peaks.push(peak);
      done += 1;
      onProgress?.(done, all);
    }
    steps.push(ownSteps);
    shares.push(ownShares);
  }
  const scalar = await measure(scalarLoop(), 1, peakNow, options);
  const scalarStep = Math.max((scalar.many - scalar.few) / (manySteps - fewSteps) / flopPerCycle, 0.5);
  const peak = rounded(median(peaks) / 1e9);
  const speeds: KernelSpeeds = {
    lanes,
    stepCycles: steps,
    passCycles: line(passes),
    scalarCycles: rounded(scalarStep),
    source: `measured by sconv kernels measure, at a peak of ${peak} GFLOP/s`,
  };
  return { speeds, peak, shares };
};

const rounded = (value: number): number => Number(value.toPrecision(3));

/** Least-squares line through cycles over outputs; both coefficients are non-negative. */
const line = (
  points: readonly { readonly outputs: number; readonly cycles: number }[],
): KernelSpeeds['passCycles'] => {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ outputs }) => outputs)), mean(points.map(({ cycles }) => cycles))];
  const covariance = mean(points.map(({ outputs, cycles }) => (outputs - x) * (cycles - y)));
  const variance = mean(points.map(({ outputs }) => (outputs - x) ** 2));
  const each = Math.max(covariance / variance, 0);
  return { each: rounded(each), always: rounded(Math.max(y - each * x, 0)) };
};
