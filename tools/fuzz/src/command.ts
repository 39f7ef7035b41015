/** The command line of the fuzzer. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Campaign, FoundFault } from './campaign.ts';
import { addCampaigns, noCampaign } from './campaign.ts';
import { compareSizes } from './compare-sizes.ts';
import { functionText } from './fuzz-function.ts';
import { signatureOf } from './fault.ts';
import { refusedByMlirOpt } from './mlir-opt.ts';
import { progressOn } from './progress.ts';
import type { Report } from './report.ts';
import { jsonReport, textReport } from './report.ts';
import { runCampaign } from './run-campaign.ts';
import type { NativeSubjects } from './run-native.ts';
import { isNative, runNativeCampaign } from './run-native.ts';
import type { Subjects } from './worker.ts';

const help = `Usage: npm run fuzz -- [options]

Random payloads through random schedules; after every step the IR is verified, executed and compared with the payload.

  --functions       random functions through each cleanup pass instead
  --effects         random functions with effects, on buffers that may overlap, through single passes and transforms
  --numbers         numbers near 2^31, 2^53 and 2^63 through passes, transforms, affine functions and options instead
  --native          random operations, executed natively, on WebAssembly and by the interpreter, instead
  --lowerings       structured ops through vectorization and each lowering of vectors, executed in the same places,
                    instead
  --seed LIST       seeds, as 1 or 1,2,3 or 1-5 (default: 1)
  --payloads N      payloads of each seed (default: 1000)
  --jobs N          threads (default: 2)
  --mlir-opt N      let mlir-opt-19 read this many printed modules, or canonicalize this many functions and compare
                    their sizes (default: none)
  --out DIR         write a payload and a script for each fault (default: fuzz-faults)
  --json            one JSON document instead of the report
  --help            this text

Exit codes: 0 no fault, 1 faults, 2 bad usage.
`;

interface Request {
  readonly subjects: Subjects | NativeSubjects;
  readonly seeds: readonly number[];
  readonly payloads: number;
  readonly jobs: number;
  readonly mlirOpt: number;
  readonly out: string;
  readonly json: boolean;
  readonly help: boolean;
}

const numberOf = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`--${name} takes a number, not '${text}'`);
  return Number(text);
};

const seedsOf = (text: string): readonly number[] =>
  text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    const [from, to] = [numberOf('seed', first), numberOf('seed', last)];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });

const parse = (words: readonly string[]): Request => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      functions: { type: 'boolean', default: false },
      effects: { type: 'boolean', default: false },
      numbers: { type: 'boolean', default: false },
      native: { type: 'boolean', default: false },
      lowerings: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      payloads: { type: 'string', default: '1000' },
      jobs: { type: 'string', default: '2' },
      'mlir-opt': { type: 'string', default: '0' },
      out: { type: 'string', default: 'fuzz-faults' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    subjects:
      (['native', 'lowerings', 'effects', 'numbers', 'functions'] as const).find((each) => values[each]) ??
      'schedules',
    seeds: seedsOf(values.seed),
    payloads: numberOf('payloads', values.payloads),
    jobs: Math.max(1, numberOf('jobs', values.jobs)),
    mlirOpt: numberOf('mlir-opt', values['mlir-opt']),
    out: values.out,
    json: values.json,
    help: values.help,
  };
};

const usedModules = (texts: readonly string[], wanted: number): readonly string[] =>
  [...new Set(texts)].slice(0, wanted);

/** Writes a reproducer; returns the fault with its folder. */
const written = (found: FoundFault, number: number, out: string): FoundFault => {
  const path = join(out, `${String(number).padStart(2, '0')}-${found.fault.kind}`);
  mkdirSync(path, { recursive: true });
  const sizes = found.dynamicSizes.length === 0 ? '' : `// dynamic sizes: ${found.dynamicSizes.join(', ')}\n`;
  writeFileSync(join(path, 'payload.mlir'), `${sizes}${found.payload}`);
  writeFileSync(join(path, 'script.mlir'), found.script);
  writeFileSync(join(path, 'fault.txt'), `${found.fault.transform ?? ''}\n${found.fault.message}\n`);
  return { ...found, path };
};

/** What mlir-opt says of the campaign. */
const besideMlirOpt = (
  { subjects, seeds, payloads, mlirOpt }: Request,
  { texts }: Campaign,
): Pick<Report, 'faults' | 'readByMlirOpt' | 'sizes'> => {
  if (mlirOpt === 0 || subjects === 'numbers' || isNative(subjects)) return { faults: [] };
  if (subjects !== 'functions') {
    const modules = usedModules(texts, mlirOpt);
    return { faults: refusedByMlirOpt(modules), readByMlirOpt: modules.length };
  }
  const all = seeds.flatMap((seed) => Array.from({ length: payloads }, (_, i) => [seed, i] as const));
  return { faults: [], sizes: compareSizes(all.slice(0, mlirOpt).map(([seed, i]) => functionText(seed, i))) };
};

const fuzz = async (request: Request): Promise<number> => {
  const { subjects, seeds, payloads, jobs, mlirOpt, out, json } = request;
  const start = performance.now();
  const total = seeds.length * payloads;
  const screen = progressOn(process.stderr, total);
  // Reproducers are written as faults are found, each once.
  const reproduced = new Map<string, FoundFault>();
  const reproducedOnce = (found: FoundFault): FoundFault => {
    const signature = signatureOf(found.fault);
    const known = reproduced.get(signature);
    if (known !== undefined) return { ...known, times: found.times };
    const result = written(found, reproduced.size, out);
    reproduced.set(signature, result);
    screen.fault(result);
    return result;
  };
  const progress = { done: screen.done, fault: reproducedOnce };
  // Each payload prints two modules.
  const keepTexts = mlirOpt === 0 ? 0 : Math.max(1, Math.floor((2 * total) / (1.2 * mlirOpt)));
  const campaign = isNative(subjects)
    ? await runNativeCampaign({ subjects, seeds, payloads, jobs, progress })
    : await runCampaign({ subjects, seeds, payloads, jobs, keepTexts, progress });
  screen.end();
  const beside = besideMlirOpt(request, campaign);
  const all = addCampaigns(campaign, { ...noCampaign, faults: beside.faults });
  const report: Report = {
    ...beside,
    seeds,
    statistics: all.statistics,
    faults: all.faults.map(reproducedOnce),
    seconds: (performance.now() - start) / 1000,
  };
  process.stdout.write((json ? jsonReport : textReport)(report));
  return report.faults.length === 0 ? 0 : 1;
};

/** Runs the command with these arguments; returns its exit code. */
export const main = async (words: readonly string[]): Promise<number> => {
  let request: Request;
  try {
    request = parse(words);
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem;
    // What follows is advice on words that begin with a dash.
    const [message] = problem.message.split('. ');
    process.stderr.write(`tools/fuzz/fuzz.mjs: ${message}; see --help\n`);
    return 2;
  }
  if (!request.help) return fuzz(request);
  process.stdout.write(help);
  return 0;
};
