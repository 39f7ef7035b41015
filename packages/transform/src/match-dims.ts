/** Positions that `TransformMatchDims` names: `[0, -1]`, `[all]`, `[except(0)]`. */

/** How the list is meant. */
interface DimsFlags {
  readonly isInverted: boolean;
  readonly isAll: boolean;
}

/** What is wrong with them. */
export function* dimsErrors(list: readonly number[], { isInverted, isAll }: DimsFlags): Generator<string> {
  if (isAll && isInverted) yield "cannot request both 'all' and 'inverted' values in the list";
  else if (isAll && list.length > 0) yield "cannot both request 'all' and specific values in the list";
  else if (!isAll && list.length === 0)
    yield "must request specific values in the list if 'all' is not specified";
  else if (new Set(list).size !== list.length) yield 'expected the listed values to be unique';
}
