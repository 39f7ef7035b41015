/** Splits the operands and results of an operation into the declared groups. */
import type { Attribute } from './attribute.ts';
import type { Value } from './operation.ts';
import type { ValueSpec } from './op-spec.ts';

export type NamedValueSpec = ValueSpec & { readonly name: string };

/** The number of groups that are not a single value. */
const openGroups = (specs: readonly ValueSpec[]): number => {
  let open = 0;
  for (const { arity } of specs) if (arity !== 'one') open += 1;
  return open;
};

/** Whether the number of values alone does not determine the groups. */
export const needsSegments = (specs: readonly ValueSpec[]): boolean =>
  openGroups(specs) > 1 && specs.some((spec) => spec.arity !== 'one' && spec.equalSize !== true);

/** The size of each group, from the segment attribute or the total; undefined if they do not match. */
export const groupSizes = (
  specs: readonly ValueSpec[],
  total: number,
  segments: Attribute | undefined,
): readonly number[] | undefined => {
  if (needsSegments(specs)) {
    if (segments?.kind !== 'dense-array' || segments.values.length !== specs.length) return undefined;
    const sizes = segments.values.map(Number);
    const fits = specs.every((spec, i) => {
      const size = sizes[i] ?? -1;
      return spec.arity === 'variadic'
        ? size >= 0
        : spec.arity === 'optional'
          ? size === 0 || size === 1
          : size === 1;
    });
    return fits && sizes.reduce((sum, size) => sum + size, 0) === total ? sizes : undefined;
  }
  const open = openGroups(specs);
  const rest = total - (specs.length - open);
  const share = open === 0 ? 0 : rest / open;
  if (rest < 0 || !Number.isInteger(share) || (open === 0 && rest > 0)) return undefined;
  if (share > 1 && specs.some((spec) => spec.arity === 'optional')) return undefined;
  return specs.map((spec) => (spec.arity === 'one' ? 1 : share));
};

/** `values.slice(start, end)` in a loop: V8 takes ten times as long to slice a frozen list. */
export const valuesBetween = (values: readonly Value[], start: number, end = values.length): Value[] => {
  const between: Value[] = [];
  const last = Math.min(end, values.length);
  for (let i = Math.max(start, 0); i < last; i += 1) between.push(values[i]!);
  return between;
};

/** The values of each group by name; throws if they do not match. */
export const groupsByName = (
  specs: readonly NamedValueSpec[],
  values: readonly Value[],
  segments: Attribute | undefined,
  what: string,
): Record<string, Value | readonly Value[] | undefined> => {
  const byName: Record<string, Value | readonly Value[] | undefined> = {};
  if (specs.length === values.length && openGroups(specs) === 0) {
    for (let i = 0; i < specs.length; i += 1) byName[specs[i]!.name] = values[i];
    return byName;
  }
  const sizes = groupSizes(specs, values.length, segments);
  if (sizes === undefined) throw new Error(`${what} do not fit their declaration`);
  let next = 0;
  specs.forEach((spec, i) => {
    const end = next + (sizes[i] ?? 0);
    byName[spec.name] =
      spec.arity === 'variadic' ? valuesBetween(values, next, end) : next < end ? values[next] : undefined;
    next = end;
  });
  return byName;
};
