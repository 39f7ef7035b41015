/** `sconv scheme --space`: counts the optimization schemes of a convolution, and draws or ranks some. */
import { contractionOf, diagnosed, parseShape } from '@sconv/csa';
import type { ConvolutionShape, OperandLayouts } from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import { printScheme } from '@sconv/schemes';
import type { RankedScheme, SchemeSpace, StrategyName } from '@sconv/spaces';
import { rankSchemes, schemeSpace, SpaceError } from '@sconv/spaces';
import type { KernelFamily, Target } from '@sconv/targets';
import { kernelFamily } from '@sconv/targets';
import { jsonDocument } from '../json-document.ts';
import { parseProduct } from '../product-shape.ts';

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

/** How operands lie. */
type LayoutName = 'nhwc' | 'nchw' | 'product';

const layouts: Readonly<Record<LayoutName, OperandLayouts>> = {
  nhwc: { input: 'nhwgc', filters: 'ghwcf', output: 'nhwgf' },
  nchw: { input: 'ngchw', filters: 'gfchw', output: 'ngfhw' },
  product: { input: 'gch', filters: 'gfc', output: 'gfh' },
};

/** The text, or the JSON document, of a space on a target. */
export const describeSpace = (
  options: SpaceCommandOptions,
  target: Target,
  targetName: string,
  layout: 'nhwc' | 'nchw' = 'nhwc',
): Diagnosed<string> => {
  const product = parseProduct(options.space);
  return andThen(
    andThen(
      diagnosed(() => product?.() ?? parseShape(options.space)),
      (shape) => draw(shape, options, target, targetName, product === undefined ? layout : 'product'),
    ),
    (drawn) => success(options.json === true ? jsonOf(drawn) : textOf(drawn)),
  );
};

const draw = (
  shape: ConvolutionShape,
  { space: text, sample, strategy, seed }: SpaceCommandOptions,
  target: Target,
  targetName: string,
  layout: LayoutName,
): Diagnosed<Drawn> => {
  const contraction = contractionOf(shape, layouts[layout]);
  const failure = (code: string, message: string) => silenceable(error(code, message, unknownLocation));
  const family = kernelFamily(target);
  if (family === undefined)
    return failure('scheme/space', `${targetName} has no vectors: choose another --target`);
  try {
    const space = schemeSpace(contraction, family);
    if (space.count === 0n) return failure('scheme/space', whyEmpty(family, layout));
    const next = randomIntegers(seed);
    const random = () => next() / 2 ** 32;
    const schemes = rankSchemes(space, target.machine, { strategy, count: sample, random });
    return success({ shape: text, target: targetName, space, schemes });
  } catch (problem) {
    if (!(problem instanceof SpaceError)) throw problem;
    return failure(problem.code, problem.message);
  }
};

/** Why there is no scheme: vectors divide no dimension, as those along filters always do. */
const whyEmpty = ({ lanes }: KernelFamily, layout: LayoutName): string =>
  layout === 'nhwc'
    ? `no microkernel of vectors of ${lanes} divides what is summed over`
    : `vectors of ${lanes} do not divide the columns, nor all windows: pad them, or give another --layout`;

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

/** How kernels cover what no two heights of a class do. */
const coverings: Readonly<Record<SchemeSpace['covering'], string>> = {
  exact: '',
  windows: ', of windows through all rows, which kernels cover',
  padded: ', whose last tile is cut: no kernels cover it',
};

const textOf = ({ shape, target, space, schemes }: Drawn): string =>
  [
    `${space.count.toLocaleString('en-US')} schemes of ${shape} on ${target}${coverings[space.covering]}\n`,
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
    covering: space.covering,
    schemes: schemes.map(({ index, scheme, ...metric }) => ({
      index: String(index),
      scheme: printScheme(scheme),
      ...metric,
    })),
  });
