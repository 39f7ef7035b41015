/**
 * The statements of a function of affine loops and structured ops, for questions about their dependences. Accesses that
 * follow each other in a block are one statement. Different arguments and allocations are different arrays.
 */
import type { AffineMap } from '@sconv/affine';
import { isPureAffine } from '@sconv/affine';
import { isStructured, structured } from '@sconv/dialects/linalg';
import type { StructuredOp } from '@sconv/dialects/linalg';
import type { Diagnosed, Failed } from '@sconv/diagnostics';
import { silenceableError, success } from '@sconv/diagnostics';
import type { Block, Id, Module, Operation, Registry, SourceName, Value } from '@sconv/ir';
import { children, DYNAMIC, effectsOf, hasTrait, integerOf, walk } from '@sconv/ir';
import type { Access, Statement } from '@sconv/presburger/dependences';
import { conditionText, expressionText, nameLike } from './nest-text.ts';

/** Statements, and where they are. */
export interface Nests {
  readonly statements: readonly Statement[];
  /** The first access of each statement. */
  readonly operations: readonly Operation[];
  /** Whether no two statements are in one loop: each is a nest. */
  readonly areSeparate: boolean;
}

/**
 * The statements of the only function of a module; `names` are those of its text. Fails with `sconv/no-affine-nest` for
 * several functions, or none, and at an operation whose accesses are not known to be affine.
 */
export const nestStatements = (
  module: Module,
  names: readonly SourceName[],
  registry: Registry,
): Diagnosed<Nests> => {
  const [only, ...others] = children(module.root).filter(
    ({ name, regions }) => name === 'func.func' && (regions[0]?.blocks.length ?? 0) > 0,
  );
  if (only === undefined || others.length > 0)
    return refuse(others[0] ?? module.root, 'expected one function with a body');
  const [body, branch] = only.regions[0]!.blocks;
  if (branch !== undefined) return refuse(only, 'a function with branches: its loops are not affine');
  return new NestReader(names, registry).read(body!);
};

const refuse = (operation: Operation, why: string): Failed =>
  silenceableError('sconv/no-affine-nest', why, operation);

/** Where a block is. */
interface Place {
  readonly loops: readonly string[];
  readonly constraints: readonly string[];
  /** The time until now: positions and loops in turns. */
  readonly time: readonly string[];
  /** The position of the next statement or loop, also in the conditions here. */
  readonly next: { position: number };
}

/** A use of an array, with indices as text. */
interface Use {
  readonly kind: 'read' | 'write';
  readonly array: Value;
  readonly indices: readonly string[];
}

interface Draft extends Place {
  readonly operation: Operation;
  readonly uses: Use[];
}

const isShaped = ({ type }: Value): boolean =>
  ['memref', 'unranked-memref', 'tensor', 'unranked-tensor'].includes(type.kind);

const mapOf = (operation: Operation, name: string): AffineMap | undefined => {
  const attribute = operation.attributes[name];
  return attribute?.kind === 'affine-map' ? attribute.map : undefined;
};

class NestReader {
  readonly #registry: Registry;
  readonly #names: ReadonlyMap<Id, string>;
  /** What index values are, as text. */
  readonly #texts = new Map<Id, string>();
  /** Values that differ between iterations. */
  readonly #inner = new Set<Id>();
  /** The names of all loops and symbols until now. */
  readonly #taken = new Set<string>();
  readonly #symbols: string[] = [];
  readonly #drafts: Draft[] = [];

  constructor(names: readonly SourceName[], registry: Registry) {
    this.#registry = registry;
    this.#names = new Map(
      names.flatMap(({ name, ids }) =>
        ids.map((id, i): [Id, string] => [id, ids.length > 1 ? `${name}.${i}` : name]),
      ),
    );
  }

  read(body: Block): Diagnosed<Nests> {
    const failure = this.#block(body, { loops: [], constraints: [], time: [], next: { position: 0 } });
    if (failure !== undefined) return failure;
    const longest = Math.max(0, ...this.#drafts.map(({ time }) => time.length));
    const nests = this.#drafts.map(({ time }) => time[0]);
    return success({
      statements: this.#drafts.map((draft) => this.#statement(draft, longest)),
      operations: this.#drafts.map(({ operation }) => operation),
      areSeparate: new Set(nests).size === nests.length,
    });
  }

  #statement({ loops, constraints, time, uses }: Draft, longest: number): Statement {
    const symbols = this.#symbols.length > 0 ? `[${this.#symbols.join(', ')}] -> ` : '';
    const tuple = `[${loops.join(', ')}]`;
    const to = (entries: readonly string[]) => `${symbols}{ ${tuple} -> [${entries.join(', ')}] }`;
    const accesses = (kind: Use['kind']): Access[] =>
      uses
        .filter((use) => use.kind === kind)
        .map(({ array, indices }) => ({ array: this.#nameOf(array), elements: to(indices) }));
    const padding = Array.from({ length: longest - time.length }, () => '0');
    return {
      domain: `${symbols}{ ${tuple} : ${constraints.join(' and ') || 'true'} }`,
      reads: accesses('read'),
      writes: accesses('write'),
      schedule: to([...time, ...padding]),
    };
  }

  #nameOf({ id }: Value): string {
    return this.#names.get(id) ?? `%${id}`;
  }

  /** Adds the statements of a block; what it cannot read is a failure. */
  #block({ operations }: Block, place: Place): Failed | undefined {
    let current: Draft | undefined;
    for (const operation of operations) {
      if (place.loops.length > 0) for (const { id } of operation.results) this.#inner.add(id);
      const use = this.#useOf(operation);
      if (use === undefined) {
        if (operation.regions.length > 0) current = undefined;
        const failure = this.#operation(operation, place);
        if (failure !== undefined) return failure;
        continue;
      }
      if ('status' in use) return use;
      current ??= this.#begin(operation, place);
      current.uses.push(use);
    }
    return undefined;
  }

  /** A statement of its own, which comes next. */
  #begin(operation: Operation, place: Place): Draft {
    const draft = { ...place, time: [...place.time, String(place.next.position++)], operation, uses: [] };
    this.#drafts.push(draft);
    return draft;
  }

  #operation(operation: Operation, place: Place): Failed | undefined {
    const { name, attributes, operands, results } = operation;
    if (name === 'affine.for') return this.#loop(operation, place);
    if (name === 'affine.if') return this.#condition(operation, place);
    if (isStructured(this.#registry, operation)) {
      const view = structured(this.#registry, operation);
      if (view !== undefined) return this.#structured(operation, view, place);
    }
    const map = name === 'affine.apply' ? mapOf(operation, 'map') : undefined;
    const constant = name === 'arith.constant' ? integerOf(attributes['value']) : undefined;
    if (constant !== undefined) this.#texts.set(results[0]!.id, `(${constant})`);
    else if (map !== undefined) {
      const text = this.#expressions(map, operands);
      if (text !== undefined) this.#texts.set(results[0]!.id, text[0]!);
    } else return this.#isHarmless(operation, place) ? undefined : refuse(operation, `${name} is not read`);
    return undefined;
  }

  /** Whether an operation uses no element of an array, and makes no second name for one. */
  #isHarmless(operation: Operation, { loops }: Place): boolean {
    if (hasTrait(this.#registry, operation, 'terminator')) return operation.successors.length === 0;
    const effects = effectsOf(this.#registry, operation);
    if (effects === undefined || operation.regions.length > 0) return false;
    const { name, operands, results } = operation;
    // An array that is made in a loop would be another one in each iteration.
    if (effects.length > 0)
      return loops.length === 0 && effects.every(({ kind }) => kind === 'allocate' || kind === 'free');
    if (operands.some(isShaped)) return name === 'memref.dim' || name === 'tensor.dim';
    return !results.some(isShaped) || name === 'tensor.empty' || name === 'arith.constant';
  }

  #loop(operation: Operation, place: Place): Failed | undefined {
    const [lower, upper] = [mapOf(operation, 'lowerBoundMap'), mapOf(operation, 'upperBoundMap')];
    const step = integerOf(operation.attributes['step']);
    const [body] = operation.regions[0]!.blocks;
    const [induction, ...carried] = body!.arguments;
    if (lower === undefined || upper === undefined || step === undefined || induction === undefined)
      return refuse(operation, 'a loop without bounds');
    if (carried.length > 0)
      return refuse(operation, 'the loop carries values from one iteration to the next, which are no array');
    const arity = lower.numDims + lower.numSymbols;
    const from = this.#expressions(lower, operation.operands.slice(0, arity));
    const to = this.#expressions(upper, operation.operands.slice(arity));
    if (from === undefined || to === undefined) return refuse(operation, 'the bounds are not affine');
    if (step > 1 && from.length > 1)
      return refuse(operation, 'the first of several lower bounds is not known, and the step is not 1');
    const loop = this.#loopName(induction, 'i', place.loops);
    this.#texts.set(induction.id, loop);
    this.#inner.add(induction.id);
    return this.#block(body!, {
      loops: [...place.loops, loop],
      constraints: [
        ...place.constraints,
        ...from.map((bound) => `${loop} >= ${bound}`),
        ...to.map((bound) => `${loop} < ${bound}`),
        ...(step > 1 ? [`(${loop} - ${from[0]!}) mod ${step} = 0`] : []),
      ],
      time: [...place.time, String(place.next.position++), loop],
      next: { position: 0 },
    });
  }

  #condition(operation: Operation, place: Place): Failed | undefined {
    const { condition } = operation.attributes;
    const operands = this.#textsOf(operation.operands);
    if (
      condition?.kind !== 'integer-set' ||
      operands === undefined ||
      !condition.set.constraints.every(({ expr }) => isPureAffine(expr))
    )
      return refuse(operation, 'the condition is not affine');
    const text = conditionText(condition.set, operands);
    const [then, otherwise] = operation.regions.map(({ blocks }) => blocks[0]);
    const under = (block: Block | undefined, constraint: string) =>
      block && this.#block(block, { ...place, constraints: [...place.constraints, constraint] });
    return under(then, `(${text})`) ?? under(otherwise, `not (${text})`);
  }

  #structured(operation: Operation, view: StructuredOp, place: Place): Failed | undefined {
    const { loopRanges, indexingMaps, inputs, outputs, body } = view;
    if (loopRanges.includes(DYNAMIC)) return refuse(operation, 'the sizes of the loops are not known');
    const access = [...walk(operation)].find((each) => each !== operation && each.operands.some(isShaped));
    if (access !== undefined)
      return refuse(access, `${access.name} in the body of a structured op is not read`);
    const loops = loopRanges.reduce<readonly string[]>(
      (before, _) => [...before, this.#loopName(undefined, 'd', [...place.loops, ...before])],
      [],
    );
    const draft = this.#begin(operation, {
      loops: [...place.loops, ...loops],
      constraints: [...place.constraints, ...loops.map((loop, i) => `0 <= ${loop} < ${loopRanges[i]!}`)],
      time: [
        ...place.time,
        String(place.next.position++),
        ...loops.flatMap((loop, i) => (i === 0 ? [loop] : ['0', loop])),
      ],
      next: { position: 0 },
    });
    const add = (kind: Use['kind'], array: Value, map: AffineMap) => {
      const indices = map.results.map((result) => expressionText(result, loops, map.numDims));
      if (isShaped(array)) draft.uses.push({ kind, array, indices });
    };
    inputs.forEach((input, i) => {
      add('read', input, indexingMaps[i]!);
    });
    const used = new Set(body?.operations.flatMap(({ operands }) => operands.map(({ id }) => id)));
    outputs.forEach((output, i) => {
      const map = indexingMaps[inputs.length + i]!;
      const argument = body?.arguments[inputs.length + i];
      // A tensor is written as a new one, and an element that is accumulated read from it.
      const result = operation.results[i] ?? output;
      if (argument === undefined || used.has(argument.id)) {
        add('read', output, map);
        if (result !== output) add('read', result, map);
      }
      add('write', result, map);
    });
    return undefined;
  }

  /** The use that a load or store is; a failure if its indices are not affine; undefined for other operations. */
  #useOf(operation: Operation): Use | Failed | undefined {
    const { name, operands } = operation;
    const kind = /^(?:affine|memref)\.load$/.test(name)
      ? 'read'
      : /^(?:affine|memref)\.store$/.test(name)
        ? 'write'
        : undefined;
    if (kind === undefined) return undefined;
    const [array, ...values] = kind === 'read' ? operands : operands.slice(1);
    const map = mapOf(operation, 'map');
    const indices = map === undefined ? this.#textsOf(values) : this.#expressions(map, values);
    if (array === undefined || indices === undefined) return refuse(operation, 'the indices are not affine');
    return { kind, array, indices };
  }

  /** The results of a map of these operands. */
  #expressions(map: AffineMap, operands: readonly Value[]): readonly string[] | undefined {
    const texts = map.results.every(isPureAffine) ? this.#textsOf(operands) : undefined;
    return texts && map.results.map((result) => expressionText(result, texts, map.numDims));
  }

  /** The texts of index values: what no loop changes is a symbol. Undefined if one is not affine. */
  #textsOf(values: readonly Value[]): readonly string[] | undefined {
    const texts = values.map((value) => {
      const known = this.#texts.get(value.id);
      if (known !== undefined || this.#inner.has(value.id)) return known;
      const symbol = nameLike(this.#names.get(value.id), 'n', this.#taken);
      this.#taken.add(symbol);
      this.#symbols.push(symbol);
      this.#texts.set(value.id, symbol);
      return symbol;
    });
    const all = texts.filter((text) => text !== undefined);
    return all.length === texts.length ? all : undefined;
  }

  /** A name for a loop within these; loops beside it may have the same. */
  #loopName(value: Value | undefined, fallback: string, outer: readonly string[]): string {
    const name = nameLike(
      value && this.#names.get(value.id),
      fallback,
      new Set([...this.#symbols, ...outer]),
    );
    this.#taken.add(name);
    return name;
  }
}
