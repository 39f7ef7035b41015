/** Tiles of a convolution: SC §4.1, Eqs. 1-3, for one group of one image. */

import { describeValue } from '@sconv/diagnostics';
import { cacheNames, lineBytes, type Cache, type CacheName, type Machine } from '@sconv/targets';
import { CsaError, expectRecord } from './errors.ts';
import type { CacheGeometry } from './reuse.ts';
import type { ConvolutionShape } from './shape.ts';

/**
 * Input stationary or weight stationary: which operand's tile stays in L1 while the other's tiles stream past. SC §4.1
 * calls it the scheduling.
 */
export type Dataflow = 'is' | 'ws';

/** Nwin and Nf of the microkernel. */
export interface MicrokernelShape {
  readonly windows: number;
  readonly filters: number;
  /** The vectorized dimension, as in the descriptor of a microkernel; default `windows`. */
  readonly vectorized?: 'windows' | 'filters' | 'both';
  /**
   * k steps per call, if not those of the target's measured speeds; only `planForTarget` reads it. Among a target's
   * other microkernels such a tile serves only outputs that it holds whole.
   */
  readonly steps?: number;
}

/** The dimension of a microkernel whose elements are the lanes of vectors. */
export const lanesAlong = ({ vectorized }: MicrokernelShape): 'windows' | 'filters' =>
  vectorized === 'filters' ? 'filters' : 'windows';

/** A microkernel without what a plan does not depend on. */
export const microkernelShapeOf = (microkernel: MicrokernelShape): MicrokernelShape => {
  expectRecord('microkernel', microkernel);
  const { windows, filters } = microkernel;
  return lanesAlong(microkernel) === 'windows'
    ? { windows, filters }
    : { windows, filters, vectorized: 'filters' };
};

/** One group of one image of a convolution, and the microkernel that tiles it. */
export interface SlicedConvolution {
  readonly shape: ConvolutionShape;
  readonly microkernel: MicrokernelShape;
  /** Input channels per group. */
  readonly channels: number;
  /** Filters per group. */
  readonly filters: number;
  /** Output pixels, OH·OW: one window each. */
  readonly windows: number;
  /** Filter taps, FH·FW. */
  readonly taps: number;
  readonly elementBytes: number;
  /** Full tiles (Eq. 3): #IN window tiles, #FS filter tiles. 0: the convolution is smaller than the tile. */
  readonly tiles: { readonly windows: number; readonly filters: number };
  /** Windows and filters beyond the last full tile. */
  readonly edges: { readonly windows: number; readonly filters: number };
  /** How many such slices there are: batch · groups. */
  readonly repetitions: number;
}

const positive = (field: string, value: number): number => {
  if (Number.isInteger(value) && value > 0 && value <= 2 ** 20) return value;
  throw new CsaError('csa/not-positive', field, `must be a positive integer up to 2^20, not ${value}`);
};

/** Eq. 3 (SC §4.1), plus the remainders that it omits. */
export const slice = (shape: ConvolutionShape, microkernel: MicrokernelShape): SlicedConvolution => {
  expectRecord('shape', shape);
  expectRecord('microkernel', microkernel);
  const { windows: tileWindows, filters: tileFilters } = microkernel;
  positive('microkernel.windows', tileWindows);
  positive('microkernel.filters', tileFilters);
  const filters = shape.filters / shape.groups;
  const windows = shape.outputHeight * shape.outputWidth;
  return {
    shape,
    microkernel,
    channels: shape.inputChannels / shape.groups,
    filters,
    windows,
    taps: shape.filterHeight * shape.filterWidth,
    elementBytes: shape.elementBytes,
    tiles: { windows: Math.floor(windows / tileWindows), filters: Math.floor(filters / tileFilters) },
    edges: { windows: windows % tileWindows, filters: filters % tileFilters },
    repetitions: shape.batch * shape.groups,
  };
};

/** Bytes of one tile of each operand. */
export interface TileBytes {
  readonly input: number;
  readonly filters: number;
  readonly output: number;
}

/** Eq. 1 (SC §4.1): |IN^T|, |FS^T| and |OUT^T| at `nc` channels. */
export const tileBytes = (sliced: SlicedConvolution, nc: number): TileBytes => {
  expectRecord('sliced', sliced, 'microkernel');
  if (typeof nc !== 'number')
    throw new CsaError('csa/not-positive', 'nc', `expected a number of channels, not ${describeValue(nc)}`);
  const { microkernel, taps, elementBytes } = sliced;
  return {
    input: microkernel.windows * nc * taps * elementBytes,
    filters: microkernel.filters * nc * taps * elementBytes,
    output: microkernel.windows * microkernel.filters * elementBytes,
  };
};

/** The sizes that the analysis chooses. */
export interface Tiling {
  readonly schedule: Dataflow;
  /** Channels of a tile. */
  readonly nc: number;
  /** Tiles of the moving operand that stay in L2: filter tiles for IS, window tiles for WS. */
  readonly k2: number;
  /** Tiles of the stationary operand that stay in L3: window tiles for IS, filter tiles for WS. */
  readonly k3: number;
}

/** The two operands by role: the equations are for IS; WS swaps the operands. */
export interface Roles {
  /** The operand that stays in L1: number of tiles, bytes per tile. */
  readonly stationary: { readonly tiles: number; readonly bytes: number };
  /** The operand that streams past. */
  readonly moving: { readonly tiles: number; readonly bytes: number };
  readonly outputBytes: number;
}

export const roles = (sliced: SlicedConvolution, schedule: Dataflow, nc: number): Roles => {
  const bytes = tileBytes(sliced, nc);
  const input = { tiles: sliced.tiles.windows, bytes: bytes.input };
  const filters = { tiles: sliced.tiles.filters, bytes: bytes.filters };
  return schedule === 'is'
    ? { stationary: input, moving: filters, outputBytes: bytes.output }
    : { stationary: filters, moving: input, outputBytes: bytes.output };
};

/** α, β and γ (SC Eqs. 2, 4, 5): the share of each cache that tiles may fill. */
export interface Fractions {
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
}

/** The machine data that the analysis uses. */
export type MachineCaches = Pick<Machine, 'cache' | 'memoryLatency'>;

/** Caches with every level filled in, as the formulas need them. */
export interface Hierarchy {
  /** Bytes available to tiles, α|L1|, β|L2|, γ|L3|, rounded down; infinite for a missing level. */
  readonly room: Readonly<Record<CacheName, number>>;
  /** Capacity in bytes; 0 for a missing level. */
  readonly bytes: Readonly<Record<CacheName, number>>;
  /** Latency in cycles; a missing level has that of the next existing one. */
  readonly latency: Readonly<Record<CacheName | 'memory', number>>;
  /** Lines and sets of each level; no lines for a missing level. */
  readonly geometry: Readonly<Record<CacheName, CacheGeometry>>;
  /** CL (SC §4.1.1). */
  readonly lineBytes: number;
}

const latencyOf = (machine: MachineCaches, name: CacheName): number => {
  for (const level of cacheNames.slice(cacheNames.indexOf(name))) {
    const cache = machine.cache[level];
    if (cache !== undefined) return cache.latency;
  }
  return machine.memoryLatency;
};

/** Unknown associativity is taken as fully associative. */
const geometryOf = (cache: Cache | undefined, lineBytes: number): CacheGeometry => {
  const lines = Math.floor((cache?.bytes ?? 0) / lineBytes);
  return { lines, sets: Math.max(1, Math.floor(lines / (cache?.ways ?? lines))), lineBytes };
};

const share = (field: string, value: number): number => {
  if (value > 0 && value <= 1) return value;
  throw new CsaError('csa/fraction', field, `must lie above 0 and not above 1, not ${value}`);
};

const measure = (field: string, value: number): number => {
  if (value > 0 && value <= 2 ** 40) return value;
  throw new CsaError('csa/not-positive', field, `must be a positive number up to 2^40, not ${value}`);
};

/** Checks a machine's numbers and fills in missing levels; throws `CsaError` naming the field. */
export const hierarchy = (machine: MachineCaches, fractions: Fractions): Hierarchy => {
  expectRecord('machine', machine, 'cache');
  expectRecord('fractions', fractions);
  const room = { l1: Infinity, l2: Infinity, l3: Infinity };
  const bytes = { l1: 0, l2: 0, l3: 0 };
  const line = lineBytes(machine);
  measure('machine.memoryLatency', machine.memoryLatency);
  for (const name of cacheNames) {
    const cache = machine.cache[name];
    if (cache === undefined) continue;
    const field = `machine.cache.${name}`;
    expectRecord(field, cache);
    bytes[name] = measure(`${field}.bytes`, cache.bytes);
    measure(`${field}.lineBytes`, cache.lineBytes);
    measure(`${field}.latency`, cache.latency);
    room[name] = Math.floor(cache.bytes * share(`fractions.${name}`, fractions[name]));
  }
  return {
    room,
    bytes,
    latency: {
      l1: latencyOf(machine, 'l1'),
      l2: latencyOf(machine, 'l2'),
      l3: latencyOf(machine, 'l3'),
      memory: machine.memoryLatency,
    },
    geometry: {
      l1: geometryOf(machine.cache.l1, line),
      l2: geometryOf(machine.cache.l2, line),
      l3: geometryOf(machine.cache.l3, line),
    },
    lineBytes: line,
  };
};
