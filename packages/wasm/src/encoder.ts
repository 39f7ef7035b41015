/**
 * Writes the WebAssembly binary format: modules of functions over one imported memory.
 *
 * Why not a library: emission is the purpose of this package, and it needs few sections and instructions. Binaryen is
 * complete but takes 106 MB installed and several MB in a browser, mostly an optimizer for code that engines optimize
 * anyway; wabt.js wants text and brings a 3 MB parser. This is a few hundred lines without dependencies, and V8 is the
 * validator. Only structure is asserted here: labels in scope, locals of the right type.
 */
import type { WasmBytes } from './engine-types.ts';
import type { Code, Expr, ValueType } from './instructions.ts';
import { expr } from './instructions.ts';
import { unsigned } from './leb128.ts';
import type { CodeScope, LocalAccess } from './local-slots.ts';
import { assignSlots } from './local-slots.ts';

/** A parameter or local variable; valid in the function that declared it. */
export interface Local<T extends ValueType = ValueType> {
  readonly type: T;
  readonly index: number;
}

/** A callable function of the module. */
export interface FunctionRef {
  readonly index: number;
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

/** A mutable i32 global of the instance. */
export interface GlobalVariable {
  readonly get: Expr<'i32'>;
  /** Statement code that assigns the variable. */
  set(value: Expr<'i32'>): Code;
}

/** A branch target: the end of a block or the head of a loop. */
export interface Label {
  readonly depth: number;
}

/** The types of parameters as locals: `Locals<['i32', 'f32']>` is `[Local<'i32'>, Local<'f32'>]`. */
export type Locals<P extends readonly ValueType[]> = { readonly [I in keyof P]: Local<P[I]> };

/** Writes the body of one function. Statements are appended in call order. */
export interface FunctionBuilder {
  /** A new local, 0 on entry. */
  local<T extends ValueType>(type: T): Local<T>;
  /** A new local with this initial value. */
  let<T extends ValueType>(value: Expr<T>): Local<T>;
  get<T extends ValueType>(local: Local<T>): Expr<T>;
  set<T extends ValueType>(local: Local<T>, value: Expr<T>): void;
  /** Appends statement code, e.g. a store. */
  statement(code: Code): void;
  /** A block; `branch(end)` leaves it, like `break`. */
  block(body: (end: Label) => void): void;
  /** Repeats as long as the body branches to `head`. */
  loop(body: (head: Label) => void): void;
  /** Runs `then` if the condition is nonzero. */
  if(condition: Expr<'i32'>, then: () => void, otherwise?: () => void): void;
  branch(label: Label): void;
  branchIf(label: Label, condition: Expr<'i32'>): void;
  /** Calls a function; returns new locals that hold its results. */
  call(callee: FunctionRef, ...values: readonly Expr[]): readonly Local[];
  return(...values: readonly Expr[]): void;
}

export interface ModuleBuilder {
  /**
   * Adds a function, exported under `name` if given. Writes the body immediately. Throws if it has more locals than
   * engines accept.
   */
  function<const P extends readonly ValueType[]>(
    signature: { readonly name?: string; readonly parameters: P; readonly results?: readonly ValueType[] },
    body: (f: FunctionBuilder, ...parameters: Locals<P>) => void,
  ): FunctionRef;
  /** An immutable i32 import from `env`. Declare all imports before using any in a function. */
  importGlobal(name: string): Expr<'i32'>;
  /** A function imported from `env`. Declare all before the module's own functions. */
  importFunction(name: string, parameters: readonly ValueType[], results?: readonly ValueType[]): FunctionRef;
  /** A mutable i32 global, 0 at instantiation, exported under `name` if given. */
  global(name?: string): GlobalVariable;
  /** Bytes written at instantiation to the address held by an imported global. */
  data(address: Expr<'i32'>, bytes: Uint8Array): void;
  /** The module; it imports `env.memory` with at least `pages` of 64 KiB. */
  encode(pages: number): WasmBytes;
}

/** More locals or bytes in a function than V8 and SpiderMonkey accept (50,000 locals, 7,654,321 bytes). */
export class FunctionTooLargeError extends Error {}

const maximumLocals = 50_000;
const maximumBodyBytes = 7_654_321;

const typeCodes: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
};

const blockWithoutValue = 0x40;
const loop = 0x03;
const end = 0x0b;

/** A growing byte array: bodies reach megabytes, and `push(...)` with that many arguments overflows the stack. */
class Sink {
  length = 0;
  private bytes = new Uint8Array(256);

  code(item: Code): void {
    // By index: this writes each byte, and iterators of lists are objects.
    for (let i = 0, { length } = item; i < length; i += 1) {
      const part = item[i]!;
      if (typeof part !== 'number') this.code(part);
      else if (part < 0) this.local(-1 - part);
      else {
        if (this.length === this.bytes.length) this.reserve(1);
        this.bytes[this.length++] = part;
      }
    }
  }

  raw(chunk: Uint8Array): void {
    this.reserve(chunk.length);
    this.bytes.set(chunk, this.length);
    this.length += chunk.length;
  }

  take(): WasmBytes {
    return this.bytes.slice(0, this.length);
  }

  /** A local, of which code has the number below 0: it has none yet in the module. */
  protected local(number: number): void {
    throw new Error(`local ${number} outside of a function`);
  }

  protected last(): number {
    return this.bytes[this.length - 1]!;
  }

  private reserve(count: number): void {
    const { bytes, length } = this;
    if (length + count <= bytes.length) return;
    this.bytes = new Uint8Array(Math.max(bytes.length * 2, length + count));
    this.bytes.set(bytes.subarray(0, length));
  }
}

const setLocal = 0x21;

/** The code of a body, which notes where locals are accessed, and leaves out their numbers. */
class BodySink extends Sink {
  readonly accesses: LocalAccess[] = [];
  readonly scopes: CodeScope[] = [{ start: 0, end: Infinity, isLoop: false, parent: 0 }];
  private scope = 0;

  open(isLoop: boolean): void {
    this.scope = this.scopes.push({ start: this.length, end: Infinity, isLoop, parent: this.scope }) - 1;
  }

  close(): void {
    const scope = this.scopes[this.scope]!;
    scope.end = this.length;
    this.scope = scope.parent;
  }

  protected override local(local: number): void {
    const isWrite = this.last() === setLocal;
    this.accesses.push({ position: this.length, local, isWrite, scope: this.scope });
  }
}

/** Locals as runs of equal types, as the binary format compresses them. */
const localRuns = (types: readonly ValueType[]): Code => {
  const runs: { type: ValueType; count: number }[] = [];
  for (const type of types) {
    const last = runs.at(-1);
    if (last?.type === type) last.count += 1;
    else runs.push({ type, count: 1 });
  }
  return [unsigned(runs.length), runs.map(({ type, count }) => [unsigned(count), typeCodes[type]])];
};

/**
 * The body of one function. A class, and no closures: an engine loses the optimized code of functions that each
 * emission creates anew.
 */
class BodyWriter implements FunctionBuilder {
  readonly parameters: readonly Local[];
  private readonly types: ValueType[];
  private readonly sink = new BodySink();
  private depth = 0;

  constructor(parameters: readonly ValueType[]) {
    this.parameters = parameters.map((type, index) => ({ type, index }));
    this.types = [...parameters];
  }

  local<T extends ValueType>(type: T): Local<T> {
    return { type, index: this.types.push(type) - 1 };
  }

  let<T extends ValueType>(value: Expr<T>): Local<T> {
    const variable = this.local(value.type);
    this.set(variable, value);
    return variable;
  }

  get<T extends ValueType>(variable: Local<T>): Expr<T> {
    return expr(variable.type, 0x20, this.checked(variable));
  }

  set<T extends ValueType>(variable: Local<T>, value: Expr<T>): void {
    this.sink.code([value.code, setLocal, this.checked(variable)]);
  }

  statement(code: Code): void {
    this.sink.code(code);
  }

  block(body: (end: Label) => void): void {
    this.structured(0x02, body);
  }

  loop(body: (head: Label) => void): void {
    this.structured(loop, body);
  }

  if(condition: Expr<'i32'>, then: () => void, otherwise?: () => void): void {
    this.sink.code(condition.code);
    this.structured(0x04, () => {
      then();
      if (otherwise === undefined) return;
      // What one arm computes, the other one does not have.
      this.sink.close();
      this.sink.code([0x05]);
      this.sink.open(false);
      otherwise();
    });
  }

  branch(label: Label): void {
    this.sink.code([0x0c, this.target(label)]);
  }

  branchIf(label: Label, condition: Expr<'i32'>): void {
    this.sink.code([condition.code, 0x0d, this.target(label)]);
  }

  call(callee: FunctionRef, ...values: readonly Expr[]): readonly Local[] {
    this.sink.code([values.map((value) => value.code), 0x10, unsigned(callee.index)]);
    const results = callee.results.map((type) => this.local(type));
    // The last result is on top.
    for (const result of results.toReversed()) this.sink.code([setLocal, this.checked(result)]);
    return results;
  }

  return(...values: readonly Expr[]): void {
    this.sink.code([values.map((value) => value.code), 0x0f]);
  }

  /** The body as it is in a module: its locals, and its code. */
  encode(): Uint8Array {
    const { parameters, sink } = this;
    const { slotOf, types } = assignSlots(this.types, parameters.length, sink.scopes, sink.accesses);
    if (types.length > maximumLocals) throw new FunctionTooLargeError(`${types.length} locals`);
    const whole = new Sink();
    whole.code(localRuns(types.slice(parameters.length)));
    const code = sink.take();
    let from = 0;
    for (const { position, local } of sink.accesses) {
      whole.raw(code.subarray(from, position));
      whole.code(unsigned(slotOf[local]!));
      from = position;
    }
    whole.raw(code.subarray(from));
    whole.code([end]);
    const bytes = whole.take();
    if (bytes.length > maximumBodyBytes) throw new FunctionTooLargeError(`${bytes.length} bytes of code`);
    return bytes;
  }

  private checked(variable: Local): number {
    if (this.types[variable.index] !== variable.type)
      throw new Error(`local ${variable.index} is of another function`);
    return -1 - variable.index;
  }

  private target(label: Label): number[] {
    if (label.depth > this.depth) throw new Error('branch to a label that is not in scope');
    return unsigned(this.depth - label.depth);
  }

  private structured(opcode: number, body: (label: Label) => void): void {
    this.sink.code([opcode, blockWithoutValue]);
    this.sink.open(opcode === loop);
    this.depth += 1;
    body({ depth: this.depth });
    this.depth -= 1;
    this.sink.close();
    this.sink.code([end]);
  }
}

const utf8 = (text: string): Code => {
  const bytes = new TextEncoder().encode(text);
  return [unsigned(bytes.length), [...bytes]];
};

/** A builder of a module that imports its memory as `env.memory`. */
export const createModuleBuilder = (): ModuleBuilder => {
  const types: string[] = [];
  const typeEncodings: Code[] = [];
  const globals: string[] = [];
  const variables: (string | undefined)[] = [];
  const imported: { name: string; type: number }[] = [];
  const functions: { type: number; body: Uint8Array; name: string | undefined }[] = [];
  const segments: { address: Expr<'i32'>; bytes: Uint8Array }[] = [];

  const typeIndex = (parameters: readonly ValueType[], results: readonly ValueType[]): number => {
    const key = `${parameters.join()}:${results.join()}`;
    const known = types.indexOf(key);
    if (known >= 0) return known;
    const list = (items: readonly ValueType[]): Code => [
      unsigned(items.length),
      items.map((type) => typeCodes[type]),
    ];
    typeEncodings.push([0x60, list(parameters), list(results)]);
    return types.push(key) - 1;
  };

  const section = (sink: Sink, id: number, items: readonly (Code | Uint8Array)[]): void => {
    if (items.length === 0) return;
    const content = new Sink();
    content.code(unsigned(items.length));
    for (const item of items) {
      if (item instanceof Uint8Array) content.raw(item);
      else content.code(item);
    }
    const bytes = content.take();
    sink.code([id, unsigned(bytes.length)]);
    sink.raw(bytes);
  };

  const sized = (bytes: Uint8Array, prefix: Code = []): Uint8Array => {
    const sink = new Sink();
    sink.code([prefix, unsigned(bytes.length)]);
    sink.raw(bytes);
    return sink.take();
  };

  return {
    function: ({ name, parameters, results = [] }, body) => {
      const writer = new BodyWriter(parameters);
      // The locals are made from `parameters`, one by one.
      body(writer, ...(writer.parameters as unknown as Locals<typeof parameters>));
      const written = writer.encode();
      functions.push({ type: typeIndex(parameters, results), body: written, name });
      return { index: imported.length + functions.length - 1, parameters, results };
    },
    importGlobal: (name) => {
      if (variables.length > 0) throw new Error('imports come before the globals of the module');
      globals.push(name);
      return expr('i32', 0x23, unsigned(globals.length - 1));
    },
    importFunction: (name, parameters, results = []) => {
      if (functions.length > 0) throw new Error('imports come before the functions of the module');
      imported.push({ name, type: typeIndex(parameters, results) });
      return { index: imported.length - 1, parameters, results };
    },
    global: (name) => {
      const index = unsigned(globals.length + variables.length);
      variables.push(name);
      return {
        get: expr('i32', 0x23, index),
        set: (value) => [value.code, 0x24, index],
      };
    },
    data: (address, bytes) => {
      segments.push({ address, bytes });
    },
    encode: (pages) => {
      const sink = new Sink();
      sink.code([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
      section(sink, 1, typeEncodings);
      section(sink, 2, [
        [utf8('env'), utf8('memory'), 0x02, 0x00, unsigned(pages)],
        ...globals.map((name): Code => [utf8('env'), utf8(name), 0x03, typeCodes.i32, 0x00]),
        ...imported.map(({ name, type }): Code => [utf8('env'), utf8(name), 0x00, unsigned(type)]),
      ]);
      section(
        sink,
        3,
        functions.map(({ type }) => unsigned(type)),
      );
      section(
        sink,
        6,
        variables.map(() => [typeCodes.i32, 0x01, 0x41, 0x00, end]),
      );
      section(sink, 7, [
        ...functions.flatMap(({ name }, index) =>
          name === undefined ? [] : [[utf8(name), 0x00, unsigned(imported.length + index)]],
        ),
        ...variables.flatMap((name, i) =>
          name === undefined ? [] : [[utf8(name), 0x03, unsigned(globals.length + i)]],
        ),
      ]);
      section(
        sink,
        10,
        functions.map(({ body }) => sized(body)),
      );
      section(
        sink,
        11,
        segments.map(({ address, bytes }) => sized(bytes, [0x00, address.code, end])),
      );
      return sink.take();
    },
  };
};
