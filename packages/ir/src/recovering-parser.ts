/**
 * Parses a text with errors: after one, it goes on with the next operation. What is missing shows in the braces and,
 * where these do not match, in the indentation, as editors and `printModule` leave it.
 */
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { unknownLocation } from '@sconv/diagnostics';
import { parseAttributeAlias, parseTypeAlias } from './alias-definitions.ts';
import type { ParsedArgument } from './assembly.ts';
import { brokenOperations } from './broken-operations.ts';
import { LooseNames } from './loose-names.ts';
import { OperationParser } from './operation-parser.ts';
import type { NamedBlock } from './operation-parser.ts';
import type { Block, Module, Operation } from './operation.ts';
import { ParseProblems } from './parse-problems.ts';
import { RecordingScopes } from './recording-scopes.ts';
import type { Resources } from './resources.ts';
import { parseResources } from './resources.ts';
import { SourceLayout } from './source-layout.ts';
import type { MutableName, MutableOperation, SourceOperation } from './source-map.ts';
import { SourceRecorder } from './source-map.ts';
import { SourceText } from './source-text.ts';
import type { SourceToken } from './source-tokens.ts';
import { TolerantLexer } from './source-tokens.ts';
import type { TextOptions } from './token-parser.ts';
import { TokenParser } from './token-parser.ts';

/** What was open at the start of an operation. */
interface State {
  readonly depth: number;
  readonly dialects: number;
  readonly blocks: number;
  readonly scopes: readonly [number, number];
  readonly current: MutableOperation | undefined;
}

export class RecoveringParser extends OperationParser {
  readonly recorder: SourceRecorder;
  declare readonly scopes: RecordingScopes;
  private readonly lexer: TolerantLexer;
  private readonly layout: SourceLayout;
  private readonly problems: ParseProblems;
  private readonly looseNames: LooseNames;
  private readonly blockNames = new Map<NamedBlock, MutableName>();
  private readonly blockDefinitions = new Set<number>();
  /** Operations whose regions have errors that are in none of their operations. */
  private readonly withBrokenBlocks = new Set<SourceOperation>();
  private readonly brokenAliases = new Set<string>();
  /** Where a region ends without its brace. */
  private unclosedAt = -1;

  constructor(text: string, tokens: readonly SourceToken[], options: TextOptions) {
    const recorder = new SourceRecorder();
    const source = new SourceText(text, options.fileName ?? '-');
    const lexer = new TolerantLexer(source);
    super(
      new TokenParser(text, options, lexer),
      (createValue) => new RecordingScopes(recorder, source, createValue),
    );
    this.recorder = recorder;
    this.lexer = lexer;
    this.layout = new SourceLayout(text, tokens, options.registry);
    this.problems = new ParseProblems(lexer);
    this.looseNames = new LooseNames(this.layout, source, recorder, this.scopes);
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.problems.diagnostics;
  }

  /** The operations that can't be verified. */
  brokenOperations(): ReadonlySet<SourceOperation> {
    const { recorder, scopes, withBrokenBlocks } = this;
    return brokenOperations(recorder.operations, scopes.undefinedIds, (node) => withBrokenBlocks.has(node));
  }

  /** Parses the whole text. */
  parse(): Module {
    const operations: Operation[] = [];
    let resources: Resources | undefined;
    const items: Record<string, () => void> = {
      hash: () => {
        this.parseAlias(() => {
          parseAttributeAlias(this.tokens);
        });
      },
      exclamation: () => {
        this.parseAlias(() => {
          parseTypeAlias(this.tokens);
        });
      },
      '{-#': () => {
        this.attempt(() => {
          resources = parseResources(this.tokens);
        });
      },
    };
    while (this.lexer.kind !== 'end') {
      const item = items[this.lexer.kind];
      if (item !== undefined) item();
      else this.parseNext(operations);
    }
    for (const { message, location } of this.scopes.undefinedNames())
      this.problems.report('parse/undefined-value', message, location);
    for (const pending of this.pendingLocations) {
      pending.owner.location = unknownLocation;
      this.attempt(() => {
        pending.owner.location = this.locationOf(pending);
      });
      Object.freeze(pending.owner);
    }
    this.tokens.resources.finish();
    const root = this.rootOf(operations, true);
    const { nextId } = this.factory;
    return resources === undefined ? { root, nextId } : { root, nextId, resources };
  }

  // --- Errors ---

  private attempt(parse: () => void): void {
    const { depth } = this.tokens;
    const { start } = this.lexer;
    try {
      parse();
    } catch (failure) {
      this.problems.reportFailure(failure);
      this.tokens.leaveTo(depth);
      this.skipToBoundary(start);
    }
  }

  private parseAlias(parse: () => void): void {
    const { spelling } = this.lexer;
    const before = this.diagnostics.length;
    this.attempt(parse);
    if (this.diagnostics.length > before) this.brokenAliases.add(spelling);
  }

  /** Goes to the next operation or alias, but not to what begins at `start`. */
  private skipToBoundary(start: number): void {
    const { layout, lexer } = this;
    let index = layout.indexAt(lexer.start);
    if (lexer.start === start && lexer.kind !== 'end') index += 1;
    while (!layout.isBoundary(index, this.dialect)) index += 1;
    lexer.resetTo(layout.tokens[index]!.start);
  }

  private get dialect(): string {
    return this.defaultDialects.at(-1) ?? '';
  }

  private reportInBlocks(code: string, message: string, location: Location): void {
    this.problems.report(code, message, location);
    this.markBrokenBlocks();
  }

  private markBrokenBlocks(): void {
    if (this.recorder.current !== undefined) this.withBrokenBlocks.add(this.recorder.current);
  }

  // --- Operations ---

  /** Parses an operation into `operations`, or skips it. */
  private parseNext(operations: Operation[]): void {
    const state: State = {
      depth: this.tokens.depth,
      dialects: this.defaultDialects.length,
      blocks: this.blocks.length,
      scopes: this.scopes.depth,
      current: this.recorder.current,
    };
    try {
      operations.push(this.parseOperation());
    } catch (failure) {
      // Errors in its regions have been dealt with: the operation that was begun last is the broken one.
      const broken = this.recorder.current!;
      const usesBrokenAlias = this.usesBrokenAlias(broken);
      if (!usesBrokenAlias) this.problems.reportFailure(failure, hasBrokenPart(broken));
      this.restore(state);
      this.recover(broken);
    }
  }

  private restore({ depth, dialects, blocks, scopes, current }: State): void {
    this.tokens.leaveTo(depth);
    this.defaultDialects.length = dialects;
    this.blocks.length = blocks;
    this.looseNames.leaveTo(blocks);
    this.scopes.popTo(scopes);
    this.recorder.current = current;
  }

  private usesBrokenAlias({ start }: MutableOperation): boolean {
    if (this.brokenAliases.size === 0) return false;
    const { layout } = this;
    const last = layout.indexAt(this.lexer.start);
    for (let index = layout.indexAt(start); index <= last; index += 1)
      if (this.brokenAliases.has(layout.spelling(index))) return true;
    return false;
  }

  override parseOperation(): Operation {
    const { recorder, layout, lexer } = this;
    const node = recorder.begin(lexer.start);
    const index = layout.nameIndex(layout.indexAt(lexer.start));
    if (index !== undefined) {
      const { start, end } = layout.tokens[index]!;
      node.nameRange = { start, end };
      node.name = layout.nameOf(index, this.dialect);
    }
    const operation = super.parseOperation();
    node.end = lexer.previousEnd;
    node.name = operation.name;
    node.operation = operation;
    this.looseNames.bind(node);
    recorder.current = node.parent;
    return operation;
  }

  // --- Recovery ---

  /** Finds the end of an operation with an error, parses what is in its regions, and goes on behind it. */
  private recover(node: MutableOperation): void {
    const { layout, lexer } = this;
    const { tokens } = layout;
    const outer = this.recorder.current;
    const indentation = layout.indentation(node.start);
    this.recorder.current = node;
    const first = layout.indexAt(node.start);
    let index = Math.max(first + 1, layout.indexAt(node.nameRange.end));
    const children = new Map(node.children.map((child) => [child.start, child]));
    let depth = 0;
    for (; ; index += 1) {
      const token = tokens[index] ?? tokens.at(-1)!;
      if (token.kind === 'end') break;
      const child = children.get(token.start);
      if (child !== undefined) {
        index = layout.indexAt(child.end) - 1;
      } else if (token.kind === '{') {
        const isParsed = node.children.some(
          ({ start }) => start > token.start && start <= (tokens[index + 1]?.start ?? 0),
        );
        if (!isParsed && layout.opensRegion(index, this.dialectWithin(node)))
          index = this.parseBrokenRegion(node, index);
        else depth += 1;
      } else if (token.kind === '}') {
        const isOuter = layout.startsLine(token.start) && layout.indentation(token.start) < indentation;
        if (depth === 0 || isOuter) break;
        depth -= 1;
      } else if (layout.isBoundary(index, this.dialect)) {
        break;
      }
    }
    this.recorder.current = node;
    node.end = Math.max(tokens[Math.max(index - 1, first)]!.end, node.children.at(-1)?.end ?? 0);
    this.looseNames.bind(node);
    this.recorder.current = outer;
    lexer.resetTo((tokens[index] ?? tokens.at(-1)!).start);
  }

  private dialectWithin({ name }: MutableOperation): string {
    return this.tokens.registry.operations.get(name)?.defaultDialect ?? '';
  }

  /** Parses the region that begins with the token `open`; returns the index of its last token. */
  private parseBrokenRegion(node: MutableOperation, open: number): number {
    const { layout, lexer } = this;
    const isIsolated =
      this.tokens.registry.operations.get(node.name)?.traits.has('isolated-from-above') === true;
    const state: State = {
      depth: this.tokens.depth,
      dialects: this.defaultDialects.length,
      blocks: this.blocks.length,
      scopes: this.scopes.depth,
      current: node,
    };
    this.defaultDialects.push(this.dialectWithin(node));
    lexer.resetTo(layout.tokens[open]!.end);
    try {
      this.tokens.enter();
      this.parseBlocks(
        lexer.kind === 'block' ? [] : this.looseNames.argumentsOf(node, open, isIsolated),
        isIsolated,
      );
      this.closeRegion();
    } catch (failure) {
      this.problems.reportFailure(failure, true);
    }
    this.restore(state);
    return Math.max(open, layout.indexAt(lexer.previousEnd) - 1);
  }

  // --- Blocks and regions ---

  protected override parseBlocks(
    entryArguments: readonly ParsedArgument[],
    isIsolated: boolean,
  ): readonly Block[] {
    this.looseNames.enterBlocks();
    return super.parseBlocks(entryArguments, isIsolated);
  }

  protected override leaveBlocks(): void {
    const blocks = this.blocks.pop()!;
    this.looseNames.leaveBlocks((name) => {
      const block = blocks.get(name);
      return block === undefined ? undefined : this.blockNames.get(block);
    });
    for (const { location, isDefined } of blocks.values())
      if (!isDefined) this.reportInBlocks('parse/block', 'reference to an undefined block', location);
  }

  protected override blockNamed(name: string, location: Location): NamedBlock {
    const block = super.blockNamed(name, location);
    const known = this.blockNames.get(block) ?? this.recorder.create('block', name);
    this.blockNames.set(block, known);
    const offset = location.kind === 'file' ? this.tokens.source.offsetOf(location) : -1;
    if (this.blockDefinitions.has(offset) && known.definition === undefined)
      this.recorder.define(known, offset);
    else this.recorder.use(known, offset);
    return block;
  }

  protected override parseLabelledBlock(): Block {
    const { layout, lexer } = this;
    const { start } = lexer;
    if (lexer.kind !== 'block') return super.parseLabelledBlock();
    this.blockDefinitions.add(start);
    try {
      return super.parseLabelledBlock();
    } catch (failure) {
      // An error in its operations is not thrown, unless the text ends.
      if ((this.lexer.kind as string) === 'end') throw failure;
      this.problems.reportFailure(failure);
      this.markBrokenBlocks();
    }
    let index = layout.indexAt(start) + 1;
    while (!layout.isBoundary(index, this.dialect) && layout.tokens[index]!.kind !== '}') index += 1;
    this.looseNames.define(start, index);
    lexer.resetTo(layout.tokens[index]!.start);
    return this.factory.block(this.factory.id(), [], this.parseBlockBody());
  }

  protected override parseBlockBody(): readonly Operation[] {
    const { lexer } = this;
    const operations: Operation[] = [];
    while (lexer.kind !== 'block') {
      if (lexer.kind === 'end') this.tokens.failMissing('expected operation name in quotes');
      if (lexer.kind === '}') {
        if (!this.isSurplusBrace()) break;
        this.reportInBlocks('parse/syntax', 'expected operation name in quotes', this.tokens.here());
        lexer.next();
      } else if (this.isOutside()) {
        this.reportInBlocks(
          'parse/expected-token',
          "expected '}' to end a region",
          this.tokens.source.locationAt(lexer.previousEnd),
        );
        this.unclosedAt = lexer.start;
        break;
      } else {
        this.parseNext(operations);
      }
    }
    return operations;
  }

  protected override isRegionEnd(): boolean {
    return this.lexer.start === this.unclosedAt || super.isRegionEnd();
  }

  protected override closeRegion(): void {
    if (this.lexer.start !== this.unclosedAt) super.closeRegion();
  }

  private ownerIndentation(): number {
    const owner = this.recorder.current;
    return owner === undefined ? -1 : this.layout.indentation(owner.start);
  }

  /** Whether a closing brace is one too many: it is further in than the operation around it. */
  private isSurplusBrace(): boolean {
    const { layout, lexer } = this;
    if (!layout.lacksOpening || !layout.startsLine(lexer.start)) return false;
    return layout.indentation(lexer.start) > this.ownerIndentation();
  }

  /** Whether an operation follows the current region, whose closing brace is missing. */
  private isOutside(): boolean {
    const { layout, lexer } = this;
    if (!layout.lacksClosing || !layout.isBoundary(layout.indexAt(lexer.start), this.dialect)) return false;
    return layout.indentation(lexer.start) <= this.ownerIndentation();
  }
}

const hasBrokenPart = ({ children }: MutableOperation): boolean =>
  children.some((child) => child.operation === undefined || hasBrokenPart(child));
