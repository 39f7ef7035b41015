/** `sconv scheme`: checks an optimization scheme, and shows its loops, its volumes and its code; or draws some. */
import type { ConvolutionShape, Cost, OperandLayouts } from '@sconv/csa';
import {
  contractionOf,
  convolution,
  CsaError,
  diagnosed,
  drawTree,
  hierarchy,
  multiplyAdds,
  parseShape,
  slice,
  trafficOfPlan,
} from '@sconv/csa';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, error, silenceable, success, unknownLocation } from '@sconv/diagnostics';
import type { Contraction } from '@sconv/plans';
import { isOpenPlan, printPlan } from '@sconv/plans';
import type { KernelCode, PlannedScheme, Scheme } from '@sconv/schemes';
import {
  checkedScheme,
  kernelCode,
  lanesOf,
  parseScheme,
  planOfScheme,
  printScheme,
  schemeExtents,
} from '@sconv/schemes';
import { strategyNames } from '@sconv/spaces';
import type { Target } from '@sconv/targets';
import { Command, InvalidArgumentError } from 'commander';
import type { Console, SourceFile } from '../console.ts';
import { badUsage, failed, readSource, reportAll } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import { writeFile } from '../write-file.ts';
import { parseCount } from './count-option.ts';
import { nameOption } from './name-option.ts';
import { parseProduct, productShape } from '../product-shape.ts';
import { describeSpace, type SpaceCommandOptions } from './scheme-space.ts';
import { targetOf } from './target-option.ts';
import { targetNames } from './targets.ts';

const layoutNames = ['nhwc', 'nchw'] as const;
type LayoutName = (typeof layoutNames)[number];

const layouts: Readonly<Record<LayoutName | 'product', OperandLayouts>> = {
  nhwc: { input: 'nhwc', filters: 'hwcf', output: 'nhwf' },
  nchw: { input: 'ngchw', filters: 'gfchw', output: 'ngfhw' },
  product: { input: 'gch', filters: 'gfc', output: 'gfh' },
};

interface SchemeCommandOptions extends Partial<SpaceCommandOptions> {
  readonly shape?: string;
  readonly product?: ConvolutionShape;
  readonly layout?: LayoutName;
  readonly target: string;
  readonly svg?: string;
  readonly json?: true;
}

const parseProductOption = (text: string): ConvolutionShape => {
  try {
    const shape = parseProduct(text)?.();
    if (shape !== undefined) return shape;
  } catch (problem) {
    if (!(problem instanceof CsaError)) throw problem;
    throw new InvalidArgumentError(problem.message);
  }
  throw new InvalidArgumentError(
    'write it as IxJxK, as in 128x128x64, or with a number of products in front',
  );
};

/** What a scheme is for. */
interface Problem {
  readonly shape: ConvolutionShape;
  readonly contraction: Contraction;
}

/** The contraction that the options name, or else the one of stride 1 that the scheme covers. */
const problemOf = (
  text: string,
  { shape: shapeText, product, layout }: SchemeCommandOptions,
  target: Target,
): Diagnosed<Problem> => {
  const of = (shape: ConvolutionShape, name: LayoutName | 'product'): Diagnosed<Problem> =>
    name === 'nhwc' && shape.groups > 1
      ? silenceable(
          error('scheme/layout', 'a convolution of groups is NCHW: give --layout nchw', unknownLocation),
        )
      : success({ shape, contraction: contractionOf(shape, layouts[name]) });
  if (product !== undefined) return of(product, 'product');
  const bits = target.machine.vector?.bits;
  return andThen(parseScheme(text, { lanes: bits === undefined ? 1 : bits / 32 }), (scheme) => {
    const name = layout ?? (isAlongFilters(scheme) ? 'nhwc' : 'nchw');
    if (shapeText !== undefined)
      return andThen(
        diagnosed(() => parseShape(shapeText)),
        (shape) => of(shape, name),
      );
    const covered = schemeExtents(scheme);
    if (covered === undefined) {
      const message = 'what R takes is not known: give --shape or --product, which are checked, too';
      return silenceable(error('scheme/shape', message, unknownLocation));
    }
    const { isProduct, sizes } = covered;
    const { b = 1, g = 1, i = 1, j = 1, k = 1, c = 1, h = 1, w = 1, r = 1, s = 1 } = sizes;
    return andThen(
      diagnosed(() =>
        isProduct
          ? productShape(b * g, i, j, k)
          : convolution({
              batch: b,
              groups: g,
              inputChannels: g * c,
              inputHeight: h + r - 1,
              inputWidth: w + s - 1,
              filters: g * k,
              filterHeight: r,
              filterWidth: s,
            }),
      ),
      (shape) => of(shape, isProduct ? 'product' : name),
    );
  });
};

/** Whether the vectors of a scheme are along filters, which NHWC has next to each other. */
const isAlongFilters = (scheme: Scheme): boolean => {
  const last = scheme.at(-1);
  if (last?.kind === 'Seq') return isAlongFilters(last.parts[0]!.scheme);
  return last?.kind === 'V' && (last.dimension === 'k' || last.dimension === 'i');
};

/** What is shown. */
interface Shown extends Problem {
  readonly scheme: Scheme;
  readonly plan: PlannedScheme['tree'];
  readonly volumes: Cost['accesses'];
  readonly code: readonly KernelCode[];
  readonly registers: number | undefined;
}

const shown = (text: string, options: SchemeCommandOptions): Diagnosed<Shown> => {
  const target = targetOf(options.target);
  return andThen(problemOf(text, options, target), (problem) => {
    const { shape, contraction } = problem;
    const lanes = lanesOf(target, contraction);
    return andThen(checkedScheme(text, contraction, { lanes }), (scheme) => {
      const { tree: plan } = planOfScheme(scheme, contraction);
      if (options.product !== undefined && isOpenPlan(plan)) {
        const message =
          'a matrix product has the dimensions i and j of its result, and k, which is summed over';
        return silenceable(error('scheme/shape', message, unknownLocation));
      }
      const caches = hierarchy(target.machine, { l1: 1, l2: 1, l3: 1 });
      return andThen(
        diagnosed(() => trafficOfPlan(slice(shape, { windows: 1, filters: 1 }), plan, caches)),
        ({ accesses: volumes }) =>
          success({
            ...problem,
            scheme,
            plan,
            volumes,
            code: kernelCode(plan, { lanes: lanes ?? 1 }),
            registers: target.machine.vector?.registers,
          }),
      );
    });
  });
};

const number = (value: number): string => Math.round(value).toLocaleString('en-US');

const codeText = (code: KernelCode, registers: number | undefined): string => {
  const { windows, filters, multiplyAdds, loads, broadcasts } = code;
  return (
    `  ${windows} windows x ${filters} filters: ${multiplyAdds} multiply-adds, ${loads} loads, ` +
    `${broadcasts} broadcasts; ${code.registers}${registers === undefined ? '' : ` of ${registers}`} registers\n`
  );
};

const textOf = ({ scheme, shape, plan, volumes, code, registers }: Shown, target: string): string =>
  [
    `${printScheme(scheme)}\n`,
    `${number(multiplyAdds(shape))} multiply-adds, on ${target}\n`,
    'loops:\n',
    printPlan(plan).replaceAll(/^(?=.)/gm, '  '),
    'innermost code, in vector instructions:\n',
    ...(code.length === 0 ? ['  scalar code\n'] : code.map((each) => codeText(each, registers))),
    'accesses, predicted: ',
    `${number(volumes.l1)} served by L1; lines: ${number(volumes.l2)} by L2, ${number(volumes.l3)} by L3, `,
    `${number(volumes.memory)} by memory\n`,
  ].join('');

/** Shows a scheme; returns the exit code. */
const execute = (given: string, options: SchemeCommandOptions, output: Console): number => {
  let source: SourceFile = { name: 'scheme', text: given };
  const read = given.endsWith('.scheme') ? readSource(given) : success(source);
  const result = andThen(read, (found) => {
    source = { name: 'scheme', text: found.text };
    return andThen(shown(source.text, options), (value) =>
      options.svg === undefined
        ? success(value)
        : andThen(writeFile(options.svg, drawTree(value.plan)), () => success(value)),
    );
  });
  reportAll(output, result.diagnostics, [source]);
  if (result.status !== 'success') return failed;
  const { scheme, plan, volumes, code } = result.value;
  output.out(
    options.json === true
      ? jsonDocument({ scheme: printScheme(scheme), specifiers: scheme, plan, volumes, code })
      : textOf(result.value, options.target),
  );
  return 0;
};

/** Counts and draws schemes; returns the exit code. */
const executeSpace = (options: SchemeCommandOptions & SpaceCommandOptions, output: Console): number => {
  const result = describeSpace(options, targetOf(options.target), options.target, options.layout);
  reportAll(output, result.diagnostics, []);
  if (result.status !== 'success') return failed;
  output.out(result.value);
  return 0;
};

/** The command `scheme TEXT`; reports its exit code to `onExit`. */
export const schemeCommand = (onExit: (code: number) => void, output: Console): Command => {
  const command = new Command('scheme')
    .description(
      'check an optimization scheme, as in [T(h,4), T(w,8), T(c,64), U(h,7), U(k,2), V(k,4)], and show its loops, ' +
        'its code and the volumes that it moves',
    )
    .argument('[scheme]', 'the scheme, or a file whose name ends in .scheme')
    .option(
      '--space <shape>',
      'instead of a scheme: count those of a convolution, or of a product IxJxK, and show some',
    )
    .option('--sample <n>', 'with --space: how many are shown', parseCount, 5)
    .addOption(
      nameOption(
        '--strategy <name>',
        'with --space: which are shown: drawn, or those that move least of 2,000 (volume), of the 40 % with the ' +
          'longest sums (paper)',
        'strategy',
        strategyNames,
      ).default('random'),
    )
    .option('--seed <n>', 'with --space: what is drawn', parseCount, 1)
    .option(
      '--shape <shape>',
      'the convolution, as for `sconv csa`; default: what the scheme covers, with stride 1',
    )
    .option('--product <IxJxK>', 'the matrix product, or PxIxJxK for several', parseProductOption)
    .addOption(
      nameOption(
        '--layout <name>',
        'how the operands of a convolution lie (default: so that vectors are contiguous)',
        'layout',
        layoutNames,
      ),
    )
    .addOption(
      nameOption('--target <name>', 'the machine whose vectors and caches count', 'target', [
        ...targetNames,
        'host',
      ]).default('wasm'),
    )
    .option('--json', 'one JSON document: the scheme, its plan as a tree, volumes and code')
    .option('--svg <file>', 'draw the loops');
  command.action((scheme: string | undefined, options: SchemeCommandOptions) => {
    if ((scheme === undefined) === (options.space === undefined))
      command.error('error: give a scheme, or --space with a shape', { exitCode: badUsage });
    if (scheme === undefined) {
      if (options.product !== undefined || options.svg !== undefined)
        command.error('error: --space says what it is of, and has no picture', { exitCode: badUsage });
      onExit(executeSpace(options as SchemeCommandOptions & SpaceCommandOptions, output));
      return;
    }
    if (options.product !== undefined && (options.shape ?? options.layout) !== undefined) {
      command.error('error: --product cannot be given with --shape or --layout, which are of a convolution', {
        exitCode: badUsage,
      });
    }
    onExit(execute(scheme, options, output));
  });
  return command;
};
