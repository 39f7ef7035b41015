/** Types as native code has them. */
import type { ElementName } from '@sconv/backend';
import { elementNameOf } from '@sconv/backend';
import { stridedLayoutOf } from '@sconv/dialects/memref';
import type { MemRefType, Type } from '@sconv/ir';
import { elementCount } from '@sconv/ir';
import { nativeElement } from './elements.ts';

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

/** The bytes of a buffer of static shape; 0 if native code has no elements of its type. */
export const bytesOf = ({ shape, elementType }: MemRefType): number => {
  const element = elementNameOf(elementType);
  return element === undefined ? 0 : elementCount(shape) * nativeElement(element).elementBytes;
};
