/** Emulators of other processors: qemu for Linux programs, and Bochs for extensions that qemu lacks. */
import { createBochs } from './bochs.ts';
import { findProgram } from './find-program.ts';
import type { NativeModule } from './native-module.ts';
import { hostedSystem } from './program.ts';
import type { Ended } from './run-program.ts';
import { runProgram, startProgram } from './run-program.ts';
import type { StopSignal } from './stop-signal.ts';

/** Runs programs for another processor. */
export interface Emulator {
  /** The command, for people. */
  readonly title: string;
  /** Further sources of programs, by file name: C and assembly. */
  readonly sources: Readonly<Record<string, string>>;
  /** Flags for clang, including libraries; a linker script. */
  readonly flags: readonly string[];
  readonly libraries: readonly string[];
  readonly layout?: string;
  /** What building a program requires, for people. */
  readonly hint: string;
  /** The memory of the machine, if that is less than this one's. */
  readonly memoryBytes?: number;
  /** Runs a program on an input; on success its output has `outputBytes` bytes. */
  run(program: string, input: Uint8Array, outputBytes: number): Ended;
  /** The same without blocking this thread; `signal` aborts it. */
  start(program: string, input: Uint8Array, outputBytes: number, signal: StopSignal): Promise<Ended>;
}

/** The emulator that a module requires; or why there is none, for people. */
export const findEmulator = ({
  emulator: [name = '', ...words],
  arguments: [target = ''],
}: NativeModule): Emulator | string => {
  const path = findProgram([name, `${name}-static`]);
  const isBochs = name === 'bochs';
  if (path === undefined) {
    const what = isBochs ? 'bochs' : 'qemu-user';
    return (
      `${name}, which would, cannot be found: on Debian, run tools/setup-native.sh or install ${what}; ` +
      'elsewhere name its folder in SCONV_EMULATORS'
    );
  }
  if (isBochs) return createBochs(path, words[0] ?? '');
  return createQemu([path, ...words], [name, ...words].join(' '), target.replace('--target=', ''));
};

const createQemu = (command: readonly string[], title: string, target: string): Emulator => ({
  title,
  sources: { 'system.c': hostedSystem },
  flags: ['-static'],
  libraries: ['-lm'],
  hint: ` (static programs for ${target} take the C library for it: on Debian, run tools/setup-native.sh)`,
  run: (program, input) => runProgram([...command, program], input),
  start: (program, input, _, signal) => startProgram([...command, program], input, signal),
});
