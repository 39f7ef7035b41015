/** The C header of a module: its functions and their parameters. */
import { keptState } from '@sconv/lowering';
import type { NativeValue } from './signature.ts';
import type { StubbedFunction } from './stubs.ts';
import { prototypeOf, symbolOf } from './stubs.ts';

/** To be defined before including the header with MLIR or LLVM IR, which lack these functions. */
const implementationMacro = 'SCONV_IMPLEMENTATION';

const conventions = `/*
 * Functions that sconv has compiled. A buffer is a pointer to its first byte; its elements are where the comment of the function
 * says. A buffer that is returned is copied to result<i>, unless it is one of the arguments: places[i] is then the number of that
 * argument, else -1. A number that is returned is stored to *result<i>. places has an element for each result, one at least.
 *
 * kept<i> is memory for what is packed of argument i, so that it is packed once: sconv_<name>_kept<i>_bytes of it, aligned to 64.
 * state<i> is ${keptState.none} where there is none (kept<i> may be null), ${keptState.fill} in a call that fills it, and ${keptState.full} in those after that, while the
 * argument stays the same.
 *
 * Define ${implementationMacro} in one C file before this one is included, where the code is linked as MLIR or LLVM IR.
 */`;

/** A header with the declarations of all functions, and of others, and, under a macro, their definitions. */
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

const describedBy = ({ signature, parameters, results }: StubbedFunction): string => {
  const written = (i: number): string => {
    const own = signature.parameters[i]!;
    return own.kind === 'buffer' && own.written ? ', written' : '';
  };
  const lines = [
    // A name may contain any characters.
    JSON.stringify(signature.name).replaceAll('*/', '*\\/'),
    ...parameters.map((each, i) => `arg${i}: ${layoutText(each)}${written(i)}`),
    ...results.map((each, i) => `result${i}: ${layoutText(each)}`),
  ];
  return `/*\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`;
};

const layoutText = (value: NativeValue): string => {
  if (value.kind === 'scalar') return value.element;
  const { element, shape, strides, offset } = value;
  const sizes = [...shape, element].join(' x ');
  return `${sizes}, strides [${strides.join(', ')}]${offset === 0 ? '' : `, from element ${offset} on`}`;
};

const keptSizes = ({ signature, kept }: StubbedFunction): readonly string[] =>
  kept.length === 0
    ? []
    : [
        `enum { ${kept.map(({ parameter, bytes }) => `${symbolOf(signature.name)}_kept${parameter}_bytes = ${bytes}`).join(', ')} };`,
      ];
