/** Constants from `TensorProto`: views of the file wherever its bytes are the elements. */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { TensorProto } from './generated/onnx_pb.ts';
import type { Constant } from './constant.ts';
import { allocate, countOf } from './constant.ts';
import type { ElementType } from './element-type.ts';
import { elementTypeOfCode } from './element-type.ts';
import type { ExternalData } from './external-data.ts';
import { bytesElsewhere, isElsewhere } from './external-tensors.ts';
import { invalid, printSizes, unsupported } from './problem.ts';

/** The field that holds elements which are not in `raw_data`. */
const fields: Readonly<Record<string, { readonly number: number; readonly isVarint: boolean }>> = {
  float: { number: 4, isVarint: false },
  double: { number: 10, isVarint: false },
  int64: { number: 7, isVarint: true },
  uint32: { number: 11, isVarint: true },
  uint64: { number: 11, isVarint: true },
};
const int32Data = { number: 5, isVarint: true };

/** Sizes as numbers. */
export const sizesOf = (what: string, dims: readonly bigint[]): readonly number[] => {
  const sizes = dims.map(Number);
  if (sizes.some((size) => size < 0) || !Number.isSafeInteger(countOf(sizes)))
    invalid(`${what} has sizes ${printSizes(sizes)}`);
  return sizes;
};

/** The element type of a number, or a problem that names it. */
export const knownElementType = (what: string, code: number): ElementType =>
  elementTypeOfCode(code) ?? unsupported(`${what} has elements of type ${code} of TensorProto.DataType`);

/** The constant of a tensor of the model, or of a file beside it. */
export const constantOfTensor = (what: string, tensor: TensorProto, files: ExternalData): Constant => {
  const type = knownElementType(what, tensor.dataType);
  const shape = sizesOf(what, tensor.dims);
  const count = countOf(shape);
  if (isElsewhere(tensor)) {
    const elements = bytesElsewhere(what, tensor, count * type.size, files);
    return { type, shape, bytes: elements, isSplat: count === 1 };
  }
  const bytes = tensor.rawData.length > 0 ? tensor.rawData : bytesOfFields(what, tensor, type, count);
  if (bytes.length !== count * type.size)
    invalid(
      `${what}, ${printSizes(shape)} of ${type.name}, has ${bytes.length} bytes, not ${count * type.size}`,
    );
  return { type, shape, bytes, isSplat: count === 1 };
};

/** The elements in a field of their own, packed or not. */
const bytesOfFields = (what: string, tensor: TensorProto, type: ElementType, count: number): Uint8Array => {
  const { number, isVarint } = fields[type.name] ?? int32Data;
  const parts = (tensor.$unknown ?? []).filter(({ no }) => no === number);
  const [first] = parts;
  if (!isVarint && parts.length === 1 && first?.wireType === WireType.LengthDelimited)
    return new BinaryReader(first.data).bytes();
  const available = parts.reduce((sum, { data }) => sum + data.length, 0);
  // Every element has at least one byte in the file: what is claimed beyond is not allocated.
  if (count > available) invalid(`${what} claims ${count} elements, but has at most ${available}`);
  const elements = allocate(type, count);
  let at = 0;
  for (const { data, wireType } of parts) {
    const reader = new BinaryReader(data);
    const end = wireType === WireType.LengthDelimited ? reader.uint32() + reader.pos : reader.len;
    while (reader.pos < end) {
      if (at === count) invalid(`${what} has more than ${count} elements`);
      elements[at++] = isVarint ? varint(reader, type) : type.size === 8 ? reader.double() : reader.float();
    }
  }
  if (at < count) invalid(`${what} has ${at} elements, not ${count}`);
  return new Uint8Array(elements.buffer);
};

const varint = (reader: BinaryReader, { name, size }: ElementType): number | bigint => {
  const value = name.startsWith('uint') ? BigInt(reader.uint64()) : BigInt(reader.int64());
  return size === 8 ? value : Number(value);
};
