/** A text in an editor, parsed. */
import type { ParsedSource, Registry, SourceName, SourceOperation, SourceToken, TextRange } from '@sconv/ir';
import { parseSource } from '@sconv/ir';
import type { Position, Range } from './position.ts';
import { LineIndex } from './position.ts';
import { SymbolIndex } from './symbols.ts';

/** What texts are read with. */
export interface LanguageOptions {
  readonly registry: Registry;
  /** Whether operations of unknown dialects are accepted, in generic form; true by default. */
  readonly allowUnregisteredDialects?: boolean;
}

/** A part of a text between lines `// -----`: names of one part mean nothing in another. */
export interface DocumentPart {
  /** Of its first character in the whole text. */
  readonly offset: number;
  readonly text: string;
  readonly source: ParsedSource;
  readonly symbols: SymbolIndex;
}

/** A text and what it says: made anew for each version of it. Offsets are in UTF-16 code units. */
export interface MlirDocument {
  readonly text: string;
  readonly lines: LineIndex;
  readonly parts: readonly DocumentPart[];
  readonly registry: Registry;
}

/** A place in a part of a document. */
export interface Place {
  readonly part: DocumentPart;
  /** In the part. */
  readonly offset: number;
}

const separator = /^[ \t]*\/\/ -----.*(?:\r?\n|$)/gm;

/** Parses a text; an earlier version of it lends the parts that have not changed. */
export const openDocument = (
  text: string,
  { registry, allowUnregisteredDialects = true }: LanguageOptions,
  earlier?: MlirDocument,
): MlirDocument => {
  const known = new Map(earlier?.registry === registry ? earlier.parts.map((part) => [part.text, part]) : []);
  const parts: DocumentPart[] = [];
  let offset = 0;
  for (const { start, end } of [...separatorsOf(text), { start: text.length, end: text.length }]) {
    const partText = text.slice(offset, start);
    const same = known.get(partText);
    const source = same?.source ?? parseSource(partText, { registry, allowUnregisteredDialects });
    const symbols = same?.symbols ?? new SymbolIndex(partText, source, registry);
    parts.push({ offset, text: partText, source, symbols });
    offset = end;
  }
  return { text, lines: new LineIndex(text), parts, registry };
};

const separatorsOf = (text: string): readonly TextRange[] =>
  [...text.matchAll(separator)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }));

/** The part at a position of the document. */
export const placeAt = (document: MlirDocument, position: Position): Place => {
  const offset = document.lines.offsetAt(position);
  const part = document.parts.findLast((each) => each.offset <= offset) ?? document.parts[0]!;
  return { part, offset: offset - part.offset };
};

/** The range in the document of one in a part. */
export const rangeOf = ({ lines }: MlirDocument, part: DocumentPart, { start, end }: TextRange): Range => ({
  start: lines.positionAt(part.offset + start),
  end: lines.positionAt(part.offset + end),
});

/** Whether an offset is in a range or right behind it, where the cursor still touches it. */
export const touches = ({ start, end }: TextRange, offset: number): boolean =>
  start <= offset && offset <= end;

/** The token at an offset, or the word that begins or ends there. */
export const tokenAt = ({ source: { tokens } }: DocumentPart, offset: number): SourceToken | undefined => {
  const index = tokenIndexFrom(tokens, offset);
  const [before, at] = [tokens[index - 1], tokens[index]];
  if (at?.start === offset && at.end > offset && isWord(at)) return at;
  return before !== undefined && before.end >= offset && (before.end > offset || isWord(before))
    ? before
    : undefined;
};

const isWord = ({ kind }: SourceToken): boolean => /^[a-z]/.test(kind) && kind !== 'end';

/** The index of the first token that starts at `offset` or behind it. */
export const tokenIndexFrom = (tokens: readonly SourceToken[], offset: number): number => {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The innermost operation at an offset. */
export const operationAt = (
  operations: readonly SourceOperation[],
  offset: number,
): SourceOperation | undefined => {
  for (const operation of operations)
    if (touches(operation, offset)) {
      const inner = operationAt(operation.children, offset);
      if (inner !== undefined || offset < operation.end) return inner ?? operation;
    }
  return undefined;
};

/** The operation in whose regions the definition of a name is; undefined at the top level. */
export const ownerOf = (
  { source }: DocumentPart,
  { definition, operation }: SourceName,
): SourceOperation | undefined => {
  if (operation !== undefined) return operation.parent;
  return definition === undefined ? undefined : operationAt(source.operations, definition.start);
};

/** The region of an operation that an offset is in, with its braces; undefined outside of its regions. */
export const regionAt = (
  { source: { tokens } }: DocumentPart,
  operation: SourceOperation,
  offset: number,
): TextRange | undefined => {
  let depth = 0;
  let start = operation.start;
  for (let i = tokenIndexFrom(tokens, operation.start); i < tokens.length; i += 1) {
    const token = tokens[i]!;
    if (token.start >= operation.end || (depth === 0 && token.start >= offset)) return undefined;
    if (token.kind === '{') {
      if (depth === 0) start = token.start;
      depth += 1;
    } else if (token.kind === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0 && offset < token.end) return { start, end: token.end };
    }
  }
  return undefined;
};

/**
 * Tells which names are visible at an offset, also those defined behind it: those of the regions around, up to that
 * of an operation which is isolated from above. What is named before the braces of an operation is visible in all of
 * its regions.
 */
export const visibilityAt = (
  { registry }: Pick<MlirDocument, 'registry'>,
  part: DocumentPart,
  offset: number,
): ((name: SourceName) => boolean) => {
  const regions = new Map<SourceOperation | undefined, TextRange | undefined>();
  let around = operationAt(part.source.operations, offset);
  let isIsolated = false;
  for (; around !== undefined && !isIsolated; around = around.parent) {
    regions.set(around, regionAt(part, around, offset));
    // Its results, in front of its name, are names of the region around it.
    isIsolated =
      offset >= around.nameRange.start &&
      registry.operations.get(around.name)?.traits.has('isolated-from-above') === true;
  }
  if (!isIsolated) regions.set(undefined, { start: 0, end: Infinity });
  return (name) => {
    const { definition } = name;
    const owner = ownerOf(part, name);
    if (definition === undefined || !regions.has(owner)) return false;
    const region = regions.get(owner);
    if (region !== undefined && region.start <= definition.start && definition.start < region.end)
      return true;
    return owner !== undefined && regionAt(part, owner, definition.start) === undefined;
  };
};
