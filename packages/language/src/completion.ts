/** What can be written at a place: operations, attributes, words of an attribute, names in scope, types. */
import type { NamedAttributeSpec, OpDefinition, SourceName, SourceOperation, SourceToken } from '@sconv/ir';
import { printType } from '@sconv/ir';
import { consumedHandles } from './consumed-handles.ts';
import type { MlirDocument, Place } from './document.ts';
import {
  operationAt,
  ownerOf,
  placeAt,
  rangeOf,
  regionAt,
  tokenIndexFrom,
  visibilityAt,
} from './document.ts';
import { aboutOperation } from './hover.ts';
import type { Position, Range } from './position.ts';

/** What a completion is, for its icon. */
export type CompletionKind =
  'operation' | 'value' | 'symbol' | 'block' | 'alias' | 'attribute' | 'word' | 'type';

/** Something that can be written in place of `range`. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A type, or a summary. */
  readonly detail: string;
  /** The full name of an operation, which the label may leave the dialect out of: for `documentCompletion`. */
  readonly data?: string;
  readonly range: Range;
  /** Lower ones first. */
  readonly rank: number;
}

type Item = Omit<Completion, 'range' | 'rank'> & { readonly rank?: number };

/** What can be written at a position, in place of the word that ends there. */
export const completions = (document: MlirDocument, position: Position): readonly Completion[] => {
  const place = placeAt(document, position);
  const { part, offset } = place;
  const word = /[%@^#!]?[\w$.-]*$/.exec(part.text.slice(0, offset))?.[0] ?? '';
  const start = offset - word.length;
  const range = rangeOf(document, part, { start, end: offset });
  return itemsFor(document, { part, offset: start }, word[0] ?? '')
    .filter(({ label }) => matches(label, word))
    .map((item) => ({ rank: 0, ...item, range }));
};

/** Whether a label has the letters of a word in their order. */
const matches = (label: string, word: string): boolean => {
  let at = 0;
  for (const letter of word.toLowerCase()) {
    at = label.toLowerCase().indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
};

const itemsFor = (document: MlirDocument, place: Place, sigil: string): readonly Item[] => {
  const { part, offset } = place;
  const operation = operationAt(part.source.operations, offset);
  const tokens = part.source.tokens.filter(({ kind }) => kind !== 'comment');
  const before = tokens[tokenIndexFrom(tokens, offset) - 1];
  switch (sigil) {
    case '%':
      return valuesAt(document, place);
    case '@':
      return part.symbols
        .visibleFrom(operation)
        .map(({ name, operation: by }) => item(name, 'symbol', by?.name));
    case '^':
      return blocksAt(place, operation);
    case '#':
    case '!':
      return [...aliasesWith(place, sigil), ...(sigil === '!' ? transformTypes : [])];
  }
  if (isInString(place)) return [...document.registry.operations.values()].map(operationItem);
  if (startsOperation(place, before)) return operationsAt(document, operation, offset);
  const around = operation ?? lastBefore(part.source.operations, offset);
  const specs = document.registry.operations.get(around?.name ?? '')?.attributeSpecs ?? [];
  return [...wordsAt(place, tokens, specs), ...attributesOf(specs), ...builtinTypes];
};

const item = (label: string, kind: CompletionKind, detail = ''): Item => ({ label, kind, detail });

// --- Names ---

/** The values that are defined before, in regions around this place. Consumed handles come last. */
const valuesAt = (document: MlirDocument, { part, offset }: Place): readonly Item[] => {
  const consumed = new Map(consumedHandles(document, part).map(({ name, use }) => [name, use.start]));
  const isAround = visibilityAt(document, part, offset);
  const isVisible = (name: SourceName): boolean =>
    name.kind === 'value' &&
    name.definition !== undefined &&
    name.definition.start < offset &&
    isAround(name);
  return part.source.names.filter(isVisible).flatMap((name) => {
    const isConsumed = (consumed.get(name) ?? Infinity) < offset;
    const rank = (isConsumed ? 1e6 : 0) + offset - (name.definition?.start ?? 0);
    return name.types.map((type, number) => ({
      label: name.types.length > 1 ? `${name.name}#${number}` : name.name,
      kind: 'value' as const,
      detail: (type === undefined ? '' : printType(type)) + (isConsumed ? ' (consumed)' : ''),
      rank,
    }));
  });
};

/** The blocks of the region that a place is in: none may branch to those of another. */
const blocksAt = ({ part, offset }: Place, operation: SourceOperation | undefined): readonly Item[] => {
  const isInRegion = operation !== undefined && regionAt(part, operation, offset) !== undefined;
  const owner = isInRegion ? operation : operation?.parent;
  const region = owner === undefined ? undefined : regionAt(part, owner, offset);
  if (region === undefined) return [];
  const isHere = ({ kind, definition }: SourceName): boolean =>
    kind === 'block' &&
    definition !== undefined &&
    region.start < definition.start &&
    definition.start < region.end;
  const labels = part.source.names.filter((name) => isHere(name) && ownerOf(part, name) === owner);
  return [...new Set(labels.map(({ name }) => name))].map((name) => item(name, 'block'));
};

const aliasesWith = ({ part }: Place, sigil: string): readonly Item[] =>
  part.symbols.names
    .filter(({ kind, name }) => kind === 'alias' && name.startsWith(sigil))
    .map(({ name }) => item(name, 'alias'));

// --- Types ---

const transformTypes = [
  '!transform.any_op',
  '!transform.any_value',
  '!transform.any_param',
  '!transform.param<i64>',
].map((label) => item(label, 'type'));
const builtinTypes = [
  'f32',
  'f64',
  'f16',
  'bf16',
  'i1',
  'i8',
  'i32',
  'i64',
  'index',
  'tensor',
  'memref',
  'vector',
].map((label) => item(label, 'type'));

// --- Operations ---

const isInString = ({ part, offset }: Place): boolean => {
  const index = tokenIndexFrom(part.source.tokens, offset) - 1;
  const token = part.source.tokens[index];
  if (token === undefined || token.start >= offset || token.end < offset) return false;
  return part.text[token.start] === '"' && (token.end > offset || token.kind === 'invalid');
};

/** Whether the word begins a line, or follows the names of results. */
const startsOperation = ({ part, offset }: Place, before: SourceToken | undefined): boolean => {
  const line = part.text.slice(part.text.lastIndexOf('\n', offset - 1) + 1, offset);
  return (
    line.trim() === '' ||
    (before?.kind === '=' && /^\s*%[^=]*=\s*$/.test(line)) ||
    (before?.kind === '{' && line.trim().endsWith('{') && !line.includes('='))
  );
};

const operationsAt = (
  document: MlirDocument,
  around: SourceOperation | undefined,
  offset: number,
): readonly Item[] => {
  const parent = around?.start === offset ? around.parent : around;
  const dialect = document.registry.operations.get(parent?.name ?? '')?.defaultDialect ?? 'builtin';
  return [...document.registry.operations.values()].flatMap((definition) => {
    const full = operationItem(definition);
    const isShort = dialect !== '' && definition.name.startsWith(`${dialect}.`);
    return isShort ? [{ ...full, label: definition.name.slice(dialect.length + 1) }, full] : [full];
  });
};

const operationItem = ({ name, summary }: OpDefinition): Item => ({
  ...item(name, 'operation', summary),
  data: name,
});

// --- Attributes ---

const attributesOf = (specs: readonly NamedAttributeSpec[]): readonly Item[] =>
  specs.map(({ name, doc, description }) => item(name, 'attribute', doc === '' ? description : doc));

/** The words of the attribute that a `=` before this place belongs to, or else those of the operation's. */
const wordsAt = (
  { part, offset }: Place,
  tokens: readonly SourceToken[],
  specs: readonly NamedAttributeSpec[],
): readonly Item[] => {
  const index = tokenIndexFrom(tokens, offset);
  const [name, equals] = [tokens[index - 2], tokens[index - 1]];
  const written =
    equals?.kind === '=' && name !== undefined ? part.text.slice(name.start, name.end) : undefined;
  return specs
    .filter((spec) => written === undefined || spec.name === written)
    .flatMap((spec) => (spec.words ?? []).map((word) => item(word, 'word', spec.name)));
};

/** The last operation that ends before an offset: what is being written may belong to it. */
const lastBefore = (operations: readonly SourceOperation[], offset: number): SourceOperation | undefined => {
  const last = operations.findLast(({ start }) => start < offset);
  return last === undefined ? undefined : (lastBefore(last.children, offset) ?? last);
};

/** The documentation of the completion with this `data`, which is made only for the one that is selected. */
export const documentCompletion = ({ registry }: MlirDocument, name: string): string | undefined => {
  const definition = registry.operations.get(name);
  return definition === undefined ? undefined : aboutOperation(name, definition);
};
