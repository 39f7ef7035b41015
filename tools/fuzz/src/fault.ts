/** The fuzzer's notion of a fault. */

/** What is wrong, by the check that found it. */
export type FaultKind =
  /** The payload itself is refused or cannot be executed: a fault of the generator, parser, verifier, … */
  | 'payload'
  /** Our script does not parse, or parses to something else. */
  | 'script'
  /** Something threw. */
  | 'throw'
  /** A step failed with an undeclared code. */
  | 'undeclared'
  /** A refused step changed the payload. */
  | 'changed'
  /** The IR after a step is invalid. */
  | 'invalid'
  /** The IR after a step computes something else, or cannot be executed. */
  | 'result'
  /** Printed IR does not parse, or prints differently afterwards. */
  | 'round-trip'
  /** A handle lost ops that are still there. */
  | 'handle'
  /** The schedule as code behaves differently from its text. */
  | 'code'
  /** Bufferization fails, or its result is invalid or computes something else. */
  | 'bufferization'
  /** WebAssembly cannot be emitted, or computes something else. */
  | 'wasm'
  /** Native code cannot be built. */
  | 'native'
  /** LLVM's mlir-opt refuses the printed IR. */
  | 'mlir-opt'
  /** A payload did not terminate. */
  | 'hang';

export interface Fault {
  readonly kind: FaultKind;
  /** The transform that shows it; undefined outside steps. */
  readonly transform: string | undefined;
  readonly message: string;
}

/** A fault's message without payload-specific numbers and names, to distinguish causes. */
export const signatureOf = ({ kind, transform, message }: Fault): string => {
  const text = message
    .split('\n', 1)[0]!
    .replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, '_')
    .replaceAll(/\[[^\]]*\]/g, '[]')
    .replaceAll(/-?\d+/g, '0')
    .slice(0, 160);
  return `${kind} ${transform ?? '-'} ${text}`;
};
