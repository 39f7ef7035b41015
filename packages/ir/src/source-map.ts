/** What the text of a module says where: operations, and the places of the names of values and blocks. */
import type { Id, Operation } from './operation.ts';
import type { TextRange } from './print-ranges.ts';
import type { Type } from './type.ts';

/** An operation in a text: from the names of its results to its last token. */
export interface SourceOperation extends TextRange {
  /** With its dialect; empty where an error precedes the name. */
  readonly name: string;
  /** Of the name as written, quotes included; empty where there is none. */
  readonly nameRange: TextRange;
  readonly parent: SourceOperation | undefined;
  /** The operations in its regions, in order. */
  readonly children: readonly SourceOperation[];
  /** Missing if it has an error: those in its regions may have none. */
  readonly operation: Operation | undefined;
}

/** A name of values or of a block, with its places in the text. */
export interface SourceName {
  readonly kind: 'value' | 'block';
  /** With its sigil, without the number of a result: `%a`. */
  readonly name: string;
  /** Where it is defined; missing if it is not. */
  readonly definition: TextRange | undefined;
  /** In the order in which they are read; without the number of a result. */
  readonly uses: readonly TextRange[];
  /** Of each result, `%a#0` first, or of the argument; missing where an error hides it. */
  readonly types: readonly (Type | undefined)[];
  /** The ids of these values in the module. */
  readonly ids: readonly Id[];
  /** Whose results these are; missing for arguments and blocks. */
  readonly operation: SourceOperation | undefined;
}

/** All of it, in the order of the text. */
export interface SourceMap {
  /** At the top level. */
  readonly operations: readonly SourceOperation[];
  readonly names: readonly SourceName[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface MutableOperation extends Mutable<Omit<SourceOperation, 'children' | 'parent'>> {
  readonly parent: MutableOperation | undefined;
  readonly children: MutableOperation[];
}

export interface MutableName extends Mutable<Omit<SourceName, 'uses' | 'types' | 'ids'>> {
  readonly uses: TextRange[];
  readonly types: (Type | undefined)[];
  readonly ids: Id[];
}

/** Collects a `SourceMap` while a text is parsed. */
export class SourceRecorder implements SourceMap {
  readonly operations: MutableOperation[] = [];
  readonly names: MutableName[] = [];
  /** By the offsets of their places. */
  private readonly places = new Map<number, MutableName>();
  /** The operation that is being parsed. */
  current: MutableOperation | undefined;

  begin(start: number): MutableOperation {
    const nameRange = { start, end: start };
    const parent = this.current;
    const operation: MutableOperation = {
      start,
      end: start,
      name: '',
      nameRange,
      parent,
      children: [],
      operation: undefined,
    };
    (parent?.children ?? this.operations).push(operation);
    this.current = operation;
    return operation;
  }

  isKnown(offset: number): boolean {
    return this.places.has(offset);
  }

  create(kind: SourceName['kind'], name: string): MutableName {
    const created: MutableName = {
      kind,
      name,
      definition: undefined,
      uses: [],
      types: [],
      ids: [],
      operation: undefined,
    };
    this.names.push(created);
    return created;
  }

  define(name: MutableName, offset: number): void {
    name.definition = this.place(name, offset);
    // What is defined behind the operation's name is an argument of its region.
    const { current } = this;
    if (name.kind === 'value' && current !== undefined && offset < current.nameRange.start)
      name.operation = current;
  }

  use(name: MutableName, offset: number): void {
    if (!this.places.has(offset)) name.uses.push(this.place(name, offset));
  }

  /** Makes a use of another name one of `name`. */
  move(offset: number, name: MutableName): void {
    name.uses.push(this.place(name, offset));
  }

  private place(name: MutableName, offset: number): TextRange {
    this.places.set(offset, name);
    return { start: offset, end: offset + name.name.length };
  }
}
