/** The gpu dialect as far as payloads name it: attributes such as `#gpu.thread<x>`, to which loops are mapped. */
import type { Dialect } from '@sconv/ir';

/** The dialect, for a registry; it has no operations here. */
export const gpuDialect: Dialect = { name: 'gpu', operations: [] };
