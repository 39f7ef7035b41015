import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { detectHost, type HostSystem } from '../src/host-machine.ts';

const silent: HostSystem = {
  platform: 'plan9',
  architecture: 'mips',
  cpuModel: '',
  cpuCount: 1,
  read: () => undefined,
  list: () => [],
  run: () => undefined,
};

/** A sysfs with the caches of a Zen 3 core of 8 in a cluster, of 16 in all. */
const linux = (): HostSystem => {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const index = (number: number, fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(
      ([name, value]) => [`${folder}/index${number}/${name}`, `${value}\n`] as const,
    );
  const files = new Map([
    ...index(0, {
      level: '1',
      type: 'Data',
      size: '32K',
      coherency_line_size: '64',
      ways_of_associativity: '8',
      shared_cpu_list: '0',
    }),
    ...index(1, {
      level: '1',
      type: 'Instruction',
      size: '64K',
      coherency_line_size: '64',
      shared_cpu_list: '0',
    }),
    ...index(2, {
      level: '2',
      type: 'Unified',
      size: '512K',
      coherency_line_size: '64',
      ways_of_associativity: '8',
      shared_cpu_list: '0',
    }),
    ...index(3, {
      level: '3',
      type: 'Unified',
      size: '32768K',
      coherency_line_size: '64',
      shared_cpu_list: '0-3,8-11',
    }),
    ['/proc/cpuinfo', 'processor\t: 0\nflags\t\t: fpu sse2 fma avx avx2\n'],
  ]);
  return {
    ...silent,
    platform: 'linux',
    architecture: 'x64',
    cpuModel: 'AMD EPYC',
    cpuCount: 16,
    read: (path) => files.get(path),
    list: () => ['index0', 'index1', 'index2', 'index3', 'uevent'],
  };
};

describe('detectHost', () => {
  it('reads sysfs on Linux, and says what is missing there', () => {
    const { target, extensions, unknown } = detectHost(linux());
    expect(extensions).toEqual(['avx2', 'fma']);
    expect(target.microkernel).toMatchObject({ windows: 16, filters: 6 });
    expect(target.machine).toMatchObject({
      title: 'AMD EPYC',
      cache: {
        l1: { bytes: 32_768, lineBytes: 64, ways: 8, sharing: 'core' },
        l2: { bytes: 524_288, sharing: 'core' },
        l3: { bytes: 33_554_432, sharing: 'cluster' },
      },
    });
    expect(unknown).toContain('cache.l3.ways: taken as fully associative');
  });

  it('asks sysctl on macOS, for the performance cores', () => {
    const answers = new Map([
      ['hw.perflevel0.l1dcachesize', '131072'],
      ['hw.perflevel0.l2cachesize', '16777216'],
      ['hw.cachelinesize', '128'],
      ['hw.optional.AdvSIMD', '1'],
      ['hw.optional.arm.FEAT_SME', '1'],
    ]);
    const { target, extensions } = detectHost({
      ...silent,
      platform: 'darwin',
      architecture: 'arm64',
      run: (_, [, name = '']) => answers.get(name),
    });
    expect(extensions).toEqual(['asimd', 'sme']);
    expect(target.machine.matrix?.extension).toBe('SME');
    expect(target.machine.cache).toMatchObject({
      l1: { bytes: 131_072, lineBytes: 128 },
      l2: { bytes: 16_777_216, sharing: 'cluster' },
    });
    expect(target.machine.cache.l3).toBeUndefined();
  });

  it('asks WMI on Windows, whose sizes are of all cores', () => {
    const { target, unknown } = detectHost({
      ...silent,
      platform: 'win32',
      architecture: 'x64',
      run: (_, args) =>
        args.at(-1)?.includes('Win32_Processor') === true
          ? '8\r\n'
          : '3,256,64,3\r\n3,384,64,4\r\n4,4096,64,5\r\n5,16384,,5\r\n',
    });
    expect(target.machine.cache).toMatchObject({
      l1: { bytes: 49_152, lineBytes: 64, sharing: 'core' },
      l2: { bytes: 524_288 },
      l3: { bytes: 16_777_216, sharing: 'chip' },
    });
    expect(unknown).toContain('cache.l3.lineBytes: that of the target wasm');
    expect(unknown).toContain('extensions: the WebAssembly kernels stand in');
  });

  it('knows POWER10 by its name', () => {
    const { target } = detectHost({
      ...silent,
      platform: 'linux',
      architecture: 'ppc64',
      read: (path) => (path === '/proc/cpuinfo' ? 'cpu\t\t: POWER10 (architected)\n' : undefined),
    });
    expect(target.machine.matrix?.extension).toBe('MMA');
  });

  it('asks this system where it is not told of another', () => {
    const attempt = <T>(action: () => T): T | undefined => {
      try {
        return action();
      } catch {
        return undefined;
      }
    };
    const system: HostSystem = {
      platform: platform(),
      architecture: arch(),
      cpuModel: cpus()[0]?.model.trim() ?? '',
      cpuCount: cpus().length,
      read: (path) => attempt(() => readFileSync(path, 'utf8')),
      list: (path) => attempt(() => readdirSync(path)) ?? [],
      run: (program, args) => attempt(() => execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' })),
    };
    expect(detectHost()).toEqual(detectHost(system));
  });

  it('falls back to a whole target where nothing can be learnt', () => {
    const { target, unknown } = detectHost(silent);
    expect(target.machine.cache.l1?.bytes).toBe(32_768);
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
