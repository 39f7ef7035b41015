/** The output of `sconv run`: as text and as JSON. */
import type { MemoryUse } from '@sconv/backend';
import type { ConvolutionShape } from '@sconv/csa';
import { printShape } from '@sconv/csa';
import type { Diagnostic } from '@sconv/diagnostics';
import { printPlan } from '@sconv/plans';
import { isProductForm } from '@sconv/normalization';
import type { PlannedShape } from '@sconv/slicing';
import { slicedAs } from '@sconv/slicing';
import type { PartTime } from '../model/profile-model.ts';
import type { PlannedConvolution } from '../target-schedule.ts';
import { isOfAnalysis } from '../target-schedule.ts';
import { diagnosticDocument, jsonDocument } from '../json-document.ts';
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
    seconds: outcome.time.seconds,
    memory: outcome.memory ?? null,
    profile: outcome.profile ?? null,
    gflops: gflops(outcome) ?? null,
    threads: outcome.threads,
    target,
    emulator: outcome.emulator ?? null,
    diagnostics: diagnostics.map(diagnosticDocument),
  };
  return jsonDocument(document);
};

const milliseconds = (seconds: number): string => (seconds * 1000).toPrecision(3);

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
    `time          ${milliseconds(time.seconds)} ms, median of ${time.runs} ` +
      `(${milliseconds(time.least)} to ${milliseconds(time.greatest)})`,
    ...(speed === undefined ? [] : [`speed         ${speed.toPrecision(3)} GFLOP/s`]),
    ...memoryLines(outcome.memory),
    checkLine(outcome),
    ...(outcome.profile === undefined ? [] : ['', ...profileLines(outcome.profile)]),
    '',
  ].join('\n');
};

/** Of more, only the number is written. */
const mostPlans = 8;

/** A table of the parts, in program order, and their sum. */
const profileLines = (parts: readonly PartTime[]): readonly string[] => {
  const sum = parts.reduce((all, { seconds }) => all + seconds, 0);
  const line = (...[time, share, speed, rate, what]: readonly string[]): string =>
    `${time!.padStart(9)}  ${share!.padStart(6)}  ${speed!.padStart(7)}  ${rate!.padStart(6)}  ${what!}`;
  return [
    line('ms', 'share', 'GFLOP/s', 'GB/s', 'part'),
    ...parts.map(({ nodes, operations, seconds, multiplyAdds = 0, bytes }) =>
      line(
        milliseconds(seconds),
        `${((100 * seconds) / sum).toFixed(1)} %`,
        multiplyAdds === 0 ? '' : ((2 * multiplyAdds) / seconds / 1e9).toFixed(1),
        (bytes / seconds / 1e9).toFixed(1),
        `${nodes.join(', ')} (${operations.join(', ')})`,
      ),
    ),
    line(milliseconds(sum), '', '', '', 'all of them, one after the other'),
  ];
};
