/**
 * Compiles operations to closures. A function is compiled once: every SSA value gets a slot in the function's frame,
 * every operation becomes a closure over slot numbers, and a region runs its closures in order.
 */
import type { Attribute, Id, Operation, Region, Registry, Value } from '@sconv/ir';
import { printType } from '@sconv/ir';
import { branch } from './cf.ts';
import { isNumberType } from './element.ts';
import type { Frame } from './frame.ts';
import type { Accounting } from './machine.ts';
import { trap } from './trap.ts';
import type { MemRefValue, RuntimeValue, ShapedValue, TensorValue } from './value.ts';

export type { Frame } from './frame.ts';
export { load, store } from './frame.ts';

/** The run-time action of an operation. */
export type Exec = (frame: Frame) => void;

/**
 * Compiles one kind of operation; undefined if it does nothing at run time. Terminators are handled by their parent
 * operation.
 */
export type Handler = (operation: Operation, context: Context) => Exec | undefined;
/** Handlers by operation name. */
export type Handlers = Readonly<Record<string, Handler>>;

/** A function in executable form. */
export interface CompiledFunction {
  readonly operation: Operation;
  readonly call: (values: readonly RuntimeValue[]) => readonly RuntimeValue[];
}

/** Symbols that operations may reference. */
export interface Symbols {
  /** Undefined if there is no such function. */
  readonly function: (name: string) => CompiledFunction | undefined;
  /** A number that stands for a function as a value. */
  readonly addressOf: (functionName: string) => bigint;
  /** Undefined if no function has the address. */
  readonly nameAt: (address: bigint) => string | undefined;
  /** The memory of a `memref.global`; undefined if there is none. */
  readonly global: (name: string) => MemRefValue | undefined;
}

/** Maximum nesting of regions; each level costs stack at compile time and at run time. */
const maxNesting = 256;

/** The compilation of one function. */
export class Context {
  readonly machine: Accounting;
  readonly symbols: Symbols;
  /** What operations are declared to compute. */
  readonly registry: Registry;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #slots = new Map<Id, number>();
  readonly #numbers: number[] = [];
  readonly #objects: Frame['objects'] = [];
  #nesting = 0;

  constructor(
    machine: Accounting,
    symbols: Symbols,
    handlers: ReadonlyMap<string, Handler>,
    registry: Registry,
  ) {
    this.machine = machine;
    this.symbols = symbols;
    this.registry = registry;
    this.#handlers = handlers;
  }

  /** A frame for one activation, after the function has been compiled. */
  newFrame(): Frame {
    return { numbers: Float64Array.from(this.#numbers), objects: this.#objects.slice(), results: [] };
  }

  /** The slot of a value: in `numbers` if its type is held as a number, otherwise in `objects`. */
  slot(value: Value): number {
    const known = this.#slots.get(value.id);
    if (known !== undefined) return known;
    const slot = isNumberType(value.type) ? this.#numbers.push(0) - 1 : this.#objects.push(undefined) - 1;
    this.#slots.set(value.id, slot);
    return slot;
  }

  /** A temporary slot in `numbers`. */
  scratch(): number {
    return this.#numbers.push(0) - 1;
  }

  /** Makes `value`, a number, an alias of a slot. */
  alias(value: Value, slot: number): void {
    this.#slots.set(value.id, slot);
  }

  /** Sets a value once, at compile time: for constants, which then cost nothing at run time. */
  preset(value: Value, constant: RuntimeValue): void {
    const slot = this.slot(value);
    if (typeof constant === 'number') this.#numbers[slot] = constant;
    else this.#objects[slot] = constant;
  }

  /** Operand `index`, which must exist. */
  operand(operation: Operation, index: number): Value {
    return operation.operands[index] ?? this.invalid(operation, `has no operand ${index}`);
  }

  result(operation: Operation): Value {
    return operation.results[0] ?? this.invalid(operation, 'has no result');
  }

  region(operation: Operation, index: number): Region {
    return operation.regions[index] ?? this.invalid(operation, `has no region ${index}`);
  }

  /** The arguments of a region's entry block, which must exist. */
  parameters(operation: Operation, region: Region): readonly Value[] {
    return (region.blocks[0] ?? this.invalid(operation, 'has a region without blocks')).arguments;
  }

  attribute<K extends Attribute['kind']>(
    operation: Operation,
    name: string,
    kind: K,
  ): Extract<Attribute, { kind: K }> {
    const attribute = operation.attributes[name];
    if (attribute?.kind !== kind) return this.invalid(operation, `has no valid attribute '${name}'`);
    return attribute as Extract<Attribute, { kind: K }>;
  }

  invalid(operation: Operation, message: string): never {
    return trap(operation, 'interpreter/invalid-ir', message);
  }

  /** The slot of a value that must be held as a number. */
  number(operation: Operation, value: Value): number {
    if (!isNumberType(value.type)) {
      trap(
        operation,
        'interpreter/unsupported-type',
        `takes ${printType(value.type)} where only a number will do`,
      );
    }
    return this.slot(value);
  }

  numbers(operation: Operation, values: readonly Value[]): number[] {
    return values.map((value) => this.number(operation, value));
  }

  /** Returns a reader of a tensor or vector. */
  tensor(operation: Operation, value: Value): (frame: Frame) => TensorValue {
    const kind = value.type.kind;
    if (kind !== 'tensor' && kind !== 'vector')
      this.invalid(operation, `takes ${printType(value.type)} for a tensor`);
    return this.#object(operation, value) as (frame: Frame) => TensorValue;
  }

  /** Returns a reader of a memref, which must not have been deallocated. */
  memref(operation: Operation, value: Value): (frame: Frame) => MemRefValue {
    if (value.type.kind !== 'memref') this.invalid(operation, `takes ${printType(value.type)} for a memref`);
    const read = this.#object(operation, value) as (frame: Frame) => MemRefValue;
    return (frame) => {
      const view = read(frame);
      if (view.allocation.freed) {
        trap(operation, 'interpreter/use-after-free', 'uses a buffer that has been deallocated');
      }
      return view;
    };
  }

  /** Returns a reader of a tensor or live memref. */
  shaped(operation: Operation, value: Value): (frame: Frame) => ShapedValue {
    return value.type.kind === 'memref' ? this.memref(operation, value) : this.tensor(operation, value);
  }

  #object(operation: Operation, value: Value): (frame: Frame) => Frame['objects'][number] {
    const slot = this.slot(value);
    return (frame) => frame.objects[slot] ?? this.invalid(operation, 'uses a value before its definition');
  }

  /** Parallel assignment: `to` may overlap `from`. */
  assign(operation: Operation, from: readonly Value[], to: readonly Value[]): Exec {
    if (
      from.length !== to.length ||
      from.some((value, i) => isNumberType(value.type) !== isNumberType(to[i]!.type))
    ) {
      this.invalid(operation, `passes on ${from.length} values that do not fit the ${to.length} expected`);
    }
    const copies = from.flatMap((value, i) => {
      const [source, target] = [this.slot(value), this.slot(to[i]!)];
      const isNumber = isNumberType(value.type);
      return isNumber && source === target ? [] : [{ source, target, isNumber }];
    });
    const overwritesSource = copies.some((copy, i) =>
      copies.slice(i + 1).some((later) => later.isNumber === copy.isNumber && later.source === copy.target),
    );
    return overwritesSource ? copyAtOnce(copies) : copyInOrder(copies);
  }

  /** Compiles an operation; undefined if it does nothing. */
  compile(operation: Operation): Exec | undefined {
    const handler = this.#handlers.get(operation.name);
    if (handler === undefined) {
      trap(operation, 'interpreter/unsupported-op', 'is not an operation that the interpreter can execute');
    }
    return handler(operation, this);
  }

  /**
   * Runs a region from its entry block until a terminator leaves it. `exit` compiles how a leaving terminator uses its
   * operands; branches within the region are handled here.
   */
  body(operation: Operation, region: Region, exit: (terminator: Operation) => Exec): Exec {
    if (this.#nesting >= maxNesting) {
      trap(operation, 'interpreter/nesting-too-deep', `is nested in more than ${maxNesting} regions`);
    }
    this.#nesting += 1;
    const blocks = region.blocks.map(({ operations }) => {
      const terminator = operations.at(-1) ?? this.invalid(operation, 'has a block without a terminator');
      const run = operations.slice(0, -1).flatMap((inner) => this.compile(inner) ?? []);
      const next = branch(terminator, this, region);
      if (next === undefined) run.push(exit(terminator));
      return { run: this.#sequence(operations[0] ?? terminator, operations.length, run), next };
    });
    this.#nesting -= 1;
    const [entry] = blocks;
    if (entry === undefined) return this.invalid(operation, 'has a region without blocks');
    if (entry.next === undefined) return entry.run;
    return (frame) => {
      let block: (typeof blocks)[number] | undefined = entry;
      while (block !== undefined) {
        block.run(frame);
        block = block.next === undefined ? undefined : blocks[block.next(frame)];
      }
    };
  }

  #sequence(first: Operation, steps: number, execs: readonly Exec[]): Exec {
    const { tick } = this.machine;
    return (frame) => {
      tick(steps, first);
      for (const exec of execs) exec(frame);
    };
  }
}

interface SlotCopy {
  readonly source: number;
  readonly target: number;
  readonly isNumber: boolean;
}

const copyInOrder =
  (copies: readonly SlotCopy[]): Exec =>
  ({ numbers, objects }) => {
    for (const { source, target, isNumber } of copies) {
      if (isNumber) numbers[target] = numbers[source]!;
      else objects[target] = objects[source];
    }
  };

const copyAtOnce =
  (copies: readonly SlotCopy[]): Exec =>
  ({ numbers, objects }) => {
    const values = copies.map(({ source, isNumber }) => (isNumber ? numbers[source]! : objects[source]));
    for (const [i, { target, isNumber }] of copies.entries()) {
      if (isNumber) numbers[target] = values[i] as number;
      else objects[target] = values[i] as Frame['objects'][number];
    }
  };
