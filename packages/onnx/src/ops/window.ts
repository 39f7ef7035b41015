/** Windows of convolutions and poolings: strides, dilations and padding, per spatial dimension. */
import type { OnnxNode } from '../node.ts';
import { invalid } from '../problem.ts';

/** How windows lie in an input; a number per spatial dimension. */
export interface Windows {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** Padding before and after, as the model asks for it. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Windows, which with `ceil_mode` may reach beyond the padding. */
  readonly outputs: readonly number[];
  /** How much further than the padding the last windows reach. */
  readonly beyond: readonly number[];
}

/** The windows of a node over an input with these spatial sizes. */
export const windowsOf = (node: OnnxNode, sizes: readonly number[], kernel: readonly number[]): Windows => {
  const rank = sizes.length;
  const perDimension = (name: string, otherwise: number, length = rank): readonly number[] => {
    const given = node.ints(name) ?? Array.from({ length }, () => otherwise);
    if (given.length !== length) invalid(`has ${given.length} ${name} for ${rank} spatial dimensions`);
    return given;
  };
  const [strides, dilations] = [perDimension('strides', 1), perDimension('dilations', 1)];
  const pads = perDimension('pads', 0, 2 * rank);
  if (kernel.length !== rank) invalid(`has a kernel of ${kernel.length} for ${rank} spatial dimensions`);
  if ([...strides, ...dilations, ...kernel].some((size) => size < 1))
    invalid(`has kernel ${kernel.join('x')}, strides ${strides.join('x')}, dilations ${dilations.join('x')}`);
  if (pads.some((size) => size < 0)) invalid(`has negative pads ${pads.join(', ')}`);
  const autoPad = node.text('auto_pad', 'NOTSET');
  const isCeiling = node.flag('ceil_mode');
  const each = sizes.map((size, i) => {
    const reach = (kernel[i]! - 1) * dilations[i]! + 1;
    const stride = strides[i]!;
    const [before, after] = padding(autoPad, size, reach, stride, pads[i]!, pads[i + rank]!);
    const steps = (before + size + after - reach) / stride;
    let outputs = (isCeiling ? Math.ceil(steps) : Math.floor(steps)) + 1;
    // A window that would begin in the padding after the input is left out.
    if (isCeiling && (outputs - 1) * stride >= size + before) outputs -= 1;
    if (outputs < 1) invalid(`has windows of ${reach} in an input of ${before}+${size}+${after}`);
    const beyond = Math.max(0, (outputs - 1) * stride + reach - (before + size + after));
    return { before, after, outputs, beyond };
  });
  return {
    kernel,
    strides,
    dilations,
    before: each.map(({ before }) => before),
    after: each.map(({ after }) => after),
    outputs: each.map(({ outputs }) => outputs),
    beyond: each.map(({ beyond }) => beyond),
  };
};

const padding = (
  autoPad: string,
  size: number,
  reach: number,
  stride: number,
  before: number,
  after: number,
): readonly [number, number] => {
  if (autoPad === 'NOTSET' || autoPad === '') return [before, after];
  if (autoPad === 'VALID') return [0, 0];
  if (autoPad !== 'SAME_UPPER' && autoPad !== 'SAME_LOWER') return invalid(`has auto_pad '${autoPad}'`);
  const total = Math.max(0, (Math.ceil(size / stride) - 1) * stride + reach - size);
  const less = Math.floor(total / 2);
  return autoPad === 'SAME_UPPER' ? [less, total - less] : [total - less, less];
};

/** Windows with one more spatial dimension in front, of size 1: for what has one only. */
export const withUnitDimension = (windows: Windows): Windows => ({
  kernel: [1, ...windows.kernel],
  strides: [1, ...windows.strides],
  dilations: [1, ...windows.dilations],
  before: [0, ...windows.before],
  after: [0, ...windows.after],
  outputs: [1, ...windows.outputs],
  beyond: [0, ...windows.beyond],
});
