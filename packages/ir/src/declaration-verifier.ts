/**
 * Whether an operation fits its declaration by itself: counts, types and attributes. Messages are those of upstream's
 * traits and of the code that ODS generates.
 */
import type { OpDefinition } from './define-op.ts';
import type { Operation, Value } from './operation.ts';
import { relationErrors } from './type-relation.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';
import { printType } from './type-printer.ts';
import { groupSizes, needsSegments } from './value-groups.ts';
import type { NamedValueSpec } from './value-groups.ts';

export interface DeclarationError {
  /** That of the diagnostic. */
  readonly code: string;
  /** What follows `'name' op`. */
  readonly message: string;
}

/** What is wrong with an operation, the most basic mistakes first; later ones assume that there are none before. */
export function* declarationErrors(
  definition: OpDefinition,
  operation: Operation,
): Generator<DeclarationError> {
  yield* countErrors(definition, operation);
  yield* attributeErrors(definition, operation);
  yield* segmentErrors(definition, operation);
  yield* typeErrors('operand', definition.operandSpecs, operation.operands, operation);
  yield* typeErrors('result', definition.resultSpecs, operation.results, operation);
  yield* sameTypeErrors(definition, operation);
  for (const message of relationErrors(definition, operation)) yield { code: 'verify/types', message };
  yield* regionErrors(definition, operation);
}

const isOpen = (name: string): boolean => name.endsWith('...');

function* countErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  yield* valueCountErrors('operand', definition.operandSpecs, operation.operands.length);
  yield* valueCountErrors('result', definition.resultSpecs, operation.results.length);
  const { regions, successors } = definition;
  const regionCount = operation.regions.length;
  if (!regions.some(isOpen) && regionCount !== regions.length) {
    const wanted =
      regions.length === 0
        ? 'requires zero regions'
        : regions.length === 1
          ? 'requires one region'
          : `expected ${regions.length} regions`;
    yield { code: 'verify/regions', message: wanted };
  }
  if (!successors.some(isOpen) && operation.successors.length !== successors.length)
    yield {
      code: 'verify/successors',
      message: `requires ${successors.length} successor${successors.length === 1 ? '' : 's'} but found ${operation.successors.length}`,
    };
}

function* valueCountErrors(
  what: 'operand' | 'result',
  specs: readonly NamedValueSpec[],
  count: number,
): Generator<DeclarationError> {
  const fixed = specs.filter((spec) => spec.arity === 'one').length;
  const isFixed = fixed === specs.length;
  if (isFixed ? count === fixed : count >= fixed) return;
  const code = what === 'operand' ? 'verify/operand-count' : 'verify/result-count';
  if (!isFixed) {
    yield { code, message: `expected ${fixed} or more ${what}s, but found ${count}` };
  } else if (fixed === 0) {
    yield { code, message: `requires zero ${what}s` };
  } else if (fixed === 1) {
    yield { code, message: what === 'operand' ? 'requires a single operand' : 'requires one result' };
  } else {
    yield { code, message: `expected ${fixed} ${what}s, but found ${count}` };
  }
}

function* attributeErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  for (const spec of definition.attributeSpecs) {
    const attribute = operation.attributes[spec.name];
    if (attribute === undefined) {
      if (spec.presence === 'required')
        yield { code: 'verify/attribute', message: `requires attribute '${spec.name}'` };
    } else if (spec.decode(attribute) === undefined) {
      yield {
        code: 'verify/attribute',
        message: `attribute '${spec.name}' failed to satisfy constraint: ${spec.description}`,
      };
    }
  }
}

function* segmentErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  for (const [what, specs, count] of [
    ['operand', definition.operandSpecs, operation.operands.length],
    ['result', definition.resultSpecs, operation.results.length],
  ] as const) {
    if (!needsSegments(specs)) continue;
    const name = `${what}SegmentSizes`;
    const attribute = operation.attributes[name];
    const sizes = attribute?.kind === 'dense-array' ? attribute.values.map(Number) : specs.map(() => 0);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.length !== specs.length)
      yield {
        code: 'verify/segments',
        message: `'${name}' attribute for specifying ${what} segments must have ${specs.length} elements, but got ${sizes.length}`,
      };
    else if (total !== count)
      yield {
        code: 'verify/segments',
        message: `${what} count (${count}) does not match with the total size (${total}) specified in attribute '${name}'`,
      };
  }
}

function* typeErrors(
  what: 'operand' | 'result',
  specs: readonly NamedValueSpec[],
  values: readonly Value[],
  operation: Operation,
): Generator<DeclarationError> {
  const sizes = groupSizes(specs, values.length, operation.attributes[`${what}SegmentSizes`]);
  if (sizes === undefined) {
    yield { code: 'verify/segments', message: `has ${what}s that do not fit its declaration` };
    return;
  }
  let next = 0;
  for (const [i, spec] of specs.entries()) {
    const prefix = spec.arity === 'variadic' ? 'variadic of ' : '';
    for (const end = next + sizes[i]!; next < end; next += 1) {
      const { type } = values[next]!;
      if (!spec.type.test(type))
        yield {
          code: what === 'operand' ? 'verify/operand-type' : 'verify/result-type',
          message: `${what} #${next} must be ${prefix}${spec.type.description}, but got '${printType(type)}'`,
        };
    }
  }
}

function* sameTypeErrors({ traits }: OpDefinition, operation: Operation): Generator<DeclarationError> {
  const operands = operation.operands.map((operand) => operand.type);
  const results = operation.results.map((result) => result.type);
  if (traits.has('same-operands-type') && !allEqual(operands))
    yield { code: 'verify/types', message: 'requires all operands to have the same type' };
  if (traits.has('same-operands-and-result-type') && !allEqual([...operands, ...results]))
    yield { code: 'verify/types', message: 'requires the same type for all operands and results' };
}

const allEqual = (types: readonly Type[]): boolean =>
  types.every((type) => typeEquals(type, types[0] ?? type));

function* regionErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  const { traits, implicitTerminator } = definition;
  if (!traits.has('single-block') && implicitTerminator === undefined) return;
  for (const [i, region] of operation.regions.entries()) {
    const [block] = region.blocks;
    if (block === undefined) continue;
    if (region.blocks.length > 1)
      yield { code: 'verify/regions', message: `expects region #${i} to have 0 or 1 blocks` };
    if (traits.has('no-terminator')) continue;
    const last = block.operations.at(-1);
    if (last === undefined) yield { code: 'verify/regions', message: 'expects a non-empty block' };
    else if (implicitTerminator !== undefined && last.name !== implicitTerminator)
      yield {
        code: 'verify/terminator',
        message: `expects regions to end with '${implicitTerminator}', found '${last.name}'`,
      };
  }
}
