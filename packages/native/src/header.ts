/** The C header of a module: its functions and their parameters. */
import type { ValueLayout } from '@sconv/backend';
import { keptState } from '@sconv/lowering';
import type { StubbedFunction } from './stubs.ts';
import { prototypeOf } from './stubs.ts';
import { symbolOf } from './symbols.ts';

/** Makes the header define the functions, which modules emitted as MLIR or LLVM IR lack. */
const implementationMacro = 'SCONV_IMPLEMENTATION';

const conventions = `/*
 * Functions compiled by sconv. The comment of each function gives the layout of its buffers; arg<i> of a buffer
 * points to its first byte.
 *
 * Results: a buffer is copied to result<i>, unless it is one of the arguments; places[i] is then the index of that
 * argument, and -1 otherwise. A scalar is stored to *result<i>. places has one element per result, and at least one.
 *
 * Packed arguments: kept<i> caches what is packed of argument i across calls. It takes sconv_<name>_kept<i>_bytes
 * bytes, aligned to
 * 64. state<i> is ${keptState.none} without a cache (kept<i> may then be null), ${keptState.fill} in the call that
 * fills it, and ${keptState.full} in calls that reuse it, as long as argument i does not change.
 *
 * When linking MLIR or LLVM IR, define ${implementationMacro} in exactly one C file before including this header.
 */`;

/** A header that declares `functions` and `others`, and defines them (`stubs`) under a macro. */
export const headerFor = (
  functions: readonly StubbedFunction[],
  stubs: string,
  others: readonly string[] = [],
): string =>
  [
    conventions,
    '#pragma once',
    '#include <stdint.h>',
    '',
    '#ifdef __cplusplus',
    'extern "C" {',
    '#endif',
    ...functions.flatMap((each) => ['', describedBy(each), ...keptSizes(each), `${prototypeOf(each)};`]),
    ...others.flatMap((each) => ['', each]),
    '',
    '#ifdef __cplusplus',
    '}',
    '#endif',
    '',
    `#ifdef ${implementationMacro}`,
    stubs.trimEnd(),
    '#endif',
    '',
  ].join('\n');

/** A call that packs anew, as a line to copy. */
const uncachedCall = ({ signature, parameters, results, kept }: StubbedFunction): string => {
  const given = [
    ...parameters.map((_, i) => `arg${i}`),
    ...results.map((_, i) => `result${i}`),
    ...kept.flatMap(() => ['0', '0']),
    'places',
  ];
  return `${symbolOf(signature.name)}(${given.join(', ')})`;
};

const describedBy = (stubbed: StubbedFunction): string => {
  const { signature, parameters, results, kept } = stubbed;
  const written = (i: number): string => {
    const own = signature.parameters[i]!;
    return own.kind === 'buffer' && own.written ? ', written' : '';
  };
  const lines = [
    // A name may contain any characters.
    JSON.stringify(signature.name).replaceAll('*/', '*\\/'),
    ...parameters.map((each, i) => `arg${i}: ${layoutText(each)}${written(i)}`),
    ...results.map((each, i) => `result${i}: ${layoutText(each)}`),
    ...(kept.length === 0 ? [] : [`Without a cache: ${uncachedCall(stubbed)}`]),
  ];
  return `/*\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`;
};

const layoutText = (value: ValueLayout): string => {
  if (value.kind === 'scalar') return value.element;
  const { element, shape, strides, offset } = value;
  const sizes = [...shape, element].join(' x ');
  return `${sizes}, strides [${strides.join(', ')}]${offset === 0 ? '' : `, from element ${offset} on`}`;
};

const keptSizes = ({ signature, kept }: StubbedFunction): readonly string[] => {
  const sizes = kept.map(
    ({ parameter, bytes }) => `${symbolOf(signature.name)}_kept${parameter}_bytes = ${bytes}`,
  );
  return sizes.length === 0 ? [] : [`enum { ${sizes.join(', ')} };`];
};
