/**
 * Rewrites operations on tensors to operations on buffers, one by one.
 *
 * With sound decisions the whole body of a function is rewritten, outer operations and definitions first: the users of
 * a rewritten operation get its buffers at once. With upstream's any operation may stay as it is, so that `to_tensor`
 * and `to_memref` bridge rewritten operations and others; matching pairs fold away in the end.
 */
import { error } from '@sconv/diagnostics';
import { createDynamicSizes } from '@sconv/dialects';
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import { copy as linalgCopy, namedOpBody } from '@sconv/dialects/linalg';
import { alloc, cast, copy } from '@sconv/dialects/memref';
import { moduleOp } from '@sconv/dialects/builtin';
import { call } from '@sconv/dialects/func';
import type { BodyBuilder, DraftOperation, Id, MemRefType, Rewriter, Type, Value } from '@sconv/ir';
import { closestParent, effectsOf, modelOf, typeEquals } from '@sconv/ir';
import { innerFirst } from '../inner-first.ts';
import { failingAlso, fail } from '../failure.ts';
import { signatureOf } from '../function-facts.ts';
import { bufferizable, isTensor } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';
import { identityBuffer, isAllowed } from '../options.ts';
import type { Carried } from '../sound/carried-values.ts';
import { AnalysisState } from '../analysis/analysis-state.ts';
import { checkBlocks, mentionsTensors } from '../upstream/one-shot-analysis.ts';
import { allocateTensor, dynamicSizes } from './allocate-tensor.ts';
import type { BufferType } from './buffer-types.ts';
import { BufferTypes, rankedTypeOf } from './buffer-types.ts';
import { createCast, isCastSafe } from './buffers.ts';
import { entryBlock } from './entry-block.ts';
import type { ConstantElements } from './globals.ts';
import { Globals } from './globals.ts';
import { TensorCopies } from './tensor-copies.ts';

/** What differs in an operation created from another. */
interface Parts {
  readonly operands: readonly Value[];
  readonly resultTypes?: readonly Type[];
  readonly bodies?: readonly (BodyBuilder<Rewriter> | undefined)[];
}

/** What `bufferize` of a model rewrites with: the buffers of tensors, and how an operation is replaced. */
export class Bufferizer {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  readonly types: BufferTypes;
  /** Whether rewritten operations give tensors to operations that are not, or not yet, rewritten. */
  readonly isBridging: boolean;
  /** How each loop carries its tensors, by its id; only of loops that have one buffer for each. */
  readonly carried = new Map<Id, readonly Carried[]>();
  private readonly state: AnalysisState;
  private readonly globals = new Map<DraftOperation, Globals>();
  /** The operations with tensors that are not rewritten yet; not used for bridging. */
  private readonly pending = new Set<Id>();

  constructor(rewriter: Rewriter, options: ResolvedOptions) {
    this.rewriter = rewriter;
    this.options = options;
    this.types = new BufferTypes(rewriter, options);
    this.isBridging = options.decisions === 'upstream';
    this.state = new AnalysisState(rewriter, options);
  }

  // --- All operations in order ---

  /** Notes that an operation has tensors: it is to be rewritten when its turn comes. */
  expect(operation: DraftOperation): void {
    this.pending.add(operation.id);
  }

  /**
   * Rewrites what is in the regions of an operation, unless that has happened already: bridging rewrites inner
   * operations first.
   */
  bufferizeRegions({ regions }: DraftOperation): void {
    if (this.isBridging) return;
    for (const { blocks } of regions) {
      for (const { operations } of blocks) {
        for (const operation of [...operations]) this.bufferizeInOrder(operation);
      }
    }
  }

  /** Rewrites an operation that is expected to be, and else what is in its regions. */
  bufferizeInOrder(operation: DraftOperation): void {
    if (!this.pending.delete(operation.id)) {
      this.bufferizeRegions(operation);
      return;
    }
    this.rewriter.setInsertionPointBefore(operation);
    if (!isAllowed(this.options, operation)) {
      if (call.is(operation)) this.callOnTensors(operation);
      return;
    }
    const model = modelOf(this.rewriter.registry, bufferizable, operation);
    if (model === undefined) throw new Error(`no bufferization model for ${operation.name}`);
    model.bufferize(operation, this);
  }

  /** Calls a function that still takes and gives tensors. */
  private callOnTensors(operation: DraftOperation): void {
    const { rewriter } = this;
    const { inputs } = signatureOf(this.types.calleeOf(operation));
    const operands = operation.operands.map((value, i) =>
      inputs[i]?.kind === 'tensor'
        ? rewriter.createValue(
            toTensor.state({ operands: { memref: value }, attributes: { restrict: true } }),
          )
        : value,
    );
    rewriter.setOperands(operation, operands);
    rewriter.setInsertionPointAfter(operation);
    for (const result of operation.results) {
      if (result.type.kind !== 'tensor') continue;
      const buffer = rewriter.create(
        toMemref.state({ operands: { tensor: result }, resultTypes: [identityBuffer(result.type)] }),
      );
      rewriter.replaceAllUsesWith(result, buffer.results[0]!, buffer);
    }
  }

  // --- Any operations, bridged ---

  /** Rewrites an operation and everything below it; with `copyBeforeWrite`, inserts copies of what is written first. */
  run(root: DraftOperation, copyBeforeWrite = this.options.copyBeforeWrite): void {
    const { rewriter } = this;
    if (copyBeforeWrite) new TensorCopies(this.state, this.types).insert(root);
    const operations = innerFirst(root);
    const known = new Set(operations);
    const erased = new Set<DraftOperation>();
    const toBuffers = operations.filter((operation) => toMemref.is(operation));
    const worklist = operations.filter(
      (operation) => isAllowed(this.options, operation) && this.hasTensors(operation),
    );
    const listener = {
      erasing: (operation: DraftOperation): void => {
        erased.add(operation);
      },
      inserted: (operation: DraftOperation): void => {
        if (known.has(operation)) return;
        known.add(operation);
        if (toMemref.is(operation)) toBuffers.push(operation);
        else if (!toTensor.is(operation) && this.hasTensors(operation) && isAllowed(this.options, operation))
          worklist.push(operation);
      },
    };
    rewriter.listening(listener, () => {
      // The list grows during iteration.
      for (const operation of worklist) if (!erased.has(operation)) this.bufferize(operation);
      for (const operation of toBuffers) if (!erased.has(operation)) this.foldPair(operation);
    });
    if (erased.has(root)) return;
    for (const operation of innerFirst(root)) {
      if (toTensor.is(operation) && !rewriter.hasUses(operation.results[0]!))
        rewriter.eraseOperation(operation);
    }
    if (this.options.allowUnknownOps) return;
    for (const operation of worklist) {
      if (erased.has(operation) || !this.hasTensors(operation)) continue;
      if (toTensor.is(operation) || toMemref.is(operation) || this.isDead(operation)) continue;
      fail('bufferize/not-bufferized', 'op was not bufferized', operation);
    }
  }

  private hasTensors(operation: DraftOperation): boolean {
    return this.state.model(operation)?.hasTensors?.(operation) ?? mentionsTensors(operation);
  }

  private isDead(operation: DraftOperation): boolean {
    const { rewriter } = this;
    return (
      !operation.results.some((result) => rewriter.hasUses(result)) &&
      effectsOf(rewriter.registry, operation)?.length === 0
    );
  }

  private bufferize(operation: DraftOperation): void {
    const model = this.state.model(operation);
    if (model === undefined || !this.hasTensors(operation)) return;
    checkBlocks(this.state, operation);
    this.rewriter.setInsertionPointBefore(operation);
    const { location } = operation;
    failingAlso(
      () => {
        model.bufferize(operation, this);
      },
      () => error('bufferize/failed', 'failed to bufferize op', location),
    );
  }

  /** Folds `to_memref` of `to_tensor` to the buffer, cast or copied if the types differ. */
  private foldPair(operation: DraftOperation): void {
    const { rewriter } = this;
    const definition = rewriter.definingOperation(operation.operands[0]!);
    if (definition === undefined || !toTensor.is(definition)) return;
    const source = definition.operands[0]!;
    const type = operation.results[0]!.type as BufferType;
    rewriter.setInsertionPointBefore(operation);
    const buffer = this.buffersAs(source, type);
    if (buffer !== undefined) rewriter.replaceOperation(operation, [buffer]);
  }

  private buffersAs(source: Value, type: BufferType): Value | undefined {
    if (typeEquals(source.type, type)) return source;
    if (source.type.kind === 'memref' && type.kind === 'memref') return this.castOrCopy(source, type);
    return type.kind === 'memref' ? undefined : this.createCast(source, type);
  }

  // --- Buffers of values ---

  /** The buffer of a tensor; any other value unchanged. */
  buffer(value: Value): Value {
    if (!isTensor(value)) return value;
    const { rewriter } = this;
    const definition = rewriter.definingOperation(value);
    if (definition !== undefined && toTensor.is(definition)) return definition.operands[0]!;
    return rewriter.scoped(() => {
      this.insertAfter(value);
      return this.createToMemref(value, this.types.of(value));
    });
  }

  /** What operations that used the tensor of this buffer use now. */
  bridged(buffer: Value): Value {
    return this.isBridging ? this.createToTensor(buffer) : buffer;
  }

  insertAfter(value: Value): void {
    const definition = this.rewriter.definingOperation(value);
    if (definition === undefined) this.rewriter.setInsertionPointToStart(this.rewriter.owningBlock(value)!);
    else this.rewriter.setInsertionPointAfter(definition);
  }

  createToMemref(tensor: Value, type: BufferType): Value {
    return this.rewriter.createValue(toMemref.state({ operands: { tensor }, resultTypes: [type] }));
  }

  createToTensor(memref: Value): Value {
    return this.rewriter.createValue(toTensor.state({ operands: { memref } }));
  }

  /** A new buffer. */
  createAlloc(type: MemRefType, dynamicSizes: readonly Value[]): Value {
    const { bufferAlignment: alignment } = this.options;
    return this.rewriter.createValue(
      alloc.state({
        operands: { dynamicSizes },
        attributes: alignment === 0 ? {} : { alignment },
        resultTypes: [type],
      }),
    );
  }

  /** A new contiguous copy of a buffer. */
  private createCopyOf(buffer: Value): Value {
    const target = this.createAlloc(
      identityBuffer(rankedTypeOf(buffer)),
      createDynamicSizes(this.rewriter, buffer),
    );
    this.createCopy(buffer, target);
    return target;
  }

  /** A new tensor like another, with or without its contents, created for `user`; a buffer unless bridging. */
  allocate(tensor: Value, hasContent: boolean, user: DraftOperation): Value {
    if (this.isBridging) return allocateTensor(this.types, tensor, hasContent, user);
    if (hasContent) return this.createCopyOf(this.buffer(tensor));
    const { type } = tensor;
    if (type.kind !== 'tensor') throw new Error('expected a tensor of known rank');
    return this.createAlloc(identityBuffer(type), dynamicSizes(this.rewriter, tensor));
  }

  createCopy(source: Value, target: Value): void {
    const { rewriter } = this;
    if (source.id === target.id && !this.isBridging) return;
    if (this.options.memcpyOp === 'memref.copy') {
      rewriter.create(copy.state({ operands: { source, target } }));
      return;
    }
    rewriter.create(
      linalgCopy.state<Rewriter>({
        operands: { inputs: [source], outputs: [target] },
        resultTypes: [],
        bodies: [namedOpBody(linalgCopy, [source, target])],
      }),
    );
  }

  /** Casts a buffer to another type; a cast back folds to the original buffer, unless upstream would not. */
  createCast(buffer: Value, type: BufferType): Value {
    if (!this.isBridging) return createCast(this.rewriter, buffer, type);
    if (typeEquals(buffer.type, type)) return buffer;
    return this.rewriter.createValue(cast.state({ operands: { source: buffer }, resultTypes: [type] }));
  }

  /** Converts a buffer to another type: a cast if that cannot fail, else a copy. Undefined if neither is possible. */
  castOrCopy(buffer: Value, type: MemRefType): Value | undefined {
    const from = rankedTypeOf(buffer);
    if (from.shape.length !== type.shape.length || !typeEquals(from.elementType, type.elementType))
      return undefined;
    if (isCastSafe(from, type)) return this.createCast(buffer, type);
    if (!this.isBridging) return this.createCast(this.createCopyOf(buffer), type);
    const target = this.createAlloc(type, createDynamicSizes(this.rewriter, buffer, type.shape));
    this.createCopy(buffer, target);
    return target;
  }

  /** The name of a global buffer with these contents. */
  globalFor(operation: DraftOperation, value: ConstantElements): string {
    const module = closestParent(operation, (parent) => moduleOp.is(parent));
    if (module === undefined) throw new Error('a constant is in a module');
    let globals = this.globals.get(module);
    if (globals === undefined) {
      globals = new Globals(this.rewriter, entryBlock(module), this.options.bufferAlignment);
      this.globals.set(module, globals);
    }
    return globals.nameFor(value);
  }

  // --- Replacing operations ---

  /** Creates an operation like another, with its attributes. */
  createLike(operation: DraftOperation, { operands, resultTypes = [], bodies = [] }: Parts): DraftOperation {
    const { name, attributes, successors, location } = operation;
    return this.rewriter.create({ name, attributes, successors, location, operands, resultTypes, bodies });
  }

  /** Creates an operation like another that takes over its regions. */
  createWithRegions(
    operation: DraftOperation,
    operands: readonly Value[],
    resultTypes: readonly Type[],
  ): DraftOperation {
    this.bufferizeRegions(operation);
    this.rewriter.setInsertionPointBefore(operation);
    const bodies = operation.regions.map(() => undefined);
    const created = this.createLike(operation, { operands, resultTypes, bodies });
    operation.regions.forEach((region, i) => {
      this.rewriter.moveRegion(region, created.regions[i]!);
    });
    return created;
  }

  /**
   * Replaces an operation by values, buffers where its results were tensors; `by` lists the ops that now do its work.
   */
  replace(operation: DraftOperation, values: readonly Value[], by?: readonly DraftOperation[]): void {
    const { rewriter } = this;
    if (!this.isBridging) {
      rewriter.replaceOperation(operation, values, by);
      return;
    }
    const replacements = operation.results.map((result, i) => {
      const value = values[i]!;
      if (!isTensor(result)) return value;
      rewriter.setInsertionPointAfter(operation);
      return this.createToTensor(value);
    });
    rewriter.replaceOperation(operation, replacements, by);
  }
}
