/** The machine that this process runs on. */
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';

/** The names of `Machine.isa`. */
const isas: Readonly<Record<string, string>> = { x64: 'x86-64', arm64: 'aarch64', ppc64: 'ppc64le' };

const hostIsa = (): string => isas[arch()] ?? arch();

/** What the processor can do, as Linux names it; empty where that is not known. */
const hostFeatures = (): ReadonlySet<string> => {
  let text: string;
  try {
    text = readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return new Set();
  }
  const flags = /^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1] ?? '';
  // Linux names no features of POWER processors.
  if (/^cpu\s*:\s*POWER1\d/m.test(text)) return new Set(['mma']);
  return new Set(flags.trim().split(/\s+/));
};

/** What the processor lacks for code that is made for it. */
export const missingFeatures = (isa: string, features: readonly string[]): readonly string[] => {
  if (isa !== hostIsa()) return [isa];
  const known = hostFeatures();
  return features.filter((feature) => !known.has(feature));
};
