/** The SSA names during a parse that goes on after errors: it remembers where each is defined and used. */
import type { Location } from '@sconv/diagnostics';
import type { UnresolvedOperand } from './assembly.ts';
import type { Unfrozen } from './ir-factory.ts';
import type { Id, Value } from './operation.ts';
import type { MutableName, SourceRecorder } from './source-map.ts';
import type { SourceText } from './source-text.ts';
import { keyOf, SsaScopes } from './ssa-scopes.ts';
import type { SsaEntry } from './ssa-scopes.ts';
import type { Type } from './type.ts';

/** The type of a value whose definition has an error: it fits each use. */
export const unknownType: Type = Object.freeze({ kind: 'none' });

export class RecordingScopes extends SsaScopes {
  private readonly recorder: SourceRecorder;
  private readonly source: SourceText;
  private readonly names = new Map<SsaEntry, MutableName>();
  /** The values used whose definitions have errors. */
  private readonly unknown = new Set<Id>();

  constructor(recorder: SourceRecorder, source: SourceText, createValue: (type: Type) => Unfrozen<Value>) {
    super(createValue);
    this.recorder = recorder;
    this.source = source;
  }

  override use(operand: UnresolvedOperand, type: Type): Value {
    const known = this.entryOf(operand.name, operand.number);
    if (known?.value.type === unknownType) {
      this.recordUse(known, operand);
      const value = this.createValue(type);
      this.unknown.add(value.id);
      return value;
    }
    const value = super.use(operand, type);
    this.recordUse(this.entryOf(operand.name, operand.number)!, operand);
    return value;
  }

  override define(operand: UnresolvedOperand, type: Type): Unfrozen<Value> {
    const value = super.define(operand, type);
    const entry = this.entryOf(operand.name, operand.number)!;
    // The results under one name, and what has used them before, are one name.
    const first = operand.number === 0 ? undefined : this.entryOf(operand.name, 0);
    const name = (first === undefined ? undefined : this.names.get(first)) ?? this.nameOf(entry, operand);
    const used = this.names.get(entry);
    if (used !== undefined && used !== name) {
      for (const { start } of used.uses) this.recorder.move(start, name);
      used.uses.length = 0;
    }
    this.names.set(entry, name);
    name.types[operand.number] = type === unknownType ? undefined : type;
    name.ids[operand.number] = value.id;
    if (name.definition === undefined) this.recorder.define(name, this.offsetOf(operand));
    return value;
  }

  /** Records a use of a name that is visible here, if it is. */
  useLoosely(operand: UnresolvedOperand): boolean {
    const entry = this.entryOf(operand.name, operand.number) ?? this.entryOf(operand.name, 0);
    if (entry === undefined) return false;
    this.recordUse(entry, operand);
    return true;
  }

  /** Defines a name about which nothing else is known, unless it exists. */
  defineLoosely(operand: UnresolvedOperand): void {
    const entry = this.entryOf(operand.name, operand.number);
    if (entry === undefined) {
      this.define(operand, unknownType);
    } else if (entry.isForward) {
      // What has used it before gave it a type, which may be wrong.
      this.define(operand, entry.value.type);
    }
  }

  /** How many scopes and regions are open, to return to after an error. */
  get depth(): readonly [number, number] {
    return [this.scopes.length, this.current.regions.length];
  }

  popTo([scopes, regions]: readonly [number, number]): void {
    while (this.scopes.length > scopes || this.current.regions.length > regions) this.pop();
  }

  /** What is wrong with the names that are used and not defined, in the order of their first use. */
  undefinedNames(): readonly { readonly message: string; readonly location: Location }[] {
    this.suggest(this.current.regions.at(-1)!);
    return [...this.forward].map((entry) => ({
      message: this.undefinedMessage(entry),
      location: entry.location,
    }));
  }

  /** The ids of values that are used, and have no definition. */
  get undefinedIds(): ReadonlySet<Id> {
    return new Set([...this.unknown, ...[...this.forward].map(({ value }) => value.id)]);
  }

  private entryOf(name: string, number: number): SsaEntry | undefined {
    return this.current.entries.get(keyOf(name, number));
  }

  private recordUse(entry: SsaEntry, operand: UnresolvedOperand): void {
    const name = this.nameOf(entry, operand);
    this.recorder.use(name, this.offsetOf(operand));
  }

  private nameOf(entry: SsaEntry, { name }: UnresolvedOperand): MutableName {
    const known = this.names.get(entry);
    if (known !== undefined) return known;
    const created = this.recorder.create('value', name);
    this.names.set(entry, created);
    return created;
  }

  /** An operand of an affine expression has the location of the expression. */
  private offsetOf({ name, location }: UnresolvedOperand): number {
    if (location.kind !== 'file') return -1;
    const offset = this.source.offsetOf(location);
    return this.source.text.startsWith(name, offset) ? offset : this.source.text.indexOf(name, offset);
  }
}
