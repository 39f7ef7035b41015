/** A scope that frees its stack allocations at its end. */
import { anyType, defineOp, variadic } from '@sconv/ir';
import { yieldsResults } from './interfaces.ts';
import { conditionalEdgeErrors } from './region-edges.ts';

/** `memref.alloca_scope { … }`. */
export const allocaScope = defineOp({
  name: 'memref.alloca_scope',
  interfaces: [yieldsResults],
  summary: 'a body whose stack buffers end with it',
  results: { results: variadic(anyType) },
  regions: ['bodyRegion'],
  bodies: ['bodyRegion'],
  traits: ['automatic-allocation-scope', 'recursive-effects', 'single-block'],
  assembly: {
    parse: (parser) => {
      const resultTypes = parser.optionalArrowTypeList();
      const body = parser.ensureTerminator(parser.region(), 'memref.alloca_scope.return');
      return { resultTypes, regions: [body], attributes: parser.optionalAttrDict() };
    },
    print: (printer, operation) => {
      printer.text(' ');
      if (operation.results.length > 0) {
        printer.text(' -> (');
        printer.types(operation.results.map((result) => result.type));
        printer.text(')');
      }
      printer.text(' ');
      printer.region(operation.regions[0]!, {
        printEntryArguments: false,
        printTerminator: operation.results.length > 0,
      });
      printer.optionalAttrDict(operation);
    },
  },
  verify: ({ operation }) => conditionalEdgeErrors(operation),
});

/** `memref.alloca_scope.return %x : f32`. */
export const allocaScopeReturn = defineOp({
  name: 'memref.alloca_scope.return',
  summary: 'the end of `memref.alloca_scope`',
  operands: { results: variadic(anyType) },
  traits: ['pure', 'terminator', 'return-like'],
  parents: ['memref.alloca_scope'],
  assembly: { format: 'attr-dict ($results^ `:` type($results))?' },
});
