/** Which machine, and which compiler, a record is of. */

/** Records of the same fingerprint can be compared. */
export interface Fingerprint {
  /** The processor: its vendor, family, model and stepping, or its name where these are not known. */
  readonly processor: string;
  /** Bytes of the caches, `l1 32768, l2 1048576`. */
  readonly caches: string;
  readonly cores: number;
  readonly threads: number;
  /** The target of the code, and its instruction set. */
  readonly target: string;
  /** What compiles it to machine code: `V8 12.4` or LLVM's version. */
  readonly compiler: string;
}

/** A fingerprint as one line. */
export const printFingerprint = (print: Fingerprint): string =>
  [
    print.processor,
    print.caches,
    `${print.cores} cores`,
    `${print.threads} threads`,
    print.target,
    print.compiler,
  ].join('; ');

/**
 * Vendor, family, model and stepping in Linux's `/proc/cpuinfo`, for x86 and Arm; undefined where they are not all
 * there.
 */
export const processorOf = (cpuinfo: string): string | undefined => {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.*)$`, 'm').exec(cpuinfo)?.[1]?.trim();
  const x86 = ['vendor_id', 'cpu family', 'model', 'stepping'].map(field);
  const arm = ['CPU implementer', 'CPU part', 'CPU variant', 'CPU revision'].map(field);
  return [x86, arm].find((fields) => fields.every((each) => each !== undefined))?.join(' ');
};
