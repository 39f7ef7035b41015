/** The two families of dimensions: a plan is over windows, or over rows, columns and taps. */
import type { Contraction } from './contraction.ts';
import type { PackedOperand } from './plan.ts';

/** The dimensions of a family, and what depends on them. */
export interface Family {
  readonly dimensions: readonly string[];
  /** Those of the input and the output. */
  readonly windows: readonly string[];
  readonly reduced: readonly string[];
  /** The dimensions that the elements of an operand depend on. */
  readonly dimensionsOf: Readonly<Record<PackedOperand, readonly string[]>>;
}

/** Rows and columns are fused, and filter taps whole. */
export const fused: Family = {
  dimensions: ['batch', 'group', 'channels', 'windows', 'filters'],
  windows: ['windows'],
  reduced: ['channels'],
  dimensionsOf: {
    input: ['batch', 'group', 'channels', 'windows'],
    filters: ['group', 'channels', 'filters'],
  },
};

/** Rows, columns and taps are apart. */
export const open: Family = {
  dimensions: ['batch', 'group', 'channels', 'rows', 'columns', 'filters', 'tapRows', 'tapColumns'],
  windows: ['rows', 'columns'],
  reduced: ['channels', 'tapRows', 'tapColumns'],
  dimensionsOf: {
    input: ['batch', 'group', 'channels', 'rows', 'columns', 'tapRows', 'tapColumns'],
    filters: ['group', 'channels', 'filters', 'tapRows', 'tapColumns'],
  },
};

/** The dimension that a packed operand is tiled along. */
export const tileDimension = { input: 'windows', filters: 'filters' } as const;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The family of a plan from any source, by its first leaf; windows where that says nothing. */
export const familyOf = (plan: unknown): Family => {
  let at = plan;
  while (isRecord(at) && !isRecord(at['extents'])) {
    const { body, parts } = at;
    at = Array.isArray(parts) && isRecord(parts[0]) ? parts[0]['body'] : body;
  }
  const extents = isRecord(at) && isRecord(at['extents']) ? at['extents'] : {};
  return 'windows' in extents || !open.windows.some((name) => name in extents) ? fused : open;
};

/** The whole iteration space of a contraction, by the dimensions of a family. */
export const extentsIn = (
  { dimensions: of }: Family,
  { dimensions }: Contraction,
): Readonly<Record<string, number>> => {
  const known = new Map(dimensions.map(({ name, extent }) => [name, extent]));
  known.set('windows', (known.get('rows') ?? 1) * (known.get('columns') ?? 1));
  return Object.fromEntries(of.map((name) => [name, known.get(name) ?? 1]));
};
