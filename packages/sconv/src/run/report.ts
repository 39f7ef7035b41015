/** The output of `sconv run`: as text and as JSON. */
import type { MemoryUse } from '@sconv/backend';
import type { ConvolutionShape } from '@sconv/csa';
import { printShape } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { diagnosticDocument } from '@sconv/diagnostics';
import { printPlan } from '@sconv/plans';
import { isProductForm } from '@sconv/normalization';
import type { PlannedShape } from '@sconv/slicing';
import { slicedAs } from '@sconv/slicing';
import type { ModelComparison } from '../model/compare-model.ts';
import type { PartTime } from '../model/profile-model.ts';
import { belowHalf, boundShare, secondsOf } from '../model/profile-model.ts';
import type { PlannedConvolution } from '../target-schedule.ts';
import { isOfAnalysis } from '../target-schedule.ts';
import { jsonDocument } from '../json-document.ts';
import type { Timed } from './measure.ts';
import type { RunOutcome } from './run-payload.ts';

/** The sizes of a convolution as JSON. */
export const shapeDocument = (shape: ConvolutionShape) => ({
  text: printShape(shape),
  input: [shape.batch, shape.inputChannels, shape.inputHeight, shape.inputWidth],
  filters: [shape.filters, shape.inputChannels, shape.filterHeight, shape.filterWidth],
  output: [shape.batch, shape.filters, shape.outputHeight, shape.outputWidth],
  strides: [shape.strides.h, shape.strides.w],
  dilations: [shape.dilations.h, shape.dilations.w],
});

/** The sizes of Convolution Slicing, or the tree of another plan. */
const planDocument = (plan: PlannedShape) => {
  if (!isOfAnalysis(plan)) return { tree: plan.tree };
  const { schedule, nc, k2, k3, remainders, microkernel, edgeKind } = plan;
  return { schedule, nc, k2, k3, remainders, microkernel, edges: edgeKind };
};

/**
 * Undefined in an emulator, whose speed is meaningless, and where no multiply-adds are found, as in vectorized code.
 */
const gflops = ({ multiplyAdds = 0, time, emulator }: RunOutcome): number | undefined =>
  multiplyAdds === 0 || emulator !== undefined ? undefined : (2 * multiplyAdds) / time.seconds / 1e9;

/**
 * The document of `--json`. `shape` and `plan` are those of the only sliced convolution, or null unless there is
 * exactly one; `convolutions` has all, with `m`, `n` and `k` as the `product` of those that are matrix products. What
 * was not requested or is unknown is null.
 */
export const jsonReport = (
  outcome: RunOutcome,
  target: string,
  diagnostics: readonly Diagnostic[] = [],
): string => {
  const { plans, comparison } = outcome;
  const convolutions = plans.map((planned) => ({
    shape: shapeDocument(planned.plan.shape),
    product: productSizes(planned) ?? null,
    plan: planDocument(planned.plan),
  }));
  const only = convolutions.length === 1 ? convolutions[0] : undefined;
  const document = {
    function: outcome.functionName,
    shape: only?.shape ?? null,
    plan: only?.plan ?? null,
    convolutions,
    mismatches: comparison?.mismatches ?? null,
    maxAbsError: comparison?.maxAbsError ?? null,
    elements: outcome.elements,
    oracle: comparison?.oracle ?? null,
    microkernelMacShare: outcome.microkernelMacShare ?? null,
    loadSeconds: outcome.loadSeconds,
    firstCallSeconds: outcome.firstCallSeconds,
    seconds: outcome.time.seconds,
    peer: outcome.peer === undefined ? null : peerDocument(outcome.peer),
    memory: outcome.memory ?? null,
    profile: outcome.profile?.map(partDocument) ?? null,
    belowHalf: outcome.profile === undefined ? null : belowHalfDocument(outcome.profile),
    gflops: gflops(outcome) ?? null,
    threads: outcome.threads,
    target,
    emulator: outcome.emulator ?? null,
    diagnostics: diagnostics.map(diagnosticDocument),
  };
  return jsonDocument(document);
};

const partDocument = ({ bound, ...part }: PartTime) => ({
  ...part,
  boundSeconds: bound.seconds,
  boundBy: bound.by,
});

const belowHalfDocument = (parts: readonly PartTime[]) => {
  const found = belowHalf(parts);
  return { parts: found.map((part) => parts.indexOf(part)), share: secondsOf(found) / secondsOf(parts) };
};

const peerDocument = ({ time: { seconds, least, greatest, runs }, ...rest }: ModelComparison) => ({
  ...rest,
  seconds,
  least,
  greatest,
  samples: runs,
});

/** Three digits, or more where the number has them before its point. */
const threeDigits = (value: number): string => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));

export const milliseconds = (seconds: number): string => threeDigits(seconds * 1000);

const timeText = ({ seconds, least, greatest, runs }: Timed): string =>
  `${milliseconds(seconds)} ms, median of ${runs} (${milliseconds(least)} to ${milliseconds(greatest)})`;

/** `1 window`, `2 windows`. */
export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The sizes of a matrix product, by those of the convolution that it is planned as; undefined for a convolution. */
const productSizes = ({ operation, plan: { shape } }: PlannedConvolution) => {
  const as = slicedAs(operation);
  return as !== undefined && isProductForm(as.form)
    ? { m: shape.filters, n: shape.outputHeight, k: shape.inputChannels }
    : undefined;
};

const shapeLine = (planned: PlannedConvolution): string => {
  const sizes = productSizes(planned);
  return sizes === undefined
    ? `convolution   ${printShape(planned.plan.shape)}`
    : `product       m ${sizes.m}, n ${sizes.n}, k ${sizes.k}`;
};

const planLines = (planned: PlannedConvolution): readonly string[] => {
  const { plan } = planned;
  if (!isOfAnalysis(plan)) {
    const [first, ...others] = printPlan(plan.tree).trimEnd().split('\n');
    return [shapeLine(planned), `plan          ${first!}`, ...others.map((line) => `              ${line}`)];
  }
  const { schedule, nc, k2, k3, microkernel, remainders, edges, edgeKind } = plan;
  const stationary = schedule === 'is' ? 'input stationary' : 'weight stationary';
  return [
    shapeLine(planned),
    `plan          ${schedule.toUpperCase()} (${stationary}), Nc ${nc}, K2 ${k2}, K3 ${k3}, ` +
      `microkernel ${microkernel.windows}x${microkernel.filters}`,
    `remainders    ${plural(remainders.nc, 'channel')}, ${plural(remainders.k2, 'tile')} of K2, ` +
      `${plural(remainders.k3, 'tile')} of K3`,
    ...(edges.windows + edges.filters === 0
      ? []
      : [
          `edges         ${edgeKind}: ${plural(edges.windows, 'window')}, ` +
            `${plural(edges.filters, 'filter')} beyond full tiles`,
        ]),
  ];
};

const mebibytes = (bytes: number): string => `${Number((bytes / 2 ** 20).toPrecision(3))} MiB`;

/** Nothing for code without buffers of its own. */
const memoryLines = (memory: MemoryUse | undefined): readonly string[] => {
  if (memory === undefined || memory.bufferBytes === 0) return [];
  const { arenaBytes, liveBytes, bufferBytes } = memory;
  const where = arenaBytes === 0 ? 'allocated one by one' : `in an arena of ${mebibytes(arenaBytes)}`;
  return [`memory        ${mebibytes(liveBytes)} at once, of ${mebibytes(bufferBytes)} of buffers, ${where}`];
};

const checkLine = ({ comparison, elements, isChecked }: RunOutcome): string => {
  if (comparison === undefined) {
    return isChecked
      ? 'check         not possible, see the warning'
      : 'check         not asked for (--check)';
  }
  const { mismatches, maxAbsError, oracle, isExact } = comparison;
  if (mismatches > 0) {
    const which = oracle === 'linear probe' ? 'windows' : `of ${elements} elements`;
    // Integers that add up differently are off by integers.
    const hint = isExact && maxAbsError < 1 ? '; --tolerance allows for rounding' : '';
    return `check         FAILED: ${mismatches} ${which} differ from the ${oracle}, by up to ${maxAbsError}${hint}`;
  }
  if (oracle === 'linear probe') {
    const how = isExact ? 'exactly' : `within rounding (up to ${maxAbsError.toPrecision(2)})`;
    return `check         all ${elements} elements pass the linear probe (a random combination of filters) ${how}`;
  }
  const how = isExact ? 'equal' : `agree within rounding (up to ${maxAbsError.toPrecision(2)}) with`;
  return `check         all ${elements} elements ${how} the ${oracle}`;
};

/** The report as text. */
export const textReport = (outcome: RunOutcome, target: string): string => {
  const { time, threads, emulator, microkernelMacShare: share } = outcome;
  const speed = gflops(outcome);
  return [
    `function      @${outcome.functionName} on ` +
      `${target}${threads > 1 ? `, ${threads} threads` : ''}${emulator === undefined ? '' : `, run by ${emulator}`}`,
    ...(outcome.plans.length > mostPlans
      ? [`plans         of ${outcome.plans.length} convolutions and products (--json lists them)`]
      : outcome.plans.flatMap(planLines)),
    ...(share === undefined ? [] : [`microkernels  ${(100 * share).toFixed(2)} % of the multiply-adds`]),
    `load          ${milliseconds(outcome.loadSeconds)} ms`,
    `first call    ${milliseconds(outcome.firstCallSeconds)} ms`,
    `time          ${timeText(time)}`,
    ...(speed === undefined ? [] : [`speed         ${threeDigits(speed)} GFLOP/s`]),
    ...memoryLines(outcome.memory),
    checkLine(outcome),
    ...(outcome.peer === undefined ? [] : peerLines(outcome.peer)),
    ...(outcome.profile === undefined ? [] : ['', ...profileLines(outcome.profile)]),
    '',
  ].join('\n');
};

/** The other runtime: its times, and how its outputs compare. */
const peerLines = (peer: ModelComparison): readonly string[] => {
  const { name, version, loadSeconds, firstCallSeconds, time, ratio, differences, tolerance, agrees } = peer;
  const [worst] = [...differences].sort((a, b) => b.difference - a.difference);
  const off = `off by ${(worst?.difference ?? 0).toPrecision(2)}, ${tolerance} is allowed`;
  return [
    `beside        ${name} ${version}, one thread: ${ratio.toFixed(2)} times our time`,
    `  load        ${milliseconds(loadSeconds)} ms`,
    `  first call  ${milliseconds(firstCallSeconds)} ms`,
    `  time        ${timeText(time)}`,
    `  outputs     ${agrees ? `agree: ${off}` : `FAILED: '${worst?.output ?? ''}' is ${off} (--tolerance)`}`,
  ];
};

/** Of more, only the number is written. */
const mostPlans = 8;

/** A table of the parts, in program order, their sum, and those that are far from what the machine can do. */
const profileLines = (parts: readonly PartTime[]): readonly string[] => {
  const sum = secondsOf(parts);
  const line = (...[time, share, speed, rate, reached, what]: readonly string[]): string =>
    `${time!.padStart(9)}  ${share!.padStart(6)}  ${speed!.padStart(7)}  ${rate!.padStart(6)}  ` +
    `${reached!.padEnd(8)}  ${what!}`;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  const lineOf = (part: PartTime): string => {
    const { nodes, operations, seconds, multiplyAdds = 0, bytes, weightBytes } = part;
    return line(
      milliseconds(seconds),
      percent(seconds / sum),
      multiplyAdds === 0 ? '' : ((2 * multiplyAdds) / seconds / 1e9).toFixed(1),
      ((bytes + weightBytes) / seconds / 1e9).toFixed(1),
      boundText(part),
      `${nodes.join(', ')} (${operations.join(', ')})`,
    );
  };
  const bound = parts.reduce((all, part) => all + part.bound.seconds, 0);
  const slow = [...belowHalf(parts)].sort((a, b) => b.seconds - a.seconds);
  return [
    line('ms', 'share', 'GFLOP/s', 'GB/s', 'of bound', 'part'),
    ...parts.map(lineOf),
    line(
      milliseconds(sum),
      '',
      '',
      '',
      `${((100 * bound) / sum).toFixed(0)} %`,
      'all of them, one after the other',
    ),
    '',
    'bound: the longer of its operations at the peak (ops), and of its inputs, weights and outputs, moved once (mem)',
    `below half of it: ${slow.length} of ${plural(parts.length, 'part')}, ` +
      `${percent(secondsOf(slow) / sum)} of the time`,
    ...slow.map(lineOf),
  ];
};

/** The share of its bound that a part reaches, and what that is: `81 % ops`. */
export const boundText = (part: PartTime): string =>
  `${(100 * boundShare(part)).toFixed(0)} % ${part.bound.by === 'arithmetic' ? 'ops' : 'mem'}`;
