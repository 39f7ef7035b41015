/**
 * Rewrites operations on tensors to operations on buffers, one by one. `to_tensor` and `to_memref` bridge rewritten
 * and not yet rewritten operations; matching pairs fold away in the end.
 */
import { error } from '@sconv/diagnostics';
import { toMemref, toTensor } from '@sconv/dialects/bufferization';
import { createIndex } from '@sconv/dialects';
import { copy as linalgCopy, namedOpBody } from '@sconv/dialects/linalg';
import { alloc, cast, copy, dim, stridedLayoutOf } from '@sconv/dialects/memref';
import { moduleOp } from '@sconv/dialects/builtin';
import type {
  BodyBuilder,
  DenseElementsAttribute,
  DraftOperation,
  MemRefType,
  Rewriter,
  Type,
  Value,
} from '@sconv/ir';
import { DYNAMIC, effectsOf, typeEquals } from '@sconv/ir';
import { entryBlock } from '../draft-blocks.ts';
import { Globals } from '../globals.ts';
import { AnalysisState } from './analysis-state.ts';
import type { BufferType } from './buffer-types.ts';
import { BufferTypes, rankedTypeOf } from './buffer-types.ts';
import { fail, failingAlso } from './failure.ts';
import { isTensor } from './model.ts';
import { checkBlocks, innerFirst, mentionsTensors } from './one-shot-analysis.ts';
import type { ResolvedOneShotOptions } from './options.ts';
import { isAllowed } from './options.ts';
import { TensorCopies } from './tensor-copies.ts';

/** What differs in an operation created from another. */
interface Parts {
  readonly operands: readonly Value[];
  readonly resultTypes?: readonly Type[];
  readonly bodies?: readonly (BodyBuilder<Rewriter> | undefined)[];
}

export class Bufferizer {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOneShotOptions;
  readonly types: BufferTypes;
  private readonly state: AnalysisState;
  private readonly globals = new Map<DraftOperation, Globals>();

  constructor(rewriter: Rewriter, options: ResolvedOneShotOptions) {
    this.rewriter = rewriter;
    this.options = options;
    this.types = new BufferTypes(rewriter, options);
    this.state = new AnalysisState(rewriter, options);
  }

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

  // --- Buffers of values ---

  /** The buffer of a tensor. */
  buffer(value: Value): Value {
    const { rewriter } = this;
    const definition = rewriter.definingOperation(value);
    if (definition !== undefined && toTensor.is(definition)) return definition.operands[0]!;
    return rewriter.scoped(() => {
      this.insertAfter(value);
      return this.createToMemref(value, this.types.of(value));
    });
  }

  /** The buffer of a tensor; any other value unchanged. */
  bufferOr(value: Value): Value {
    return isTensor(value) ? this.buffer(value) : value;
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

  createCopy(source: Value, target: Value): void {
    const { rewriter } = this;
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

  /** Casts a buffer to another type. */
  createCast(buffer: Value, type: BufferType): Value {
    if (typeEquals(buffer.type, type)) return buffer;
    return this.rewriter.createValue(cast.state({ operands: { source: buffer }, resultTypes: [type] }));
  }

  /** The sizes of the dynamic dimensions of `shape`, taken from a buffer. */
  createDims(buffer: Value, shape: readonly number[]): readonly Value[] {
    return shape.flatMap((size, i) =>
      size === DYNAMIC
        ? [
            this.rewriter.createValue(
              dim.state({ operands: { source: buffer, index: createIndex(this.rewriter, i) } }),
            ),
          ]
        : [],
    );
  }

  /** Converts a buffer to another type: a cast if that cannot fail, else a copy. Undefined if neither is possible. */
  castOrCopy(buffer: Value, type: MemRefType): Value | undefined {
    const from = rankedTypeOf(buffer);
    if (from.shape.length !== type.shape.length || !typeEquals(from.elementType, type.elementType))
      return undefined;
    if (isCastSafe(from, type)) return this.createCast(buffer, type);
    const target = this.createAlloc(type, this.createDims(buffer, type.shape));
    this.createCopy(buffer, target);
    return target;
  }

  /** The name of a global buffer with these contents. */
  globalFor(operation: DraftOperation, value: DenseElementsAttribute): string {
    let module = operation.parent;
    while (module !== undefined && !moduleOp.is(module)) module = module.parent;
    if (module === undefined) throw new Error('a constant stands in a module');
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
    const bodies = operation.regions.map(() => undefined);
    const created = this.createLike(operation, { operands, resultTypes, bodies });
    operation.regions.forEach((region, i) => {
      this.rewriter.moveRegion(region, created.regions[i]!);
    });
    return created;
  }

  /** Replaces an operation by values, buffers where its results were tensors; `by` lists the ops that now do its work. */
  replace(operation: DraftOperation, values: readonly Value[], by?: readonly DraftOperation[]): void {
    const { rewriter } = this;
    const replacements = operation.results.map((result, i) => {
      const value = values[i]!;
      if (!isTensor(result)) return value;
      rewriter.setInsertionPointAfter(operation);
      return this.createToTensor(value);
    });
    rewriter.replaceOperation(operation, replacements, by);
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
}

const isKnown = (size: number): boolean => size !== DYNAMIC;

/** Whether a cast from `from` to `to` is valid and cannot fail at run time. */
const isCastSafe = (from: MemRefType, to: MemRefType): boolean => {
  const [a, b] = [stridedLayoutOf(from), stridedLayoutOf(to)];
  if (a === undefined || b === undefined) return false;
  const spaces = [from, to].map(({ memorySpace }) => ({ ...from, memorySpace }) as MemRefType);
  if (!typeEquals(spaces[0]!, spaces[1]!)) return false;
  return (
    from.shape.every((size, i) => !isKnown(size) || !isKnown(to.shape[i]!) || size === to.shape[i]) &&
    [a.offset, ...a.strides].every((stride, i) => {
      const other = i === 0 ? b.offset : b.strides[i - 1]!;
      return !isKnown(other) || stride === other;
    })
  );
};
