/** `sconv csa`: a plan for a convolution, or for every row of a ConvBench file, with its reasons. */

import { basename } from 'node:path';
import {
  costModelNames,
  CsaError,
  drawPlan,
  drawTree,
  edgeChoices,
  explain,
  heuristics,
  parseCsv,
  planConvolution,
  planForTarget,
  printExplanation,
  printShape,
  shapeFromConvbench,
  type ConvbenchRow,
  type ConvolutionPlan,
  type ConvolutionShape,
  type CostModelName,
  type EdgeChoice,
  type Heuristic,
  type KernelChoice,
  type PlanOptions,
  type PlanTarget,
  type Dataflow,
} from '@sconv/csa';
import { findTarget, machineFromFigures } from '@sconv/targets';
import type { Planner } from '@sconv/plans';
import { printPlan } from '@sconv/plans';
import { Command, InvalidArgumentError } from 'commander';
import type { Diagnostic } from '@sconv/diagnostics';
import { collect, unknownName } from '@sconv/diagnostics';
import type { Console } from '../console.ts';
import { badUsage, failed, readSource, reportAll } from '../console.ts';
import { documentVersion, jsonDocument } from '../json-document.ts';
import { detectHost } from '../host-machine.ts';
import { writeFile } from '../write-file.ts';
import { givenOption } from './given-option.ts';
import { nameOption } from './name-option.ts';
import { loadPlanner, plannerOption } from './planner-option.ts';
import { checkStandardInput } from './standard-input.ts';
import { targetNames, type Write } from './targets.ts';
import { planBy } from '../plan-by.ts';
import { shapeOrProduct } from '../product-shape.ts';
import { reason } from '../reason.ts';

interface CsaOptions {
  readonly target: string;
  readonly microkernel?: { readonly windows: number; readonly filters: number };
  readonly costModel?: CostModelName;
  readonly heuristic: Heuristic;
  readonly schedule?: Dataflow;
  readonly edges: EdgeChoice;
  readonly fraction?: number;
  readonly json?: true;
  readonly svg?: string;
  readonly planner?: string;
  readonly shapes?: readonly string[];
  readonly config?: string;
  readonly jsonl?: true;
}

/** Any mistake in the command line or in a file that it names. */
class UsageError extends Error {}

/** A file that cannot be read or written, or a planner that fails. */
class FileProblem extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super('a file cannot be read or written, or a planner fails');
    this.diagnostics = diagnostics;
  }
}

const parseMicrokernel = (text: string): { windows: number; filters: number } => {
  const [, windows, filters] = /^(\d{1,4})x(\d{1,4})$/.exec(text) ?? [];
  if (windows !== undefined && filters !== undefined)
    return { windows: Number(windows), filters: Number(filters) };
  throw new InvalidArgumentError('write it as WINDOWSxFILTERS, as in 16x8');
};

const parseFraction = (text: string): number => {
  const value = Number(text);
  if (value > 0 && value <= 1) return value;
  throw new InvalidArgumentError('a number above 0 and up to 1');
};

const append = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

const readText = (path: string): string => {
  const source = readSource(path);
  if (source.status !== 'success') throw new FileProblem(source.diagnostics);
  return source.value.text;
};

const writeText = (path: string, text: string): void => {
  const written = writeFile(path, text);
  if (written.status !== 'success') throw new FileProblem(written.diagnostics);
};

const planOptions = ({ costModel, heuristic, schedule, edges, fraction }: CsaOptions): PlanOptions => ({
  heuristic,
  edges,
  ...(costModel === undefined ? {} : { costModel }),
  ...(schedule === undefined ? {} : { schedule }),
  ...(fraction === undefined ? {} : { fractions: { l1: fraction, l2: fraction, l3: fraction } }),
});

/** The target that the options name, with the microkernel they give, if any. */
const chosenTarget = ({ target: name, microkernel }: CsaOptions): KernelChoice => {
  const target = name === 'host' ? detectHost().target : findTarget(name);
  if (target === undefined) throw new UsageError(unknownName('target', name, ['host', ...targetNames]));
  return microkernel === undefined ? target : { machine: target.machine, microkernel, otherMicrokernels: [] };
};

/** A configuration as in the golden tilings' csa-configs.json. */
interface Configuration {
  readonly name: string;
  readonly target: PlanTarget;
  readonly fraction?: number;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numberAt = (path: string, value: unknown): number => {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`${path}: expected a number from 0, found ${JSON.stringify(value)}`);
};

const numbersAt = (path: string, value: unknown): readonly number[] => {
  if (!Array.isArray(value)) throw new UsageError(`${path}: expected a list of numbers`);
  return value.map((element: unknown, index) => numberAt(`${path}[${index}]`, element));
};

const configuration = (name: string, value: unknown): Configuration => {
  if (!isRecord(value) || !isRecord(value['microkernel'])) {
    throw new UsageError(
      `${name}: expected an object with microkernel, cacheBytes, lineBytes and latencyCycles`,
    );
  }
  const [l1, l2, l3, memory] = numbersAt(`${name}.latencyCycles`, value['latencyCycles']);
  if (l1 === undefined || l2 === undefined || l3 === undefined || memory === undefined) {
    throw new UsageError(`${name}.latencyCycles: expected four numbers: L1, L2, L3, memory`);
  }
  const machine = machineFromFigures({
    name,
    cacheBytes: numbersAt(`${name}.cacheBytes`, value['cacheBytes']),
    lineBytes: numberAt(`${name}.lineBytes`, value['lineBytes']),
    latencyCycles: [l1, l2, l3, memory],
    source: 'configuration file',
  });
  const microkernel = {
    windows: numberAt(`${name}.microkernel.windows`, value['microkernel']['windows']),
    filters: numberAt(`${name}.microkernel.filters`, value['microkernel']['filters']),
  };
  const fraction = value['cacheFraction'];
  return {
    name,
    target: { machine, microkernel },
    ...(fraction === undefined ? {} : { fraction: numberAt(`${name}.cacheFraction`, fraction) }),
  };
};

const readConfigurations = (path: string): readonly Configuration[] => {
  const text = readText(path);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path}: ${reason(error)}`);
  }
  if (!isRecord(document)) throw new UsageError(`${path}: expected an object of configurations`);
  return Object.entries(document).map(([name, value]) => configuration(name, value));
};

/** Numeric row IDs stay numbers. */
const idOf = (row: ConvbenchRow): number | string => {
  const text = row['ID'] ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
};

const jsonLine = (config: string, dataset: string, row: ConvbenchRow, plan: ConvolutionPlan): string => {
  const candidate = (schedule: Dataflow) => {
    const { k2, k3, cost } = plan.candidates[schedule];
    return { k2, k3, cost: cost.cycles };
  };
  return `${JSON.stringify({
    version: documentVersion,
    config,
    dataset,
    id: idOf(row),
    schedule: plan.schedule,
    nc: plan.nc,
    k2: plan.k2,
    k3: plan.k3,
    is: candidate('is'),
    ws: candidate('ws'),
  })}\n`;
};

/** How rows are planned, under a name. */
interface RowPlans {
  readonly name: string;
  readonly plan: (shape: ConvolutionShape) => ConvolutionPlan;
}

/** Plans for the target of the options, by those of its microkernels that suit a shape. */
const planOnTarget = (options: CsaOptions): RowPlans['plan'] => {
  const [target, planning] = [chosenTarget(options), planOptions(options)];
  return (shape) => planForTarget(shape, target, planning);
};

/** Plans every row of every file for every configuration, which is the outer loop. */
const planFiles = (options: CsaOptions, files: readonly string[], write: Write): void => {
  const shared = planOptions(options);
  const plans: readonly RowPlans[] =
    options.config === undefined
      ? [{ name: options.target, plan: planOnTarget(options) }]
      : readConfigurations(options.config).map(({ name, target, fraction }) => {
          const all =
            fraction === undefined ? {} : { fractions: { l1: fraction, l2: fraction, l3: fraction } };
          return { name, plan: (shape) => planConvolution(shape, target, { ...all, ...shared }) };
        });
  const tables = files.map((path) => ({
    path,
    dataset: basename(path).replace(/\.csv$/, ''),
    rows: parseCsv(readText(path)).map((row) => ({ row, shape: named(path, row) })),
  }));
  const empty = tables.find(({ rows }) => rows.length === 0);
  if (empty !== undefined) throw new UsageError(`${empty.path} has no rows to plan`);
  for (const { name, plan } of plans) {
    for (const { dataset, rows } of tables) {
      write(rows.map(({ row, shape }) => jsonLine(name, dataset, row, plan(shape))).join(''));
    }
  }
};

/** The shape of a row; errors name the row. */
const named = (path: string, row: ConvbenchRow) => {
  try {
    return shapeFromConvbench(row);
  } catch (error) {
    if (error instanceof CsaError) throw new UsageError(`${path}, row ${row['ID'] ?? '?'}: ${error.message}`);
    throw error;
  }
};

const planShapes = (options: CsaOptions, shapes: readonly string[], write: Write): void => {
  const target = chosenTarget(options);
  const plans = shapes.map((text) => planForTarget(shapeOrProduct(text), target, planOptions(options)));
  if (options.svg !== undefined) {
    const [plan] = plans;
    if (plan === undefined || plans.length > 1) throw new UsageError('--svg draws one shape');
    writeText(options.svg, drawPlan(plan, target.machine));
  }
  if (options.json === true) {
    const documents = plans.map((plan) => ({ ...plan, explanation: explain(plan) }));
    write(jsonDocument({ plans: documents }));
    return;
  }
  write(plans.map((plan) => printExplanation(explain(plan))).join('\n'));
};

/** Plans shapes by a planner of the user's, of whose plans there are the trees, and no explanation. */
const planShapesBy = (
  planner: Planner<KernelChoice>,
  shapes: readonly string[],
  options: CsaOptions,
  write: Write,
): void => {
  const target = chosenTarget(options);
  const result = collect(shapes, (text) => planBy(planner, shapeOrProduct(text), target));
  if (result.status !== 'success') throw new FileProblem(result.diagnostics);
  const plans = result.value;
  if (options.svg !== undefined) {
    if (plans.length > 1) throw new UsageError('--svg draws one shape');
    writeText(options.svg, drawTree(plans[0]!.tree));
  }
  write(
    options.json === true
      ? jsonDocument({ plans: plans.map(({ shape, tree }) => ({ shape, tree })) })
      : plans.map(({ shape, tree }) => `${printShape(shape)}:\n${printPlan(tree)}`).join('\n'),
  );
};

const run = async (shapes: readonly string[], options: CsaOptions, write: Write): Promise<void> => {
  if (options.shapes === undefined) {
    if (options.config !== undefined || options.jsonl === true) {
      throw new UsageError('--config and --jsonl go with --shapes FILE.csv');
    }
    if (shapes.length === 0)
      throw new UsageError('give a SHAPE, as in 1x32x152x152,256x32x3x3,s2, or --shapes FILE.csv');
    const planner = await loadPlanner(options.planner);
    if (planner.status !== 'success') throw new FileProblem(planner.diagnostics);
    if (planner.value === undefined) planShapes(options, shapes, write);
    else planShapesBy(planner.value, shapes, options, write);
    return;
  }
  if (shapes.length > 0 || options.svg !== undefined || options.json === true) {
    throw new UsageError('--shapes writes JSON lines: no SHAPE, --svg or --json with it');
  }
  if (options.planner !== undefined) throw new UsageError('--planner plans a SHAPE, and no --shapes');
  planFiles(options, options.shapes, write);
};

/** The command `csa [shape...]`; reports to `onExit` if a file cannot be read or written. */
export const csaCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('csa')
    .description(
      'plan convolutions and matrix products (Convolution Slicing Analysis) and say why the plan is as it is',
    )
    .argument(
      '[shape...]',
      'input,filters[,sSTRIDE][,dDILATION][,pPADDING][,gGROUPS][,TYPE], NCHW and FCHW; or the rows, columns and ' +
        'summands of a matrix product, [COUNTx]MxNxK',
    )
    .option('--target <name>', 'the machine: a name of `sconv targets`, or host', 'default')
    .option('--microkernel <WxF>', 'windows x filters, instead of those of the target', parseMicrokernel)
    .addOption(
      nameOption(
        '--cost-model <name>',
        'predicts the cycles, and chooses the schedule; without one: sc, and the schedule that was ' +
          'measured to be faster on the target',
        'cost model',
        costModelNames,
      ),
    )
    .addOption(
      nameOption('--heuristic <name>', 'finds the sizes', 'heuristic', heuristics).default('halving'),
    )
    .addOption(nameOption('--schedule <name>', 'force a schedule', 'schedule', ['is', 'ws']))
    .addOption(
      nameOption('--edges <how>', 'how remainders are computed', 'kind of edges', edgeChoices).default(
        'best',
      ),
    )
    .option('--fraction <share>', 'share of each cache that tiles may fill (default 0.9)', parseFraction)
    .option(...plannerOption)
    .option('--json', 'one JSON document: for each shape its plan as a tree, and the explanation')
    .option('--svg <file>', 'draw loop nest, caches and costs')
    .option('--shapes <file>', 'plan every row of a ConvBench CSV file; may be given again', append)
    .option(
      '--config <file>',
      'configurations as JSON: microkernel, cacheBytes, lineBytes, latencyCycles each',
    )
    .option('--jsonl', 'one JSON line a row and configuration (what --shapes writes in any case)');
  command.action(async (shapes: readonly string[], options: CsaOptions) => {
    const ofAnalysis =
      options.planner === undefined
        ? undefined
        : givenOption(command, ['costModel', 'heuristic', 'schedule', 'edges', 'fraction']);
    if (ofAnalysis !== undefined) {
      command.error(`error: ${ofAnalysis} cannot be given with --planner, which decides itself`, {
        exitCode: badUsage,
      });
    }
    const surplus =
      options.config === undefined ? undefined : givenOption(command, ['target', 'microkernel']);
    if (surplus !== undefined) {
      command.error(`error: ${surplus} cannot be given with --config, which has machines and microkernels`, {
        exitCode: badUsage,
      });
    }
    checkStandardInput(command, [...(options.shapes ?? []), options.config]);
    try {
      await run(shapes, options, output.out);
    } catch (error) {
      if (error instanceof FileProblem) {
        reportAll(output, error.diagnostics, []);
        onExit(failed);
        return;
      }
      if (!(error instanceof UsageError) && !(error instanceof CsaError)) throw error;
      command.error(`error: ${error.message}`, { exitCode: 2 });
    }
  });
  return command;
};
