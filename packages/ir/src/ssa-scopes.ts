/** The SSA names during parsing: defined ones, and forward references. */
import type { Location } from '@sconv/diagnostics';
import { closestName } from '@sconv/diagnostics';
import type { UnresolvedOperand } from './assembly.ts';
import type { Unfrozen } from './ir-factory.ts';
import type { Value } from './operation.ts';
import { ParseFailure } from './parse-failure.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';
import { printType } from './type-printer.ts';

/** A name in scope. */
export interface SsaEntry {
  readonly value: Unfrozen<Value>;
  /** Of the definition, or of the first use while it is a forward reference. */
  location: Location;
  isForward: boolean;
}

/** The names visible up to an operation that is isolated from above. */
interface IsolatedScope {
  readonly entries: Map<string, SsaEntry>;
  /** The names defined by each enclosing region, innermost last. */
  readonly regions: string[][];
}

/** The first use of a name before its definition, or without one. */
interface FirstUse {
  readonly entry: SsaEntry;
  readonly name: string;
}

/** For how many names in a text another one is sought: comparing each with all others takes time. */
const mostComparedNames = 50;

/** The key of a name: `%a`, `%a#1`. */
export const keyOf = (name: string, number: number): string => (number === 0 ? name : `${name}#${number}`);

export class SsaScopes {
  protected readonly scopes: IsolatedScope[] = [{ entries: new Map(), regions: [[]] }];
  /** In the order of first use. */
  protected readonly forward = new Set<SsaEntry>();
  /** By the names that the region around them defines. */
  private readonly firstUses = new Map<readonly string[], FirstUse[]>();
  /** What was probably meant by names that are not defined. */
  private readonly suggestions = new Map<SsaEntry, string>();
  private comparedNames = 0;
  protected readonly createValue: (type: Type) => Unfrozen<Value>;

  constructor(createValue: (type: Type) => Unfrozen<Value>) {
    this.createValue = createValue;
  }

  protected get current(): IsolatedScope {
    return this.scopes.at(-1)!;
  }

  /** Enters a region; in an isolated one, no outer names are visible. */
  push(isIsolated: boolean): void {
    if (isIsolated) this.scopes.push({ entries: new Map(), regions: [] });
    this.current.regions.push([]);
  }

  /** Leaves a region; its names become free again. */
  pop(): void {
    const { entries, regions } = this.current;
    const names = regions.pop()!;
    this.suggest(names);
    for (const key of names) entries.delete(key);
    if (regions.length === 0) this.scopes.pop();
  }

  /** The value with a name; a forward reference of type `type` if it is not defined yet. */
  use(operand: UnresolvedOperand, type: Type): Value {
    const key = keyOf(operand.name, operand.number);
    const { entries } = this.current;
    const entry = entries.get(key);
    if (entry !== undefined) {
      if (!typeEquals(entry.value.type, type))
        throw new ParseFailure(
          'parse/type-mismatch',
          `use of value '${operand.name}' expects different type than prior uses: ` +
            `'${printType(type)}' vs '${printType(entry.value.type)}'`,
          operand.location,
          [{ message: 'prior use here', location: entry.location }],
        );
      return entry.value;
    }
    if (entries.get(operand.name)?.isForward === false)
      throw new ParseFailure('parse/undefined-value', 'reference to invalid result number', operand.location);
    const placeholder: SsaEntry = {
      value: this.createValue(type),
      location: operand.location,
      isForward: true,
    };
    entries.set(key, placeholder);
    this.forward.add(placeholder);
    const region = this.current.regions.at(-1)!;
    const inRegion = this.firstUses.get(region);
    if (inRegion === undefined) this.firstUses.set(region, [{ entry: placeholder, name: operand.name }]);
    else inRegion.push({ entry: placeholder, name: operand.name });
    return placeholder.value;
  }

  /** The location of the name's definition or first use, if any. */
  locationOf(operand: UnresolvedOperand): Location | undefined {
    return this.current.entries.get(keyOf(operand.name, operand.number))?.location;
  }

  /** Defines the value with this name; resolves forward references to it. The caller freezes it. */
  define({ name, number, location }: UnresolvedOperand, type: Type): Unfrozen<Value> {
    const key = keyOf(name, number);
    const { entries, regions } = this.current;
    const entry = entries.get(key);
    regions.at(-1)!.push(key);
    if (entry === undefined) {
      const value = this.createValue(type);
      entries.set(key, { value, location, isForward: false });
      return value;
    }
    if (!entry.isForward)
      throw new ParseFailure('parse/redefinition', `redefinition of SSA value '${name}'`, location, [
        { message: 'previously defined here', location: entry.location },
      ]);
    if (!typeEquals(entry.value.type, type))
      throw new ParseFailure(
        'parse/type-mismatch',
        `definition of SSA value '${name}#${number}' has type '${printType(type)}'`,
        location,
        [
          {
            message: `previously used here with type '${printType(entry.value.type)}'`,
            location: entry.location,
          },
        ],
      );
    this.forward.delete(entry);
    entry.isForward = false;
    entry.location = location;
    return entry.value;
  }

  /** Fails if a used name is undefined. */
  finish(): void {
    this.suggest(this.current.regions.at(-1)!);
    for (const entry of this.forward)
      throw new ParseFailure('parse/undefined-value', this.undefinedMessage(entry), entry.location);
  }

  /** What is wrong with a name that is used and not defined. */
  protected undefinedMessage(entry: SsaEntry): string {
    const meant = this.suggestions.get(entry);
    return `use of undeclared SSA value name${meant === undefined ? '' : `; did you mean '${meant}'?`}`;
  }

  /** Seeks what was meant by the names that are first used in a region, while those visible in it are known. */
  protected suggest(region: readonly string[]): void {
    const uses = this.firstUses.get(region);
    if (uses === undefined) return;
    this.firstUses.delete(region);
    for (const { entry, name } of uses) {
      // Numbers are given by printers, in order: one next to it is not meant.
      if (!entry.isForward || /^%\d+$/.test(name) || this.comparedNames >= mostComparedNames) continue;
      this.comparedNames += 1;
      const meant = closestName(name.slice(1), this.visibleNames());
      if (meant !== undefined) this.suggestions.set(entry, `%${meant}`);
    }
  }

  /** Without their sigils. */
  private *visibleNames(): Generator<string> {
    for (const [key, { isForward }] of this.current.entries) {
      const name = /^%([^#]*)$/.exec(key)?.[1];
      if (!isForward && name !== undefined && !/^\d+$/.test(name)) yield name;
    }
  }
}
