/** `sconv scheme --space`: counts the optimization schemes of a convolution, and draws or ranks some. */
import { contractionOf, diagnosed, parseShape } from '@sconv/csa';
import type { ConvolutionShape, OperandLayouts } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import { printScheme } from '@sconv/schemes';
import type { RankedScheme, SchemeSpace, StrategyName } from '@sconv/spaces';
import { coveringOf, rankSchemes, schemeSpace, SpaceError } from '@sconv/spaces';
import type { KernelFamily, Target } from '@sconv/targets';
import { kernelFamily } from '@sconv/targets';
import { jsonDocument } from '../json-document.ts';

/** What of the options a space depends on. */
export interface SpaceCommandOptions {
  readonly space: string;
  readonly sample: number;
  readonly strategy: StrategyName;
  readonly seed: number;
  readonly json?: true;
}

interface Drawn {
  readonly shape: string;
  readonly target: string;
  readonly space: SchemeSpace;
  readonly schemes: readonly RankedScheme[];
}

const layouts: Readonly<Record<'nhwc' | 'nchw', OperandLayouts>> = {
  nhwc: { input: 'nhwgc', filters: 'ghwcf', output: 'nhwgf' },
  nchw: { input: 'ngchw', filters: 'gfchw', output: 'ngfhw' },
};

/** The text, or the JSON document, of a space on a target. */
export const describeSpace = (
  options: SpaceCommandOptions,
  target: Target,
  targetName: string,
  layout: keyof typeof layouts = 'nhwc',
): Diagnosed<string> =>
  andThen(
    andThen(
      diagnosed(() => parseShape(options.space)),
      (shape) => draw(shape, options, target, targetName, layout),
    ),
    (drawn) => success(options.json === true ? jsonOf(drawn) : textOf(drawn)),
  );

const draw = (
  shape: ConvolutionShape,
  { space: text, sample, strategy, seed }: SpaceCommandOptions,
  target: Target,
  targetName: string,
  layout: keyof typeof layouts,
): Diagnosed<Drawn> => {
  const contraction = contractionOf(shape, layouts[layout]);
  const failure = (code: string, message: string) => silenceable(error(code, message, unknownLocation));
  const family = kernelFamily(target);
  if (family === undefined)
    return failure('scheme/space', `${targetName} has no vectors: choose another --target`);
  try {
    const space = schemeSpace(contraction, family);
    if (space.count === 0n) return failure('scheme/space', whyEmpty(shape, family, layout));
    const next = randomIntegers(seed);
    const random = () => next() / 2 ** 32;
    const schemes = rankSchemes(space, target.machine, { strategy, count: sample, random });
    return success({ shape: text, target: targetName, space, schemes });
  } catch (problem) {
    if (!(problem instanceof SpaceError)) throw problem;
    return failure(problem.code, problem.message);
  }
};

/** Vectors that do not divide their dimension, or heights that do not combine to theirs; and what to do instead. */
const whyEmpty = (shape: ConvolutionShape, family: KernelFamily, layout: keyof typeof layouts): string => {
  const { groups, outputHeight: rows, outputWidth: columns } = shape;
  const filters = shape.filters / groups;
  const [along, wide, up, high] =
    layout === 'nhwc'
      ? (['filters', filters, 'rows', rows] as const)
      : (['columns', columns, 'filters', filters] as const);
  const fitting = family.classes.filter(
    ({ vectors, unroll }) =>
      wide % (vectors * family.lanes) === 0 &&
      (shape.inputChannels / groups) % unroll.channels === 0 &&
      shape.filterHeight % unroll.tapRows === 0 &&
      shape.filterWidth % unroll.tapColumns === 0,
  );
  if (fitting.length === 0)
    return `vectors of ${family.lanes} do not divide the ${wide} ${along}: pad them, or give another --layout`;
  const windows = layout === 'nhwc' ? rows * columns : undefined;
  const ways = fitting.map(({ heights }) => coveringOf(heights, high, windows));
  const padded = ways.flatMap((each) => (each.kind === 'padded' ? [each.extent] : []));
  const instead = ways.some(({ kind }) => kind === 'windows')
    ? `they do cover the ${windows} windows of all rows, as one dimension`
    : `pad them to ${Math.min(...padded)}`;
  return `no microkernel, and no two of a class, cover the ${high} ${up} without a rest: ${instead}`;
};

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

const textOf = ({ shape, target, space, schemes }: Drawn): string =>
  [
    `${space.count.toLocaleString('en-US')} schemes of ${shape} on ${target}\n`,
    ...schemes.map(
      ({ scheme, reduction, cycles, intensity }) =>
        `${printScheme(scheme)}\n  sums up ${number(reduction)} times, ${number(cycles)} cycles beyond L1, ` +
        `${intensity.toFixed(1)} operations a byte\n`,
    ),
  ].join('');

const jsonOf = ({ shape, target, space, schemes }: Drawn): string =>
  jsonDocument({
    shape,
    target,
    // Larger than numbers of JSON may be exactly.
    count: String(space.count),
    schemes: schemes.map(({ index, scheme, ...metric }) => ({
      index: String(index),
      scheme: printScheme(scheme),
      ...metric,
    })),
  });
