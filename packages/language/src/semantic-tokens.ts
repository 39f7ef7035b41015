/** What each token of a text is, for its colour. */
import type { SourceToken, TextRange } from '@sconv/ir';
import type { DocumentPart, MlirDocument } from './document.ts';
import { tokenIndexFrom } from './document.ts';

/** The types of tokens, as the protocol names them; the encoded tokens refer to them by position. */
export const semanticTokenTypes = [
  'comment',
  'string',
  'number',
  'keyword',
  'type',
  'function',
  'variable',
  'parameter',
  'property',
  'macro',
  'label',
  'operator',
] as const;

/** What is said about tokens beyond their type; the encoded tokens have bits by position. */
export const semanticTokenModifiers = ['declaration'] as const;

type TokenType = (typeof semanticTokenTypes)[number];

/** The tokens as the protocol encodes them: five numbers each, positions relative to the token before. */
export const semanticTokens = (document: MlirDocument): readonly number[] => {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const part of document.parts) {
    for (const { start, end, type, isDeclaration } of coloured(part)) {
      const position = document.lines.positionAt(part.offset + start);
      const isSameLine = position.line === line;
      data.push(
        position.line - line,
        isSameLine ? position.character - character : position.character,
        end - start,
        semanticTokenTypes.indexOf(type),
        isDeclaration ? 1 : 0,
      );
      [line, character] = [position.line, position.character];
    }
  }
  return data;
};

interface Classified {
  readonly type: TokenType;
  readonly isDeclaration: boolean;
}

/** What has a colour, in order. */
function* coloured(part: DocumentPart): Generator<Classified & TextRange> {
  const classified = classify(part);
  for (const [i, token] of part.source.tokens.entries()) {
    const { start, end } = token;
    const before = part.source.tokens[i - 1];
    if (isShapeRest(part.text, token, before)) {
      yield* shapeRest(part.text, token);
      continue;
    }
    const found = classified.get(start) ?? byKind(part, token);
    if (found !== undefined) yield { start, end, ...found };
  }
}

/** Whether a token is what follows the first dimension of a shape: of `2x3xi4`, all behind the 2 is one word. */
const isShapeRest = (text: string, { kind, start }: SourceToken, before: SourceToken | undefined): boolean =>
  kind === 'identifier' &&
  text[start] === 'x' &&
  before?.end === start &&
  ['integer', '?', ']', '*'].includes(before.kind);

function* shapeRest(text: string, { start, end }: SourceToken): Generator<Classified & TextRange> {
  let at = start;
  while (text[at] === 'x' && at < end) {
    const size = /^\d*/.exec(text.slice(at + 1, end))![0].length;
    if (size > 0) yield { start: at + 1, end: at + 1 + size, type: 'number', isDeclaration: false };
    at += 1 + size;
  }
  if (at < end) yield { start: at, end, type: 'type', isDeclaration: false };
}

/** What the parser knows, by offset. */
const classify = ({ source }: DocumentPart): ReadonlyMap<number, Classified> => {
  const found = new Map<number, Classified>();
  for (const { kind, definition, uses, operation } of source.names) {
    const type = kind === 'block' ? 'label' : operation === undefined ? 'parameter' : 'variable';
    if (definition !== undefined) found.set(definition.start, { type, isDeclaration: true });
    for (const { start } of uses) found.set(start, { type, isDeclaration: false });
  }
  const left = [...source.operations];
  for (let operation = left.pop(); operation !== undefined; operation = left.pop()) {
    if (operation.name !== '')
      found.set(operation.nameRange.start, { type: 'keyword', isDeclaration: false });
    left.push(...operation.children);
  }
  return found;
};

const typeName = /^(tensor|memref|vector|tuple|complex|index|none|[su]?i\d+|bf16|f\d\w*|tf32)$/;

const byKind = (
  { text, source: { tokens }, symbols }: DocumentPart,
  token: SourceToken,
): Classified | undefined => {
  const as = (type: TokenType, isDeclaration = false): Classified => ({ type, isDeclaration });
  switch (token.kind) {
    case 'comment':
    case 'string':
      return as(token.kind);
    case 'integer':
    case 'float':
      return as('number');
    case 'symbol':
      return as('function', symbols.at(token.start)?.definition?.start === token.start);
    case 'hash':
      return as('macro');
    case 'exclamation':
      return as('type');
    case 'value':
      return as('variable');
    case 'block':
      return as('label');
    case 'identifier': {
      if (typeName.test(text.slice(token.start, token.end))) return as('type');
      const next = tokens[tokenIndexFrom(tokens, token.end)];
      return as(next?.kind === '=' ? 'property' : 'keyword');
    }
    default:
      return undefined;
  }
};
