/** The host machine, under Linux. */
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';

/** The names of `Machine.isa`. */
const isas: Readonly<Record<string, string>> = { x64: 'x86-64', arm64: 'aarch64', ppc64: 'ppc64le' };

const hostIsa = (): string => isas[arch()] ?? arch();

/** The processor features as Linux names them; empty if unknown, as without /proc. */
const hostFeatures = (): ReadonlySet<string> => {
  let text: string;
  try {
    text = readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return new Set();
  }
  const flags = /^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1] ?? '';
  // Linux lists no features for POWER processors.
  if (/^cpu\s*:\s*POWER1\d/m.test(text)) return new Set(['mma']);
  return new Set(flags.trim().split(/\s+/));
};

/** The features that generated code needs and the processor lacks. */
export const missingFeatures = (isa: string, features: readonly string[]): readonly string[] => {
  if (isa !== hostIsa()) return [isa];
  const known = hostFeatures();
  return features.filter((feature) => !known.has(feature));
};
