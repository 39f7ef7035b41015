/**
 * The machine that this process runs on, as far as it can be detected: caches and instruction set from the operating
 * system, everything else from the nearest shipped target.
 *
 * No library is used: those for Node report sizes only, without line size, associativity or sharing.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import {
  alderLake,
  avx2,
  define,
  lineBytes as lineBytesOf,
  mma,
  neon,
  sme,
  wasm,
  zen4,
  type Cache,
  type CacheName,
  type Sharing,
  type Target,
} from '@sconv/targets';

/** What detection queries; replaced in tests. */
export interface HostSystem {
  readonly platform: string;
  readonly architecture: string;
  readonly cpuModel: string;
  readonly cpuCount: number;
  /** A file's text; `undefined` if unreadable. */
  readonly read: (path: string) => string | undefined;
  /** Names in a folder; none if unreadable. */
  readonly list: (path: string) => readonly string[];
  /** Standard output of a program, started without a shell; `undefined` on failure. */
  readonly run: (program: string, args: readonly string[]) => string | undefined;
}

/** The machine of a process. */
export interface Host {
  readonly target: Target;
  /** The processor's extensions, among those that a target needs. */
  readonly extensions: readonly string[];
  /** What could not be detected, and what is assumed instead. */
  readonly unknown: readonly string[];
}

const attempt = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

/** The system of this process. */
export const thisSystem = (): HostSystem => ({
  platform: platform(),
  architecture: arch(),
  cpuModel: cpus()[0]?.model.trim() ?? '',
  cpuCount: cpus().length,
  read: (path) => attempt(() => readFileSync(path, 'utf8')),
  list: (path) => attempt(() => readdirSync(path)) ?? [],
  run: (program, args) =>
    attempt(() => execFileSync(program, args, { encoding: 'utf8', timeout: 10_000, stdio: 'pipe' })),
});

/** A cache as reported by the system. */
interface Reported {
  readonly name: CacheName;
  /** NaN if unreported. */
  readonly bytes: number;
  readonly lineBytes?: number;
  readonly ways?: number;
  readonly sharing: Sharing;
}

const isCacheName = (name: string): name is CacheName => name === 'l1' || name === 'l2' || name === 'l3';

const positive = (text = ''): number | undefined => {
  const value = Number.parseInt(text, 10);
  return value > 0 ? value : undefined;
};

/** Number of processors in a list like `0-3,8`. */
const listed = (text: string): number =>
  text.split(',').reduce((sum, part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?];
    return sum + last - first + 1;
  }, 0);

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, V>);

const sizeUnits: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** Bytes of a size like `512K`. */
const sizeOf = (text: string): number => (positive(text) ?? NaN) * (sizeUnits[text.slice(-1)] ?? 1);

/** Linux: /sys/devices/system/cpu/cpu0/cache/index*. */
const linuxCaches = (system: HostSystem): readonly Reported[] => {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  return system.list(folder).flatMap((index): readonly Reported[] => {
    const field = (name: string): string => (system.read(`${folder}/${index}/${name}`) ?? '').trim();
    const name = `l${field('level')}`;
    if (!isCacheName(name) || field('type') === 'Instruction') return [];
    const shared = listed(field('shared_cpu_list'));
    return [
      {
        name,
        bytes: sizeOf(field('size')),
        sharing: shared === 1 ? 'core' : shared >= system.cpuCount ? 'chip' : 'cluster',
        ...optional('lineBytes', positive(field('coherency_line_size'))),
        ...optional('ways', positive(field('ways_of_associativity'))),
      },
    ];
  });
};

/** macOS: sysctl; of the performance cores, if there are two kinds. */
const darwinCaches = (system: HostSystem): readonly Reported[] => {
  const sysctl = (name: string): number | undefined => positive(system.run('/usr/sbin/sysctl', ['-n', name]));
  const lineBytes = optional('lineBytes', sysctl('hw.cachelinesize'));
  const names = [
    ['l1', 'l1dcachesize', 'core'],
    ['l2', 'l2cachesize', 'cluster'],
    ['l3', 'l3cachesize', 'chip'],
  ] as const;
  return names.map(([name, key, sharing]) => {
    const bytes = sysctl(`hw.perflevel0.${key}`) ?? sysctl(`hw.${key}`) ?? NaN;
    return { name, bytes, sharing, ...lineBytes };
  });
};

const coreScript = '(Get-CimInstance Win32_Processor | Measure-Object -Sum NumberOfCores).Sum';
const cacheScript =
  'Get-CimInstance Win32_CacheMemory | ' +
  'ForEach-Object { "$($_.Level),$($_.MaxCacheSize),$($_.LineSize),$($_.CacheType)" }';

/** Windows: WMI, whose levels start at 3 and whose sizes are in KiB for all cores together. */
const windowsCaches = (system: HostSystem): readonly Reported[] => {
  const ask = (command: string): string | undefined =>
    system.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]);
  const cores = positive(ask(coreScript)) ?? system.cpuCount;
  const text = ask(cacheScript) ?? '';
  return text.split(/\r?\n/).flatMap((line): readonly Reported[] => {
    const [level, kibibytes, lineSize, type] = line.split(',');
    const name = `l${Number(level) - 2}`;
    // Type 3 is an instruction cache.
    if (!isCacheName(name) || type === '3') return [];
    const bytes = (positive(kibibytes) ?? NaN) * 1024;
    const own: Pick<Reported, 'bytes' | 'sharing'> =
      name === 'l3' ? { bytes, sharing: 'chip' } : { bytes: Math.floor(bytes / cores), sharing: 'core' };
    return [{ name, ...own, ...optional('lineBytes', positive(lineSize)) }];
  });
};

/** Whether such a cache is plausible; virtual machines report others, too. Lines have at most 128 bytes. */
const isPossible = ({ bytes, lineBytes = 128, ways = 1 }: Reported): boolean =>
  Number.isInteger(Math.log2(lineBytes)) && bytes >= lineBytes * ways;

const reportedCaches = (system: HostSystem): readonly Reported[] => {
  switch (system.platform) {
    case 'linux':
      return linuxCaches(system);
    case 'darwin':
      return darwinCaches(system);
    case 'win32':
      return windowsCaches(system);
    default:
      return [];
  }
};

/** Extensions that determine the microkernel, in Linux's spelling, with macOS's names. */
const extensionNames = {
  avx512f: 'hw.optional.avx512f',
  avx2: 'hw.optional.avx2_0',
  fma: 'hw.optional.fma',
  asimd: 'hw.optional.AdvSIMD',
  sme: 'hw.optional.arm.FEAT_SME',
} as const;

const reportedExtensions = (system: HostSystem): readonly string[] => {
  switch (system.platform) {
    case 'linux': {
      const info = system.read('/proc/cpuinfo') ?? '';
      const words = new Set(
        info
          .split('\n')
          .filter((line) => /^(flags|Features)\s*:/.test(line))
          .flatMap((line) => line.split(/\s+/)),
      );
      // POWER does not list features; every POWER10 has MMA.
      if (/^cpu\s*:\s*POWER1\d/m.test(info)) return ['mma'];
      return Object.keys(extensionNames).filter((name) => words.has(name));
    }
    case 'darwin': {
      const has = (name: string): boolean => system.run('/usr/sbin/sysctl', ['-n', name])?.trim() === '1';
      return Object.entries(extensionNames).flatMap(([name, key]) => (has(key) ? [name] : []));
    }
    default:
      // Every 64-bit Arm core has Advanced SIMD; nothing is certain on other architectures.
      return system.architecture === 'arm64' ? ['asimd'] : [];
  }
};

/** The shipped target whose kernels this processor can run and whose latencies are assumed. */
const nearest = (extensions: readonly string[], caches: readonly Reported[]): Target | undefined => {
  const has = (name: string): boolean => extensions.includes(name);
  if (has('sme')) return sme;
  if (has('avx512f')) return zen4;
  if (has('avx2') && has('fma')) {
    // Which dataflow is faster depends on whether a panel of windows stays in L1.
    const l1 = caches.find(({ name }) => name === 'l1');
    return l1 !== undefined && l1.bytes >= alderLake.machine.cache.l1!.bytes ? alderLake : avx2;
  }
  if (has('mma')) return mma;
  return has('asimd') ? neon : undefined;
};

/** Detects the machine of this process (or of `system`). Never throws: what cannot be detected is in `unknown`. */
export const detectHost = (system: HostSystem = thisSystem()): Host => {
  const extensions = reportedExtensions(system);
  const reported = reportedCaches(system).filter(isPossible);
  const similar = nearest(extensions, reported);
  const base = similar ?? wasm;
  const unknown: string[] = [];
  const origin = `the target ${base.name}`;

  const cache: Partial<Record<CacheName, Cache>> = {};
  const sources: Record<string, string> = {};
  for (const { name, bytes, lineBytes, ways, sharing } of reported) {
    if (lineBytes === undefined) unknown.push(`cache.${name}.lineBytes: that of ${origin}`);
    if (ways === undefined) unknown.push(`cache.${name}.ways: taken as fully associative`);
    cache[name] = {
      bytes,
      lineBytes: lineBytes ?? lineBytesOf(base.machine),
      latency: base.machine.cache[name]?.latency ?? base.machine.memoryLatency,
      sharing,
      ...optional('ways', ways),
    };
    sources[`cache.${name}`] = `${system.platform}; latency from ${origin}`;
  }
  if (reported.length === 0) {
    unknown.push(`caches: those of ${origin}`);
    Object.assign(cache, base.machine.cache);
    sources['cache'] = origin;
  }
  unknown.push(`latencies, memory, clock and units: those of ${origin}`);
  if (similar === undefined) unknown.push('extensions: the WebAssembly kernels stand in');

  const { vector, matrix, flopPerCycle, memoryLatency } = base.machine;
  const target = define<Target>({
    ...base,
    name: 'host',
    machine: {
      kind: 'machine',
      name: 'host',
      title: system.cpuModel === '' ? 'this machine' : system.cpuModel,
      isa: base.machine.isa,
      cache,
      memoryLatency,
      ...optional('vector', vector),
      ...optional('matrix', matrix),
      ...optional('flopPerCycle', flopPerCycle),
      sources: { ...sources, memoryLatency: origin, vector: origin, matrix: origin, flopPerCycle: origin },
    },
  });
  return { target, extensions, unknown };
};
