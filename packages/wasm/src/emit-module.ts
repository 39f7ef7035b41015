/**
 * Compiles bufferized IR to a WebAssembly module. Every `func.func` with a body becomes an exported function;
 * allocations and constants have static places in a scratch memory whose address is imported.
 */
import { constant, isAffineError } from '@sconv/affine';
import type { BufferSignature, FunctionSignature, ParameterSignature, ScalarSignature } from '@sconv/backend';
import { byteLengthOf, constantsAsArguments } from '@sconv/backend';
import type { Diagnosed, Location } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import type { Block, FunctionType, Id, Module, Operation, Registry, Value } from '@sconv/ir';
import {
  children,
  effectsOf,
  expectModule,
  expectRegistry,
  hasTrait,
  isPrivate,
  modelOf,
  operationsIn,
} from '@sconv/ir';
import { call } from '@sconv/dialects/func';
import { withKernels } from '@sconv/kernels';
import type { TileUnit } from '@sconv/targets';
import { tileUnit, wasm, wasmRelaxed } from '@sconv/targets';
import { aligned, createArena } from './arena.ts';
import type { CallableFunction } from './call-op.ts';
import { calleesOf, inCallOrder, passedAs, rootsWrittenByCall, viewedBy } from './call-op.ts';
import type { FunctionBuilder, FunctionRef, Local, ModuleBuilder } from './encoder.ts';
import { createModuleBuilder, FunctionTooLargeError } from './encoder.ts';
import type { ConstantPlaces, FunctionPackings } from './constant-places.ts';
import { placeConstants } from './constant-places.ts';
import { withFormedKernels } from './formed-module.ts';
import type { ModuleLifetimes } from './function-places.ts';
import { hasParallelLoops, joined, placesIn, threadScratch } from './function-places.ts';
import { isHalf } from './half-floats.ts';
import { createIndexVariables, IndexRangeError, unboundedIndex } from './index-expressions.ts';
import type { Expr, ValueType } from './instructions.ts';
import { i32, typed } from './instructions.ts';
import { held, heldWidth } from './integer-words.ts';
import { createPackingKeeper, noteConstantsPacked } from './packing-keeper.ts';
import type { LoweredValue, Lowering } from './lowering.ts';
import { fail, LoweringFailure, scalarTypeOf, unsupported } from './lowering.ts';
import { bytesOf, staticLayout, storableType } from './memref-ops.ts';
import { addMicrokernel } from './microkernel.ts';
import type { BodyTable } from './parallel-bodies.ts';
import { createBodyTable } from './parallel-bodies.ts';
import { numberedTraps } from './numbered-traps.ts';
import type { PanelTable } from './panel-table.ts';
import { createPanelTable } from './panel-table.ts';
import { wasmLowering } from './wasm-lowering.ts';
import { writtenRoots } from './written-roots.ts';
import type { KeptOperand, WasmModule } from './wasm-module.ts';
import { backendName, maximumMemory } from './wasm-module.ts';

/** What `emitModule` emits with. */
export interface EmitModuleOptions {
  /**
   * Must know the module's operations and have their lowerings attached: `wasmLowerings`, plus those of other dialects.
   */
  readonly registry: Registry;
  /** Fused multiply-add of relaxed SIMD in microkernels: faster, but the last bits depend on the machine. */
  readonly relaxed?: boolean;
  /** What tiles are divided into register tiles for; default: the target `wasm` or, if `relaxed`, `wasmRelaxed`. */
  readonly tiles?: TileUnit | undefined;
}

/** Deeper region nests are refused before they overflow the stack. */
const maximumDepth = 200;

/**
 * Compiles a bufferized module. Fails, at the operation's location, on anything without a lowering: operations without
 * a `wasmLowering` in the registry, dynamic allocations, element types other than f32, f64, f16, bf16, i1, i8, i16,
 * i32, i64 and index, more than 4 GiB of memory, functions that engines would refuse.
 */
export const emitModule = (given: Module, options: EmitModuleOptions): Diagnosed<WasmModule> => {
  expectModule('what is emitted', given);
  expectRegistry('emitModule', options);
  let location: Location = given.root.location;
  try {
    const { relaxed = false, tiles = tileUnit(relaxed ? wasmRelaxed : wasm) } = options;
    const registry = withKernels(options.registry);
    const passed = constantsAsArguments(given, registry);
    if (passed.status !== 'success') return passed;
    const {
      module,
      results: { warnings, lifetimes },
    } = withFormedKernels(passed.value.module, registry, tiles);
    const builder = createModuleBuilder();
    const scratch = builder.importGlobal('scratch');
    const bodies = bodyTableOf(builder, module);
    // Threads have no access to what is outside of the memory.
    const { constants: own } = passed.value;
    const panels = own.length === 0 || bodies !== undefined ? undefined : createPanelTable(builder);
    // A thread that starts later must not reinitialise the globals.
    const initialValues = bodies === undefined ? scratch : builder.importGlobal('data');
    const constants = placeConstants(module, registry);
    const sharedFunction = sharedFunctions(builder);
    const microkernel: Lowering['microkernel'] = (kernel) =>
      sharedFunction(JSON.stringify(kernel), () => addMicrokernel(builder, { ...kernel, relaxed }));
    const functions: FunctionSignature[] = [];
    const packings: KeptOperand[] = [];
    const { traps, trap } = numberedTraps(builder);
    const defined = children(module.root).filter((operation) => {
      ({ location } = operation);
      if (operation.name === 'memref.global' || isDeclaration(operation)) return false;
      return operation.name === 'func.func' || unsupported(operation, 'this operation');
    });
    const callable = new Map<string, CallableFunction>();
    const start = aligned(constants.bytes);
    const called = new Set(defined.flatMap((each) => [...calleesOf(each)]));
    const context = {
      registry,
      scratch,
      constants,
      microkernel,
      sharedFunction,
      relaxed,
      lifetimes,
      start,
      called,
      trap,
      bodies,
      panels,
    };
    for (const operation of inCallOrder(defined)) {
      ({ location } = operation);
      const emitted = emitFunction(builder, operation, { ...context, callable });
      callable.set(emitted.signature.name, emitted);
    }
    for (const operation of defined.filter((each) => !isPrivate(each))) {
      functions.push(callable.get(signatureOf(operation).name)!.signature);
      packings.push(...keptOperands(operation, constants.packings.get(operation.id)));
    }
    const { data } = constants;
    if (data !== undefined) builder.data(initialValues, data);
    const ends = [...callable.values()].map(({ use, isShifted }) => (isShifted ? 0 : start + use.arenaBytes));
    const end = Math.max(start, ...ends);
    const staged = panels?.placeBehind(end);
    const scratchBytes = staged?.end ?? end;
    const bodySpan = joined(
      [...callable.values()].flatMap((each) => (each.isShifted ? [] : (each.inBodies ?? []))),
    );
    const needed =
      scratchBytes + functions.reduce((sum, { parameters }) => sum + bytesOfBuffers(parameters), 0);
    if (needed > maximumMemory) {
      return definite(
        error('wasm/memory-limit', `needs ${needed} bytes of memory; an address reaches 4 GiB`, location),
      );
    }
    const pages = Math.ceil(scratchBytes / 65_536);
    const bytes = builder.encode(pages);
    const parallel = bodies?.names ?? [];
    return success(
      {
        backend: backendName,
        bytes,
        functions,
        constants: own,
        packings,
        ...(staged === undefined ? {} : { panels: staged.panels }),
        relaxed,
        scratchBytes,
        threadScratch: threadScratch(start, bodySpan, data),
        traps,
        parallel,
      },
      warnings,
    );
  } catch (thrown) {
    if (thrown instanceof LoweringFailure) return definite(thrown.diagnostic);
    if (thrown instanceof FunctionTooLargeError) {
      return definite(
        error('wasm/function-too-large', `needs ${thrown.message}, more than engines accept`, location),
      );
    }
    throw thrown;
  }
};

/** The table of parallel loop bodies, if the module has any. */
const bodyTableOf = (builder: ModuleBuilder, module: Module): BodyTable | undefined => {
  const operations = operationsIn(module.root);
  if (!operations.some(({ name }) => name === 'scf.forall')) return undefined;
  const names = operations.flatMap(({ attributes: { sym_name: name } }) =>
    name?.kind === 'string' ? [name.value] : [],
  );
  return createBodyTable(builder, new Set(names));
};

const isDeclaration = (operation: Operation): boolean =>
  operation.name === 'func.func' && (operation.regions[0]?.blocks.length ?? 0) === 0;

/** Total bytes of the buffers, each 64-byte aligned. */
const bytesOfBuffers = (parameters: readonly ParameterSignature[]): number =>
  parameters.reduce((sum, parameter) => sum + aligned(byteLengthOf(parameter)), 0);

/** The functions that are added while others are lowered, by name. */
const sharedFunctions = (builder: ModuleBuilder): Lowering['sharedFunction'] => {
  const known = new Map<string, FunctionRef>();
  return (name, add) => {
    const shared = known.get(name) ?? add(builder);
    known.set(name, shared);
    return shared;
  };
};

/** The arguments of a function whose packing can be kept, by position. */
const keptOperands = (operation: Operation, found: FunctionPackings | undefined): readonly KeptOperand[] => {
  if (found === undefined) return [];
  const { places, bytes, packed } = found;
  return [...places].flatMap(([parameter, place]): readonly KeptOperand[] => {
    if (parameter === 'constants' || !('record' in place)) return [];
    return [
      {
        function: signatureOf(operation).name,
        parameter,
        bytes: bytes.get(parameter)!,
        record: place.record,
        isOnlyPacked: packed.has(parameter),
      },
    ];
  });
};

interface ModuleContext {
  readonly registry: Registry;
  readonly scratch: Expr<'i32'>;
  readonly constants: ConstantPlaces;
  readonly microkernel: Lowering['microkernel'];
  readonly sharedFunction: Lowering['sharedFunction'];
  readonly relaxed: boolean;
  readonly lifetimes: ModuleLifetimes;
  /** The offset in the scratch memory behind all constants. */
  readonly start: number;
  /** The names of the functions that others call. */
  readonly called: ReadonlySet<string>;
  readonly trap: Lowering['trap'];
  /** The functions lowered so far, by name. */
  readonly callable: ReadonlyMap<string, CallableFunction>;
  /** Undefined without parallel loops. */
  readonly bodies: BodyTable | undefined;
  /** Undefined without constants that can be outside of the memory. */
  readonly panels: PanelTable | undefined;
}

/** The context for lowering one function. */
interface FunctionContext extends ModuleContext {
  /** Undefined for a function without packings to keep. */
  readonly packings: FunctionPackings | undefined;
  readonly arena: ReturnType<typeof createArena>;
  /** `Lowering.shift`. */
  readonly shift: Expr<'i32'> | undefined;
}

const signatureOf = (operation: Operation): { readonly name: string; readonly type: FunctionType } => {
  const { sym_name: name, function_type: type } = operation.attributes;
  if (name?.kind !== 'string' || type?.kind !== 'type' || type.type.kind !== 'function') {
    return fail(operation, 'wasm/invalid-function', 'a function without name and type');
  }
  return { name: name.value, type: type.type };
};

/** How a value of this type is passed at the function boundary. */
const describe = (operation: Operation, value: Pick<Value, 'type'>): BufferSignature | ScalarSignature => {
  const scalar = scalarTypeOf(value.type);
  // A caller's number need not be one of the type.
  if (value.type.kind === 'float' && isHalf(value.type.name))
    return unsupported(operation, `a number of ${value.type.name} that is passed`);
  if (scalar !== undefined) return { kind: 'scalar', type: scalar };
  const { type, storage } = storableType(operation, value.type);
  return {
    kind: 'buffer',
    element: storage.name,
    elementBytes: storage.bytes,
    shape: type.shape,
    length: bytesOf(operation, type, storage) / storage.bytes,
  };
};

const typeOf = (description: BufferSignature | ScalarSignature): ValueType =>
  description.kind === 'scalar' ? description.type : 'i32';

const emitFunction = (
  builder: ModuleBuilder,
  operation: Operation,
  context: ModuleContext,
): CallableFunction => {
  const { name, type } = signatureOf(operation);
  const [block, second] = operation.regions[0]?.blocks ?? [];
  if (block === undefined || second !== undefined) return unsupported(operation, 'a body of several blocks');
  const parameters = type.inputs.map((input) => describe(operation, { type: input }));
  const results = type.results.map((result) => describe(operation, { type: result }));
  /** Roots that are stored to; `undefined` if a store may alias any of them. */
  const written = new Set<Id | undefined>();
  const packings = context.constants.packings.get(operation.id);
  const passed = packings?.passed ?? [];
  const places = placesIn(operation, context.lifetimes, context.callable);
  const isShifted = context.called.has(name) && (places.use.arenaBytes > 0 || hasParallelLoops(operation));
  const arena = createArena(isShifted ? 0 : context.start, places);
  const isExported = !isPrivate(operation);
  let returns: CallableFunction['returns'] = [];
  const own = {
    parameters: [...parameters.map(typeOf), ...passed.flatMap(() => ['i32', 'i32'] as const)],
    results: results.map(typeOf),
  };
  const ref = builder.function(
    {
      ...own,
      ...(isExported && !isShifted ? { name } : {}),
      parameters: [...own.parameters, ...(isShifted ? (['i32'] as const) : [])],
    },
    (f, ...locals) => {
      const shift = isShifted ? typed(f.get(locals.at(-1)!), 'i32') : undefined;
      const inner = { ...context, packings, arena, shift };
      arena.scope(() => {
        returns = lowerBody(f, locals, operation, block, inner, written);
      });
    },
  );
  if (isExported && isShifted) {
    builder.function({ ...own, name }, (f, ...locals) => {
      const given = f.call(ref, ...locals.map((each) => f.get(each)), i32.const(context.start));
      f.return(...given.map((each) => f.get(each)));
    });
  }
  const use = { ...places.use, arenaBytes: arena.peak() - (isShifted ? 0 : context.start) };
  const isWritten = (i: number): boolean => written.has(undefined) || written.has(block.arguments[i]?.id);
  const signature: FunctionSignature = {
    name,
    location: operation.location,
    parameters: parameters.map((parameter, i) =>
      parameter.kind === 'buffer' ? { ...parameter, written: isWritten(i) } : parameter,
    ),
    results,
    memory: use,
  };
  const kept = passed.map(({ parameter }) => parameter);
  return { ref, signature, returns, kept, use, inBodies: places.inBodies, isShifted };
};

const lowerBody = (
  f: FunctionBuilder,
  locals: readonly Local[],
  operation: Operation,
  block: Block,
  context: FunctionContext,
  written: Set<Id | undefined>,
): CallableFunction['returns'] => {
  const state = createLowering(f, context, written);
  block.arguments.forEach((argument, i) => {
    const local = locals[i];
    if (local !== undefined) state.values.set(argument.id, argumentValue(state, operation, argument, local));
  });
  const places = context.packings?.passed.flatMap(({ area, isPacked }) => [area, isPacked]) ?? [];
  places.forEach(({ id }, i) => {
    state.values.set(id, { kind: 'scalar', expr: f.get(locals[block.arguments.length + i]!) });
  });
  state.lowerBlock(block);
  const terminator = block.operations.at(-1);
  if (terminator?.name !== 'func.return') return unsupported(operation, 'a body without return');
  if (context.packings !== undefined) noteConstantsPacked(state, context.packings);
  f.return(...terminator.operands.map((value) => passedAs(state, terminator, value)));
  return terminator.operands.map((value) => viewedBy(state, value, block.arguments));
};

/** The lowering of a function; for a parallel loop body, given what it shares with the function around it. */
const createLowering = (
  f: FunctionBuilder,
  context: FunctionContext,
  written: Set<Id | undefined>,
  outer?: Pick<Lowering, 'globals' | 'shift'>,
): Lowering => {
  const { registry, constants, arena, bodies, packings } = context;
  const { microkernel, sharedFunction, relaxed, trap } = context;
  const { shift } = outer ?? context;
  const home = f.get(f.let(context.scratch));
  const scratch = shift === undefined ? home : f.get(f.let(i32.add(home, shift)));
  const globals = outer?.globals ?? home;
  const indices = createIndexVariables(f);
  const values = new Map<Id, LoweredValue>();
  const state: Lowering = {
    registry,
    f,
    indices,
    values,
    arena,
    scratch,
    shift,
    globals,
    loadAddresses: new Map(),
    maskings: new Map(),
    tileRows: new Map(),
    trap,
    microkernel,
    sharedFunction,
    relaxed,
    callee: (name) => context.callable.get(name),
    globalOffset: (name) => constants.globals.offsets.get(name),
    isVariable: (name) => constants.globals.variables.has(name),
    ...(packings === undefined
      ? {}
      : { keeper: createPackingKeeper({ f, indices, values, globals }, packings) }),
    ...(context.panels === undefined ? {} : { panels: context.panels }),
    ...(bodies === undefined || outer !== undefined
      ? {}
      : {
          parallel: bodies.of(f, { globals, shift }, (inner, own) =>
            createLowering(inner, context, written, own),
          ),
        }),
    lowerOperation: (operation) => {
      lowerOperation(registry, state, written, operation);
    },
    lowerBlock: createBlockLowering(() => state),
  };
  return state;
};

const argumentValue = (
  state: Lowering,
  operation: Operation,
  argument: Value,
  local: Local,
): LoweredValue => {
  const { f, indices } = state;
  if (argument.type.kind === 'index') {
    const variable = indices.of({ type: 'i32', index: local.index }, unboundedIndex.lo, unboundedIndex.hi);
    return { kind: 'index', expr: variable.expr };
  }
  const width = heldWidth(argument.type);
  if (width !== undefined && local.type === 'i32') {
    // Callers may pass any number: only the type's bits count.
    return { kind: 'scalar', expr: f.get(f.let(held(typed(f.get(local), 'i32'), width))) };
  }
  if (argument.type.kind !== 'memref') return { kind: 'scalar', expr: f.get(local) };
  const { type, storage } = storableType(operation, argument.type);
  return {
    kind: 'buffer',
    base: f.get({ type: 'i32', index: local.index }),
    ...staticLayout(operation, type),
    sizes: type.shape.map((size) => constant(size)),
    storage,
    root: argument.id,
  };
};

const createBlockLowering = (lowering: () => Lowering): ((block: Block) => void) => {
  let depth = 0;
  return (block) => {
    const state = lowering();
    depth += 1;
    for (const operation of block.operations) {
      if (depth > maximumDepth)
        fail(operation, 'wasm/too-deep', `regions are nested deeper than ${maximumDepth}`);
      state.lowerOperation(operation);
    }
    depth -= 1;
  };
};

/** Whether an operation only terminates a block: its parent lowers what it yields. */
const endsOnly = (registry: Registry, operation: Operation): boolean =>
  hasTrait(registry, operation, 'terminator') && effectsOf(registry, operation)?.length === 0;

const lowerOperation = (
  registry: Registry,
  state: Lowering,
  written: Set<Id | undefined>,
  operation: Operation,
): void => {
  try {
    const lower = modelOf(registry, wasmLowering, operation);
    if (lower !== undefined) lower(state, operation);
    else if (!endsOnly(registry, operation)) unsupported(operation, 'this operation');
    const roots = call.is(operation)
      ? rootsWrittenByCall(state, operation)
      : writtenRoots(registry, state.values, operation);
    for (const root of roots) written.add(root);
  } catch (thrown) {
    if (isAffineError(thrown) || thrown instanceof IndexRangeError) {
      fail(operation, 'wasm/index-arithmetic', `'${operation.name}': ${thrown.message}`);
    }
    throw thrown;
  }
};
