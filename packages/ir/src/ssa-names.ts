/**
 * The names of printed values and blocks: numbers, and names suggested by operations, made unique as upstream's
 * `SSANameState` does.
 */
import type { OpDefinition } from './define-op.ts';
import { snakeCase } from './define-op.ts';
import type { Id, Operation, Region } from './operation.ts';
import type { Registry } from './registry.ts';
import { groupSizes } from './value-groups.ts';

/** Consecutive results printed under one name, `%0:2`. */
export interface ResultGroup {
  readonly name: string;
  readonly count: number;
}

export interface SsaNameOptions {
  readonly registry: Registry;
  /** The generic form uses no suggestions. */
  readonly generic: boolean;
}

/** The names used in a region and its ancestors. */
class UsedNames {
  private readonly names = new Set<string>();
  private readonly outer: UsedNames | undefined;

  constructor(outer?: UsedNames) {
    this.outer = outer;
  }

  has(name: string): boolean {
    return this.names.has(name) || (this.outer?.has(name) ?? false);
  }

  add(name: string): void {
    this.names.add(name);
  }
}

/** The next numbers; nested regions continue from their parents', and siblings share them. */
interface Counters {
  readonly value: number;
  readonly argument: number;
  readonly conflict: number;
}

interface PendingRegion {
  readonly region: Region;
  readonly operation: Operation;
  readonly index: number;
  readonly counters: Counters;
  readonly outer: UsedNames;
}

/** Names of values as the printer gives them. */
export class SsaNames {
  private readonly options: SsaNameOptions;
  private readonly values = new Map<Id, string>();
  private readonly definitions = new Map<Id, Operation>();
  private readonly blocks = new Map<Id, string>();
  /** The predecessors of each block, one entry per edge. */
  private readonly predecessors = new Map<Id, Id[]>();
  private readonly groups = new Map<Id, readonly ResultGroup[]>();
  private names = new UsedNames();
  private nextValue = 0;
  private nextArgument = 0;
  private nextConflict = 0;

  /** Names everything in `root`. */
  constructor(root: Operation, options: SsaNameOptions) {
    this.options = options;
    this.nameResults(root);
    const pending: PendingRegion[] = [];
    const push = (operation: Operation, counters: Counters, outer: UsedNames): void => {
      operation.regions.forEach((region, index) =>
        pending.push({ region, operation, index, counters, outer }),
      );
    };
    push(root, { value: 0, argument: 0, conflict: 0 }, this.names);
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      // In the generic form upstream numbers every value separately.
      if (!options.generic) this.restore(next.counters);
      this.names = new UsedNames(next.outer);
      this.nameRegion(next.operation, next.region, next.index);
      const counters = { value: this.nextValue, argument: this.nextArgument, conflict: this.nextConflict };
      for (const block of next.region.blocks)
        for (const operation of block.operations) push(operation, counters, this.names);
    }
  }

  /** `%name`, with `#number` for one of several results under one name. */
  valueName(id: Id): string {
    return this.values.get(id) ?? '%<<UNKNOWN SSA VALUE>>';
  }

  blockName(id: Id): string {
    return this.blocks.get(id) ?? '^INVALIDBLOCK';
  }

  predecessorsOf(id: Id): readonly Id[] {
    return this.predecessors.get(id) ?? [];
  }

  /** The names before `=`. */
  resultGroups(operation: Operation): readonly ResultGroup[] {
    return this.groups.get(operation.id) ?? [];
  }

  private restore({ value, argument, conflict }: Counters): void {
    this.nextValue = value;
    this.nextArgument = argument;
    this.nextConflict = conflict;
  }

  private nameRegion(operation: Operation, region: Region, index: number): void {
    const definition = this.options.generic
      ? undefined
      : this.options.registry.operations.get(operation.name);
    const suggested = definition?.blockArgumentNames?.(operation, index) ?? [];
    region.blocks[0]?.arguments.forEach((argument, i) => {
      const name = suggested[i];
      if (name !== undefined && name !== '') this.values.set(argument.id, this.uniqueName(name));
    });
    region.blocks.forEach((block, position) => {
      this.blocks.set(block.id, `^bb${position}`);
      for (const argument of block.arguments) {
        if (this.values.has(argument.id)) continue;
        this.values.set(
          argument.id,
          position === 0 ? this.uniqueName(`arg${this.takeArgumentNumber()}`) : this.valueNumber(),
        );
      }
      for (const child of block.operations) {
        this.nameResults(child);
        for (const successor of child.successors) {
          const known = this.predecessors.get(successor);
          if (known === undefined) this.predecessors.set(successor, [block.id]);
          else known.push(block.id);
        }
      }
    });
  }

  private nameResults(operation: Operation): void {
    const count = operation.results.length;
    if (count === 0) return;
    const starts = this.suggestions(operation);
    const groups = starts.map(({ index, name }, i) => ({
      name: name === '' ? this.valueNumber() : this.uniqueName(name),
      count: (starts[i + 1]?.index ?? count) - index,
    }));
    this.groups.set(operation.id, groups);
    let next = 0;
    for (const { name, count: size } of groups) {
      for (let number = 0; number < size; number += 1) {
        this.definitions.set(operation.results[next]!.id, operation);
        this.values.set(operation.results[next]!.id, size === 1 ? name : `${name}#${number}`);
        next += 1;
      }
    }
  }

  /** The first result of each group with its suggested name; empty for a number. */
  private suggestions(operation: Operation): readonly { readonly index: number; readonly name: string }[] {
    const { generic, registry } = this.options;
    const definition = generic ? undefined : registry.operations.get(operation.name);
    const suggested =
      definition?.resultName === undefined
        ? declaredNames(definition, operation)
        : definition.resultName(operation, ({ id }) => this.definitions.get(id));
    const names = typeof suggested === 'string' ? [suggested] : (suggested ?? []);
    const starts = names.flatMap((name, index) =>
      name === undefined || index >= operation.results.length ? [] : [{ index, name }],
    );
    return starts[0]?.index === 0 ? starts : [{ index: 0, name: '' }, ...starts];
  }

  private valueNumber(): string {
    this.nextValue += 1;
    return `%${this.nextValue - 1}`;
  }

  private takeArgumentNumber(): number {
    this.nextArgument += 1;
    return this.nextArgument - 1;
  }

  private uniqueName(suggestion: string): string {
    const wanted = sanitize(suggestion);
    let name = wanted;
    while (this.names.has(name)) {
      name = `${wanted}_${this.nextConflict}`;
      this.nextConflict += 1;
    }
    this.names.add(name);
    return `%${name}`;
  }
}

/** The declared names of several results; a single result is numbered, as in upstream. */
const declaredNames = (
  definition: OpDefinition | undefined,
  { results, attributes }: Operation,
): readonly (string | undefined)[] | undefined => {
  if (definition === undefined || definition.resultSpecs.length < 2) return undefined;
  const sizes = groupSizes(definition.resultSpecs, results.length, attributes['resultSegmentSizes']);
  return sizes?.flatMap((size, i) =>
    Array.from({ length: size }, (_, position) =>
      position === 0 ? snakeCase(definition.resultSpecs[i]!.name) : undefined,
    ),
  );
};

/** A name as a suffix identifier: spaces become `_`, other characters their code; no leading digits. */
const sanitize = (name: string): string => {
  const safe = name.replace(/[^\w$.-]/g, (character) =>
    character === ' ' ? '_' : character.charCodeAt(0).toString(16).toUpperCase(),
  );
  return /^\d/.test(safe) && !/^\d+$/.test(safe) ? `_${safe}` : safe;
};
