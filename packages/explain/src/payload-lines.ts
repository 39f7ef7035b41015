/** A payload's text as lines that name values, blocks and aliases by id, and the names that these have in it. */
import type { Diagnosed } from '@sconv/diagnostics';
import { mapSuccess } from '@sconv/diagnostics';
import type { Id, Module, PrintedRanges, Registry } from '@sconv/ir';
import { printModuleWithRanges } from '@sconv/ir';
import type { Line } from './trace-document.ts';

/** Lines with the names by which they are printed. */
export interface PayloadLines {
  readonly lines: readonly Line[];
  readonly names: ReadonlyMap<number, string>;
}

/** Numbers for the definitions of aliases, shared by the texts of a run. */
export interface AliasNumbers {
  readonly of: (definition: string) => number;
  readonly all: readonly string[];
}

/** Numbers in the order of asking. */
export const createAliasNumbers = (): AliasNumbers => {
  const numbers = new Map<string, number>();
  const all: string[] = [];
  return {
    all,
    of: (definition) => {
      const known = numbers.get(definition);
      if (known !== undefined) return known;
      numbers.set(definition, all.length);
      all.push(definition);
      return all.length - 1;
    },
  };
};

/** The lines of a module's text, as `printModule` prints it. Fails as that does. */
export const payloadLines = (
  module: Module,
  registry: Registry,
  aliases: AliasNumbers,
): Diagnosed<PayloadLines> =>
  mapSuccess(printModuleWithRanges(module, { registry }), ({ text, ranges }) => split(text, ranges, aliases));

/** The text of a line without its indentation. */
export const lineText = ({ pieces }: Line, names: ReadonlyMap<number, string>): string =>
  pieces.map((piece) => (typeof piece === 'number' ? (names.get(piece) ?? '') : piece)).join('');

/** A name in the text. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly id: Id;
}

const split = (text: string, ranges: PrintedRanges, numbers: AliasNumbers): PayloadLines => {
  const mentions = mentionsIn(ranges);
  const spans = [...ranges.operations].map(([id, { start, end }]) => ({ id, start, end }));
  // Of ops that start together, as a function and what its assembly prints of it, the outer one comes first.
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const names = new Map<number, string>();
  const aliasOf = new Map<string, number>();
  const lines: Line[] = [];
  const open: { readonly id: Id; readonly end: number }[] = [];
  const counts = new Map<Id, number>();
  let [nextSpan, nextMention, loose] = [0, 0, 0];
  const texts = text.split('\n');
  // The text ends with a line break.
  if (texts.at(-1) === '') texts.pop();
  let start = 0;
  for (const whole of texts) {
    const end = start + whole.length;
    const indent = whole.length - whole.trimStart().length;
    const first = start + indent;
    while (nextSpan < spans.length && spans[nextSpan]!.start <= first) {
      open.push(spans[nextSpan]!);
      nextSpan += 1;
    }
    while (open.length > 0 && open.at(-1)!.end <= first) open.pop();
    const owner = open.at(-1)?.id;
    while (nextSpan < spans.length && spans[nextSpan]!.start < end) {
      open.push(spans[nextSpan]!);
      nextSpan += 1;
    }
    const definition = owner === undefined ? /^(#[\w$.-]+) = (.*)$/.exec(whole) : null;
    if (definition !== null) aliasOf.set(definition[1]!, numbers.of(definition[2]!));
    const pieces: (string | number)[] = [];
    let at = first;
    for (; nextMention < mentions.length && mentions[nextMention]!.start < end; nextMention += 1) {
      const mention = mentions[nextMention]!;
      addText(pieces, text.slice(at, mention.start), aliasOf, names);
      // The number of a result, as in `%0#1`, is no part of its name.
      const name = /^[^#]*/.exec(text.slice(mention.start, mention.end))![0];
      addName(pieces, mention.id, name, names);
      at = mention.start + name.length;
    }
    addText(pieces, text.slice(at, end), aliasOf, names);
    if (owner !== undefined) {
      const count = counts.get(owner) ?? 0;
      counts.set(owner, count + 1);
      lines.push({ op: owner, at: count, indent, pieces });
    } else if (definition === null) {
      loose += 1;
      lines.push({ at: -loose, indent, pieces });
    } else lines.push({ at: numbers.of(definition[2]!), indent, pieces });
    start = end + 1;
  }
  return { lines, names };
};

const mentionsIn = ({ values, blocks }: PrintedRanges): readonly Mention[] => {
  const found = new Map<number, Mention>();
  for (const [id, { definition, uses }] of [...values, ...blocks]) {
    // Results under one name share its definition: the first of them stands for all.
    if (definition !== undefined && !found.has(definition.start))
      found.set(definition.start, { ...definition, id });
    for (const use of uses) found.set(use.start, { ...use, id });
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
};

/** Adds text, in which aliases are names, but for strings. */
const addText = (
  pieces: (string | number)[],
  text: string,
  aliasOf: ReadonlyMap<string, number>,
  names: Map<number, string>,
): void => {
  let at = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|#[A-Za-z][\w$.-]*/g)) {
    const alias = aliasOf.get(token);
    if (alias === undefined) continue;
    append(pieces, text.slice(at, index));
    addName(pieces, -1 - alias, token, names);
    at = index + token.length;
  }
  append(pieces, text.slice(at));
};

const append = (pieces: (string | number)[], text: string): void => {
  if (text === '') return;
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
};

const addName = (pieces: (string | number)[], id: number, name: string, names: Map<number, string>): void => {
  if (pieces.length % 2 === 0) pieces.push('');
  pieces.push(id);
  names.set(id, name);
};
