/** Element types as native code has them. */
import type { ElementName, ElementSize } from '@sconv/backend';
import { elementSize } from '@sconv/backend/runtime';

/** An element type with its size in native code. */
export const nativeElement = (element: ElementName): ElementSize => elementSize(element, 8);
