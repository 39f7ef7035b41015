import type { Type } from '@sconv/ir';
export const typeText = (type: Type): string => JSON.stringify(type);
