/** Buffer types for tensors. */
import type { DraftOperation, Id, MemRefType, Rewriter, Type, UnrankedMemRefType, Value } from '@sconv/ir';
import { memrefType, symbolNameOf, typeEquals } from '@sconv/ir';
import type { Attribute } from '@sconv/ir';
import { AnalysisState } from '../analysis/analysis-state.ts';
import { moduleOp } from '@sconv/dialects/builtin';
import { funcOp } from '@sconv/dialects/func';
import { fail } from '../failure.ts';
import { calleeOf } from '../function-facts.ts';
import { isTensor, isTensorType } from '../op-model.ts';
import type { ResolvedOptions } from '../options.ts';
import { dynamicLayout, identityLayout } from '../options.ts';
import { commonType } from './buffers.ts';

export type BufferType = MemRefType | UnrankedMemRefType;

/** Whether a type is that of a buffer, ranked or not. */
export const isBufferType = (type: Type): type is BufferType =>
  type.kind === 'memref' || type.kind === 'unranked-memref';

/** The tensor type of a value, ranked or not; throws for other types. */
export const tensorTypeOf = ({ type }: { readonly type: Type }) => {
  if (!isTensorType(type)) throw new Error('expected a tensor');
  return type;
};

/** The buffer type of a value, ranked or not; throws for other types. */
export const bufferTypeOf = ({ type }: { readonly type: Type }): BufferType => {
  if (type.kind !== 'memref' && type.kind !== 'unranked-memref') throw new Error('expected a buffer');
  return type;
};

/** The ranked buffer type of a value; throws for other types. */
export const rankedTypeOf = ({ type }: { readonly type: Type }): MemRefType => {
  if (type.kind !== 'memref') throw new Error('expected a buffer of known rank');
  return type;
};

const sameSpace = (a: BufferType, b: BufferType): boolean =>
  typeEquals(
    memrefType([], a.elementType, undefined, a.memorySpace),
    memrefType([], a.elementType, undefined, b.memorySpace),
  );

export class BufferTypes {
  readonly rewriter: Rewriter;
  readonly options: ResolvedOptions;
  /** By rewritten function and former result: the argument that it is instead; undefined for those that stay. */
  readonly returned = new Map<DraftOperation, readonly (number | undefined)[]>();
  private readonly state: AnalysisState;
  private readonly functions = new Map<DraftOperation, ReadonlyMap<string, DraftOperation>>();
  /** The values whose types are currently being computed. */
  private readonly stack: Id[] = [];

  constructor(rewriter: Rewriter, options: ResolvedOptions) {
    this.rewriter = rewriter;
    this.options = options;
    this.state = new AnalysisState(rewriter, options);
  }

  /** The function that a call names. */
  calleeOf(operation: DraftOperation): DraftOperation {
    const name = calleeOf(operation);
    for (let table = operation.parent; table !== undefined; table = table.parent) {
      if (!moduleOp.is(table)) continue;
      const found = this.functionsIn(table).get(name);
      if (found !== undefined) return found;
    }
    throw new Error('a call names a function');
  }

  private functionsIn(module: DraftOperation): ReadonlyMap<string, DraftOperation> {
    let known = this.functions.get(module);
    if (known === undefined) {
      const operations = module.regions.flatMap(({ blocks }) => blocks.flatMap((block) => block.operations));
      known = new Map(
        operations
          .filter((operation) => funcOp.is(operation))
          .map((operation) => [symbolNameOf(operation) ?? '', operation]),
      );
      this.functions.set(module, known);
    }
    return known;
  }

  /** The buffer type of a tensor. */
  of(value: Value): BufferType {
    this.stack.push(value.id);
    try {
      const operation = this.state.ownerOf(value);
      const model = this.state.model(operation);
      if (model?.bufferType !== undefined) return model.bufferType(value, operation, this);
      const [alias] = model === undefined ? [] : this.state.aliasingOperands(value);
      if (
        this.rewriter.definingOperation(value) !== undefined &&
        alias !== undefined &&
        alias.relation !== 'overlaps'
      ) {
        return this.ofBuffer(alias.operand.operation.operands[alias.operand.index]!);
      }
      return this.unknown(value, operation);
    } finally {
      this.stack.pop();
    }
  }

  /** `of`, or the value's own type if it is a buffer already. */
  ofBuffer(value: Value): BufferType {
    return isTensor(value) ? this.of(value) : bufferTypeOf(value);
  }

  /** The memory space of a tensor. With sound decisions, tensors have none: copies need not look for their origin. */
  spaceOf(value: Value): Attribute | undefined {
    return this.options.decisions === 'sound' ? undefined : this.of(value).memorySpace;
  }

  /** How many computations of the type of a value are in progress. */
  depthOf({ id }: Value): number {
    return this.stack.filter((each) => each === id).length;
  }

  /** The default memory space, for tensors without one. */
  defaultSpace(operation: DraftOperation): Attribute | undefined {
    if (this.options.mustInferMemorySpace) {
      fail('bufferize/no-memory-space', 'could not infer memory space', operation);
    }
    return undefined;
  }

  /** The type of an argument of a non-entry block: that of its incoming branch operands. */
  ofBlockArgument(value: Value, operation: DraftOperation): BufferType {
    const given = this.state
      .aliasingOperands(value)
      .map(({ operand }) => this.state.valueOf(operand))
      .filter((each) => this.depthOf(each) === 0);
    const [first, ...others] = given.map((each) => this.ofBuffer(each));
    if (first === undefined) return this.unknown(value, operation);
    return this.common(value, first, others, () =>
      fail(
        'bufferize/block-memory-space',
        `'${operation.name}' op incoming operands of block argument have inconsistent memory spaces`,
        operation,
      ),
    );
  }

  /** The type of a tensor about which nothing is known. */
  private unknown(value: Value, operation: DraftOperation): BufferType {
    const convert =
      this.options.unknownTypeConversion === 'identity-layout-map' ? identityLayout : dynamicLayout;
    return convert(tensorTypeOf(value), this.defaultSpace(operation));
  }

  /**
   * The type of a tensor that is one of several: their common type, or a fully dynamic layout if they differ.
   *
   * @deviation With sound decisions what the layouts have in common is kept.
   */
  common(tensor: Value, first: BufferType, others: readonly BufferType[], mismatch: () => never): BufferType {
    let type = first;
    for (const other of others) {
      if (typeEquals(type, other)) continue;
      if (!sameSpace(type, other)) mismatch();
      const isSound = this.options.decisions === 'sound';
      type =
        isSound && type.kind === 'memref' && other.kind === 'memref'
          ? commonType(type, other)
          : dynamicLayout(tensorTypeOf(tensor), type.memorySpace);
    }
    return type;
  }

  /** The type of an iter arg, given its initial and yielded values. */
  carried(loop: DraftOperation, argument: Value, init: Value, yielded: Value): BufferType {
    const first = this.ofBuffer(init);
    // Recursive query: the outer one gives the answer.
    if (this.depthOf(argument) >= 2) return first;
    return this.common(argument, first, [this.ofBuffer(yielded)], () =>
      fail(
        'bufferize/carried-memory-space',
        `'${loop.name}' op init_arg and yielded value bufferize to inconsistent memory spaces`,
        loop,
      ),
    );
  }
}
