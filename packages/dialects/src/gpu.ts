/** The gpu dialect, as far as payloads mention it: attributes such as `#gpu.thread<x>`, which loops are mapped to. */
import type { Dialect } from '@sconv/ir';

/** The dialect, for a registry; it has no operations here. */
export const gpuDialect: Dialect = { name: 'gpu', operations: [] };
