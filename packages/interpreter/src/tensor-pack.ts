/** `tensor.pack` and `tensor.unpack`. */
import type { Operation } from '@sconv/ir';
import { pack, unpack } from '@sconv/dialects/tensor';
import { mixedIndices } from '@sconv/dialects';
import type { Context, Frame, Handler, Handlers } from './context.ts';
import { load } from './context.ts';
import type { ElementArray } from './element.ts';
import { fillElements, setElement } from './element.ts';
import { mixedValues } from './slice.ts';
import { rowMajorStrides } from './strided.ts';
import { printShape, trap } from './trap.ts';
import type { TensorValue } from './value.ts';
import { currentElements, versioned } from './versioned-elements.ts';

/**
 * Per unpacked dimension, the contribution of each index to the row-major packed position; the position is their sum.
 */
type Places = readonly (readonly number[])[];

/** Computes the places for the shapes of both sides; traps if they do not fit. */
const placing = (
  operation: Operation,
  context: Context,
  definition: typeof pack | typeof unpack,
): ((
  frame: Frame,
  unpacked: readonly number[],
  packed: readonly number[],
) => { readonly places: Places; readonly isPartial: boolean }) => {
  const { innerTiles } = definition.operands(operation);
  const { innerDimsPos, outerDimsPerm, staticInnerTiles } = definition.attributes(operation);
  const tilesIn = mixedValues(operation, context, mixedIndices(innerTiles, staticInnerTiles));
  return (frame, unpacked, packed) => {
    const tiles = tilesIn(frame);
    const strides = rowMajorStrides(packed);
    const rank = unpacked.length;
    let isPartial = false;
    const places = unpacked.map((size, dimension) => {
      const outer = outerDimsPerm.length === 0 ? dimension : outerDimsPerm.indexOf(dimension);
      const inner = innerDimsPos.indexOf(dimension);
      const tile = tiles[inner] ?? 1;
      const capacity = packed[outer]! * tile;
      if (tile < 1 || capacity < size || (inner >= 0 && packed[rank + inner] !== tile)) {
        trap(
          operation,
          'interpreter/shape-mismatch',
          `tiles ${printShape(unpacked)} by [${tiles.join(', ')}] to ${printShape(packed)}`,
        );
      }
      isPartial ||= capacity > size;
      return Array.from(
        { length: size },
        (_, i) => Math.floor(i / tile) * strides[outer]! + (i % tile) * (strides[rank + inner] ?? 0),
      );
    });
    return { places, isPartial };
  };
};

/** Visits the unpacked elements in row-major order, with their packed positions. */
const forEachPlace = (places: Places, visit: (unpacked: number, packed: number) => void): void => {
  let next = 0;
  const walk = (dimension: number, base: number): void => {
    const here = places[dimension];
    if (here === undefined) visit(next++, base);
    else for (const place of here) walk(dimension + 1, base + place);
  };
  walk(0, 0);
};

const tensorOf = ({ shape, elementType }: TensorValue, data: ElementArray): TensorValue => ({
  kind: 'tensor',
  shape,
  elementType,
  elements: versioned(data),
});

const packHandler: Handler = (operation, context) => {
  const { source, dest, paddingValue } = pack.operands(operation);
  const [from, into] = [context.tensor(operation, source), context.tensor(operation, dest)];
  const placesFor = placing(operation, context, pack);
  const padding = paddingValue && context.slot(paddingValue);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const [unpacked, packed] = [from(frame), into(frame)];
    const { places, isPartial } = placesFor(frame, unpacked.shape, packed.shape);
    const data = context.machine.allocate(operation, packed.shape, packed.elementType);
    if (padding !== undefined) {
      fillElements(data, load(frame, padding, packed.elementType) as number | bigint);
    } else if (isPartial) {
      trap(operation, 'interpreter/shape-mismatch', 'has tiles that are not full and no padding');
    }
    const elements = currentElements(unpacked.elements);
    forEachPlace(places, (i, place) => setElement(data, place, elements[i]!));
    frame.objects[slot] = tensorOf(packed, data);
  };
};

const unpackHandler: Handler = (operation, context) => {
  const { source, dest } = unpack.operands(operation);
  const [from, into] = [context.tensor(operation, source), context.tensor(operation, dest)];
  const placesFor = placing(operation, context, unpack);
  const slot = context.slot(context.result(operation));
  return (frame) => {
    const [packed, unpacked] = [from(frame), into(frame)];
    const { places } = placesFor(frame, unpacked.shape, packed.shape);
    const data = context.machine.allocate(operation, unpacked.shape, unpacked.elementType);
    const elements = currentElements(packed.elements);
    forEachPlace(places, (i, place) => setElement(data, i, elements[place]!));
    frame.objects[slot] = tensorOf(unpacked, data);
  };
};

/** The packing operations of `tensor`. */
export const packHandlers: Handlers = {
  'tensor.pack': packHandler,
  'tensor.unpack': unpackHandler,
};
