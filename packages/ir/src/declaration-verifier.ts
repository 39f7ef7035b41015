/**
 * Verifies an operation against its own declaration: counts, types and attributes. The messages are those of
 * upstream's traits and of ODS-generated code.
 */
import type { Attribute } from './attribute.ts';
import type { OpDefinition } from './define-op.ts';
import { exactNumber, inexactNumberMessage } from './integer-format.ts';
import type { Operation, Value } from './operation.ts';
import { relationErrors } from './type-relation.ts';
import type { Type } from './type.ts';
import { typeEquals } from './type.ts';
import { printType } from './type-printer.ts';
import { groupSizes, needsSegments } from './value-groups.ts';
import type { NamedValueSpec } from './value-groups.ts';

export interface DeclarationError {
  /** The code of the diagnostic. */
  readonly code: string;
  /** Printed after `'name' op`. */
  readonly message: string;
}

/** Errors of an operation in `parent`, most basic ones first; later ones assume that there are no earlier ones. */
export function* declarationErrors(
  definition: OpDefinition,
  operation: Operation,
  parent: Operation | undefined,
): Generator<DeclarationError> {
  yield* countErrors(definition, operation);
  yield* parentErrors(definition, parent);
  yield* attributeErrors(definition, operation);
  yield* segmentErrors(definition, operation);
  yield* typeErrors('operand', definition.operandSpecs, operation.operands, operation);
  yield* typeErrors('result', definition.resultSpecs, operation.results, operation);
  yield* bodyErrors(definition, operation);
  yield* sameTypeErrors(definition, operation);
  for (const message of relationErrors(definition, operation)) yield { code: 'verify/types', message };
  yield* destinationErrors(definition, operation);
  yield* blockErrors(definition, operation);
}

/** Errors of regions that do not match the declaration, or of their blocks. */
export function* regionErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  yield* regionCountErrors(definition, operation);
  yield* bodyErrors(definition, operation);
}

function* regionCountErrors({ regions }: OpDefinition, operation: Operation): Generator<DeclarationError> {
  const count = operation.regions.length;
  const fixed = regions.filter((name) => !isOpen(name)).length;
  const isFixed = fixed === regions.length;
  if (isFixed ? count === fixed : count >= fixed) return;
  const code = 'verify/regions';
  if (!isFixed) yield { code, message: `expected ${fixed} or more regions` };
  else if (fixed === 0) yield { code, message: 'requires zero regions' };
  else if (fixed === 1) yield { code, message: 'requires one region' };
  else yield { code, message: `expected ${fixed} regions` };
}

/** Regions without the declared block; `single-block` excludes further ones. */
function* bodyErrors({ regions, bodies }: OpDefinition, operation: Operation): Generator<DeclarationError> {
  for (const [i, region] of operation.regions.entries()) {
    // The last name may stand for several.
    const name = regions[Math.min(i, regions.length - 1)]!;
    if (!bodies.includes(name) || region.blocks.length > 0) continue;
    yield {
      code: 'verify/regions',
      message: `region #${i} ('${name.replace('...', '')}') failed to verify constraint: region with 1 blocks`,
    };
  }
}

const isOpen = (name: string): boolean => name.endsWith('...');

function* countErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
  yield* valueCountErrors('operand', definition.operandSpecs, operation.operands.length);
  yield* valueCountErrors('result', definition.resultSpecs, operation.results.length);
  yield* regionCountErrors(definition, operation);
  const { successors } = definition;
  if (!successors.some(isOpen) && operation.successors.length !== successors.length)
    yield {
      code: 'verify/successors',
      message:
        `requires ${successors.length} successor${successors.length === 1 ? '' : 's'} but found ` +
        `${operation.successors.length}`,
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

function* parentErrors(
  { parents }: OpDefinition,
  parent: Operation | undefined,
): Generator<DeclarationError> {
  if (parents === undefined || (parent !== undefined && parents.includes(parent.name))) return;
  const wanted = parents.length === 1 ? '' : 'to be one of ';
  yield { code: 'verify/parent', message: `expects parent op ${wanted}'${parents.join(', ')}'` };
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
        message: `attribute '${spec.name}' failed to satisfy constraint: ${spec.description}${inexactness(attribute)}`,
      };
    }
  }
}

/** Why an integer of a declared kind may not decode although upstream accepts it. */
const inexactness = (attribute: Attribute): string => {
  const values =
    attribute.kind === 'dense-array'
      ? attribute.values
      : attribute.kind === 'integer'
        ? [attribute.value]
        : [];
  const inexact = values.find((value) => typeof value === 'bigint' && exactNumber(value) === undefined);
  return typeof inexact === 'bigint' ? `; ${inexactNumberMessage(inexact)}` : '';
};

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
        message:
          `'${name}' attribute for specifying ${what} segments must have ${specs.length} elements, but ` +
          `got ${sizes.length}`,
      };
    else if (total !== count)
      yield {
        code: 'verify/segments',
        message:
          `${what} count (${count}) does not match with the total size (${total}) specified in ` +
          `attribute '${name}'`,
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

/** Every tensor destination has a result of the same type, in order; memrefs are written in place. */
function* destinationErrors(
  { destinations, operandSpecs }: OpDefinition,
  { operands, results, attributes }: Operation,
): Generator<DeclarationError> {
  const sizes = groupSizes(operandSpecs, operands.length, attributes['operandSegmentSizes']);
  const group = operandSpecs.findIndex((spec) => spec.name === destinations);
  if (sizes === undefined || group < 0) return;
  const first = sizes.slice(0, group).reduce((sum, size) => sum + size, 0);
  const code = 'verify/destinations';
  const tensors: { readonly type: Type; readonly position: number }[] = [];
  for (let position = first; position < first + sizes[group]!; position += 1) {
    const { type } = operands[position]!;
    if (type.kind === 'tensor' || type.kind === 'unranked-tensor') tensors.push({ type, position });
    else if (type.kind !== 'memref' && type.kind !== 'unranked-memref')
      yield { code, message: `expected that operand #${position} is a tensor or a memref` };
  }
  if (tensors.length !== results.length) {
    yield {
      code,
      message:
        `expected the number of tensor results (${results.length}) to be equal to the number of output ` +
        `tensors (${tensors.length})`,
    };
    return;
  }
  for (const [i, { type, position }] of tensors.entries()) {
    const result = results[i]!.type;
    if (!typeEquals(type, result))
      yield {
        code,
        message:
          `expected type of operand #${position} ('${printType(type)}') to match type of corresponding ` +
          `result ('${printType(result)}')`,
      };
  }
}

const allEqual = (types: readonly Type[]): boolean =>
  types.every((type) => typeEquals(type, types[0] ?? type));

function* blockErrors(definition: OpDefinition, operation: Operation): Generator<DeclarationError> {
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
