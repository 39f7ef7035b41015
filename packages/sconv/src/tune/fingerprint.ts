/** The machine, and the code generator, of this process's records. */
import { existsSync, readFileSync } from 'node:fs';
import { findToolchain } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { printFingerprint, processorOf } from '@sconv/tuning';
import type { HostSystem } from '../host-machine.ts';
import { detectHost, thisSystem } from '../host-machine.ts';
import { packageFile } from '../package-file.ts';
import { version } from '../version.ts';

/** The fingerprint of this machine, for code for a target that runs on so many threads. */
export const fingerprintFor = async (
  target: Target,
  threads: number,
  system: HostSystem = thisSystem(),
): Promise<string> => {
  const { machine, name } = target;
  return printFingerprint({
    processor: processorOf(system.read('/proc/cpuinfo') ?? '') ?? system.cpuModel,
    caches: Object.entries(detectHost(system).target.machine.cache)
      .map(([level, { bytes }]) => `${level} ${bytes}`)
      .join(', '),
    cores: system.cpuCount,
    threads,
    target: `${name} ${machine.isa}`,
    compiler: machine.isa === 'wasm32' ? `V8 ${process.versions.v8}` : await toolchainVersion(),
  });
};

const toolchainVersion = async (): Promise<string> => {
  const toolchain = await findToolchain();
  return 'version' in toolchain ? `LLVM ${toolchain.version}` : 'no LLVM';
};

let generator: string | undefined;

/** A hash of what generates code in the built program, and loads it; its version where it is not built. */
export const generatorHash = (): string => {
  const file = packageFile('bin/generator.txt');
  generator ??= existsSync(file) ? readFileSync(file, 'utf8') : version();
  return generator;
};
