/** Verifies a module against the rules of the IR and the declarations of its operations. Messages are upstream's. */
import type { Diagnostic, Location, Note } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';
import { printAttribute } from './attribute-printer.ts';
import { expectModule, expectRegistry } from './check-module.ts';
import type { OpDefinition, VerifyContext } from './define-op.ts';
import { Structure } from './dominance.ts';
import { declarationErrors } from './declaration-verifier.ts';
import type { Block, Module, Operation, Value } from './operation.ts';
import { symbolNameOf } from './operation.ts';
import { printOperation } from './printer.ts';
import type { Registry } from './registry.ts';
import { modelOf } from './registry.ts';
import { printType } from './type-printer.ts';
import { typeEquals } from './type.ts';

/** What `verify` accepts beyond registered operations. */
export interface VerifyOptions {
  /** Whether unregistered operations are accepted; false by default. */
  readonly allowUnregisteredDialects?: boolean;
  /** The operations around the root, innermost first, in which its symbols are looked up; none by default. */
  readonly around?: readonly Operation[];
}

/**
 * The errors of a module: at most one for each operation that is isolated from above, such as a function, so that one
 * mistake does not cause many. Empty for a valid module.
 */
export const verify = (
  module: Module,
  registry: Registry,
  options: VerifyOptions = {},
): readonly Diagnostic[] => {
  expectModule('what is verified', module);
  expectRegistry('verify', { registry });
  const verifier = new Verifier(module.root, registry, options);
  verifier.verifyIsolated(module.root, options.around ?? []);
  return verifier.errors;
};

/** Aborts the verification of one isolated operation. */
class Found extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

const visibilities: ReadonlySet<string> = new Set(['public', 'private', 'nested']);

/** The enclosing operations, innermost first. */
type Ancestors = readonly Operation[];

class Verifier {
  readonly errors: Diagnostic[] = [];
  private readonly structure: Structure;
  private readonly registry: Registry;
  private readonly options: VerifyOptions;
  private readonly symbols = new Map<Operation, ReadonlyMap<string, Operation>>();

  constructor(root: Operation, registry: Registry, options: VerifyOptions) {
    this.structure = new Structure(root);
    this.registry = registry;
    this.options = options;
  }

  /** Verifies an operation and its contents down to the next isolated operations, then those. */
  verifyIsolated(operation: Operation, ancestors: Ancestors): void {
    const isolated: { readonly operation: Operation; readonly ancestors: Ancestors }[] = [];
    try {
      this.verifyOperation(operation, ancestors, (child, outer) => {
        isolated.push({ operation: child, ancestors: outer });
      });
      for (const child of isolated) this.verifyIsolated(child.operation, child.ancestors);
      this.verifyUses(operation);
    } catch (found) {
      if (!(found instanceof Found)) throw found;
      this.errors.push(found.diagnostic);
    }
  }

  private fail(code: string, message: string, location: Location, notes: readonly Note[] = []): never {
    throw new Found(error(code, message, location, notes));
  }

  private failAt(operation: Operation, code: string, message: string, notes: readonly Note[] = []): never {
    this.fail(code, `'${operation.name}' op ${message}`, operation.location, notes);
  }

  private definitionOf(operation: Operation): OpDefinition | undefined {
    return this.registry.operations.get(operation.name);
  }

  // --- Operations and blocks ---

  private verifyOperation(
    operation: Operation,
    ancestors: Ancestors,
    onIsolated: (operation: Operation, ancestors: Ancestors) => void,
  ): void {
    const definition = this.definitionOf(operation);
    if (definition === undefined) this.checkUnregistered(operation);
    else this.verifyDeclaration(definition, operation, ancestors);
    const outer = [operation, ...ancestors];
    for (const region of operation.regions) {
      const [entry] = region.blocks;
      if (entry !== undefined && this.hasPredecessor(entry, region.blocks))
        this.fail('verify/region', 'entry block of region may not have predecessors', operation.location);
      for (const block of region.blocks) {
        this.verifyBlockStart(operation, region.blocks, block);
        for (const child of block.operations) {
          if (child.successors.length > 0 && child !== block.operations.at(-1))
            this.fail(
              'verify/successors',
              'operation with block successors must terminate its parent block',
              child.location,
            );
          const isIsolated = this.definitionOf(child)?.traits.has('isolated-from-above') === true;
          if (isIsolated && child.regions.length > 0) onIsolated(child, outer);
          else this.verifyOperation(child, outer, onIsolated);
        }
        this.verifyBlockEnd(operation, region.blocks, block);
      }
    }
  }

  private hasPredecessor(block: Block, blocks: readonly Block[]): boolean {
    return blocks.some((other) => other.operations.at(-1)?.successors.includes(block.id) === true);
  }

  private checkUnregistered(operation: Operation): void {
    if (this.options.allowUnregisteredDialects === true) return;
    const [dialect = ''] = operation.name.split('.', 1);
    if (this.registry.dialects.get(dialect)?.allowsUnknownOperations === true) return;
    this.fail(
      'verify/unregistered-operation',
      this.registry.dialects.has(dialect)
        ? `unregistered operation '${operation.name}' found in dialect ('${dialect}') that does not ` +
            'allow unknown operations'
        : `'${operation.name}' op created with unregistered dialect. If this is intended, please call ` +
            'allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with ' +
            'the MLIR opt tool used',
      operation.location,
    );
  }

  private mayLackTerminator(operation: Operation, blocks: readonly Block[]): boolean {
    return blocks.length === 1 && (this.definitionOf(operation)?.traits.has('no-terminator') ?? true);
  }

  private verifyBlockStart(operation: Operation, blocks: readonly Block[], block: Block): void {
    if (block.operations.length > 0 || this.mayLackTerminator(operation, blocks)) return;
    this.fail('verify/terminator', 'empty block: expect at least a terminator', operation.location);
  }

  private verifyBlockEnd(operation: Operation, blocks: readonly Block[], block: Block): void {
    const last = block.operations.at(-1);
    if (last === undefined) return;
    for (const successor of last.successors) {
      if (this.structure.blockPlace(successor)?.region.blocks !== blocks)
        this.failAt(last, 'verify/successors', 'branching to block of a different region');
    }
    if (this.mayLackTerminator(operation, blocks)) return;
    if (this.definitionOf(last)?.traits.has('terminator') ?? true) return;
    const text = printOperation(last, { registry: this.registry, generic: true }, operation);
    this.fail('verify/terminator', `block with no terminator, has ${text}`, last.location);
  }

  // --- Declarations ---

  private verifyDeclaration(definition: OpDefinition, operation: Operation, ancestors: Ancestors): void {
    for (const { code, message } of declarationErrors(definition, operation, ancestors[0]))
      this.failAt(operation, code, message);
    this.verifyTraits(definition, operation, ancestors);
    for (const problem of definition.verify?.(operation, this.contextOf(ancestors)) ?? []) {
      if (typeof problem === 'string') this.failAt(operation, 'verify/operation', problem);
      const { message, bare = false, operation: at = operation } = problem;
      if (!bare) this.failAt(at, 'verify/operation', message);
      this.fail('verify/operation', message, at.location);
    }
  }

  private verifyTraits(definition: OpDefinition, operation: Operation, ancestors: Ancestors): void {
    const { traits } = definition;
    if (traits.has('terminator') && ancestors.length > 0) {
      const place = this.structure.placeOf(operation);
      if (place !== undefined && place.index !== place.block.operations.length - 1)
        this.failAt(operation, 'verify/terminator', 'must be the last operation in the parent block');
    }
    if (traits.has('symbol')) this.verifySymbol(operation, ancestors[0]);
    if (traits.has('symbol-table')) this.verifySymbols(operation);
  }

  private verifySymbol(operation: Operation, parent: Operation | undefined): void {
    if (operation.attributes['sym_name'] === undefined) return;
    const visibility = operation.attributes['sym_visibility'];
    if (visibility !== undefined && (visibility.kind !== 'string' || !visibilities.has(visibility.value)))
      this.failAt(
        operation,
        'verify/symbol',
        `visibility expected to be one of ["public", "private", "nested"], but got ${printAttribute(visibility)}`,
      );
    const table = parent === undefined ? undefined : this.definitionOf(parent);
    if (table?.traits.has('symbol-table') === false)
      this.failAt(operation, 'verify/symbol', "symbol's parent must have the SymbolTable trait");
  }

  private verifySymbols(operation: Operation): void {
    const seen = new Map<string, Operation>();
    for (const child of operation.regions[0]?.blocks[0]?.operations ?? []) {
      const name = symbolNameOf(child);
      if (name === undefined) continue;
      const existing = seen.get(name);
      if (existing !== undefined)
        this.fail('verify/symbol', `redefinition of symbol named '${name}'`, child.location, [
          { message: 'see existing symbol definition here', location: existing.location },
        ]);
      seen.set(name, child);
    }
  }

  private contextOf(ancestors: Ancestors): VerifyContext {
    return {
      ancestors,
      hasTrait: (candidate, trait) => this.definitionOf(candidate)?.traits.has(trait) === true,
      modelOf: (candidate, asked) => modelOf(this.registry, asked, candidate),
      lookupSymbol: (name) => {
        const table = ancestors.find(
          (outer) => this.definitionOf(outer)?.traits.has('symbol-table') === true,
        );
        return table && this.symbolsIn(table).get(name);
      },
      definitionOf: (value) => this.structure.definitionOf(value),
      successor: (id) => {
        const place = this.structure.blockPlace(id);
        return place !== undefined && place.operation === ancestors[0]
          ? place.region.blocks[place.index]
          : undefined;
      },
    };
  }

  /** The symbols of a table by name; of several with one name, the first. */
  private symbolsIn(table: Operation): ReadonlyMap<string, Operation> {
    const known = this.symbols.get(table);
    if (known !== undefined) return known;
    const symbols = new Map<string, Operation>();
    for (const candidate of table.regions[0]?.blocks[0]?.operations ?? []) {
      const name = symbolNameOf(candidate);
      if (name !== undefined && !symbols.has(name)) symbols.set(name, candidate);
    }
    this.symbols.set(table, symbols);
    return symbols;
  }

  // --- Dominance ---

  /** Checks that the operands of the contents of `operation` are visible, except in isolated operations. */
  private verifyUses(operation: Operation): void {
    for (const region of operation.regions) {
      for (const block of region.blocks) {
        const isReachable = this.structure.isReachable(block);
        for (const child of block.operations) {
          if (isReachable) this.verifyOperands(child);
          if (this.definitionOf(child)?.traits.has('isolated-from-above') !== true) this.verifyUses(child);
        }
      }
    }
  }

  private verifyOperands(operation: Operation): void {
    operation.operands.forEach((value, i) => {
      const reach = this.reaches(value, operation);
      if (reach === 'visible') {
        const type = this.structure.typeOf(value.id)!;
        if (typeEquals(type, value.type)) return;
        const message = `operand #${i} is ${printType(value.type)} here and ${printType(type)} where it is defined`;
        this.failAt(operation, 'verify/types', message);
      }
      if (reach === 'isolated')
        this.failAt(operation, 'verify/isolation', 'using value defined outside the region');
      const definition = this.structure.definitionOf(value);
      const notes: Note[] =
        definition !== undefined && 'location' in definition
          ? [{ message: 'operand defined here', location: definition.location }]
          : [];
      if (definition === undefined)
        notes.push({ message: 'no operation of this module defines it', location: operation.location });
      this.fail('verify/dominance', `operand #${i} does not dominate this use`, operation.location, notes);
    });
  }

  private reaches(value: Value, user: Operation): 'visible' | 'isolated' | 'hidden' {
    const definition = this.structure.definitionOf(value);
    if (definition === undefined) return 'hidden';
    const definingBlock = 'operations' in definition ? definition : this.structure.placeOf(definition)?.block;
    const region =
      definingBlock === undefined ? undefined : this.structure.blockPlace(definingBlock.id)?.region;
    if (definingBlock === undefined || region === undefined) return 'hidden';
    // Walk up from the user to its ancestor in the region of the definition.
    let at: Operation = user;
    for (;;) {
      const place = this.structure.placeOf(at);
      const blockPlace = place === undefined ? undefined : this.structure.blockPlace(place.block.id);
      if (place === undefined || blockPlace === undefined) return 'hidden';
      if (blockPlace.region === region) {
        const isVisible =
          place.block === definingBlock
            ? this.isBefore(definition, at, blockPlace.operation)
            : this.structure.dominates(definingBlock, place.block);
        return isVisible ? 'visible' : 'hidden';
      }
      if (this.definitionOf(blockPlace.operation)?.traits.has('isolated-from-above') === true)
        return 'isolated';
      at = blockPlace.operation;
    }
  }

  /** Whether a definition in a block is visible at an operation of the block. */
  private isBefore(definition: Operation | Block, at: Operation, parent: Operation): boolean {
    if ('operations' in definition) return true;
    const parentDefinition = this.definitionOf(parent);
    const isGraph = parentDefinition === undefined || parentDefinition.traits.has('graph-region');
    if (isGraph) return true;
    return this.structure.placeOf(definition)!.index < this.structure.placeOf(at)!.index;
  }
}
