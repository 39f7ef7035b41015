/**
 * The C entry points of a library: `sconv_<name>`, which takes plain pointers, builds descriptors and calls the
 * function through MLIR's C interface (`llvm.emit_c_interface`).
 *
 *     void sconv_conv(const float *arg0, const float *arg1, float *arg2, float *result0, int32_t *places);
 *
 * For each argument whose packings may be kept (`KeptArgument`), memory for them and `keptState` precede `places`. The
 * arena of a function, if it takes one, is provided here (`arena-support.ts`). A
 * returned buffer is copied to its `result`, unless it is an argument: `places` has, for each result, the position of
 * that argument, or -1. A returned number is stored to its `result`.
 *
 * A function of more values than a caller can pass one by one has a second entry point, `words_…`, which takes them
 * as an array.
 */
import type { BufferLayout, ElementName, PublicFunction, ScalarLayout, ValueLayout } from '@sconv/backend';
import type { MemoryUse } from '@sconv/backend';
import type { KeptArgument } from '@sconv/lowering';
import { keptState } from '@sconv/lowering';
import { arenaSupport } from './arena-support.ts';
import type { SharedLoop } from './outline-loops.ts';
import { definedName } from './rename-definitions.ts';
import { scalarTypes, symbolOf, takesWords, threadedSymbolOf, valueTypes, wordsSymbolOf } from './symbols.ts';
import { threadPool } from './thread-pool.ts';

const elementTypes: Readonly<Record<ElementName, string>> = {
  f32: 'float',
  f64: 'double',
  f16: 'uint16_t',
  bf16: 'uint16_t',
  i1: 'int8_t',
  i8: 'int8_t',
  i16: 'int16_t',
  i32: 'int32_t',
  i64: 'int64_t',
  index: 'int64_t',
};

/** A number's type in MLIR's C interface: a boolean is one bit. */
const innerType = (value: Pick<ScalarLayout, 'element'>): string =>
  value.element === 'i1' ? '_Bool' : elementTypes[value.element];

/** A function, the arguments whose packings may be kept, and what its arena takes, which is then its last argument. */
export interface StubbedFunction extends PublicFunction {
  readonly kept: readonly KeptArgument[];
  readonly memory: MemoryUse;
}

/**
 * C code with a stub per function; if threads share loops, also a threaded stub, and the function that runs each
 * loop.
 */
export const stubsFor = (
  functions: readonly StubbedFunction[],
  loops: readonly SharedLoop[] = [],
): string => {
  const ranks = new Set([
    ...functions.flatMap(({ parameters, results, kept, memory }) => [
      ...[...parameters, ...results].flatMap((each) => (each.kind === 'buffer' ? [each.shape.length] : [])),
      ...kept.map(() => 1),
      ...(takesArena({ memory }) ? [1] : []),
    ]),
    ...loops.flatMap(({ captured }) =>
      captured.flatMap((each) => (each.kind === 'buffer' ? [each.rank] : [])),
    ),
  ]);
  return [
    '#include <stdint.h>',
    'void *memcpy(void *, const void *, __SIZE_TYPE__);',
    'void free(void *);',
    ...[...ranks].sort((a, b) => a - b).map(descriptorOf),
    ...arenaSupport(Math.max(0, ...functions.map(({ memory }) => memory.arenaBytes))),
    ...functions.map(stubOf),
    ...(loops.length === 0 ? [] : [threadPool, ...loops.map(sharedLoop), ...functions.map(threadedStub)]),
    ...functions.filter(takesWords).flatMap((each) => wordStubs(each, loops.length > 0)),
    '',
  ].join('\n');
};

/** Runs a loop on threads: the function that replaces it, and the part that a thread executes. */
const sharedLoop = ({ captured, iterations, part, share }: SharedLoop, i: number): string => {
  const types = captured.map((each) =>
    each.kind === 'buffer' ? `struct buffer${each.rank} *` : innerType(each),
  );
  const fields = types.map((type, at) => `${type} a${at};`).join(' ');
  const taken = types.map((type, at) => `${type} a${at}`).join(', ') || 'void';
  const passed = types.map((_, at) => `own->a${at}`);
  const symbol = (name: string): string => JSON.stringify(`_mlir_ciface_${name}`);
  return [
    // C has no empty structs.
    `struct frame${i} { ${fields} char end; };`,
    `extern void part${i}(${[...types, 'int64_t'].join(', ')}) __asm__(${symbol(part)});`,
    `static void run${i}(const void *frame, int64_t number) {`,
    `  const struct frame${i} *own = frame; (void)own;`,
    `  part${i}(${[...passed, 'number'].join(', ')});`,
    '}',
    `void share${i}(${taken}) __asm__(${symbol(share)});`,
    `void share${i}(${taken}) {`,
    `  struct frame${i} frame = { ${[...types.map((_, at) => `a${at}`), '0'].join(', ')} };`,
    `  pool_share(run${i}, &frame, ${iterations});`,
    '}',
  ].join('\n');
};

/**
 * A stub with a thread pool as the last argument. A call that fills kept packings uses one thread, since several
 * iterations may write the same panel.
 */
const threadedStub = (stubbed: StubbedFunction): string => {
  const { signature, parameters, results, kept } = stubbed;
  const taken = prototypeOf(stubbed);
  const from = taken.indexOf('(');
  const fills = kept.map(({ parameter }) => `state${parameter} == ${keptState.fill}`);
  const passed = [
    ...parameters.map((_, i) => `arg${i}`),
    ...results.map((_, i) => `result${i}`),
    ...kept.flatMap(({ parameter }) => [`kept${parameter}`, `state${parameter}`]),
    'places',
  ];
  return [
    '__attribute__((visibility("default"))) void ' +
      `${threadedSymbolOf(signature.name)}${taken.slice(from, -1)}, struct pool *pool) {`,
    `  pool_current = ${fills.length === 0 ? 'pool' : `${fills.join(' || ')} ? 0 : pool`};`,
    `  ${symbolOf(signature.name)}(${passed.join(', ')});`,
    '  pool_current = 0;',
    '}',
  ].join('\n');
};

/** Entry points that take the values as words of 64 bits: addresses, and numbers in their lowest bytes. */
const wordStubs = (stubbed: StubbedFunction, isThreaded: boolean): readonly string[] => {
  const types = valueTypes(stubbed);
  const numbers = types.flatMap((type, i) =>
    type === 'void *' ? [] : [`  ${type} v${i}; memcpy(&v${i}, words + ${i}, sizeof v${i});`],
  );
  const passed = types.map((type, i) => (type === 'void *' ? `(void *)words[${i}]` : `v${i}`));
  const stub = (symbol: string, others: string, last: readonly string[]): string =>
    [
      `__attribute__((visibility("default"))) void ${wordsSymbolOf(symbol)}(const int64_t *words${others}) {`,
      ...numbers,
      `  ${symbol}(${[...passed, ...last].join(', ')});`,
      '}',
    ].join('\n');
  const { name } = stubbed.signature;
  return [
    stub(symbolOf(name), '', []),
    ...(isThreaded ? [stub(threadedSymbolOf(name), ', struct pool *pool', ['pool'])] : []),
  ];
};

/** The declaration of a descriptor in MLIR's layout. */
const descriptorOf = (rank: number): string => {
  const sizes = rank === 0 ? '' : ` int64_t sizes[${rank}], strides[${rank}];`;
  return `struct buffer${rank} { char *allocated, *aligned; int64_t offset;${sizes} };`;
};

const structOf = ({ shape }: BufferLayout): string => `struct buffer${shape.length}`;

/** A stub's return type, name and parameters. */
export const prototypeOf = ({ signature, parameters, results, kept }: StubbedFunction): string => {
  const taken = [
    ...parameters.map((each, i) => {
      if (each.kind === 'scalar') return `${scalarTypes[each.type]} arg${i}`;
      const own = signature.parameters[i]!;
      const isRead = own.kind === 'buffer' && !own.written;
      return `${isRead ? 'const ' : ''}${elementTypes[each.element]} *arg${i}`;
    }),
    ...results.map(
      (each, i) =>
        `${each.kind === 'buffer' ? elementTypes[each.element] : scalarTypes[each.type]} *result${i}`,
    ),
    ...kept.flatMap(({ parameter }) => [`int8_t *kept${parameter}`, `int32_t state${parameter}`]),
    'int32_t *places',
  ];
  return `void ${symbolOf(signature.name)}(${taken.join(', ')})`;
};

const takesArena = ({ memory }: Pick<StubbedFunction, 'memory'>): boolean => memory.arenaBytes > 0;

const stubOf = (stubbed: StubbedFunction): string => {
  const { signature, parameters, results, kept, memory } = stubbed;
  const { name } = signature;
  const inner = `callee_${symbolOf(name)}`;
  const isPlain = results.length === 1 && results[0]!.kind === 'scalar';
  const returned = results.map((result) => (result.kind === 'buffer' ? structOf(result) : innerType(result)));
  const innerTypes = [
    ...parameters.map((each) => (each.kind === 'buffer' ? `${structOf(each)} *` : innerType(each))),
    ...kept.flatMap(() => ['struct buffer1 *', 'int32_t']),
    ...(takesArena(stubbed) ? ['struct buffer1 *'] : []),
  ];
  const buffers = parameters.flatMap((each, i) => (each.kind === 'buffer' ? [{ each, i }] : []));
  const lines = [
    ...buffers.map(
      ({ each, i }) =>
        `  ${structOf(each)} buffer_arg${i} = { (char *)arg${i}, (char *)arg${i}, ${listOf(each)} };`,
    ),
    ...kept.map(
      ({ parameter, bytes }) =>
        `  struct buffer1 buffer_kept${parameter} = { (char *)kept${parameter}, (char ` +
        `*)kept${parameter}, 0, { ${bytes} }, { 1 } };`,
    ),
    ...(takesArena(stubbed)
      ? [
          '  char *arena = arena_take();',
          `  struct buffer1 buffer_arena = { arena, arena, 0, { ${memory.arenaBytes} }, { 1 } };`,
        ]
      : []),
  ];
  const passed = [
    ...parameters.map((each, i) => (each.kind === 'buffer' ? `&buffer_arg${i}` : `arg${i}`)),
    ...kept.flatMap(({ parameter }) => [`&buffer_kept${parameter}`, `state${parameter}`]),
    ...(takesArena(stubbed) ? ['&buffer_arena'] : []),
  ];
  const holder = `struct results_${symbolOf(name)}`;
  if (results.length === 0) lines.push(`  ${inner}(${passed.join(', ')});`);
  else if (isPlain) lines.push(`  *result0 = ${inner}(${passed.join(', ')});`);
  else {
    lines.push(`  ${holder} all;`, `  ${inner}(${['&all', ...passed].join(', ')});`);
    results.forEach((result, i) => {
      lines.push(
        ...(result.kind === 'buffer' ? storeBuffer(result, i, buffers) : [`  *result${i} = all.r${i};`]),
      );
    });
    lines.push(...releaseBuffers(results, buffers, takesArena(stubbed) ? ['arena'] : []));
  }
  if (takesArena(stubbed)) lines.push('  arena_give(arena);');
  const declared = [...(results.length === 0 || isPlain ? [] : [`${holder} *`]), ...innerTypes];
  const fields = returned.map((type, i) => `${type} r${i};`).join(' ');
  return [
    ...(results.length === 0 || isPlain ? [] : [`${holder} { ${fields} };`]),
    `extern ${isPlain ? returned[0]! : 'void'} ${inner}(${declared.join(', ') || 'void'}) ` +
      `__asm__(${JSON.stringify(`_mlir_ciface_${definedName(name)}`)});`,
    `__attribute__((visibility("default"))) ${prototypeOf(stubbed)} {`,
    '  (void)places;',
    ...lines,
    '}',
  ].join('\n');
};

/** Offset, sizes and strides of a descriptor. */
const listOf = ({ offset, shape, strides }: BufferLayout): string =>
  shape.length === 0 ? String(offset) : `${offset}, { ${shape.join(', ')} }, { ${strides.join(', ')} }`;

interface BufferParameter {
  readonly each: BufferLayout;
  readonly i: number;
}

/** Reports which argument a result is, or copies it. */
const storeBuffer = (
  result: BufferLayout,
  i: number,
  buffers: readonly BufferParameter[],
): readonly string[] => {
  const same = buffers.filter(({ each }) => each.element === result.element && each.length === result.length);
  const start = `all.r${i}.aligned + (all.r${i}.offset - ${result.offset}) * ${result.elementBytes}`;
  return [
    `  char *start${i} = ${start};`,
    `  places[${i}] = ` +
      `${same.map(({ i: position }) => `start${i} == (char *)arg${position} ? ${position} : `).join('')}-1;`,
    `  if (places[${i}] < 0) memcpy(result${i}, start${i}, ${result.length * result.elementBytes});`,
  ];
};

/** Frees results that are no arguments, once if several are views of one buffer. */
const releaseBuffers = (
  results: readonly ValueLayout[],
  buffers: readonly BufferParameter[],
  arenas: readonly string[],
): readonly string[] => {
  const returned = results.flatMap((result, i) => (result.kind === 'buffer' ? [i] : []));
  return returned.map((i, at) => {
    const others = [
      // MLIR's marker for the allocation of a global.
      '(char *)0xdeadbeef',
      ...arenas,
      ...buffers.map(({ i: position }) => `(char *)arg${position}`),
      ...returned.slice(0, at).map((earlier) => `all.r${earlier}.allocated`),
    ];
    const test = others.map((other) => `all.r${i}.allocated != ${other}`).join(' && ');
    return `  if (${test}) free(all.r${i}.allocated);`;
  });
};
