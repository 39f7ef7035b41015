/** Folds `vector.extract` through the producers of its vector, as upstream's `ExtractOp::fold`. */
import type { Attribute, FoldedInPlace, Folder, Operation, Type, Value, VectorType } from '@sconv/ir';
import { denseArrayAttribute, DYNAMIC, i64, integerOf, typeEquals } from '@sconv/ir';
import { numbersOf } from './mixed-indices.ts';

type Definitions = Parameters<Folder>[2];
type Fold = ReturnType<Folder>;

/** An extraction at constant positions. */
interface Extraction {
  readonly operation: Operation;
  readonly vector: Value;
  readonly position: readonly number[];
  readonly result: Type;
  readonly definitionOf: Definitions;
}

const rankOf = (type: Type): number => (type.kind === 'vector' ? type.shape.length : 0);
const shapeOf = (type: Type): readonly number[] => (type.kind === 'vector' ? type.shape : []);

/** The integers of an array attribute. */
export const integersOf = (attribute: Attribute | undefined): readonly number[] =>
  attribute?.kind === 'array' ? attribute.elements.map((each) => integerOf(each) ?? 0) : [];

/** The positions of an insertion or extraction; undefined if one is dynamic. */
const constantPosition = ({ attributes }: Operation): readonly number[] | undefined => {
  const position = numbersOf(attributes['static_position']);
  return position.includes(DYNAMIC) ? undefined : position;
};

export const foldExtract: Folder = (operation, _constants, definitionOf) => {
  const [vector] = operation.operands;
  const [result] = operation.results;
  const position = constantPosition(operation);
  if (vector === undefined || result === undefined || position === undefined) return undefined;
  const extraction = { operation, vector, position, result: result.type, definitionOf };
  if (position.length === 0 && typeEquals(vector.type, result.type)) return [vector];
  if (rankOf(vector.type) === 0) return undefined;
  for (const fold of folds) {
    const folded = fold(extraction);
    if (folded !== undefined) return folded;
  }
  return undefined;
};

/** The same extraction from another vector. */
const from = (
  { operation: { attributes } }: Extraction,
  vector: Value,
  position: readonly number[],
): FoldedInPlace => ({
  kind: 'in-place',
  operands: [vector],
  attributes: { ...attributes, static_position: denseArrayAttribute(position, i64) },
});

/** `extract(extract(v)[a])[b]` is `extract(v)[a, b]`. */
const ofExtracts = (extraction: Extraction): Fold => {
  let { vector, position } = extraction;
  for (;;) {
    const source = extraction.definitionOf(vector);
    if (source?.name !== 'vector.extract') break;
    const outer = constantPosition(source);
    if (outer === undefined) return undefined;
    position = [...outer, ...position];
    vector = source.operands[0]!;
  }
  return vector === extraction.vector ? undefined : from(extraction, vector, position);
};

const isPrefix = (a: readonly number[], b: readonly number[]): boolean =>
  a.length <= b.length && a.every((each, i) => each === b[i]);

/**
 * Through insertions and transpositions. Dimensions taken whole are tracked as -1, -2, …: the source must have them
 * in this order.
 */
const ofInsertions = (extraction: Extraction): Fold => {
  const { vector, definitionOf } = extraction;
  let taken = extraction.position.length;
  const whole = Array.from({ length: rankOf(vector.type) - taken }, (_, i) => -(i + 1));
  let position: readonly number[] = [...extraction.position, ...whole];
  const inOrder = (): boolean => isPrefix(position.slice(taken), whole);
  const found = (source: Value): Fold =>
    source.id === vector.id || !inOrder() ? undefined : from(extraction, source, position.slice(0, taken));
  let source = vector;
  for (;;) {
    const definition = definitionOf(source);
    if (definition?.name === 'vector.transpose') {
      const permutation = numbersOf(definition.attributes['permutation']);
      const moved = position.slice();
      permutation.forEach((from, to) => (moved[from] = position[to]!));
      position = moved;
      source = definition.operands[0]!;
      continue;
    }
    if (definition?.name !== 'vector.insert') return found(source);
    const inserted = constantPosition(definition);
    const [part, dest] = definition.operands;
    if (inserted === undefined || part === undefined || dest === undefined) return undefined;
    if (
      inserted.length === taken &&
      isPrefix(inserted, position) &&
      inOrder() &&
      typeEquals(part.type, extraction.result)
    )
      return [part];
    if (isPrefix(inserted, position)) {
      if (part.type.kind !== 'vector') return undefined;
      position = position.slice(inserted.length);
      taken = position.length - whole.length;
      return found(part);
    }
    const meets = inserted.every((each, i) => {
      const other = position[i];
      return other === undefined || other < 0 || other === each;
    });
    if (meets || isPrefix(position, inserted)) return undefined;
    source = dest;
  }
};

/** The source of a broadcast, or a part of it. */
const ofBroadcast = (extraction: Extraction): Fold => {
  const definition = extraction.definitionOf(extraction.vector);
  if (definition?.name !== 'vector.broadcast' && definition?.name !== 'vector.splat') return undefined;
  const source = definition.operands[0]!;
  const { result, position } = extraction;
  if (typeEquals(source.type, result)) return [source];
  const [sourceRank, resultRank] = [rankOf(source.type), rankOf(result)];
  if (resultRank >= sourceRank) return undefined;
  if (String(shapeOf(result)) !== String(shapeOf(source.type).slice(sourceRank - resultRank)))
    return undefined;
  const lead = rankOf(extraction.vector.type) - sourceRank;
  // A broadcast unit dimension is extracted at 0.
  const own = position.slice(lead).map((each, i) => {
    const [from, to] = [shapeOf(source.type)[i], shapeOf(extraction.vector.type)[lead + i]];
    return from === 1 && from !== to ? 0 : each;
  });
  return position.length < lead ? undefined : from(extraction, source, own);
};

/** The position in the source of `vector.shape_cast`, if the dimensions taken whole are unchanged. */
const ofShapeCast = (extraction: Extraction): Fold => {
  const definition = extraction.definitionOf(extraction.vector);
  if (definition?.name !== 'vector.shape_cast') return undefined;
  const source = definition.operands[0]!;
  const [from_, to] = [shapeOf(source.type), shapeOf(extraction.vector.type)];
  const whole = shapeOf(extraction.result);
  if (from_.length === 0 || to.length === 0 || whole.length > from_.length) return undefined;
  if (String(whole) !== String(from_.slice(from_.length - whole.length))) return undefined;
  let at = extraction.position.reduce((sum, each, i) => sum * to[i]! + each, 0);
  const position = from_
    .slice(0, from_.length - whole.length)
    .toReversed()
    .map((size, i, sizes) => {
      const each = i === sizes.length - 1 ? at : at % size;
      at = Math.floor(at / size);
      return each;
    });
  return from(extraction, source, position.toReversed());
};

/** The position in the source of an `extract_strided_slice`. */
const ofBox = (extraction: Extraction): Fold => {
  const definition = extraction.definitionOf(extraction.vector);
  if (definition?.name !== 'vector.extract_strided_slice') return undefined;
  const source = definition.operands[0]!;
  const [from_, to] = [shapeOf(source.type), shapeOf(extraction.vector.type)];
  if (integersOf(definition.attributes['strides']).some((stride) => stride !== 1)) return undefined;
  const offsets = [...integersOf(definition.attributes['offsets'])];
  while (offsets.at(-1) === 0 && from_[offsets.length - 1] === to[offsets.length - 1]) offsets.pop();
  if (rankOf(extraction.result) > from_.length - offsets.length) return undefined;
  return from(
    extraction,
    source,
    extraction.position.map((each, i) => each + (offsets[i] ?? 0)),
  );
};

/** The position in the source of an `insert_strided_slice`, along a chain of these. */
const ofInsertedBoxes = (extraction: Extraction): Fold => {
  const { position, result, definitionOf } = extraction;
  let definition = definitionOf(extraction.vector);
  while (definition?.name === 'vector.insert_strided_slice') {
    const [part, dest] = definition.operands;
    const [box, all] = [shapeOf(part!.type), shapeOf(dest!.type)];
    const lead = all.length - box.length;
    const offsets = integersOf(definition.attributes['offsets']);
    const strides = integersOf(definition.attributes['strides']);
    if (rankOf(result) > box.length || strides.some((stride) => stride !== 1)) return undefined;
    const inside = position.every((each, i) => {
      const distance = each - offsets[i]!;
      return distance >= 0 && distance < (i < lead ? 1 : box[i - lead]!);
    });
    if (inside) {
      const rest = box.length - rankOf(result);
      if (box.slice(rest).some((size, i) => size !== all[lead + rest + i])) return undefined;
      return position.length < lead
        ? undefined
        : from(
            extraction,
            part!,
            position.slice(lead).map((each, i) => each - offsets[lead + i]!),
          );
    }
    definition = definitionOf(dest!);
  }
  return undefined;
};

/** An operand of `vector.from_elements`. */
const ofElements = (extraction: Extraction): Fold => {
  const definition = extraction.definitionOf(extraction.vector);
  const type = extraction.vector.type as VectorType;
  if (definition?.name !== 'vector.from_elements' || extraction.position.length < type.shape.length)
    return undefined;
  const at = extraction.position.reduce((sum, each, i) => sum * type.shape[i]! + each, 0);
  const element = definition.operands[at];
  return element === undefined || !typeEquals(element.type, extraction.result) ? undefined : [element];
};

const folds: readonly ((extraction: Extraction) => Fold)[] = [
  ofExtracts,
  ofInsertions,
  ofBroadcast,
  ofShapeCast,
  ofBox,
  ofInsertedBoxes,
  ofElements,
];
