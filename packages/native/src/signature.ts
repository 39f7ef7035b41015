/** Functions as seen by their callers. */
import type {
  BufferSignature,
  ElementName,
  ElementSize,
  FunctionSignature,
  ScalarSignature,
} from '@sconv/backend';
import { elementNameOf, elementSize } from '@sconv/backend';
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Operation, Registry, Type } from '@sconv/ir';
import { DYNAMIC, elementCount, memrefType } from '@sconv/ir';
import type { WrittenByCall } from './written-values.ts';
import { writtenValues } from './written-values.ts';

/** A buffer of static layout. */
export interface BufferLayout extends BufferSignature {
  readonly strides: readonly number[];
  readonly offset: number;
}

/** A number, and its type in the code. */
export interface NativeScalar extends ScalarSignature {
  readonly element: ElementName;
}

/** A parameter or result. */
export type NativeValue = BufferLayout | NativeScalar;

/** A function, and the layouts of its buffers. */
export interface NativeFunction {
  readonly signature: FunctionSignature;
  readonly parameters: readonly NativeValue[];
  readonly results: readonly NativeValue[];
}

/** The signature of a function with a body; fails with `native/signature` for types that callers cannot pass. */
export const nativeFunction = (
  registry: Registry,
  operation: Operation,
  writtenByCall: WrittenByCall,
): Diagnosed<NativeFunction> => {
  const { sym_name: name, function_type: type } = operation.attributes;
  if (name?.kind !== 'string' || type?.kind !== 'type' || type.type.kind !== 'function') {
    return definite(
      error('native/signature', 'expected a function with a name and a type', operation.location),
    );
  }
  const { inputs, results } = type.type;
  const parameters = inputs.map((each) => described(rowMajorWhereFree(each)));
  const returned = results.map(described);
  if ([...parameters, ...returned].includes(undefined)) {
    const message = `'${name.value}' takes or returns a value that is neither a buffer of static layout nor a number`;
    return definite(error('native/signature', message, operation.location));
  }
  const written = writtenValues(registry, operation, writtenByCall);
  const entry = operation.regions[0]?.blocks[0]?.arguments ?? [];
  const isWritten = (position: number): boolean => written(entry[position]!);
  const known = (each: readonly (NativeValue | undefined)[]) => each.filter((one) => one !== undefined);
  return success({
    signature: {
      name: name.value,
      location: operation.location,
      parameters: known(parameters).map((parameter, position) =>
        parameter.kind === 'buffer'
          ? { ...plain(parameter), written: isWritten(position) }
          : number(parameter),
      ),
      results: known(returned).map((result) => (result.kind === 'buffer' ? plain(result) : number(result))),
    },
    parameters: known(parameters),
    results: known(returned),
  });
};

const number = ({ kind, type }: NativeScalar): ScalarSignature => ({ kind, type });

const plain = ({ kind, element, elementBytes, shape, length }: BufferLayout): BufferSignature => ({
  kind,
  element,
  elementBytes,
  shape,
  length,
});

/** A buffer with arbitrary or default strides gets those of an array. */
const rowMajorWhereFree = (type: Type): Type => {
  if (type.kind !== 'memref') return type;
  const { shape, elementType, memorySpace } = type;
  const plainType = memrefType(shape, elementType, undefined, memorySpace);
  const [layout, rowMajor] = [stridedLayoutOf(type), stridedLayoutOf(plainType)];
  const isFree =
    layout !== undefined &&
    [0, DYNAMIC].includes(layout.offset) &&
    layout.strides.every((stride, i) => stride === DYNAMIC || stride === rowMajor!.strides[i]);
  return isFree ? plainType : type;
};

const described = (type: Type): NativeValue | undefined => {
  if (type.kind === 'memref') return bufferLayout(type);
  const element = elementNameOf(type);
  switch (element) {
    case undefined:
    case 'f16':
    case 'bf16':
      // C has no 16-bit float type that all compilers pass in the same way.
      return undefined;
    case 'f32':
    case 'f64':
      return { kind: 'scalar', type: element, element };
    case 'i64':
    case 'index':
      return { kind: 'scalar', type: 'i64', element };
    default:
      return { kind: 'scalar', type: 'i32', element };
  }
};

/** A value that one function of a module passes to another through C. */
export type CapturedValue =
  | { readonly kind: 'buffer'; readonly rank: number }
  | { readonly kind: 'scalar'; readonly element: ElementName };

/** How C passes a value of a type: a buffer of any strided layout, or a number; undefined for others. */
export const capturedValue = (type: Type): CapturedValue | undefined => {
  if (type.kind === 'memref') {
    return stridedLayoutOf(type) === undefined ? undefined : { kind: 'buffer', rank: type.shape.length };
  }
  const element = elementNameOf(type);
  return element && { kind: 'scalar', element };
};

const bufferLayout = (type: MemRefType): BufferLayout | undefined => {
  const layout = stridedLayoutOf(type);
  const element = elementNameOf(type.elementType);
  if (layout === undefined || element === undefined || type.memorySpace !== undefined) return undefined;
  const { shape } = type;
  const isEmpty = shape.includes(0);
  // Without elements, strides and offset are not used.
  const known = (size: number): number => (isEmpty && size === DYNAMIC ? 0 : size);
  const [offset, strides] = [known(layout.offset), layout.strides.map(known)];
  if ([offset, ...strides, ...shape].includes(DYNAMIC) || strides.some((stride) => stride < 0))
    return undefined;
  const last = shape.reduce((sum, size, i) => sum + (size - 1) * strides[i]!, offset);
  return {
    kind: 'buffer',
    ...nativeElement(element),
    shape,
    length: isEmpty ? 0 : last + 1,
    strides,
    offset,
  };
};

/** The bytes of a buffer of static shape; 0 if native code has no elements of its type. */
export const bytesOf = ({ shape, elementType }: MemRefType): number => {
  const element = elementNameOf(elementType);
  return element === undefined ? 0 : elementCount(shape) * nativeElement(element).elementBytes;
};

/** An element type with its size in native code. */
export const nativeElement = (element: ElementName): ElementSize => elementSize(element, 8);
