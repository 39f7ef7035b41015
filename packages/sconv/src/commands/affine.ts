/** `sconv affine`: simplify, compare and evaluate affine maps and sets from a shell. */

import {
  affineMap,
  evaluate,
  integerSet,
  isAffineError,
  printMap,
  printSet,
  simplify,
  type AffineMap,
  type IntegerSet,
  type Bounds,
  type NamedBox,
} from '@sconv/affine';
import type { Int, PresburgerSet } from '@sconv/presburger';
import { isPresburgerError, parseSet, simplifyOver, withCaret } from '@sconv/presburger';
import { Command, InvalidArgumentError } from 'commander';
import type { Console } from '../console.ts';
import { failed, readSource, reportAll, undecided } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import { affineDepsCommand } from './affine-deps.ts';
import { affineSetCommands } from './affine-sets.ts';
import type { EquivalenceAnswer, Over } from './decide-equivalence.ts';
import { decideEquivalence } from './decide-equivalence.ts';
import type { Write } from './targets.ts';

type OnExit = (code: number) => void;

/** Reads a file; `-` is the standard input. */
type Read = typeof readSource;

interface SimplifyOptions {
  readonly over?: Points;
  readonly json?: true;
}

interface EquivOptions {
  readonly over?: Over;
  readonly seed?: number;
  readonly json?: true;
}

/** `d0=0:75,s0=1:9`: half-open bounds by the names in the map, or these; either end may be omitted. */
const parseOver = (text: string): NamedBox => {
  const bounds: Record<string, Bounds> = {};
  for (const part of text.split(',')) {
    const [, name, lo, hi] =
      /^\s*([A-Za-z_][\w$.]*)\s*=\s*(-?\d{1,16})?\s*:\s*(-?\d{1,16})?\s*$/.exec(part) ?? [];
    if (name === undefined) throw new InvalidArgumentError(`write bounds as d0=0:75,s0=1:9, not '${part}'`);
    bounds[name] = [lo === undefined ? -Infinity : Number(lo), hi === undefined ? Infinity : Number(hi)];
  }
  return bounds;
};

const isSetSyntax = (text: string): boolean => /^\s*(?:[({[]|affine_set)/.test(text);

/** Bounds, or the text of a set. */
const parsePoints = (text: string): Over => (isSetSyntax(text) ? text : parseOver(text));

/** Where a map is simplified: bounds, or a set whose symbols are its, by position. */
type Points =
  { readonly kind: 'box'; readonly box: NamedBox } | { readonly kind: 'set'; readonly set: PresburgerSet };

const parsePointsOfLines = (text: string): Points => {
  if (!isSetSyntax(text)) return { kind: 'box', box: parseOver(text) };
  try {
    return { kind: 'set', set: parseSet(text) };
  } catch (error) {
    if (!isPresburgerError(error)) throw error;
    throw new InvalidArgumentError(withCaret(error, text).replaceAll('\n', '\n  '));
  }
};

/** The simplification at these points. */
function simplifyAt(of: AffineMap, points: Points | undefined): AffineMap;
function simplifyAt(of: IntegerSet, points: Points | undefined): IntegerSet;
function simplifyAt(of: AffineMap | IntegerSet, points: Points | undefined): AffineMap | IntegerSet {
  if (points?.kind === 'set')
    return of.kind === 'map' ? simplifyOver(of, points.set) : simplifyOver(of, points.set);
  return of.kind === 'map' ? simplify(of, points?.box) : simplify(of, points?.box);
}

const parseSeed = (text: string): number => {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('an integer from 0');
};

/** A parsed map or set, and how to print its simplification in the same form. */
const simplifyLine = (line: string, over: Points | undefined): string => {
  const wrapped = /^\s*affine_(map|set)\s*</.exec(line)?.[1];
  const isSet = wrapped === undefined ? !line.includes('->') : wrapped === 'set';
  const text = isSet
    ? printSet(simplifyAt(integerSet(line), over))
    : printMap(simplifyAt(affineMap(line), over));
  return wrapped === undefined ? text : `affine_${wrapped}<${text}>`;
};

/** The result for one input line. */
type LineResult =
  | { readonly line: number; readonly input: string; readonly output: string }
  | {
      readonly line: number;
      readonly input: string;
      readonly error: { code: string; column: number; message: string };
    };

const simplifyLines = (text: string, over: Points | undefined): readonly LineResult[] =>
  text.split(/\r?\n/).flatMap((input, index): LineResult[] => {
    if (/^\s*(\/\/.*)?$/.test(input)) return [];
    const line = index + 1;
    try {
      return [{ line, input, output: simplifyLine(input, over) }];
    } catch (error) {
      if (!isAffineError(error) && !isPresburgerError(error)) throw error;
      return [
        { line, input, error: { code: error.code, column: (error.offset ?? 0) + 1, message: error.message } },
      ];
    }
  });

const simplifyCommand = (onExit: OnExit, output: Console, read: Read): Command => {
  const command: Command = new Command('simplify')
    .description('print maps or sets, one a line, simplified')
    .argument('[file]', 'what to read; - is the standard input', '-')
    .option(
      '--over <points>',
      "half-open bounds, as in d0=0:75,s0=1:9, or a set, as in '(d0) : (d0 mod 4 == 0)'",
      parsePointsOfLines,
    )
    .option('--json', 'one JSON document');
  command.action((file: string, { over, json: asJson }: SimplifyOptions) => {
    const source = read(file);
    if (source.status !== 'success') {
      reportAll(output, source.diagnostics, []);
      onExit(failed);
      return;
    }
    const results = simplifyLines(source.value.text, over);
    if (asJson === true) output.out(jsonDocument({ results }));
    else output.out(results.map((result) => ('output' in result ? `${result.output}\n` : '')).join(''));
    const messages = results.flatMap((result) =>
      'error' in result
        ? [`${file}:${result.line}:${result.error.column}: error: ${result.error.message}`]
        : [],
    );
    if (messages.length > 0) command.error(messages.join('\n'), { exitCode: 1 });
  });
  return command;
};

/** Parses a map argument; a bad one is a usage error, shown with a caret. */
const mapArgument = (command: Command, name: string, text: string): AffineMap =>
  argument(command, name, text, affineMap);

const mapOrSetArgument = (command: Command, name: string, text: string): AffineMap | IntegerSet =>
  argument<AffineMap | IntegerSet>(command, name, text, isSetText(text) ? integerSet : affineMap);

/** A set has a colon where a map has an arrow. */
const isSetText = (text: string): boolean => !text.includes('->') && text.includes(':');

const argument = <T>(command: Command, name: string, text: string, parse: (text: string) => T): T => {
  try {
    return parse(text);
  } catch (error) {
    if (!isAffineError(error)) throw error;
    const caret = error.offset === undefined ? '' : `\n  ${text}\n  ${' '.repeat(error.offset)}^`;
    command.error(`error: ${name}: ${error.message}${caret}`, { exitCode: 2 });
  }
};

const coordinates = (dims: readonly Int[], symbols: readonly Int[]): string =>
  [...dims.map((value, i) => `d${i} = ${value}`), ...symbols.map((value, i) => `s${i} = ${value}`)].join(
    ', ',
  );

const describeAnswer = (answer: EquivalenceAnswer, seed: number, ofSets: boolean): string => {
  const how = answer.by === 'sampling' ? `${answer.points} points tried, seed ${seed}` : answer.by;
  if (answer.equivalent === 'undecided')
    return `undecided: ${answer.by === 'proof' ? answer.reason : `no difference found (${how})`}\n`;
  if (answer.equivalent) return `equivalent (${how})\n`;
  const { dims, symbols, left, right } = answer.counterexample;
  const where = coordinates(dims, symbols);
  if (ofSets) {
    return `not equivalent: only the ${Number(left[0]) === 1 ? 'first' : 'second'} contains ${where}\n`;
  }
  return `not equivalent: at ${where} the first gives (${left.join(', ')}), the second (${right.join(', ')})\n`;
};

const equivCommand = (onExit: OnExit, write: Write): Command => {
  const command: Command = new Command('equiv')
    .description(
      'tell whether two maps have equal values, or two sets the same points: exit code 0, 1 with a ' +
        'counterexample, or ' +
        '3 if undecided, as for some maps that divide by symbols',
    )
    .argument('<a>', "a map or a set, as in '(d0) -> (d0 mod 75)'")
    .argument('<b>', 'another of its kind')
    .option(
      '--over <points>',
      "half-open bounds, as in d0=0:75,s0=1:9, or a set, as in '(d0) : (d0 mod 4 == 0)'",
      parsePoints,
    )
    .option('--seed <number>', 'for points tried where nothing is proved', parseSeed)
    .option('--json', 'one JSON document');
  command.action((a: string, b: string, { over = {}, seed = 1, json: asJson }: EquivOptions) => {
    const [left, right] = [mapOrSetArgument(command, 'A', a), mapOrSetArgument(command, 'B', b)];
    let answer: EquivalenceAnswer;
    try {
      answer = decideEquivalence({ text: a, value: left }, { text: b, value: right }, over, seed);
    } catch (error) {
      if (!isAffineError(error) && !isPresburgerError(error)) throw error;
      command.error(`error: ${error.message}`, { exitCode: 2 });
    }
    write(asJson === true ? jsonDocument(answer) : describeAnswer(answer, seed, left.kind === 'set'));
    if (answer.equivalent !== true) onExit(answer.equivalent === false ? failed : undecided);
  });
  return command;
};

const pointArgument = (command: Command, name: string, text: string): number[] => {
  const values =
    text.trim() === ''
      ? []
      : text.split(',').map((part) => (/^\s*-?\d+\s*$/.test(part) ? Number(part) : NaN));
  if (!values.some(Number.isNaN)) return values;
  command.error(`error: ${name}: write a point as 3,4,5, not '${text}'`, { exitCode: 2 });
};

const evalCommand = (write: Write): Command => {
  const command: Command = new Command('eval')
    .description('print the values of a map at a point')
    .argument('<map>', "a map, as in '(d0, d1)[s0] -> (d0 * s0 + d1)'")
    .argument('[dims]', 'values of the dimensions, as in 3,4,5', '')
    .argument('[symbols]', 'values of the symbols', '')
    .option('--json', 'one JSON document')
    // A point such as -3,4 looks like an option; unknown options are passed on as arguments.
    .allowUnknownOption();
  command.action(
    (text: string, dims: string, symbols: string, { json: asJson }: { readonly json?: true }) => {
      const map = mapArgument(command, 'MAP', text);
      const point = [
        pointArgument(command, 'DIMS', dims),
        pointArgument(command, 'SYMBOLS', symbols),
      ] as const;
      try {
        const values = evaluate(map, ...point);
        write(asJson === true ? jsonDocument({ values }) : `${values.join(',')}\n`);
      } catch (error) {
        if (!isAffineError(error)) throw error;
        command.error(`error: ${error.message}`, {
          exitCode: error.code === 'affine/arity-mismatch' ? 2 : 1,
        });
      }
    },
  );
  return command;
};

/** The command `affine` with its subcommands; reports failures to `onExit`. */
export const affineCommand = (onExit: OnExit, output: Console, read: Read = readSource): Command => {
  const command = new Command('affine')
    .description('simplify, compare and evaluate affine maps and integer sets')
    .addCommand(simplifyCommand(onExit, output, read))
    .addCommand(equivCommand(onExit, output.out))
    .addCommand(evalCommand(output.out));
  for (const each of affineSetCommands(onExit, output.out)) command.addCommand(each);
  command.addCommand(affineDepsCommand(onExit, output, read));
  return command;
};
