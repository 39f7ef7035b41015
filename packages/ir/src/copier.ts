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
  /** Copies with an operand from outside, or one that is defined further on, and their originals. */
  private readonly open: (readonly [copy: DraftOperation, original: Operation])[] = [];
  private readonly branches: DraftOperation[] = [];

  constructor(draft: Draft, values: Map<Id, Value>) {
    this.draft = draft;
    this.values = values;
  }

  operation(operation: Operation, change?: CopyChange): DraftOperation {
    const copy = this.copyOf(operation, change);
    this.resolve();
    return copy;
  }

  /** Appends copies of a region's blocks to another region. */
  region(from: Region, to: DraftRegion): readonly DraftBlock[] {
    const copies = this.copyBlocks(from, to);
    this.resolve();
    return copies;
  }

  private copyOf(operation: Operation, change: CopyChange = {}): DraftOperation {
    const results = operation.results.map((result, i) => {
      const copy = this.draft.newValue(change.resultTypes?.[i] ?? result.type);
      this.values.set(result.id, copy);
      return copy;
    });
    const operands = operation.operands.map((operand) => this.values.get(operand.id) ?? operand);
    const copy = this.draft.newOperation({
      name: operation.name,
      operands,
      results,
      attributes: change.attributes ?? operation.attributes,
      successors: operation.successors,
      location: operation.location,
    });
    if (operands.some((operand, i) => operand === operation.operands[i])) this.open.push([copy, operation]);
    if (operation.successors.length > 0) this.branches.push(copy);
    for (const region of operation.regions) {
      this.copyBlocks(region, copy.addRegion());
    }
    return copy;
  }

  private copyBlocks(from: Region, to: DraftRegion): readonly DraftBlock[] {
    // All blocks first: a terminator may branch forward.
    const copies = from.blocks.map((block) => {
      const copy = this.draft.newBlock(to, block.arguments);
      this.blocks.set(block.id, copy.id);
      block.arguments.forEach((argument, i) => this.values.set(argument.id, copy.arguments[i]!));
      return copy;
    });
    from.blocks.forEach((block, i) => {
      for (const child of block.operations) copies[i]!.insert(this.copyOf(child), undefined);
    });
    return copies;
  }

  /**
   * Redirects branches and forward references of the copies to other copies: blocks are in any order. An operand that
   * was replaced stays: the replacement may be replaced itself, in another place.
   */
  private resolve(): void {
    for (const [copy, { operands }] of this.open) {
      const replaced = operands.map((operand, i) =>
        copy.operands[i] === operand ? (this.values.get(operand.id) ?? operand) : copy.operands[i]!,
      );
      if (replaced.every((operand, i) => operand === copy.operands[i])) continue;
      for (const { id } of copy.operands) this.draft.removeUser(id, copy);
      copy.operands = replaced;
      for (const { id } of replaced) this.draft.addUser(id, copy);
    }
    for (const copy of this.branches) {
      for (const block of copy.successors) this.draft.removeUser(block, copy);
      copy.successors = copy.successors.map((block) => this.blocks.get(block) ?? block);
      for (const block of copy.successors) this.draft.addUser(block, copy);
    }
  }
}
