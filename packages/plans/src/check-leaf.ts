/** What a kernel can do: its decisions, and whether it can read an operand where that lies. */
import type { Contraction, ContractionOperand } from './contraction.ts';
import { elementStep } from './element-step.ts';
import type { Family } from './families.ts';
import type { KernelNode, PackedOperand } from './plan.ts';

/** More results are no tile: registers hold a few dozen. */
const maximumResults = 4096;

/** More steps are not unrolled: each is code of its own. */
const maximumUnrolled = 64;

type Kernel = KernelNode<string>;

/** What is wrong with a kernel's decisions. */
export function* decisionProblems(
  { extents, unroll = {}, tiles }: Kernel,
  family: Family,
): Generator<string> {
  for (const [dimension, factor] of Object.entries(unroll)) {
    if (!family.reduced.includes(dimension))
      yield `${dimension} are not summed over: what is unrolled is ${family.reduced.join(' or ')}`;
    else if (extents[dimension]! % factor! !== 0)
      yield `unrolling by ${factor} does not divide the ${extents[dimension]} of ${dimension}`;
  }
  const steps = product(Object.values(unroll).map((factor) => factor ?? 1));
  if (steps > maximumUnrolled)
    yield `${steps} steps are too much code: at most ${maximumUnrolled} are unrolled`;
  if (tiles === undefined) return;
  const windows = product(family.windows.map((name) => extents[name]!));
  const filters = extents['filters']!;
  const results = windows * filters;
  if (results > maximumResults) {
    yield `register tiles of ${results} results: at most ${maximumResults} are divided`;
    return;
  }
  const seen = new Set<number>();
  let covered = 0;
  for (const part of tiles) {
    covered += part.windows * part.filters;
    if (part.firstWindow + part.windows > windows || part.firstFilter + part.filters > filters) {
      yield `a register tile reaches beyond the ${windows} windows or the ${filters} filters`;
      return;
    }
    for (let w = 0; w < part.windows; w += 1)
      for (let f = 0; f < part.filters; f += 1)
        seen.add((part.firstWindow + w) * filters + part.firstFilter + f);
  }
  if (seen.size < results || covered > results)
    yield `register tiles cover ${seen.size} of the ${results} results, in ${covered}: each once`;
}

/** Why a kernel cannot read the operands `inPlace` where they lie. */
export function* placeProblems(
  { lanes, extents }: Kernel,
  family: Family,
  contraction: Contraction,
  inPlace: readonly PackedOperand[],
): Generator<string> {
  const { dimensions } = contraction;
  const [input, filters, output] = contraction.operands;
  const extent = (name: string): number => dimensions.find((each) => each.name === name)?.extent ?? 1;
  const step = (operand: ContractionOperand, name: string): number =>
    elementStep(dimensions, operand, name === 'windows' ? 'columns' : name);
  /** The distance between two results along the lanes, or between what they use of an operand. */
  const laneStep = (operand: ContractionOperand): number =>
    // A single lane has no next one.
    extents[lanes] === 1
      ? 1
      : lanes === 'windows' && extent('columns') === 1
        ? step(operand, 'rows')
        : step(operand, lanes);
  for (const name of inPlace) {
    const operand = { input, filters }[name];
    if (operand.bytes !== output.bytes)
      yield `elements of the ${name} have ${operand.bytes} bytes, sums ${output.bytes}: pack them, which converts them`;
    if (name === 'input' && family.windows.includes('windows') && !hasEvenWindows(contraction))
      yield 'windows of several rows are not at equal distances in the input: pack it, or plan rows and columns';
    if (family.dimensionsOf[name].includes(lanes) && laneStep(operand) > 1)
      yield `the ${name} are ${laneStep(operand)} elements apart along ${lanes}, the lanes: pack them or choose others`;
  }
  if (laneStep(output) !== 1)
    yield `the output is ${laneStep(output)} elements apart along ${lanes}, the lanes: choose others`;
}

/** Whether windows through all rows are at equal distances in the input. */
export const hasEvenWindows = ({ dimensions, operands: [input] }: Contraction): boolean => {
  const columns = dimensions.find(({ name }) => name === 'columns')?.extent ?? 1;
  const step = (name: string): number => elementStep(dimensions, input, name);
  return columns === 1 || step('rows') === columns * step('columns');
};

const product = (numbers: readonly number[]): number => numbers.reduce((all, each) => all * each, 1);
