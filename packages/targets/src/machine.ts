/**
 * A machine as the slicing analysis and the code generators see it: cache hierarchy, vector and matrix units.
 *
 * Hardware facts only; the tile that a kernel computes belongs to a `Microkernel`.
 */

import { expectList, expectRecord } from './target-error.ts';

/** Who shares a cache: one core, a cluster of cores (CCX, core pair), or all cores of the chip. */
export type Sharing = 'core' | 'cluster' | 'chip';

/** One level of data cache. */
export interface Cache {
  /** Capacity in bytes that one core can use: all of a shared cache, since the kernels are single-threaded. */
  readonly bytes: number;
  /** Line size in bytes. */
  readonly lineBytes: number;
  /** Load-to-use latency in cycles of a hit in this level. */
  readonly latency: number;
  /** Associativity; absent: unknown, models assume full associativity. */
  readonly ways?: number;
  readonly sharing: Sharing;
}

/** The data caches, nearest first. Any level may be missing, which drops its constraint. */
export interface CacheHierarchy {
  readonly l1?: Cache;
  readonly l2?: Cache;
  readonly l3?: Cache;
}

export type CacheName = keyof CacheHierarchy;

/** Nearest first. */
export const cacheNames: readonly CacheName[] = ['l1', 'l2', 'l3'];

/** Instructions that sum the products of pairs of i16: x86's, and WebAssembly's. */
export const pairInstructions = ['pmaddwd', 'i32x4.dot_i16x8_s'] as const;

/** SIMD registers and execution units. */
export interface VectorUnit {
  /** The extension's name: `AVX-512`, `NEON`, `SIMD128`, … */
  readonly extension: string;
  /** Register width in bits. */
  readonly bits: number;
  /** Registers that a kernel may keep live. */
  readonly registers: number;
  /** Whether multiply-add is one instruction; otherwise a kernel needs one more register for the product. */
  readonly fused: boolean;
  /** (Fused) multiply-adds that can start per cycle. */
  readonly units: number;
  /** Loads that can start per cycle; absent: 2, as of most. */
  readonly loads?: number;
  /** Cycles until the result of a multiply-add can be added to; absent: 4, as of most. */
  readonly latency?: number;
  /**
   * How many registers hold broadcast scalars: one at a time, all of a step at once (V8 hoists every load of a loop
   * body to its top), or none (broadcast from memory).
   */
  readonly broadcasts: 'none' | 'one' | 'all';
  /** Bits of the smallest elements that masked loads take; absent: there are none. */
  readonly maskedLoads?: number;
  /** Whether masks have registers of their own; absent: they are lanes of vectors. */
  readonly maskRegisters?: boolean;
  /** The instruction that sums the products of pairs of i16; absent: there is none. */
  readonly pairProducts?: (typeof pairInstructions)[number];
  /** Whether lines can be asked for ahead. */
  readonly prefetch?: boolean;
}

/** Outer-product accumulators: POWER10's MMA, Arm's SME. */
export interface MatrixUnit {
  readonly extension: string;
  /** Accumulator tiles for 32-bit elements. */
  readonly accumulators: number;
  /** Rows and columns of one accumulator, in 32-bit elements. */
  readonly rows: number;
  readonly columns: number;
  /** Outer products that can start per cycle. */
  readonly units: number;
}

/** A processor as planning sees it: caches, latencies, registers, instruction set. */
export interface Machine {
  readonly kind: 'machine';
  /** kebab-case. */
  readonly name: string;
  /** For people: vendor, model, microarchitecture. */
  readonly title: string;
  /** Instruction set: `x86-64`, `aarch64`, `ppc64le`, `wasm32`. */
  readonly isa: string;
  readonly cache: CacheHierarchy;
  /** Load-to-use latency in cycles of a load from memory. */
  readonly memoryLatency: number;
  /** Clock in GHz, if known. */
  readonly frequencyGhz?: number;
  readonly vector?: VectorUnit;
  readonly matrix?: MatrixUnit;
  /** Peak single-precision FLOP per cycle of one core (an FMA counts as two). */
  readonly flopPerCycle?: number;
  /**
   * Where each number comes from: a path into this record (`cache.l1`, `frequencyGhz`) → citation. A path
   * covers everything below it that has no entry of its own.
   */
  readonly sources: Readonly<Record<string, string>>;
}

/** The line size for cost models with a single one: that of the nearest cache; 64 bytes without caches. */
export const lineBytes = (machine: Pick<Machine, 'cache'>): number => {
  expectRecord('machine', machine, 'cache');
  return (machine.cache.l1 ?? machine.cache.l2 ?? machine.cache.l3)?.lineBytes ?? 64;
};

/** A machine given by cache sizes and latencies alone, as in a configuration file. */
export interface MachineFigures {
  readonly name: string;
  readonly title?: string;
  /** Bytes of L1, L2, L3; 0 or absent: no such level. */
  readonly cacheBytes: readonly number[];
  readonly lineBytes: number;
  /** Cycles of L1, L2, L3 and memory. */
  readonly latencyCycles: readonly [number, number, number, number];
  /** Associativity of all levels; absent: unknown. */
  readonly ways?: number;
  readonly source: string;
}

/** A machine with known caches and latencies only: the form of `arch_info` and `latency` in ST §5.5. */
export const machineFromFigures = (figures: MachineFigures): Machine => {
  expectRecord('figures', figures);
  expectList('figures.cacheBytes', figures.cacheBytes);
  expectList('figures.latencyCycles', figures.latencyCycles);
  const cache: Partial<Record<CacheName, Cache>> = {};
  cacheNames.forEach((name, index) => {
    const bytes = figures.cacheBytes[index] ?? 0;
    if (bytes === 0) return;
    cache[name] = {
      bytes,
      lineBytes: figures.lineBytes,
      latency: figures.latencyCycles[index] ?? 0,
      ...(figures.ways === undefined ? {} : { ways: figures.ways }),
      sharing: name === 'l3' ? 'chip' : 'core',
    };
  });
  return {
    kind: 'machine',
    name: figures.name,
    title: figures.title ?? figures.name,
    isa: 'generic',
    cache,
    memoryLatency: figures.latencyCycles[3],
    sources: { cache: figures.source, memoryLatency: figures.source },
  };
};
