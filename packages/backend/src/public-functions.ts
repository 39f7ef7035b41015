/** The functions of a module as their callers see them: signatures, and where elements lie in buffers. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, success } from '@sconv/diagnostics';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Module, Operation, Registry, Type } from '@sconv/ir';
import { children, DYNAMIC, isPrivate, memrefType } from '@sconv/ir';
import type { ElementName } from './elements.ts';
import { elementNameOf, elementSize } from './elements.ts';
import type { BufferSignature, FunctionSignature, ScalarSignature } from './signature.ts';
import { writtenByCalls, writtenValues } from './written-values.ts';

/** A buffer of static layout; strides and offset are numbers of elements. */
export interface BufferLayout extends BufferSignature {
  readonly strides: readonly number[];
  readonly offset: number;
}

/** A number, and its type in the code. */
export interface ScalarLayout extends ScalarSignature {
  readonly element: ElementName;
}

/** A parameter or result. */
export type ValueLayout = BufferLayout | ScalarLayout;

/** A function that others may call. */
export interface PublicFunction {
  readonly signature: FunctionSignature;
  readonly parameters: readonly ValueLayout[];
  readonly results: readonly ValueLayout[];
}

/** Whether others may call an operation: a function that has a body and is not private. */
export const isPublicFunction = (operation: Operation): boolean =>
  operation.name === 'func.func' && (operation.regions[0]?.blocks.length ?? 0) > 0 && !isPrivate(operation);

/**
 * The functions of a bufferized module that others may call, in order; an index has so many bytes. What a parameter may
 * be written by follows from declared effects, through views, regions and calls. A parameter whose type leaves strides
 * or offset open has those of an array.
 *
 * Fails with `backend/signature` for a function that takes or returns what callers cannot pass: numbers of 16 bits,
 * buffers in other memory spaces, and those whose shape or layout is not known.
 */
export const publicFunctions = (
  module: Module,
  { registry, indexBytes }: { readonly registry: Registry; readonly indexBytes: 4 | 8 },
): Diagnosed<readonly PublicFunction[]> => {
  const all = children(module.root);
  const writtenByCall = writtenByCalls(registry, all);
  const functions: PublicFunction[] = [];
  for (const operation of all.filter(isPublicFunction)) {
    const { sym_name: name, function_type: type } = operation.attributes;
    if (name?.kind !== 'string' || type?.kind !== 'type' || type.type.kind !== 'function') {
      return refused(operation, 'expected a function with a name and a type');
    }
    const layouts = (types: readonly Type[]) => allKnown(types.map((each) => layoutOf(each, indexBytes)));
    const parameters = layouts(type.type.inputs.map(rowMajorWhereFree));
    const results = layouts(type.type.results);
    if (parameters === undefined || results === undefined) {
      const which = `'${name.value}' takes or returns a value`;
      return refused(operation, `${which} that is neither a buffer of static layout nor a number`);
    }
    const written = writtenValues(registry, operation, writtenByCall);
    const entry = operation.regions[0]?.blocks[0]?.arguments ?? [];
    const signature: FunctionSignature = {
      name: name.value,
      location: operation.location,
      parameters: parameters.map((each, i) =>
        each.kind === 'buffer' ? { ...plain(each), written: written(entry[i]!) } : number(each),
      ),
      results: results.map((each) => (each.kind === 'buffer' ? plain(each) : number(each))),
    };
    functions.push({ signature, parameters, results });
  }
  return success(functions);
};

const refused = ({ location }: Operation, why: string): Diagnosed<never> =>
  definite(error('backend/signature', why, location));

const allKnown = (layouts: readonly (ValueLayout | undefined)[]): readonly ValueLayout[] | undefined =>
  layouts.every((each) => each !== undefined) ? layouts : undefined;

const number = ({ kind, type }: ScalarLayout): ScalarSignature => ({ kind, type });

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

const layoutOf = (type: Type, indexBytes: 4 | 8): ValueLayout | undefined => {
  if (type.kind === 'memref') return bufferLayout(type, indexBytes);
  const element = elementNameOf(type);
  switch (element) {
    case undefined:
    case 'f16':
    case 'bf16':
      // A caller's number need not be one of the type, and C has none that all compilers pass in the same way.
      return undefined;
    case 'f32':
    case 'f64':
    case 'i64':
      return { kind: 'scalar', type: element, element };
    case 'index':
      return { kind: 'scalar', type: indexBytes === 8 ? 'i64' : 'i32', element };
    default:
      return { kind: 'scalar', type: 'i32', element };
  }
};

const bufferLayout = (type: MemRefType, indexBytes: 4 | 8): BufferLayout | undefined => {
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
    ...elementSize(element, indexBytes),
    shape,
    length: isEmpty ? 0 : last + 1,
    strides,
    offset,
  };
};
