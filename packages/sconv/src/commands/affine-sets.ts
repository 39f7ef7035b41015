/** `sconv affine empty`, `subset`, `lexmin` and `count`: questions about integer sets, decided. */

import { isPresburgerError } from '@sconv/presburger';
import type { Int, PresburgerUnion } from '@sconv/presburger';
import { card, isEmpty, lexmin, parseUnion, print, sample, subtract, withCaret } from '@sconv/presburger';
import { Command } from 'commander';
import { failed, undecided } from '../console.ts';
import { jsonDocument } from '../json-document.ts';
import type { Write } from './targets.ts';

type OnExit = (code: number) => void;

/** An answer for people and for programs; the exit code is 0 where it holds. */
interface Answer {
  readonly text: string;
  readonly data: object;
  readonly holds: boolean;
}

const setSyntax = "a set or relation, as in '{ [i] : 0 <= i < 9 }' or '(d0) : (d0 >= 0)'";

/** Reads a set; a bad one is a usage error, shown with a caret. */
const setArgument = (command: Command, name: string, text: string): PresburgerUnion => {
  try {
    return parseUnion(text);
  } catch (error) {
    if (!isPresburgerError(error)) throw error;
    const message = withCaret(error, text).replaceAll('\n', '\n  ');
    return command.error(`error: ${name}: ${message}`, { exitCode: 2 });
  }
};

/** A point of a set with its names, for some values of the symbols; undefined if it has none. */
const pointOf = (set: PresburgerUnion): Record<string, Int> | undefined => {
  const point = sample(set);
  if (point === undefined) return undefined;
  const { inputs, dims, symbols } = set.space;
  const names = [...inputs, ...dims, ...symbols];
  const values = [...point.inputs, ...point.dims, ...point.symbols];
  return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
};

const describePoint = (point: object): string =>
  Object.entries(point)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');

/** A command that asks a question of one or two sets. */
const questionCommand = (
  [name, description, names]: readonly [name: string, description: string, names: readonly string[]],
  answerOf: (...sets: readonly PresburgerUnion[]) => Answer,
  onExit: OnExit,
  write: Write,
): Command => {
  const command: Command = new Command(name).description(description);
  for (const each of names) command.argument(`<${each}>`, setSyntax);
  command.option('--json', 'one JSON document').action((...given: readonly unknown[]) => {
    const sets = names.map((each, i) => setArgument(command, each.toUpperCase(), String(given[i])));
    const { json: asJson } = command.opts<{ readonly json?: true }>();
    try {
      const { text, data, holds } = answerOf(...sets);
      write(asJson === true ? jsonDocument(data) : `${text}\n`);
      if (!holds) onExit(failed);
    } catch (error) {
      if (!isPresburgerError(error)) throw error;
      if (error.code !== 'presburger/undecided') command.error(`error: ${error.message}`, { exitCode: 2 });
      write(asJson === true ? jsonDocument({ undecided: error.message }) : `${error.message}\n`);
      onExit(undecided);
    }
  });
  return command;
};

const emptyAnswer = (set: PresburgerUnion): Answer => {
  const point = pointOf(set);
  if (point === undefined) return { text: 'empty', data: { empty: true }, holds: true };
  return { text: `not empty: ${describePoint(point)}`, data: { empty: false, point }, holds: false };
};

const subsetAnswer = (a: PresburgerUnion, b: PresburgerUnion): Answer => {
  const point = pointOf(subtract(a, b));
  if (point === undefined) return { text: 'a subset', data: { subset: true }, holds: true };
  const text = `not a subset: only the first contains ${describePoint(point)}`;
  return { text, data: { subset: false, point }, holds: false };
};

const lexminAnswer = (set: PresburgerUnion): Answer => {
  if (isEmpty(set)) return { text: 'empty', data: { empty: true }, holds: false };
  const text = print(lexmin(set));
  return { text, data: { lexmin: text }, holds: true };
};

const countAnswer = (set: PresburgerUnion): Answer => {
  const count = card(set);
  return { text: String(count), data: { count }, holds: true };
};

/** The subcommands of `affine` about sets; they report exit codes to `onExit`. */
export const affineSetCommands = (onExit: OnExit, write: Write): readonly Command[] => [
  questionCommand(
    ['empty', 'tell whether a set has no points: exit code 0, 1 with a point, or 3 if undecided', ['set']],
    (set) => emptyAnswer(set),
    onExit,
    write,
  ),
  questionCommand(
    [
      'subset',
      'tell whether all points of a set are in another: exit code 0, 1 with a point, or 3 if undecided',
      ['a', 'b'],
    ],
    (a, b) => subsetAnswer(a, b),
    onExit,
    write,
  ),
  questionCommand(
    ['lexmin', 'print the least point of a set, or the least image of each point of a relation', ['set']],
    (set) => lexminAnswer(set),
    onExit,
    write,
  ),
  questionCommand(
    ['count', 'print the number of points of a bounded set', ['set']],
    (set) => countAnswer(set),
    onExit,
    write,
  ),
];
