/**
 * `definePass`: a pass is declared once, with its options, and can be instantiated from values in code, or from text
 * on a command line or in a pipeline.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import {
  definite,
  describeValue,
  didYouMean,
  error,
  expectList,
  expectObject,
  expectText,
  success,
  unknownLocation,
  unknownName,
} from '@sconv/diagnostics';
import { failingInexact } from './exact-arithmetic.ts';
import type { Module } from './operation.ts';
import type { DraftOperation } from './draft.ts';
import type { Pass, PassContext } from './pass.ts';
import { runOnModule } from './pass.ts';
import type { Rewriter } from './rewriter.ts';

/** An option of a pass. */
export interface PassOption<T> {
  readonly help: string;
  readonly preset: T;
  /** The allowed texts, if there are only a few. */
  readonly texts?: readonly string[];
  /** Completes "the option is …". */
  readonly expected: string;
  /** Whether a value that an untyped caller gives is one of the option's. */
  accepts(value: unknown): boolean;
  /** Parses a text; undefined if it is invalid. */
  decode(text: string): T | undefined;
  encode(value: T): string;
}

const flagTexts: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  '1': true,
  false: false,
  '0': false,
};

/** A flag; its default is `preset`. */
export const flagOption = (help: string, preset = false): PassOption<boolean> => ({
  help,
  preset,
  texts: ['false', 'true'],
  expected: 'one of false, true',
  accepts: (value) => typeof value === 'boolean',
  decode: (text) => flagTexts[text],
  encode: String,
});

/** One of a few words; the first is the default. */
export const choiceOption = <const T extends string>(
  help: string,
  texts: readonly [T, ...T[]],
): PassOption<T> => {
  expectList('a list of words', texts);
  return {
    help,
    preset: texts[0],
    texts,
    expected: `one of ${texts.join(', ')}`,
    accepts: (value) => texts.some((each) => each === value),
    decode: (text) => texts.find((each) => each === text),
    encode: String,
  };
};

export const textOption = (help: string, preset: string): PassOption<string> => ({
  help,
  preset,
  expected: 'a text',
  accepts: (value) => typeof value === 'string',
  decode: (text) => text,
  encode: (value) => value,
});

/** A non-negative integer. */
export const countOption = (help: string, preset: number): PassOption<number> => ({
  help,
  preset,
  expected: 'an integer from 0 on',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  decode: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  encode: String,
});

/** Any integer. */
export const integerOption = (help: string, preset: number): PassOption<number> => ({
  help,
  preset,
  expected: 'an integer',
  accepts: Number.isSafeInteger,
  decode: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined),
  encode: String,
});

/** Comma-separated texts. */
export const listOption = (help: string): PassOption<readonly string[]> => ({
  help,
  preset: [],
  expected: 'texts, separated by commas',
  accepts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  decode: (text) => text.split(',').filter((part) => part !== ''),
  encode: (values) => values.join(','),
});

/** The options of a pass by name. */
export type PassOptions = Readonly<Record<string, PassOption<unknown>>>;

/** The values of options. */
export type PassValues<O extends PassOptions> = {
  readonly [K in keyof O]: O[K] extends PassOption<infer T> ? T : never;
};

interface PassHead<O extends PassOptions> {
  /** In kebab-case: the flag, and the name in a pipeline. */
  readonly name: string;
  /** Upstream's name when printing the IR. */
  readonly title: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  /** In camelCase; kebab-case in text. */
  readonly options?: O;
}

/** The declaration of a pass, for `definePass`. */
export interface PassSpec<O extends PassOptions> extends PassHead<O> {
  /** Returns the new module: the same object if nothing changed. */
  readonly run: (module: Module, options: PassValues<O>, context: PassContext) => Diagnosed<Module>;
}

/** A pass that can run on any operation, also in nested pipelines. */
export interface OperationPassSpec<O extends PassOptions> extends PassHead<O> {
  readonly runOn: (
    rewriter: Rewriter,
    operation: DraftOperation,
    options: PassValues<O>,
  ) => Diagnosed<unknown>;
}

/** A type-erased pass, as command lines and registries see it. */
export interface PassDefinition {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Whether it can run on operations other than modules: `nestPass`. */
  readonly isNestable: boolean;
  /** By their names in text. */
  readonly options: Readonly<Record<string, Pick<PassOption<unknown>, 'help' | 'texts'>>>;
  /**
   * Instantiates the pass with options as text; omitted ones have their defaults. Fails with `pass/option` for an
   * unknown option or an invalid text.
   */
  readonly fromText: (options: Readonly<Record<string, string>>) => Diagnosed<Pass>;
}

/**
 * Instantiates the pass; omitted options have their defaults. Throws a TypeError for an unknown option or a value
 * that is not one of its, which a typed caller cannot give.
 */
export type PassConstructor<O extends PassOptions> = ((options?: Partial<PassValues<O>>) => Pass) & {
  readonly definition: PassDefinition;
};

/** Declares a pass. Where numbers of the module pass 2^53 on the way, it fails with `pass/arithmetic`. */
export const definePass = <const O extends PassOptions>(spec: PassSpec<O>): PassConstructor<O> =>
  declare(spec, (options) => ({
    run: (module, context) =>
      failingInexact('pass/arithmetic', module.root.location, () => spec.run(module, options, context)),
  }));

/** Declares a pass that can run on any operation. */
export const defineOperationPass = <const O extends PassOptions>(
  spec: OperationPassSpec<O>,
): PassConstructor<O> =>
  declare(spec, (options) => {
    const runOn: Pass['runOn'] = (rewriter, operation) =>
      failingInexact('pass/arithmetic', operation.location, () => spec.runOn(rewriter, operation, options));
    return { runOn, run: runOnModule(runOn) };
  });

const declare = <const O extends PassOptions>(
  spec: PassHead<O>,
  running: (options: PassValues<O>) => Pick<Pass, 'run' | 'runOn'>,
): PassConstructor<O> => {
  expectObject('the declaration of a pass', spec);
  const { name, title, summary } = spec;
  const options: PassOptions = spec.options ?? {};
  const byText = new Map(Object.entries(options).map(([key, option]) => [kebabCase(key), { key, option }]));

  const create = (given: Readonly<Record<string, unknown>> = {}): Pass => {
    expectOptions(name, options, given);
    const values = Object.fromEntries(
      Object.entries(options).map(([key, { preset }]) => [key, given[key] ?? preset]),
    );
    return {
      name,
      title,
      summary,
      options: Object.fromEntries(
        Object.entries(options).map(([key, option]) => [kebabCase(key), option.encode(values[key])]),
      ),
      ...running(values as PassValues<O>),
    };
  };

  const fromText: PassDefinition['fromText'] = (texts) => {
    const fail = (message: string) => definite(error('pass/option', message, unknownLocation));
    const values: Record<string, unknown> = {};
    for (const [text, value] of Object.entries(texts)) {
      const known = byText.get(text);
      if (known === undefined)
        return fail(`pass '${name}' has ${unknownName('option', text, [...byText.keys()])}`);
      const decoded = known.option.decode(value);
      if (decoded === undefined) {
        const { expected, texts: words = [] } = known.option;
        return fail(`option '${text}' is ${expected}, not '${value}'${didYouMean(value, words)}`);
      }
      values[known.key] = decoded;
    }
    return success(create(values));
  };

  const definition: PassDefinition = {
    name,
    title,
    summary,
    isNestable: create().runOn !== undefined,
    options: Object.fromEntries([...byText].map(([text, { option }]) => [text, option])),
    fromText,
  };
  return Object.assign(create as PassConstructor<O>, { definition });
};

/** Throws a TypeError for options that are unknown, or have values of other types. */
const expectOptions = (name: string, options: PassOptions, given: unknown): void => {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`pass '${name}' expects an object of options, not ${describeValue(given)}`);
  for (const [key, value] of Object.entries(given)) {
    const option = Object.hasOwn(options, key) ? options[key] : undefined;
    if (option === undefined)
      throw new TypeError(`pass '${name}' has ${unknownName('option', key, Object.keys(options))}`);
    if (value === undefined || option.accepts(value)) continue;
    const hint = typeof value === 'string' ? didYouMean(value, option.texts ?? []) : '';
    throw new TypeError(
      `option '${key}' of pass '${name}' is ${option.expected}, not ${describeValue(value)}${hint}`,
    );
  }
};

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `entry-point=main print`, LLVM's syntax for pass options: space-separated pairs. */
export const parsePassOptions = (text: string): Readonly<Record<string, string>> => {
  expectText('the options of a pass as text', text);
  return Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .filter((part) => part !== '')
      .map((part) => {
        const at = part.indexOf('=');
        return at < 0 ? [part, 'true'] : [part.slice(0, at), part.slice(at + 1)];
      }),
  );
};
