/** The inputs of a packing, or of a call that packs. */
import type { CountedLoop } from '@sconv/dialects';
import type { Id, Operation, Registry, Value } from '@sconv/ir';
import { effectsOf } from '@sconv/ir';
import type { Uses } from './buffer-uses.ts';

/** An argument's position, or constants only. */
export type Source = number | 'constants';

/** What a function's packings may read. */
export interface Readable {
  readonly registry: Registry;
  readonly uses: Uses;
  /** The position of a read-only argument; undefined for any other value. */
  readonly positionOf: (value: Value) => number | undefined;
  /** Names of the globals that never change. */
  readonly constants: ReadonlySet<string>;
}

/** What a packing depends on. */
interface PackedSource<Loop extends CountedLoop> {
  readonly source: Source;
  /** The loops of the enclosing nest, outermost first. */
  readonly loops: readonly Loop[];
}

/** What values are made of; undefined if they depend on anything besides counters and one argument or constants. */
export const packedSource = <Loop extends CountedLoop>(
  { registry, uses, positionOf, constants }: Readable,
  values: readonly Value[],
  nest: readonly Loop[],
): PackedSource<Loop> | undefined => {
  const sources = new Set<Source>();
  const known = new Set<Id>();
  const isConstant = ({ attributes: { name } }: Operation): boolean =>
    name?.kind === 'symbol-ref' && constants.has(name.root);
  /** Whether a value is the same in every call, given the counters and sources. */
  const isFixed = (value: Value): boolean => {
    if (known.has(value.id)) return true;
    known.add(value.id);
    const definition = uses.definitions.get(value.id);
    if (definition === undefined) {
      if (nest.some(({ variable }) => variable.id === value.id)) return true;
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
  if (!values.every(isFixed)) return undefined;
  const [source, ...more] = sources;
  if (source === undefined || more.length > 0) return undefined;
  return { source, loops: nest.filter(({ variable }) => known.has(variable.id)) };
};
