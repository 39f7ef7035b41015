/** What a fault of the project looks like to the fuzzer. */

/** What was found wrong, by the check that found it. */
export type FaultKind =
  /** The payload itself is refused or cannot be executed: the generator's fault, or the parser's, verifier's, … */
  | 'payload'
  /** A script of ours does not parse, or not into what it says. */
  | 'script'
  /** Something threw. */
  | 'throw'
  /** A step was refused with a code that it does not declare. */
  | 'undeclared'
  /** A refused step changed the payload. */
  | 'changed'
  /** The IR after a step is invalid. */
  | 'invalid'
  /** The IR after a step computes something else, or cannot be executed. */
  | 'result'
  /** What is printed does not parse, or prints otherwise then. */
  | 'round-trip'
  /** The schedule as code does something else than as text. */
  | 'code'
  /** Bufferization fails, or what it gives is invalid or computes something else. */
  | 'bufferization'
  /** WebAssembly cannot be emitted, or computes something else. */
  | 'wasm'
  /** LLVM's mlir-opt refuses what was printed. */
  | 'mlir-opt'
  /** A payload did not come to an end. */
  | 'hang';

export interface Fault {
  readonly kind: FaultKind;
  /** The transform at which it shows; undefined for what is no step. */
  readonly transform: string | undefined;
  readonly message: string;
}

/** What remains of a fault's message without the numbers and names of one payload, to tell causes apart. */
export const signatureOf = ({ kind, transform, message }: Fault): string => {
  const text = message
    .split('\n', 1)[0]!
    .replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, '_')
    .replaceAll(/\[[^\]]*\]/g, '[]')
    .replaceAll(/-?\d+/g, '0')
    .slice(0, 160);
  return `${kind} ${transform ?? '-'} ${text}`;
};
