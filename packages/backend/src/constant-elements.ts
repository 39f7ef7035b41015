/** The bytes of constants as the arrays that calls take. */
import type { ConstantArgument } from './constant-arguments.ts';
import type { Elements, ElementSize } from './elements.ts';
import { arrayTypeOf } from './elements.ts';
import type { FunctionSignature } from './signature.ts';

/** A constant as the array that calls take. */
export interface PlacedConstant extends Pick<ConstantArgument, 'function' | 'parameter'> {
  readonly elements: Elements;
}

/** Constants by position; made when they are bound, as a copy of bytes that no array begins at lives no longer. */
export type OwnConstants = Readonly<Record<number, () => Elements>>;

/** By function: its constants. Views of the bytes, where an array can begin there. */
export const ownConstants = (
  functions: readonly FunctionSignature[],
  constants: readonly (ConstantArgument | PlacedConstant)[],
): ReadonlyMap<string, OwnConstants> => {
  const all = new Map<string, Record<number, () => Elements>>();
  for (const constant of constants) {
    const { function: name, parameter } = constant;
    const type = functions.find((each) => each.name === name)?.parameters[parameter];
    if (type?.kind !== 'buffer') throw new Error(`'${name}' takes no constant as argument ${parameter}`);
    const own = all.get(name) ?? {};
    own[parameter] = () => ('elements' in constant ? constant.elements : elementsOf(constant.bytes, type));
    all.set(name, own);
  }
  return all;
};

/** The signature that callers see. */
export const withoutOwn = (signature: FunctionSignature, own: OwnConstants | undefined): FunctionSignature =>
  own === undefined
    ? signature
    : { ...signature, parameters: signature.parameters.filter((_, position) => !(position in own)) };

const elementsOf = (bytes: Uint8Array, size: ElementSize): Elements => {
  if (size.element === 'index' && size.elementBytes === 4)
    return Int32Array.from(viewOf(bytes, { ...size, elementBytes: 8 }) as BigInt64Array, Number);
  return viewOf(bytes, size);
};

/** A view of the bytes, or of a copy where an array cannot begin there. */
const viewOf = (bytes: Uint8Array, size: ElementSize): Elements => {
  const width = size.elementBytes;
  const { buffer, byteOffset, length } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new (arrayTypeOf(size))(buffer, byteOffset, length / width);
};
