/**
 * The functions of a library as a standalone program: it reads calls from its input, and writes their results to its
 * output. `call-data.ts` is the other side.
 *
 * A call is the number of a function (i64) and its arguments; the output is the buffers that it may write, `places`,
 * and its results. Numbers have the size of their types, in little-endian order, without padding.
 */
import type { BufferSignature, FunctionSignature } from '@sconv/backend';
import type { KeptArgument } from '@sconv/lowering';
import { streamingSymbol } from './streaming-support.ts';
import { scalarTypes, symbolOf } from './symbols.ts';

/** Exit codes of a program. */
export const exitCodes = {
  /** The input ended in the middle of a call. */
  input: 65,
  memory: 70,
  /** The output cannot be written. */
  output: 74,
  /** The vector length differs from the one that the code is made for. */
  vectorLength: 71,
} as const;

const bytesOf = ({ length, elementBytes }: BufferSignature): number => length * elementBytes;

export interface ProgramParts {
  readonly functions: readonly FunctionSignature[];
  readonly kept: readonly (readonly KeptArgument[])[];
  readonly streamingBytes?: number;
}

/** C code: `main`, which calls the stubs; it runs on `hostedSystem`, or on another runtime. */
export const programFor = ({ functions, kept, streamingBytes }: ProgramParts): string =>
  [
    '#include <stdint.h>',
    'void *system_memory(uint64_t bytes);',
    'void system_release(void *memory);',
    '_Bool system_take(void *to, uint64_t bytes);',
    'void system_give(const void *from, uint64_t bytes);',
    '_Noreturn void system_exit(int code);',
    `static void take(void *to, uint64_t bytes) { if (!system_take(to, bytes)) system_exit(${exitCodes.input}); }`,
    'static void *taken(uint64_t bytes) { void *to = system_memory(bytes); take(to, bytes); return to; }',
    ...functions.map((signature, i) => callOf(signature, kept[i] ?? [], i)),
    ...(streamingBytes === undefined ? [] : [`int64_t ${streamingSymbol}(void);`]),
    'int main(void) {',
    ...(streamingBytes === undefined
      ? []
      : [`  if (${streamingSymbol}() != ${streamingBytes}) system_exit(${exitCodes.vectorLength});`]),
    '  for (int64_t which; system_take(&which, 8);)',
    '    switch (which) {',
    ...functions.map((_, i) => `      case ${i}: call${i}(); break;`),
    '    }',
    '  system_exit(0);',
    '}',
    '',
  ].join('\n');

const callOf = (
  { name, parameters, results }: FunctionSignature,
  kept: readonly KeptArgument[],
  i: number,
): string => {
  const symbol = symbolOf(name);
  const types = [
    ...parameters.map((each) => (each.kind === 'buffer' ? 'void *' : scalarTypes[each.type])),
    ...results.map(() => 'void *'),
    ...kept.flatMap(() => ['void *', 'int32_t']),
    'int32_t *',
  ];
  const values = [
    ...parameters.map((_, at) => `arg${at}`),
    ...results.map((each, at) => (each.kind === 'buffer' ? `result${at}` : `&result${at}`)),
    ...kept.flatMap(() => ['0', '0']),
    'places',
  ];
  const places = Math.max(1, results.length);
  return [
    `void ${symbol}(${types.join(', ')});`,
    `static void call${i}(void) {`,
    ...parameters.map((each, at) =>
      each.kind === 'buffer'
        ? `  void *arg${at} = taken(${bytesOf(each)});`
        : `  ${scalarTypes[each.type]} arg${at}; take(&arg${at}, sizeof arg${at});`,
    ),
    ...results.map((each, at) =>
      each.kind === 'buffer'
        ? `  void *result${at} = system_memory(${bytesOf(each)});`
        : `  ${scalarTypes[each.type]} result${at};`,
    ),
    `  int32_t places[${places}] = { -1 };`,
    `  ${symbol}(${values.join(', ')});`,
    ...parameters.flatMap((each, at) =>
      each.kind === 'buffer' && each.written ? [`  system_give(arg${at}, ${bytesOf(each)});`] : [],
    ),
    `  system_give(places, ${4 * places});`,
    ...results.map((each, at) =>
      each.kind === 'buffer'
        ? `  system_give(result${at}, ${bytesOf(each)});`
        : `  system_give(&result${at}, sizeof result${at});`,
    ),
    ...[...parameters.entries()].flatMap(([at, { kind }]) =>
      kind === 'buffer' ? [`  system_release(arg${at});`] : [],
    ),
    ...[...results.entries()].flatMap(([at, { kind }]) =>
      kind === 'buffer' ? [`  system_release(result${at});`] : [],
    ),
    '}',
  ].join('\n');
};

/** The runtime of a program on an operating system. */
export const hostedSystem = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
_Noreturn void system_exit(int code) { exit(fflush(stdout) == 0 && !ferror(stdout) ? code : ${exitCodes.output}); }
void *system_memory(uint64_t bytes) {
  void *memory = aligned_alloc(64, bytes / 64 * 64 + 64);
  if (memory == 0) system_exit(${exitCodes.memory});
  return memory;
}
void system_release(void *memory) { free(memory); }
_Bool system_take(void *to, uint64_t bytes) { return fread(to, 1, bytes, stdin) == bytes; }
void system_give(const void *from, uint64_t bytes) { fwrite(from, 1, bytes, stdout); }
`;
