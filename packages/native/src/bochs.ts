/**
 * Bochs as an emulator, for x86-64 extensions that qemu lacks. A program runs on bare metal (`bare-system.ts`),
 * booted from a disk with the program, the call and room for the results.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareSystem, bootSector, memoryBytes, programLayout, sectorBytes } from './bare-system.ts';
import type { Emulator } from './emulator.ts';
import type { Ended } from './run-program.ts';
import { runProgram, startProgram } from './run-program.ts';

/** Bochs with this processor model. */
export const createBochs = (path: string, model: string): Emulator => ({
  title: `bochs with ${model}`,
  sources: { 'boot.S': bootSector, 'system.c': bareSystem },
  flags: [
    ...['-ffreestanding', '-fno-pic', '-fno-stack-protector', '-nostdlib', '-static'],
    ...['-Wl,--oformat=binary', '-Wl,--build-id=none'],
    // Bochs 2.7 lacks the gathers and scatters of AVX-512.
    ...['-mno-gather', '-mno-scatter'],
  ],
  libraries: [],
  layout: programLayout,
  memoryBytes,
  hint: ' (programs for Bochs have no operating system, and so little of the C library)',
  run: (program, input, outputBytes) => {
    const disk = createDisk(program, input, outputBytes, model);
    try {
      return disk.read(runProgram([path, ...disk.words], undefined, environment));
    } finally {
      disk.remove();
    }
  },
  start: async (program, input, outputBytes, signal) => {
    const disk = createDisk(program, input, outputBytes, model);
    try {
      return disk.read(await startProgram([path, ...disk.words], undefined, signal, environment));
    } finally {
      disk.remove();
    }
  },
});

/** It needs a terminal as its display, though none has to exist: Debian's only alternative listens on a port. */
const environment = { TERM: 'vt100' };

/** A disk in its own folder. */
interface Disk {
  /** Bochs's arguments. */
  readonly words: readonly string[];
  /** The program's exit status, read from the disk. */
  read(ended: Ended): Ended;
  remove(): void;
}

const sectorsOf = (bytes: number): number => Math.ceil(bytes / sectorBytes);

/** Heads per cylinder, and sectors per track. */
const [heads, track] = [16, 63];

const createDisk = (program: string, input: Uint8Array, outputBytes: number, model: string): Disk => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-bochs-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const code = readFileSync(program);
    const call = sectorsOf(code.length);
    const results = call + 1 + sectorsOf(input.length);
    const cylinders = Math.ceil((results + 1 + sectorsOf(outputBytes)) / (heads * track));
    const disk = Buffer.alloc(cylinders * heads * track * sectorBytes);
    disk.set(code);
    disk.writeBigUInt64LE(BigInt(input.length), call * sectorBytes);
    disk.writeBigUInt64LE(BigInt(results), call * sectorBytes + 8);
    disk.set(input, (call + 1) * sectorBytes);
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('disk'), disk);
    writeFileSync(file('bochsrc'), settings(folder, model, cylinders));
    writeFileSync(file('commands'), 'continue\n');
    return {
      words: ['-q', '-f', file('bochsrc'), '-rc', file('commands')],
      read: (ended) => readResults(ended, readFileSync(file('disk')), results, () => logOf(file('log'))),
      remove,
    };
  } catch (problem) {
    remove();
    throw problem;
  }
};

const settings = (folder: string, model: string, cylinders: number): string => {
  const megabytes = memoryBytes / 2 ** 20;
  return `plugin_ctrl: unmapped=true, biosdev=true, speaker=false, parallel=false, serial=false, e1000=false, es1370=false
config_interface: textconfig
display_library: term
memory: guest=${megabytes}, host=${megabytes}
cpu: model=${model}, count=1, ips=50000000, reset_on_triple_fault=0
ata0: enabled=true, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, path="${join(folder, 'disk')}", mode=flat, cylinders=${cylinders}, heads=${heads}, spt=${track}
boot: disk
panic: action=fatal
error: action=report
info: action=ignore
debug: action=ignore
log: ${join(folder, 'log')}
`;
};

/** Bochs's error log, for people. */
const logOf = (path: string): string => {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => /^\d+[ep]/.test(line)).join('\n');
  } catch {
    return '';
  }
};

const readResults = (ended: Ended, disk: Buffer, results: number, log: () => string): Ended => {
  const at = results * sectorBytes;
  const isEnded = disk.readBigUInt64LE(at) === 1n;
  if (!isEnded) {
    return { ...ended, code: null, reason: ended.reason ?? 'the program has stopped', said: log() };
  }
  const [code, bytes] = [8, 16].map((offset) => Number(disk.readBigUInt64LE(at + offset))) as [
    number,
    number,
  ];
  const start = at + sectorBytes;
  return { code, reason: undefined, output: disk.subarray(start, start + bytes), said: '' };
};
