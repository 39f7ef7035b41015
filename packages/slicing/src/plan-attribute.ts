/**
 * Plans as attributes. An operation that is planned carries its plan as the discardable attribute `sconv.plan`; the
 * names are chosen so that a node reads from left to right where attributes are sorted:
 *
 *     {along = "windows", parts = [{of = 24, then = …}, {of = 6, then = …}]}
 *     {count = 4, loop = "windows", of = 16, then = …}
 *     {count = 2, pack = "input", then = …}
 *     {count = 1, pack = "filters", padded = 32, then = …}
 *     {kernel = {batch = 1, channels = 32, …}, lanes = "windows"}
 *     {kernel = {…}, lanes = "windows", tiles = [[0, 8, 0, 4], …], unroll = {channels = 2}}
 *     {scalar = {batch = 1, channels = 32, …}}
 */
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { error, silenceable, success } from '@sconv/diagnostics';
import type { Attribute, Attributes, DictionaryAttribute } from '@sconv/ir';
import { arrayAttribute, dictionaryAttribute, i64, integerAttribute, stringAttribute } from '@sconv/ir';
import type { AnyPlan, KernelNode } from '@sconv/plans';
import { foldPlan, planProblems } from '@sconv/plans';

const number = (value: number): Attribute => integerAttribute(value, i64);

const extentsAttribute = (extents: Readonly<Record<string, number | undefined>>): Attribute =>
  dictionaryAttribute(
    Object.fromEntries(Object.entries(extents).map(([name, size]) => [name, number(size!)])),
  );

/** What a kernel decides: the attribute `sconv.kernel` of its code, and a part of its plan's. */
export const kernelAttribute = ({ lanes, unroll, tiles }: KernelNode<string>): DictionaryAttribute =>
  dictionaryAttribute({
    lanes: stringAttribute(lanes),
    ...(unroll && { unroll: extentsAttribute(unroll) }),
    ...(tiles && {
      tiles: arrayAttribute(
        tiles.map(({ firstWindow, windows, firstFilter, filters }) =>
          arrayAttribute([firstWindow, windows, firstFilter, filters].map(number)),
        ),
      ),
    }),
  });

/** A plan as an attribute. */
export const planAttribute = (plan: AnyPlan): DictionaryAttribute =>
  foldPlan<string, DictionaryAttribute>(plan, {
    split: ({ dimension, parts }, bodies) =>
      dictionaryAttribute({
        along: stringAttribute(dimension),
        parts: arrayAttribute(
          bodies.map((then, i) => dictionaryAttribute({ of: number(parts[i]!.size), then })),
        ),
      }),
    loop: ({ dimension, step, count }, then) =>
      dictionaryAttribute({
        count: number(count),
        loop: stringAttribute(dimension),
        of: number(step),
        then,
      }),
    pack: ({ operand, tiles, padded }, then) =>
      dictionaryAttribute({
        count: number(tiles),
        pack: stringAttribute(operand),
        ...(padded !== undefined && { padded: number(padded) }),
        then,
      }),
    kernel: (node) =>
      dictionaryAttribute({ kernel: extentsAttribute(node.extents), ...kernelAttribute(node).entries }),
    scalar: ({ extents }) => dictionaryAttribute({ scalar: extentsAttribute(extents) }),
  });

/** The failure of `planOfAttribute`. */
export const planAttributeFailures = {
  'sconv/plan': { mode: 'silenceable', when: '`sconv.plan` of a target is no consistent plan' },
} as const;

/** The plan that an attribute stands for; fails with `sconv/plan` at the first node that is none or does not fit. */
export const planOfAttribute = (attribute: Attribute, location: Location): Diagnosed<AnyPlan> => {
  const plan = nodeOf(attribute) as AnyPlan;
  const [problem] = planProblems(plan);
  if (problem === undefined) return success(plan);
  return silenceable(error('sconv/plan', `${problem.path}: ${problem.message}`, location));
};

/** A node as plain data, unchecked: what is none is left as it is, for `planProblems` to name. */
const nodeOf = (attribute: Attribute | undefined): unknown => {
  if (attribute?.kind !== 'dictionary') return valueOf(attribute);
  const { along, parts, loop, pack, padded, kernel, lanes, scalar, count, of, then, unroll, tiles } =
    attribute.entries;
  if (along !== undefined) {
    return {
      kind: 'split',
      dimension: valueOf(along),
      parts:
        parts?.kind === 'array'
          ? parts.elements.map((part) => {
              const entries: Attributes = part.kind === 'dictionary' ? part.entries : {};
              return { size: valueOf(entries['of']), body: nodeOf(entries['then']) };
            })
          : valueOf(parts),
    };
  }
  if (loop !== undefined) {
    const own = { dimension: valueOf(loop), step: valueOf(of), count: valueOf(count) };
    return { kind: 'loop', ...own, body: nodeOf(then) };
  }
  if (pack !== undefined)
    return {
      kind: 'pack',
      operand: valueOf(pack),
      tiles: valueOf(count),
      // What is no number is not left out: it is no padding.
      ...(padded && { padded: valueOf(padded) ?? null }),
      body: nodeOf(then),
    };
  if (kernel !== undefined) {
    return {
      kind: 'kernel',
      lanes: valueOf(lanes),
      extents: extentsOf(kernel),
      ...(unroll && { unroll: extentsOf(unroll) }),
      ...(tiles && { tiles: tiles.kind === 'array' ? tiles.elements.map(partOf) : valueOf(tiles) }),
    };
  }
  if (scalar !== undefined) return { kind: 'scalar', extents: extentsOf(scalar) };
  return valueOf(attribute);
};

const extentsOf = (attribute: Attribute): unknown =>
  attribute.kind === 'dictionary'
    ? Object.fromEntries(Object.entries(attribute.entries).map(([name, size]) => [name, valueOf(size)]))
    : valueOf(attribute);

const partOf = (attribute: Attribute): unknown => {
  if (attribute.kind !== 'array' || attribute.elements.length !== 4) return valueOf(attribute);
  const [firstWindow, windows, firstFilter, filters] = attribute.elements.map(valueOf);
  return { firstWindow, windows, firstFilter, filters };
};

/** The host value of a number or a string; another attribute is no part of a plan, whatever it holds. */
const valueOf = (attribute: Attribute | undefined): unknown => {
  if (attribute?.kind === 'string') return attribute.value;
  return attribute?.kind === 'integer' ? Number(attribute.value) : attribute && undefined;
};
