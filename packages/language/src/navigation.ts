/** Where names are defined and used: definition, references, highlights, rename. */
import type { SourceName, TextRange } from '@sconv/ir';
import type { DocumentPart, MlirDocument, Place } from './document.ts';
import { placeAt, rangeOf, tokenAt, touches, visibilityAt } from './document.ts';
import type { Position, Range, TextEdit } from './position.ts';
import type { SymbolName } from './symbols.ts';

/** What stands at a place: a value, a block, a symbol or an alias. */
export type FoundName = SourceName | SymbolName;

/** The name at a place, and where it stands there. */
export const nameAt = ({ part, offset }: Place): { name: FoundName; range: TextRange } | undefined => {
  const token = tokenAt(part, offset);
  if (token === undefined) return undefined;
  const symbol = part.symbols.at(token.start);
  if (symbol !== undefined) return { name: symbol, range: token };
  const start = startOf(part, token.start);
  for (const name of part.source.names) {
    const range = placesOf(name).find((each) => each.start === start);
    if (range !== undefined) return { name, range };
  }
  return undefined;
};

/** For the number in `%a#1`, the start of the value. */
const startOf = ({ source: { tokens } }: DocumentPart, start: number): number => {
  const index = tokens.findIndex((token) => token.start === start);
  const before = tokens[index - 1];
  return tokens[index]?.kind === 'hash' && before?.kind === 'value' && before.end === start
    ? before.start
    : start;
};

/** The definition and the uses of a name, in the order of the text. */
export const placesOf = ({ definition, uses }: FoundName): readonly TextRange[] =>
  definition === undefined ? uses : [definition, ...uses].toSorted((a, b) => a.start - b.start);

/** Where the name at a position is defined; undefined where there is no name, or no definition. */
export const definition = (document: MlirDocument, position: Position): Range | undefined => {
  const place = placeAt(document, position);
  const found = nameAt(place)?.name.definition;
  return found === undefined ? undefined : rangeOf(document, place.part, found);
};

/**
 * Where the name at a position stands; at the name of an operation, where its results and the symbol that it defines
 * are used.
 */
export const references = (
  document: MlirDocument,
  position: Position,
  { includeDeclaration = true }: { readonly includeDeclaration?: boolean } = {},
): readonly Range[] => {
  const place = placeAt(document, position);
  const found = nameAt(place);
  const names = found === undefined ? namesOfOperationAt(place) : [found.name];
  return names
    .flatMap((name) => (includeDeclaration ? placesOf(name) : name.uses))
    .map((range) => rangeOf(document, place.part, range));
};

const namesOfOperationAt = ({ part, offset }: Place): readonly FoundName[] => {
  const isHere = (name: FoundName): boolean =>
    name.operation !== undefined && touches(name.operation.nameRange, offset);
  return [...part.source.names, ...part.symbols.names].filter(isHere);
};

/** A place of a name; `write` where it is defined. */
export interface Highlight {
  readonly range: Range;
  readonly kind: 'read' | 'write';
}

/** All places of the name at a position. */
export const highlights = (document: MlirDocument, position: Position): readonly Highlight[] => {
  const place = placeAt(document, position);
  const name = nameAt(place)?.name;
  return (name === undefined ? [] : placesOf(name)).map((range) => ({
    range: rangeOf(document, place.part, range),
    kind: range === name?.definition ? 'write' : 'read',
  }));
};

/** What would be renamed at a position: its range without the sigil, and its present name. */
export const renamable = (
  document: MlirDocument,
  position: Position,
): { readonly range: Range; readonly placeholder: string } | undefined => {
  const place = placeAt(document, position);
  const found = nameAt(place);
  if (found?.name.definition === undefined) return undefined;
  // Without the sigil, or the quotes of a name in generic form.
  const isQuoted = place.part.text[found.range.start] === '"';
  const range = { start: found.range.start + 1, end: found.range.end - (isQuoted ? 1 : 0) };
  return { range: rangeOf(document, place.part, range), placeholder: found.name.name.slice(1) };
};

/** The edits that give the name at a position another, or why there are none. */
export const rename = (
  document: MlirDocument,
  position: Position,
  newName: string,
): { readonly edits: readonly TextEdit[] } | { readonly problem: string } => {
  const place = placeAt(document, position);
  const found = nameAt(place)?.name;
  if (found?.definition === undefined) return { problem: 'there is no name to change here' };
  const sigil = found.name[0]!;
  const bare = newName.startsWith(sigil) ? newName.slice(1) : newName;
  const problem = problemOf(document, found, bare, place.part);
  if (problem !== undefined) return { problem };
  const text = sigil === '@' && !identifier.test(bare) ? `@"${bare}"` : sigil + bare;
  const edits = placesOf(found).map((range) => ({
    range: rangeOf(document, place.part, range),
    newText: place.part.text[range.start] === '"' ? `"${bare}"` : text,
  }));
  return { edits };
};

const identifier = /^[A-Za-z_][\w$.]*$/;
const suffix = /^(\d+|[A-Za-z$._-][\w$.-]*)$/;

const problemOf = (
  document: MlirDocument,
  found: FoundName,
  bare: string,
  part: DocumentPart,
): string | undefined => {
  if (found.kind === 'symbol') {
    if (bare === '' || /["\\\n]/.test(bare)) return `'${bare}' is no name of a symbol`;
  } else if (!suffix.test(bare) || (found.kind === 'alias' && bare.includes('.'))) {
    return `'${bare}' is no name of ${found.kind === 'alias' ? 'an' : 'a'} ${found.kind}`;
  }
  const name = found.name[0]! + bare;
  if (name === found.name) return undefined;
  const isClash = (other: FoundName): boolean =>
    other !== found && other.name === name && meet(document, part, found, other);
  return [...part.source.names, ...part.symbols.names].some(isClash)
    ? `there is a '${name}' already`
    : undefined;
};

/** Whether one of two names is visible where the other stands: one may not redefine the other, nor be taken for it. */
const meet = (document: MlirDocument, part: DocumentPart, a: FoundName, b: FoundName): boolean => {
  // Aliases are known in the whole part, and symbols may be named from other tables.
  if (isSymbolOrAlias(a) || isSymbolOrAlias(b)) return true;
  const reaches = (name: SourceName, other: SourceName): boolean =>
    placesOf(other).some(({ start }) => visibilityAt(document, part, start)(name));
  return reaches(a, b) || reaches(b, a);
};

const isSymbolOrAlias = (name: FoundName): name is SymbolName =>
  name.kind === 'symbol' || name.kind === 'alias';
