/** What is known about the place under the pointer, as Markdown. */
import { printMap, printSet, simplify } from '@sconv/affine';
import type { Attribute, OpDefinition, SourceName, SourceOperation, TextRange } from '@sconv/ir';
import { parseAttribute, printType } from '@sconv/ir';
import { isTransformOp, promisedName } from '@sconv/transform';
import { consumedHandles } from './consumed-handles.ts';
import type { DocumentPart, MlirDocument, Place } from './document.ts';
import { operationAt, placeAt, rangeOf, tokenAt, tokenIndexFrom, touches } from './document.ts';
import type { LastRun } from './last-run.ts';
import { nameAt } from './navigation.ts';
import type { Position, Range } from './position.ts';
import type { SymbolName } from './symbols.ts';

/** Markdown, and what it is about. */
export interface Hover {
  readonly range: Range;
  readonly markdown: string;
}

/**
 * What is known about the name, operation, attribute or affine map at a position; with the last run of a schedule, what
 * handles stood for in it.
 */
export const hover = (document: MlirDocument, position: Position, lastRun?: LastRun): Hover | undefined => {
  const place = placeAt(document, position);
  const about = ofName(document, place, lastRun) ?? ofOperation(document, place) ?? ofWord(document, place);
  return about === undefined
    ? undefined
    : { range: rangeOf(document, place.part, about.range), markdown: about.markdown };
};

interface About {
  readonly range: TextRange;
  readonly markdown: string;
}

const code = (text: string): string => `\`\`\`mlir\n${text}\n\`\`\``;

// --- Names ---

const ofName = (document: MlirDocument, place: Place, lastRun: LastRun | undefined): About | undefined => {
  const found = nameAt(place);
  if (found === undefined) return undefined;
  const { name, range } = found;
  switch (name.kind) {
    case 'value':
      return {
        range,
        markdown: [
          ...aboutValue(document, place.part, name),
          ...inLastRun(document, place.part, name, lastRun),
        ].join('\n\n'),
      };
    case 'block':
      return { range, markdown: code(name.name) };
    case 'symbol':
      return { range, markdown: aboutSymbol(place.part, name) };
    case 'alias':
      return { range, markdown: aboutAlias(document, place.part, name) };
  }
};

const aboutValue = (document: MlirDocument, part: DocumentPart, name: SourceName): readonly string[] => {
  const types = name.types.map((type) => (type === undefined ? '?' : printType(type)));
  const shown = types.length > 8 ? [...types.slice(0, 8), '…'] : types;
  const text = [code(`${name.name}${types.length > 1 ? `:${types.length}` : ''} : ${shown.join(', ')}`)];
  const by = name.operation?.name;
  if (by !== undefined && by !== '') {
    const summary = document.registry.operations.get(by)?.summary ?? '';
    text.push(`Result of \`${by}\`${summary === '' ? '' : `: ${summary}`}`);
  }
  const [type] = name.types;
  if (type?.kind === 'dialect' && type.dialect === 'transform') {
    const promised = promisedName(type);
    if (promised !== undefined) text.push(`A handle to operations \`${promised}\``);
    const consumed = consumedHandles(document, part).find((each) => each.name === name);
    if (consumed !== undefined) {
      const { line } = rangeOf(document, part, consumed.use).start;
      text.push(`Consumed by \`${consumed.consumer.name}\` in line ${line + 1}`);
    }
  }
  return text;
};

/** What a handle stood for in the last run. */
const inLastRun = (
  document: MlirDocument,
  part: DocumentPart,
  { name, operation }: SourceName,
  lastRun: LastRun | undefined,
): readonly string[] => {
  if (operation === undefined || lastRun === undefined) return [];
  const { line, character } = rangeOf(document, part, operation.nameRange).start;
  const stood = lastRun.handlesOf(`${line + 1}:${character + 1}`, name);
  return stood.length === 0 ? [] : [`In the last run:\n\n${stood.map((each) => `- ${each}`).join('\n')}`];
};

const aboutSymbol = ({ text }: DocumentPart, { name, operation, uses }: SymbolName): string => {
  if (operation === undefined) return `\`${name}\` is not defined here`;
  const [head = ''] = text.slice(operation.start, operation.end).split('\n', 1);
  return `${code(head.replace(/\s*\{$/, ''))}\n\n${uses.length === 1 ? '1 use' : `${uses.length} uses`}`;
};

const aboutAlias = (document: MlirDocument, part: DocumentPart, { name, definition }: SymbolName): string => {
  if (definition === undefined) return `\`${name}\` is not defined here`;
  const { tokens } = part.source;
  const index = tokenIndexFrom(tokens, definition.start);
  const line = part.text.slice(definition.start).split('\n', 1)[0]!;
  const value = part.text.slice(tokens[index + 2]?.start ?? definition.end, definition.start + line.length);
  return [code(line), ...simplified(document, value)].join('\n\n');
};

// --- Affine maps ---

/** The affine map or set that a text is, in its simplest form if that is another. */
const simplified = ({ registry }: MlirDocument, text: string): readonly string[] => {
  const parsed = parseAttribute(text.trim(), { registry, allowUnregisteredDialects: true });
  if (parsed.status !== 'success') return [];
  const simple = simpleText(parsed.value);
  return simple === undefined || simple.replace(/\s/g, '') === text.replace(/\s/g, '')
    ? []
    : ['Simplified:', code(simple)];
};

const simpleText = (attribute: Attribute): string | undefined => {
  if (attribute.kind === 'affine-map') return `affine_map<${printMap(simplify(attribute.map))}>`;
  if (attribute.kind === 'integer-set') return `affine_set<${printSet(simplify(attribute.set))}>`;
  return undefined;
};

/** The whole text of an affine map or set whose keyword this token is. */
const affineRange = ({ text }: DocumentPart, { start, end }: TextRange): TextRange | undefined => {
  if (!/^affine_(map|set)$/.test(text.slice(start, end)) || text[end] !== '<') return undefined;
  let depth = 0;
  for (let at = end; at < text.length; at += 1) {
    const isArrow = text[at] === '>' && text[at - 1] === '-';
    const isRelation = text[at + 1] === '=';
    if (text[at] === '<' && !isRelation) depth += 1;
    else if (text[at] === '>' && !isArrow && !isRelation) depth -= 1;
    if (depth === 0) return { start, end: at + 1 };
  }
  return undefined;
};

// --- Operations and their attributes ---

const ofOperation = ({ registry }: MlirDocument, { part, offset }: Place): About | undefined => {
  const operation = operationAt(part.source.operations, offset);
  if (operation === undefined || !touches(operation.nameRange, offset) || operation.name === '')
    return undefined;
  const definition = registry.operations.get(operation.name);
  return { range: operation.nameRange, markdown: aboutOperation(operation.name, definition) };
};

/** The documentation of an operation. */
export const aboutOperation = (name: string, definition: OpDefinition | undefined): string => {
  if (definition === undefined) return `\`${name}\`: an operation of an unregistered dialect`;
  const effects = isTransformOp(definition) ? definition.transform.effects : [];
  const operands = definition.operandSpecs.map(
    (spec, i) =>
      `- \`${spec.name}\`${effects[i] === 'consumes' ? ' (consumed)' : ''}: ${docOf(spec.doc, spec.type.description)}`,
  );
  const results = definition.resultSpecs.map(
    (spec) => `- \`${spec.name}\`: ${docOf(spec.doc, spec.type.description)}`,
  );
  const attributes = definition.attributeSpecs.map(
    (spec) =>
      `- \`${spec.name}\`${spec.presence === 'required' ? '' : '?'}: ${docOf(spec.doc, spec.description)}`,
  );
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`**${title}**\n\n${lines.join('\n')}`];
  return [
    `\`${name}\``,
    ...(definition.summary === '' ? [] : [definition.summary]),
    ...section('Operands', operands),
    ...section('Results', results),
    ...section('Attributes', attributes),
  ].join('\n\n');
};

const docOf = (doc: string, description: string): string => (doc === '' ? description : doc);

/** An attribute's name, or an affine map. */
const ofWord = (document: MlirDocument, { part, offset }: Place): About | undefined => {
  const token = tokenAt(part, offset);
  if (token?.kind !== 'identifier') return undefined;
  const affine = affineRange(part, token);
  if (affine !== undefined) {
    const text = part.text.slice(affine.start, affine.end);
    return { range: affine, markdown: [code(text), ...simplified(document, text)].join('\n\n') };
  }
  const operation: SourceOperation | undefined = operationAt(part.source.operations, offset);
  const word = part.text.slice(token.start, token.end);
  const specs = document.registry.operations.get(operation?.name ?? '')?.attributeSpecs ?? [];
  const spec = specs.find(({ name }) => name === word);
  return spec === undefined
    ? undefined
    : { range: token, markdown: `\`${word}\`\n\n${docOf(spec.doc, spec.description)}` };
};
