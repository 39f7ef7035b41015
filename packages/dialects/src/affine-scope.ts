/** Valid dimensions and symbols of affine maps: upstream's `isValidDim` and `isValidSymbol`. */
import type { AffineMap } from '@sconv/affine';
import type { Block, Operation, Value, VerifyContext } from '@sconv/ir';
import { constantLike } from '@sconv/ir';
import { knownInteger } from './known-integer.ts';
import type { MixedIndex } from './mixed-indices.ts';
import { mixedIndices } from './mixed-indices.ts';
import { segments } from './segments.ts';

const isOperation = (definition: Operation | Block): definition is Operation => 'name' in definition;

/** The top-level blocks of the innermost affine scope. */
const scopeBlocks = (context: VerifyContext): readonly Block[] => {
  // Without an enclosing known scope (in an unregistered op, say) any value is valid.
  const scope = context.ancestors.find((ancestor) => context.hasTrait(ancestor, 'affine-scope'));
  return scope === undefined ? [] : scope.regions.flatMap((region) => region.blocks);
};

const operationsOf = new WeakMap<Block, ReadonlySet<number>>();

/** Whether the operation is directly in `block`; blocks are immutable, so the answer is cached. */
const holds = (block: Block, operation: Operation): boolean => {
  let ids = operationsOf.get(block);
  if (ids === undefined) {
    ids = new Set(block.operations.map((child) => child.id));
    operationsOf.set(block, ids);
  }
  return ids.has(operation.id);
};

const isTopLevel = (definition: Operation | Block, context: VerifyContext): boolean => {
  const blocks = scopeBlocks(context);
  return isOperation(definition)
    ? blocks.some((block) => holds(block, definition))
    : blocks.some((block) => block.id === definition.id);
};

/** Whether a value is a valid symbol: constant, at the top level of its function, or computed from symbols. */
const isValidSymbol = (value: Value, context: VerifyContext): boolean => {
  if (value.type.kind !== 'index') return false;
  const definition = context.definitionOf(value);
  if (definition === undefined || isTopLevel(definition, context)) return true;
  if (!isOperation(definition)) return false;
  switch (definition.name) {
    case 'affine.apply':
      return definition.operands.every((operand) => isValidSymbol(operand, context));
    case 'memref.dim':
    case 'tensor.dim':
      return isDimOfTopLevel(definition, context);
    default:
      return context.modelOf(definition, constantLike) !== undefined;
  }
};

/** Whether a dim op queries a size that is known at the top level. */
const isDimOfTopLevel = (operation: Operation, context: VerifyContext): boolean => {
  let definition = context.definitionOf(operation.operands[0]!);
  if (definition === undefined || isTopLevel(definition, context)) return true;
  while (definition !== undefined && isOperation(definition) && definition.name === 'memref.cast')
    definition = context.definitionOf(definition.operands[0]!);
  // The sizes of a view or an allocation are symbols if the operands that define them are.
  const sizes = definition !== undefined && isOperation(definition) ? dynamicSizesOf(definition) : undefined;
  const position = knownInteger(context, operation.operands[1]!);
  if (sizes === undefined || position === undefined) return false;
  const size = sizes[position];
  return typeof size === 'object' ? isValidSymbol(size, context) : size !== undefined;
};

/** The sizes of an allocation or a view: numbers, or values where dynamic. */
const dynamicSizesOf = (definition: Operation): readonly MixedIndex[] | undefined => {
  const type = definition.results[0]?.type;
  if (type?.kind !== 'memref') return undefined;
  switch (definition.name) {
    case 'memref.alloc':
      return mixedIndices(segments(definition)[0]!, type.shape);
    case 'memref.subview':
      return mixedIndices(segments(definition)[2]!, type.shape);
    case 'memref.view':
      return mixedIndices(definition.operands.slice(2), type.shape);
    default:
      return undefined;
  }
};

/** Whether a value is a valid dimension: a symbol, or an induction variable of an affine loop. */
const isValidDim = (value: Value, context: VerifyContext): boolean => {
  if (value.type.kind !== 'index') return false;
  const definition = context.definitionOf(value);
  if (definition === undefined || isTopLevel(definition, context)) return true;
  if (!isOperation(definition)) return isOfAffineLoop(definition, context);
  return definition.name === 'affine.apply'
    ? definition.operands.every((operand) => isValidDim(operand, context))
    : isValidSymbol(value, context);
};

const isOfAffineLoop = (block: Block, context: VerifyContext): boolean =>
  context.ancestors.some(
    ({ name, regions }) =>
      (name === 'affine.for' || name === 'affine.parallel') &&
      regions.some((region) => region.blocks.some((child) => child.id === block.id)),
  );

/** Errors of the operands of a map, with upstream's messages. */
export function* mapOperandErrors(
  map: Pick<AffineMap, 'numDims'>,
  operands: readonly Value[],
  context: VerifyContext,
): Generator<string> {
  for (const [i, operand] of operands.entries()) {
    if (i < map.numDims && !isValidDim(operand, context)) {
      yield 'operand cannot be used as a dimension id';
      return;
    }
    if (i >= map.numDims && !isValidSymbol(operand, context)) {
      yield 'operand cannot be used as a symbol';
      return;
    }
  }
}

/** The same for the indices of an access, which may be dimensions or symbols. */
export function* indexErrors(indices: readonly Value[], context: VerifyContext): Generator<string> {
  if (!indices.every((value) => isValidDim(value, context) || isValidSymbol(value, context))) {
    yield 'index must be a valid dimension or symbol identifier';
  }
}
