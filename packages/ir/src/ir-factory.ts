/** Creates the frozen objects of a module during parsing, each with a fresh id. */
import type { Location } from '@sconv/diagnostics';
import type { Attributes } from './attribute.ts';
import { noAttributes } from './attribute.ts';
import type { Block, Id, Operation, Region, Value } from './operation.ts';
import type { Type } from './type.ts';

/** An operation without its id; omitted fields are empty. */
export interface OperationFields {
  readonly name: string;
  readonly operands?: readonly Value[];
  readonly results?: readonly Value[];
  readonly attributes?: Attributes;
  readonly regions?: readonly Region[];
  readonly successors?: readonly Id[];
  readonly location: Location;
}

/** What the parser completes before it freezes it. */
export type Unfrozen<T> = { -readonly [K in keyof T]: T[K] };

export class IrFactory {
  /** The first free id. */
  nextId = 1;

  id(): Id {
    const id = this.nextId;
    this.nextId += 1;
    return id;
  }

  value(type: Type): Value {
    return Object.freeze(this.unfrozenValue(type));
  }

  /** For an argument whose location is not known yet. */
  unfrozenValue(type: Type): Unfrozen<Value> {
    return { id: this.id(), type };
  }

  operation(fields: OperationFields): Operation {
    return Object.freeze(this.unfrozenOperation(fields));
  }

  /** For an operation whose location is not known yet. */
  unfrozenOperation(fields: OperationFields): Unfrozen<Operation> {
    return {
      id: this.id(),
      name: fields.name,
      operands: Object.freeze(fields.operands ?? []),
      results: Object.freeze(fields.results ?? []),
      attributes: Object.freeze(fields.attributes ?? noAttributes),
      regions: Object.freeze((fields.regions ?? []).map((region) => freezeRegion(region.blocks))),
      successors: Object.freeze(fields.successors ?? []),
      location: fields.location,
    };
  }

  block(id: Id, blockArguments: readonly Value[], operations: readonly Operation[]): Block {
    return Object.freeze({
      id,
      arguments: Object.freeze(blockArguments),
      operations: Object.freeze(operations),
    });
  }
}

export const freezeRegion = (blocks: readonly Block[]): Region =>
  Object.freeze({ blocks: Object.freeze(blocks) });
