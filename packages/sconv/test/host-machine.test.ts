import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { alderLake, avx2, mma, neon, sme, wasm, zen4 } from '@sconv/targets';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { detectHost, thisSystem, type HostSystem } from '../src/host-machine.ts';
import { temporaryFolder } from './support/capture.ts';

const silent: HostSystem = {
  platform: 'plan9',
  architecture: 'mips',
  cpuModel: '',
  cpuCount: 1,
  read: () => undefined,
  list: () => [],
  run: () => undefined,
};

/** Fields of a cache as in sysfs, a file each. */
type SysfsCache = Readonly<Record<string, string>>;

const data: SysfsCache = {
  level: '1',
  type: 'Data',
  size: '32K',
  coherency_line_size: '64',
  ways_of_associativity: '8',
  shared_cpu_list: '0',
};

/** Linux on 16 processors. */
const linux = (caches: readonly SysfsCache[], cpuinfo = ''): HostSystem => {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const files = new Map([
    ...caches.flatMap((fields, i) =>
      Object.entries(fields).map(([name, value]) => [`${folder}/index${i}/${name}`, `${value}\n`] as const),
    ),
    ['/proc/cpuinfo', cpuinfo],
  ]);
  return {
    ...silent,
    platform: 'linux',
    cpuCount: 16,
    read: (path) => files.get(path),
    list: (path) => (path === folder ? ['uevent', ...caches.map((_, i) => `index${i}`)] : []),
  };
};

/** macOS with these answers of sysctl. */
const darwin = (answers: Readonly<Record<string, string>>): HostSystem => ({
  ...silent,
  platform: 'darwin',
  run: (program, [option, name = '']) =>
    program === '/usr/sbin/sysctl' && option === '-n' ? answers[name] : undefined,
});

/** Windows with these lines of caches, on so many cores. */
const windows = (caches: readonly string[], cores = '8'): HostSystem => ({
  ...silent,
  platform: 'win32',
  cpuCount: 4,
  run: (program, [profile, interaction, option, command = '']) => {
    const isQuiet = profile === '-NoProfile' && interaction === '-NonInteractive' && option === '-Command';
    if (program !== 'powershell.exe' || !isQuiet) return undefined;
    if (command.includes('Win32_Processor')) return `${cores}\r\n`;
    return command.includes('Win32_CacheMemory') ? `${caches.join('\r\n')}\r\n` : undefined;
  },
});

const core = 'core' as const;

describe('caches', () => {
  it.each<[string, HostSystem, object]>([
    [
      'of Linux, but not those of instructions',
      linux([
        data,
        { ...data, type: 'Instruction', size: '64K' },
        { ...data, level: '2', type: 'Unified', size: '512K', ways_of_associativity: '16' },
        { ...data, level: '3', type: 'Unified', size: '32M', shared_cpu_list: '0-3,8-11' },
        { ...data, level: '4', type: 'Unified', size: '1G' },
      ]),
      {
        l1: { bytes: 32_768, lineBytes: 64, ways: 8, latency: 4, sharing: core },
        l2: { bytes: 524_288, lineBytes: 64, ways: 16, latency: 14, sharing: core },
        l3: { bytes: 33_554_432, lineBytes: 64, ways: 8, latency: 50, sharing: 'cluster' },
      },
    ],
    [
      'of Linux, of other units, and shared by all',
      linux([
        { ...data, size: '65536', shared_cpu_list: '4,12' },
        { ...data, level: '2', size: '1G', shared_cpu_list: '0-15' },
      ]),
      {
        l1: { bytes: 65_536, lineBytes: 64, ways: 8, latency: 4, sharing: 'cluster' },
        l2: { bytes: 1_073_741_824, lineBytes: 64, ways: 8, latency: 14, sharing: 'chip' },
      },
    ],
    [
      'of Linux, of which little is known',
      linux([{ level: '1', size: '32K' }, { level: '2' }, { size: '32K' }]),
      { l1: { bytes: 32_768, lineBytes: 64, latency: 4, sharing: core } },
    ],
    [
      'of Linux, without those that cannot be',
      linux([
        { ...data, coherency_line_size: '48' },
        { ...data, level: '2', size: '4K', ways_of_associativity: '65' },
        { ...data, level: '3', size: '4K', ways_of_associativity: '64' },
        { level: '1', size: '127' },
      ]),
      { l3: { bytes: 4096, lineBytes: 64, ways: 64, latency: 50, sharing: core } },
    ],
    [
      'of macOS, those of the performance cores where there are two kinds',
      darwin({
        'hw.cachelinesize': '128\n',
        'hw.perflevel0.l1dcachesize': '131072\n',
        'hw.l1dcachesize': '65536\n',
        'hw.l2cachesize': '4194304\n',
        'hw.l3cachesize': '8388608\n',
      }),
      {
        l1: { bytes: 131_072, lineBytes: 128, latency: 4, sharing: core },
        l2: { bytes: 4_194_304, lineBytes: 128, latency: 14, sharing: 'cluster' },
        l3: { bytes: 8_388_608, lineBytes: 128, latency: 50, sharing: 'chip' },
      },
    ],
    [
      'of macOS without the last',
      darwin({ 'hw.l1dcachesize': '65536', 'hw.l2cachesize': '0' }),
      { l1: { bytes: 65_536, lineBytes: 64, latency: 4, sharing: core } },
    ],
    [
      'of Windows, whose sizes are of all cores, but not those of instructions',
      windows(['3,384,128,4', '3,256,64,3', '4,4100,64,5', '5,16384,,5', '6,1024,64,5', '']),
      {
        l1: { bytes: 49_152, lineBytes: 128, latency: 4, sharing: core },
        l2: { bytes: 524_800, lineBytes: 64, latency: 14, sharing: core },
        l3: { bytes: 16_777_216, lineBytes: 64, latency: 50, sharing: 'chip' },
      },
    ],
    [
      'of Windows, which does not say how many cores there are',
      windows(['3,1,0,4', '4,0,64,5'], ''),
      { l1: { bytes: 256, lineBytes: 64, latency: 4, sharing: core } },
    ],
    [
      'of Windows, in whole bytes',
      windows(['3,1,64,4'], '3'),
      { l1: { bytes: 341, lineBytes: 64, latency: 4, sharing: core } },
    ],
    ['of Windows, which does not say any', { ...windows([]), run: () => undefined }, wasm.machine.cache],
    ['of another system', silent, wasm.machine.cache],
  ])('%s', (_, system, cache) => {
    expect(detectHost(system).target.machine.cache).toStrictEqual(cache);
  });

  it('have the latencies and lines of the target that is nearest, or the latency of memory', () => {
    const features = 'Features\t: asimd sme\n';
    const { cache } = detectHost(
      linux(
        [
          { level: '1', size: '1K' },
          { level: '3', size: '2K' },
        ],
        features,
      ),
    ).target.machine;
    expect(cache).toEqual({
      l1: { bytes: 1024, lineBytes: 128, latency: 3, sharing: core },
      l3: { bytes: 2048, lineBytes: 128, latency: sme.machine.memoryLatency, sharing: core },
    });
  });
});

describe('the nearest target', () => {
  const flags = (names: string, caches: readonly SysfsCache[] = []): HostSystem =>
    linux(caches, `processor\t: 0\nflags\t\t: fpu ${names}\nbugs\t: avx512f\n`);
  const mac = (...names: readonly string[]): HostSystem =>
    darwin(Object.fromEntries(names.map((name) => [`hw.optional.${name}`, '1\n'])));
  it.each([
    ['avx2', flags('sse2 fma avx avx2'), ['avx2', 'fma'], avx2],
    ['avx2, with 32 KiB of L1', flags('fma avx2', [data]), ['avx2', 'fma'], avx2],
    [
      'alder-lake, with room for a panel of windows',
      flags('fma avx2', [{ ...data, size: '48K' }]),
      ['avx2', 'fma'],
      alderLake,
    ],
    ['zen4, with AVX-512', flags('fma avx2 avx512f'), ['avx512f', 'avx2', 'fma'], zen4],
    ['wasm, without fma', flags('avx2'), ['avx2'], wasm],
    ['wasm, without avx2', flags('fma'), ['fma'], wasm],
    ['neon', linux([], 'Features\t: fp asimd\n'), ['asimd'], neon],
    ['sme', linux([], 'Features\t: fp asimd sme\n'), ['asimd', 'sme'], sme],
    ['mma, by the name', linux([], 'processor\t: 0\ncpu\t\t: POWER10 (architected)\n'), ['mma'], mma],
    ['wasm, for what is older', linux([], 'cpu\t\t: POWER9 (architected)\n'), [], wasm],
    ['avx2 on macOS', mac('avx2_0', 'fma'), ['avx2', 'fma'], avx2],
    ['zen4 on macOS', mac('avx512f'), ['avx512f'], zen4],
    ['neon on macOS', mac('AdvSIMD'), ['asimd'], neon],
    ['sme on macOS', mac('AdvSIMD', 'arm.FEAT_SME'), ['asimd', 'sme'], sme],
    ['wasm on macOS that says no', darwin({ 'hw.optional.AdvSIMD': '0' }), [], wasm],
    ['neon on any 64-bit Arm', { ...windows([]), architecture: 'arm64' }, ['asimd'], neon],
    ['wasm on any other', { ...windows([]), architecture: 'x64' }, [], wasm],
    ['wasm on Linux that says nothing', { ...silent, platform: 'linux' }, [], wasm],
  ] as const)('is %s', (_, system, extensions, similar) => {
    const { target, ...found } = detectHost(system);
    expect(found.extensions).toEqual(extensions);
    expect({ ...target, name: similar.name, machine: undefined }).toEqual({ ...similar, machine: undefined });
    const { isa, memoryLatency, vector, matrix, flopPerCycle } = similar.machine;
    expect(target.machine).toMatchObject({ kind: 'machine', name: 'host', isa, memoryLatency, flopPerCycle });
    expect(target.machine.vector).toBe(vector);
    expect(target.machine.matrix).toBe(matrix);
    const instead = 'extensions: the WebAssembly kernels stand in';
    expect(found.unknown.filter((line) => line === instead)).toHaveLength(similar === wasm ? 1 : 0);
  });
});

describe('what is said of a host', () => {
  it('is what the system did not say, and where the rest is from', () => {
    const { target, unknown } = detectHost({
      ...linux([data, { level: '2', size: '512K' }, { level: '3', size: '1M' }], 'flags : avx2 fma'),
      cpuModel: 'AMD EPYC',
    });
    expect(target.name).toBe('host');
    expect(target.machine.title).toBe('AMD EPYC');
    expect(unknown).toEqual([
      'cache.l2.lineBytes: that of the target avx2',
      'cache.l2.ways: taken as fully associative',
      'cache.l3.lineBytes: that of the target avx2',
      'cache.l3.ways: taken as fully associative',
      'latencies, memory, clock and units: those of the target avx2',
    ]);
    const origin = 'the target avx2';
    expect(target.machine.sources).toEqual({
      'cache.l1': 'linux; latency from the target avx2',
      'cache.l2': 'linux; latency from the target avx2',
      'cache.l3': 'linux; latency from the target avx2',
      memoryLatency: origin,
      vector: origin,
      matrix: origin,
      flopPerCycle: origin,
    });
  });

  it('is a whole target where nothing can be learnt', () => {
    const { target, unknown } = detectHost(silent);
    expect(target.machine.title).toBe('this machine');
    expect(unknown).toEqual([
      'caches: those of the target wasm',
      'latencies, memory, clock and units: those of the target wasm',
      'extensions: the WebAssembly kernels stand in',
    ]);
    const origin = 'the target wasm';
    expect(target.machine.sources).toEqual({
      cache: origin,
      memoryLatency: origin,
      vector: origin,
      matrix: origin,
      flopPerCycle: origin,
    });
  });
});

describe('this system', () => {
  const system = thisSystem();
  const folder = () => {
    const path = temporaryFolder();
    mkdirSync(join(path, 'a'));
    writeFileSync(join(path, 'b'), 'päper\n');
    return path;
  };

  it('is asked where there is no other', () => {
    expect(detectHost()).toEqual(detectHost(system));
    const { platform: os, architecture, cpuModel, cpuCount } = system;
    expect({ os, architecture, cpuCount }).toEqual({
      os: platform(),
      architecture: arch(),
      cpuCount: cpus().length,
    });
    expect(cpus()[0]?.model).toContain(cpuModel);
    expect(cpuModel).toBe(cpuModel.trim());
  });
  it('has files, folders and programs', () => {
    const path = folder();
    expect(system.read(join(path, 'b'))).toBe('päper\n');
    expect(system.list(path)).toEqual(['a', 'b']);
    const shout = "process.stdout.write('päper'); process.stderr.write('silence')";
    const said = vi.spyOn(process.stderr, 'write');
    onTestFinished(() => {
      said.mockRestore();
    });
    expect(system.run(process.execPath, ['-e', shout])).toBe('päper');
    expect(said).not.toHaveBeenCalled();
  });
  it('may not have them', () => {
    const path = join(folder(), 'c');
    expect(system.read(path)).toBeUndefined();
    expect(system.list(path)).toEqual([]);
    expect(system.run(path, [])).toBeUndefined();
    expect(system.run(process.execPath, ['-e', 'process.exit(1)'])).toBeUndefined();
  });
});
