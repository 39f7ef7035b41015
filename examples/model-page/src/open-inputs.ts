/** The inputs of a model whose sizes are open, and sensible sizes for them. */
import type { OnnxModel } from '@sconv/onnx';

/** A size, or the name of one that is open. */
export type Size = number | string;

/** An input that leaves sizes open. */
export interface OpenInput {
  readonly name: string;
  readonly sizes: readonly Size[];
  /** With a number for each of those that are open. */
  readonly proposal: readonly number[];
}

/** The inputs of a model, those that are weights aside, that leave sizes open; an input without a shape is none. */
export const openInputs = ({ graph }: OnnxModel): readonly OpenInput[] => {
  const weights = new Set(graph?.initializer.map(({ name }) => name));
  return (graph?.input ?? []).flatMap(({ name, type }): readonly OpenInput[] => {
    const dimensions = type?.tensorType?.shape?.dim ?? [];
    const sizes = dimensions.map(({ value }): Size => {
      if (value.case === 'dimParam') return value.value;
      return value.case === 'dimValue' && value.value >= 0n ? Number(value.value) : '?';
    });
    const isOpen = sizes.some((size) => typeof size === 'string');
    return weights.has(name) || !isOpen ? [] : [{ name, sizes, proposal: proposalFor(sizes) }];
  });
};

/** One image of 224 by 224 with three channels, or 128 of what is in a row. */
const proposalFor = (sizes: readonly Size[]): readonly number[] => {
  const channelsLast = sizes.length === 4 && typeof sizes[3] === 'number' && sizes[3] <= 4;
  const image = channelsLast ? [1, 224, 224, 3] : [1, 3, 224, 224];
  return sizes.map((size, i) => {
    if (typeof size === 'number') return size;
    if (sizes.length === 4) return image[i]!;
    return i === 0 && sizes.length > 1 ? 1 : 128;
  });
};
