/** How much code the microkernels of a plan are. */
import type { AnyPlan, KernelNode, RegisterPart } from '@sconv/plans';
import { isOpenPlan, planPaths } from '@sconv/plans';
import { lettersOfFamily } from './dimensions.ts';

/** The body of a microkernel's innermost loop, unrolled, in vector instructions; a `multiplyAdd` may be two of them. */
export interface KernelCode {
  /** Results of the tile, as windows x filters. */
  readonly windows: number;
  readonly filters: number;
  /** Steps of the loops that sum up, of which each is code of its own. */
  readonly unrolled: number;
  readonly multiplyAdds: number;
  /** Loads of vectors of one operand, and elements of the other that are broadcast. */
  readonly loads: number;
  readonly broadcasts: number;
  /** Vectors that are live at once: the sums, what is loaded for them, and one that is broadcast. */
  readonly registers: number;
}

/** The code of each microkernel of a plan, where vectors have so many elements; equal ones once. */
export const kernelCode = (plan: AnyPlan, { lanes }: { readonly lanes: number }): readonly KernelCode[] => {
  const { family } = lettersOfFamily(isOpenPlan(plan));
  const codes = planPaths<string>(plan).flatMap(({ leaf }): readonly KernelCode[] => {
    if (leaf.kind === 'scalar') return [];
    const { extents, unroll = {} } = leaf;
    const windows = family.windows.reduce((all, name) => all * extents[name]!, 1);
    const whole = { firstWindow: 0, windows, firstFilter: 0, filters: extents['filters']! };
    const unrolled = Object.values(unroll).reduce<number>((all, factor) => all * (factor ?? 1), 1);
    return (leaf.tiles ?? [whole]).map((tile) => codeOf(leaf, tile, unrolled, lanes));
  });
  return [...new Map(codes.map((code) => [JSON.stringify(code), code])).values()];
};

const codeOf = (
  { lanes: along, extents }: KernelNode<string>,
  { windows, filters }: RegisterPart,
  unrolled: number,
  lanes: number,
): KernelCode => {
  const [ofLanes, others] = along === 'filters' ? [filters, windows] : [windows, filters];
  // Vectors end where a row does.
  const row = Math.min(extents[along]!, ofLanes);
  const vectors = Math.ceil(row / lanes) * Math.ceil(ofLanes / row);
  return {
    windows,
    filters,
    unrolled,
    multiplyAdds: unrolled * vectors * others,
    loads: unrolled * vectors,
    broadcasts: unrolled * others,
    registers: vectors * others + vectors + 1,
  };
};
