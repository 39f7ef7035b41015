/** A program in an emulator as an artifact: each call runs it once. */
import type { Artifact, ElementArrays, RunValue } from '@sconv/backend';
import { arrayTypeOf, checkArguments, createArtifact } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { markUsed } from './cache.ts';
import { decodeResults, encodeCall, resultBytes } from './call-data.ts';
import type { Emulator } from './emulator.ts';
import type { NativeModule } from './native-module.ts';
import { exitCodes } from './program.ts';
import type { Ended } from './run-program.ts';
import { nativeElement } from './elements.ts';

/**
 * The artifact of a program. A call fails with `native/emulator` if the emulator cannot be run, the program is killed
 * or times out, and with `native/vector-length` if the emulated processor has another vector length.
 */
export const emulatedArtifact = (
  { functions, constants = [] }: NativeModule,
  emulator: Emulator,
  program: string,
): Artifact => {
  const numbers = new Map(functions.map(({ name }, i) => [name, i]));
  const stopping = new AbortController();
  const finish = (
    number: number,
    ended: Ended,
    values: readonly RunValue[],
  ): Diagnosed<readonly RunValue[]> => {
    const signature = functions[number]!;
    const { code, reason, output, said } = ended;
    const wanted = resultBytes(signature);
    if (reason === undefined && code === 0 && output.length === wanted) {
      return success(decodeResults(signature, output, values));
    }
    if (reason === undefined && code === exitCodes.vectorLength) {
      const message = `${emulator.title} has vectors of another length than the code is generated for`;
      return definite(error('native/vector-length', message, signature.location));
    }
    const end =
      reason ?? (code === 0 ? `${output.length} bytes of ${wanted}` : exitReason(code, emulator.memoryBytes));
    const details = said.trim().slice(0, 1000);
    const message = `${emulator.title} fails on '${signature.name}' (${end})`;
    const failure = error('native/emulator', message, signature.location);
    return definite(details === '' ? failure : { ...failure, details });
  };
  const prepare = (name: string, values: readonly RunValue[]): readonly [number, Uint8Array, number] => {
    const number = numbers.get(name)!;
    const signature = functions[number]!;
    checkArguments(signature, values);
    markUsed(program);
    return [number, encodeCall(signature, number, values), resultBytes(signature)];
  };
  return createArtifact({
    functions,
    constants,
    readsConstant: () => true,
    emulator: emulator.title,
    call: (name, values) => {
      const [number, input, bytes] = prepare(name, values);
      return finish(number, emulator.run(program, input, bytes), values);
    },
    callAsync: async (name, values) => {
      const [number, input, bytes] = prepare(name, values);
      return finish(number, await emulator.start(program, input, bytes, stopping.signal), values);
    },
    allocate: (element, length) => {
      const size = nativeElement(element);
      return new (arrayTypeOf(size))(
        new ArrayBuffer(length * size.elementBytes),
        0,
        length,
      ) as ElementArrays[typeof element];
    },
    // Left to the garbage collector.
    release: () => undefined,
    dispose: () => {
      stopping.abort();
    },
  });
};

/** What an exit code means, for people. */
const exitReason = (code: number | null, memoryBytes: number | undefined): string => {
  switch (code) {
    case exitCodes.memory: {
      const limit =
        memoryBytes === undefined ? '' : `, of which the machine has ${memoryBytes / 2 ** 20} MiB`;
      return `there is not enough memory${limit}`;
    }
    case exitCodes.input:
      return 'the program did not get all of its arguments';
    case exitCodes.output:
      return 'the program could not write its results';
    default:
      return `exit code ${String(code)}`;
  }
};
