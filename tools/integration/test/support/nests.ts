/** Plans and generated IR in a common notation, for comparison: loops, packings and leaves, one per line. */
import type { ConvolutionShape } from '@sconv/csa';
import type { ConvolutionDimension, Extents, Plan } from '@sconv/plans';
import { foldPlan, planExtents } from '@sconv/plans';
import { structuredViews } from '@sconv/dialects/linalg';
import type { Id, Module, Operation, TensorType } from '@sconv/ir';
import { bodyOf, children, walk } from '@sconv/ir';

/** The nests that a plan describes. */
export const nestsOfPlan = (plan: Plan, { filterHeight, filterWidth }: ConvolutionShape): string =>
  foldPlan<ConvolutionDimension, (extents: Extents, indent: string) => string>(plan, {
    split:
      ({ dimension, parts }, bodies) =>
      (extents, indent) =>
        bodies.map((body, i) => body({ ...extents, [dimension]: parts[i]!.size }, indent)).join(''),
    loop:
      ({ dimension, step, count }, body) =>
      (extents, indent) =>
        `${indent}loop ${count} x ${step}\n${body({ ...extents, [dimension]: step }, `${indent}  `)}`,
    pack:
      ({ operand, tiles }, body) =>
      (extents, indent) => {
        const isInput = operand === 'input';
        const width = (isInput ? extents.windows : extents.filters) / tiles;
        const elements = tiles * extents.channels * filterHeight * filterWidth * width;
        return `${indent}pack ${elements} in tiles of ${width}\n${body(extents, indent)}`;
      },
    kernel:
      ({ extents: { windows, filters, channels } }) =>
      (_, indent) =>
        `${indent}kernel ${filters} x ${windows} x ${channels * filterHeight * filterWidth}\n`,
    scalar:
      ({ extents: { batch, filters, windows, channels } }) =>
      (_, indent) =>
        `${indent}scalar ${[batch, filters, windows, channels, filterHeight, filterWidth].join(' x ')}\n`,
  })(planExtents(plan), '');

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
    if (!('microkernel' in operation.attributes)) return `${indent}scalar ${loopRanges.join(' x ')}\n`;
    return `${indent}kernel ${loopRanges.slice(1).join(' x ')}\n`;
  };
  return lines(bodyOf(only!).operations, '');
};
