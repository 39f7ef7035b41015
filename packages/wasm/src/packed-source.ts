/** What a packing is computed from. */
import type { Operation, Registry, Value } from '@sconv/ir';
import { effectsOf, operationsIn } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';
import type { PackingLoop } from './packing-loops.ts';

/** The position of an argument, or constants alone. */
export type Source = number | 'constants';

/** What the packings of a function may read. */
export interface Readable {
  readonly registry: Registry;
  readonly uses: Uses;
  /** The position of an argument that the function only reads; undefined for any other value. */
  readonly positionOf: (value: Value) => number | undefined;
  /** Names of the globals whose values stay. */
  readonly constants: ReadonlySet<string>;
}

/** What a packing depends on. */
interface PackedSource<Loop extends PackingLoop> {
  readonly source: Source;
  /** Those of the nest around, outermost first. */
  readonly loops: readonly Loop[];
}

/** What a packing reads; undefined if it depends on anything but counters and one argument or constants. */
export const packedSource = <Loop extends PackingLoop>(
  { registry, uses, positionOf, constants }: Readable,
  packing: Operation,
  nest: readonly Loop[],
): PackedSource<Loop> | undefined => {
  const sources = new Set<Source>();
  /** What the packing depends on and what its body defines. */
  const known = new Set(packing.operands.map(({ id }) => id));
  const isConstant = ({ attributes: { name } }: Operation): boolean =>
    name?.kind === 'symbol-ref' && constants.has(name.root);
  /** Whether a value is the same in every call, if counters and sources are. */
  const isFixed = (value: Value): boolean => {
    if (known.has(value.id)) return true;
    known.add(value.id);
    const definition = uses.definitions.get(value.id);
    if (definition === undefined) {
      if (nest.some(({ counter }) => counter.id === value.id)) return true;
      const position = positionOf(value);
      if (position !== undefined) sources.add(position);
      return position !== undefined;
    }
    if (definition.regions.length > 0) return false;
    if (definition.name !== 'memref.get_global')
      return effectsOf(registry, definition)?.length === 0 && definition.operands.every(isFixed);
    sources.add('constants');
    return isConstant(definition);
  };
  for (const operation of operationsIn(packing)) {
    if (!operation.operands.every(isFixed)) return undefined;
    for (const { id } of operation.results) known.add(id);
    for (const { blocks } of operation.regions)
      for (const block of blocks) for (const { id } of block.arguments) known.add(id);
  }
  const [source, ...more] = sources;
  if (source === undefined || more.length > 0) return undefined;
  return { source, loops: nest.filter(({ counter }) => known.has(counter.id)) };
};
