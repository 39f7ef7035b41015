/** Clones operations and regions, of the draft's own module or of another. */
import type { Attributes } from './attribute.ts';
import type { Draft, DraftBlock, DraftOperation, DraftRegion } from './draft.ts';
import type { Id, Operation, Region, Value } from './operation.ts';
import type { Type } from './type.ts';

/** Differences between a copy and its original. */
export interface CopyChange {
  readonly resultTypes?: readonly Type[];
  readonly attributes?: Attributes;
}

/** Clones into a draft. The copies are registered there; the caller inserts them. */
export class Copier {
  private readonly draft: Draft;
  /** The replacement of each value, by id; results and block arguments are added as they are copied. */
  private readonly values: Map<Id, Value>;
  /** The copies of blocks, for successors. */
  private readonly blocks = new Map<Id, Id>();

  constructor(draft: Draft, values: Map<Id, Value>) {
    this.draft = draft;
    this.values = values;
  }

  operation(operation: Operation, change?: CopyChange): DraftOperation {
    const copy = this.copyOf(operation, change);
    for (const { blocks } of copy.regions) this.resolve(blocks);
    return copy;
  }

  /** Appends copies of a region's blocks to another region. */
  region(from: Region, to: DraftRegion): readonly DraftBlock[] {
    const copies = this.copyBlocks(from, to);
    this.resolve(copies);
    return copies;
  }

  private copyOf(operation: Operation, change: CopyChange = {}): DraftOperation {
    const results = operation.results.map((result, i) => {
      const copy = this.draft.newValue(change.resultTypes?.[i] ?? result.type);
      this.values.set(result.id, copy);
      return copy;
    });
    const copy = this.draft.newOperation({
      name: operation.name,
      operands: operation.operands.map((operand) => this.values.get(operand.id) ?? operand),
      results,
      attributes: change.attributes ?? operation.attributes,
      successors: operation.successors,
      location: operation.location,
    });
    for (const region of operation.regions) {
      this.copyBlocks(region, copy.addRegion());
    }
    return copy;
  }

  private copyBlocks(from: Region, to: DraftRegion): readonly DraftBlock[] {
    // All blocks first: a terminator may branch forward.
    const copies = from.blocks.map((block) => {
      const types = block.arguments.map((argument) => argument.type);
      const copy = this.draft.newBlock(to, types);
      this.blocks.set(block.id, copy.id);
      block.arguments.forEach((argument, i) => this.values.set(argument.id, copy.arguments[i]!));
      return copy;
    });
    from.blocks.forEach((block, i) => {
      for (const child of block.operations) copies[i]!.insert(this.copyOf(child), undefined);
    });
    return copies;
  }

  /** Redirects branches and forward references of the copies to other copies: blocks are in any order. */
  private resolve(copies: readonly DraftBlock[]): void {
    for (const { operations } of copies) {
      for (const copy of operations) {
        if (copy.operands.some(({ id }) => this.values.has(id))) {
          for (const operand of copy.operands) this.draft.removeUser(operand, copy);
          copy.operands = copy.operands.map((operand) => this.values.get(operand.id) ?? operand);
          for (const operand of copy.operands) this.draft.addUser(operand, copy);
        }
        copy.successors = copy.successors.map((block) => this.blocks.get(block) ?? block);
        for (const region of copy.regions) this.resolve(region.blocks);
      }
    }
  }
}
