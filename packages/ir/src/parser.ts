/** Entry points of the parser. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, describeValue, error, expectText, success } from '@sconv/diagnostics';
import type { Attribute } from './attribute.ts';
import { parseAttribute as parseAttributeAt } from './attribute-parser.ts';
import { expectRegistry } from './check-module.ts';
import type { Module } from './operation.ts';
import { OperationParser } from './operation-parser.ts';
import { ParseFailure } from './parse-failure.ts';
import type { TextOptions } from './token-parser.ts';
import { TokenParser } from './token-parser.ts';
import type { Type } from './type.ts';
import { parseType as parseTypeAt } from './type-parser.ts';
import { verify } from './verifier.ts';

/** What a module is parsed with. */
export interface ParseOptions extends TextOptions {
  /** Whether to wrap top-level operations in a module; true by default. */
  readonly implicitModule?: boolean;
  /** Whether to verify the module; true by default. */
  readonly verify?: boolean;
}

/** Parses a module from MLIR text. Fails definitely with the first syntax error, or with the verifier's diagnostics. */
export const parseModule = (text: string, options: ParseOptions): Diagnosed<Module> => {
  // Untyped callers may pass bytes, or nothing.
  if (typeof text !== 'string') throw new TypeError(`expected MLIR text, not ${describeValue(text)}`);
  expectRegistry('parseModule', options);
  const parsed = catchFailure(() =>
    new OperationParser(new TokenParser(text, options)).parseTopLevel(options.implicitModule ?? true),
  );
  if (parsed.status !== 'success' || options.verify === false) return parsed;
  const errors = verify(parsed.value, options.registry, {
    allowUnregisteredDialects: options.allowUnregisteredDialects ?? false,
  });
  return errors.length === 0 ? parsed : definite(...errors);
};

/** Parses a text that is a type and nothing else. */
export const parseType = (text: string, options: TextOptions): Diagnosed<Type> =>
  catchFailure(() => whole(text, options, parseTypeAt));

/** Parses a text that is an attribute and nothing else. */
export const parseAttribute = (text: string, options: TextOptions): Diagnosed<Attribute> =>
  catchFailure(() => whole(text, options, (parser) => parseAttributeAt(parser)));

const whole = <T>(text: string, options: TextOptions, parse: (parser: TokenParser) => T): T => {
  expectText('a text to parse', text);
  const parser = new TokenParser(text, options);
  const value = parse(parser);
  if (parser.lexer.kind !== 'end') parser.fail('expected the end of the text');
  parser.resources.finish();
  return value;
};

const catchFailure = <T>(parse: () => T): Diagnosed<T> => {
  try {
    return success(parse());
  } catch (failure) {
    if (!(failure instanceof ParseFailure)) throw failure;
    return definite(error(failure.code, failure.message, failure.location, failure.notes));
  }
};
