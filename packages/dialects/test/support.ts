/** Shared by the tests of the dialects. */
import type { Diagnosed } from '@sconv/diagnostics';
import { render, unwrap } from '@sconv/diagnostics';
import type { Module, Operation } from '@sconv/ir';
import { createRegistry, parseModule, printModule, walk } from '@sconv/ir';
import { payloadDialects } from '../src/index.ts';

export const registry = createRegistry(payloadDialects);

/** A function with these arguments and `lines` as its body. */
export const inFunction = (args: string, lines: string): string =>
  `module {\n  func.func @f(${args}) {\n${lines
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}    return\n  }\n}\n`;

export const parse = (text: string): Diagnosed<Module> => parseModule(text, { registry });

/** Parses and prints the text. */
export const reprint = (text: string, generic = false): string =>
  printModule(unwrap(parse(text)), { registry, generic });

/** The messages of the errors, without their codes. */
export const errorsOf = (text: string): readonly string[] => {
  const parsed = parse(text);
  return parsed.status === 'success' ? [] : parsed.diagnostics.map((diagnostic) => diagnostic.message);
};

/** The first operation of this name; throws with the diagnostics if the text does not parse. */
export const findOperation = (text: string, name: string): Operation => {
  const parsed = parse(text);
  if (parsed.status !== 'success') throw new Error(parsed.diagnostics.map((d) => render(d)).join('\n'));
  for (const operation of walk(parsed.value.root)) if (operation.name === name) return operation;
  throw new Error(`no ${name} in the text`);
};
