/** Plans and generated IR in a common notation, for comparison: loops, packings and leaves, one per line. */
import type { ConvolutionShape } from '@sconv/csa';
import type { AnyPlan, Extents, PackedOperand } from '@sconv/plans';
import { foldPlan, planExtents } from '@sconv/plans';
import { structuredViews } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, TensorType } from '@sconv/ir';
import { bodyOf, children, walk } from '@sconv/ir';

/** Where a node stands: what is covered there, and packed around it. */
interface Place {
  readonly extents: Extents<string>;
  readonly packed: readonly PackedOperand[];
}

/** The nests that a plan describes, of a convolution whose output has contiguous windows, or filters. */
export const nestsOfPlan = (
  plan: AnyPlan,
  { filterHeight, filterWidth }: Pick<ConvolutionShape, 'filterHeight' | 'filterWidth'>,
  isChannelsLast = false,
): string => {
  /** Of these extents, in the order of the generated op; whole taps where the plan has none. */
  const ranges = (extents: Extents<string>): readonly number[] =>
    ['batch', 'filters', 'windows', 'rows', 'columns', 'channels']
      .flatMap((name) => extents[name] ?? [])
      .concat(extents['tapRows'] ?? filterHeight, extents['tapColumns'] ?? filterWidth);
  const product = (numbers: readonly number[]): number => numbers.reduce((all, each) => all * each, 1);
  return foldPlan<string, (place: Place, indent: string) => string>(plan, {
    split:
      ({ dimension, parts }, bodies) =>
      ({ extents, packed }, indent) =>
        bodies
          .map((body, i) => body({ extents: { ...extents, [dimension]: parts[i]!.size }, packed }, indent))
          .join(''),
    loop:
      ({ dimension, step, count }, body) =>
      ({ extents, packed }, indent) =>
        `${indent}loop ${count} x ${step}\n` +
        body({ extents: { ...extents, [dimension]: step }, packed }, `${indent}  `),
    pack:
      ({ operand, tiles }, body) =>
      ({ extents, packed }, indent) => {
        const one = operand === 'input' ? { filters: 1 } : { windows: 1, rows: 1, columns: 1 };
        const own = { ...extents, batch: 1, ...one };
        const elements = product(ranges(own));
        const width =
          operand === 'filters' ? extents['filters']! : (extents['windows'] ?? extents['columns']!);
        return (
          `${indent}pack ${elements} in tiles of ${width / tiles}\n` +
          body({ extents, packed: [...packed, operand] }, indent)
        );
      },
    kernel:
      ({ extents, unroll, tiles }) =>
      ({ packed }, indent) => {
        const [filters, windows, ...reduced] = ranges(extents).slice(1);
        const isPlain =
          packed.length === 2 && 'windows' in extents && unroll === undefined && tiles === undefined;
        if (!isPlain) return `${indent}kernel of its own ${ranges(extents).slice(1).join(' x ')}\n`;
        // The two have changed places where lanes are filters.
        const sides = isChannelsLast ? [windows!, filters!] : [filters!, windows!];
        return `${indent}kernel ${[...sides, product(reduced)].join(' x ')}\n`;
      },
    scalar:
      ({ extents }) =>
      (_, indent) =>
        `${indent}scalar ${ranges(extents).join(' x ')}\n`,
  })({ extents: planExtents<string>(plan), packed: [] }, '');
};

/** The nests in the only function of a module. */
export const nestsOfModule = (module: Module): string => {
  const [only] = children(module.root);
  const constants = new Map<Id, number>();
  for (const { name, attributes, results } of walk(only!)) {
    const { value } = attributes;
    if (name === 'arith.constant' && value?.kind === 'integer')
      constants.set(results[0]!.id, Number(value.value));
  }
  const lines = (operations: readonly Operation[], indent: string): string =>
    operations.map((operation) => line(operation, indent)).join('');
  const line = (operation: Operation, indent: string): string => {
    if (operation.name === 'scf.for') {
      const [from, to, step] = operation.operands.slice(0, 3).map(({ id }) => constants.get(id)!);
      return `${indent}loop ${(to! - from!) / step!} x ${step!}\n${lines(bodyOf(operation).operations, `${indent}  `)}`;
    }
    const view = structuredViews.get(operation.name)?.(operation);
    if (view === undefined) return '';
    const { inputs, outputs, loopRanges } = view;
    if (inputs.length === 0) {
      const { shape } = outputs[0]!.type as TensorType;
      const elements = shape.reduce((product, size) => product * size, 1);
      return `${indent}pack ${elements} in tiles of ${shape.at(-1)!}\n`;
    }
    const ranges = loopRanges.slice(1).join(' x ');
    if ('sconv.kernel' in operation.attributes) return `${indent}kernel of its own ${ranges}\n`;
    if (!('microkernel' in operation.attributes)) return `${indent}scalar ${loopRanges.join(' x ')}\n`;
    return `${indent}kernel ${ranges}\n`;
  };
  return lines(bodyOf(only!).operations, '');
};
