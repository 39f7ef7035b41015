/** State of the rewrite: the decisions of the analysis, and the buffers that implement them. */
import type { DenseElementsAttribute, DraftBlock, DraftOperation, Rewriter, Type, Value } from '@sconv/ir';
import { modelOf } from '@sconv/ir';
import { allocateCopy, allocateLike } from './buffers.ts';
import type { Carried } from './carried-values.ts';
import type { FunctionSummary } from './function-summary.ts';
import type { InPlaceAnalysis, Placement } from './in-place-analysis.ts';
import { bufferizable } from './op-model.ts';
import type { ResolvedOptions } from './options.ts';

/** The signature of a callee after its own bufferization. */
export interface BufferizedFunction {
  readonly inputs: readonly Type[];
  /** By original result: the type of the returned buffer, or the index of the argument that it equals. */
  readonly results: readonly (Type | { readonly argument: number })[];
  readonly summary: FunctionSummary;
}

/** State shared by the functions of a module. */
export interface ModuleContext {
  readonly options: ResolvedOptions;
  /** The bufferized callee; undefined if its boundary keeps tensors. */
  readonly calleeOf: (call: DraftOperation) => BufferizedFunction | undefined;
  /** The name of a global buffer with these contents. */
  readonly globalFor: (value: DenseElementsAttribute) => string;
}

export class BufferizationContext {
  readonly rewriter: Rewriter;
  readonly module: ModuleContext;
  /** How each loop carries its tensors, from the analysis. */
  readonly carried: ReadonlyMap<number, readonly Carried[]>;
  private readonly analysis: InPlaceAnalysis;
  /** Ids of the operations that had tensors. */
  private readonly pending: ReadonlySet<number>;

  constructor(
    rewriter: Rewriter,
    module: ModuleContext,
    analysis: InPlaceAnalysis,
    carried: ReadonlyMap<number, readonly Carried[]>,
  ) {
    this.rewriter = rewriter;
    this.module = module;
    this.analysis = analysis;
    this.carried = carried;
    this.pending = new Set(analysis.facts.operations.map((operation) => operation.id));
  }

  get alignment(): number {
    return this.module.options.bufferAlignment;
  }

  placementOf(operation: DraftOperation, index: number): Placement {
    return this.analysis.placementOf(operation, index);
  }

  /** The buffer to use for an operand: its own, or a new one if it is out of place. */
  bufferFor(operation: DraftOperation, index: number): Value {
    return this.placed(operation, index, operation.operands[index]!);
  }

  /** `buffer`, or a new one if the operand at `index` is out of place. */
  placed(operation: DraftOperation, index: number, buffer: Value): Value {
    switch (this.placementOf(operation, index)) {
      case 'in-place':
        return buffer;
      case 'allocate':
        return allocateLike(this.rewriter, buffer, this.alignment);
      case 'copy':
        return allocateCopy(this.rewriter, buffer, this.alignment);
    }
  }

  /** Rewrites the operations of a block in order. */
  bufferizeBlock(block: DraftBlock): void {
    this.bufferizeOperations(block.operations);
  }

  /** Rewrites operations of one block in order. */
  bufferizeOperations(operations: readonly DraftOperation[]): void {
    for (const operation of [...operations]) this.bufferizeOperation(operation);
  }

  /** Rewrites what is in the regions of an operation. */
  bufferizeRegions(operation: DraftOperation): void {
    for (const region of operation.regions) {
      for (const block of region.blocks) this.bufferizeBlock(block);
    }
  }

  private bufferizeOperation(operation: DraftOperation): void {
    if (!this.pending.has(operation.id)) {
      this.bufferizeRegions(operation);
      return;
    }
    const model = modelOf(this.rewriter.registry, bufferizable, operation);
    if (model === undefined) throw new Error(`no bufferization model for ${operation.name}`);
    this.rewriter.setInsertionPointBefore(operation);
    model.bufferize(operation, this);
  }
}
