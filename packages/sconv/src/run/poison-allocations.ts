/** Makes reads of elements visible that nothing has written: WebAssembly's memory is zero, which may be right. */
import { fill } from '@sconv/dialects/linalg';
import { constant } from '@sconv/dialects/arith';
import type { Module, Registry, Value } from '@sconv/ir';
import { builder, edit, floatAttribute, isShaped } from '@sconv/ir';

const allocations = new Set(['memref.alloc', 'memref.alloca']);

/** A module on buffers whose allocations of floats are filled with NaN, as the interpreter's are. */
export const poisonAllocations = (module: Module, registry: Registry): Module =>
  edit(module, { registry }, (rewriter) => {
    for (const operation of [...rewriter.walk(rewriter.root)]) {
      const [buffer] = operation.results;
      if (!allocations.has(operation.name) || buffer === undefined || !isShaped(buffer.type)) continue;
      const { elementType } = buffer.type;
      if (elementType.kind !== 'float') continue;
      rewriter.setInsertionPointAfter(operation);
      const b = builder(rewriter);
      const nan: Value = b(constant, { value: floatAttribute(NaN, elementType) });
      b(fill, { inputs: [nan], outputs: [buffer] });
    }
  }).module;
