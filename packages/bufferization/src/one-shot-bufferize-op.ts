/** `transform.bufferization.one_shot_bufferize` (ST §5.6, Listing 10). */
import { collect, mapSuccess } from '@sconv/diagnostics';
import {
  attributeKind,
  boolAttribute,
  i32,
  integerAttribute,
  optionalAttribute,
  stringAttributeKind,
  withDefault,
  withImplicitDefault,
  withSyntax,
} from '@sconv/ir';
import { consumes, defineTransformOp, notImplemented, produces } from '@sconv/transform';
import { isCopy } from './transforms/buffer-ops.ts';
import { bufferize } from './one-shot-bufferize.ts';
import type { BoundaryLayout, BufferizeOptions } from './options.ts';

/** In the order of upstream's enumeration. */
const layouts = [
  ['InferLayoutMap', 'infer-layout-map'],
  ['IdentityLayoutMap', 'identity-layout-map'],
  ['FullyDynamicLayoutMap', 'fully-dynamic-layout-map'],
] as const;

/** `layout{IdentityLayoutMap}`. */
const layoutAttribute = withSyntax(
  attributeKind<BoundaryLayout>(
    'option for map layout',
    (attribute) => (attribute.kind === 'integer' ? layouts[Number(attribute.value)]?.[1] : undefined),
    (layout) =>
      integerAttribute(
        layouts.findIndex(([, name]) => name === layout),
        i32,
      ),
  ),
  {
    parse: (parser) => {
      const found = layouts.findIndex(([word]) => parser.accept(word));
      return found < 0 ? undefined : integerAttribute(found, i32);
    },
    print: (printer, attribute) => {
      printer.text(attribute.kind === 'integer' ? (layouts[Number(attribute.value)]?.[0] ?? '') : '');
    },
  },
);

/** `transform.bufferization.one_shot_bufferize`. */
export const oneShotBufferizeOp = defineTransformOp({
  name: 'transform.bufferization.one_shot_bufferize',
  summary: 'Turns the tensors of modules, or of functions whose types stay, into buffers.',
  paper: ['ST §5.6, step 5a', 'ST Listing 10'],
  operands: {
    target: consumes(
      'modules, or functions without bufferize_function_boundaries',
      'builtin.module',
      'func.func',
    ),
  },
  attributes: {
    /**
     * @deviation Without it upstream takes fully dynamic layouts; `transform.lower.to_blas` then does not know the
     * strides of its operands, so that Listing 10 would not work as it is printed.
     */
    functionBoundaryTypeConversion: optionalAttribute(layoutAttribute),
    bufferizeFunctionBoundaries: withDefault(boolAttribute, false),
    // Loops carry no buffers, and tensors in parallel regions are refused: both settings of these are met.
    allowReturnAllocsFromLoops: withDefault(boolAttribute, false),
    checkParallelRegions: withDefault(boolAttribute, true),
    allowUnknownOps: withDefault(boolAttribute, false),
    dumpAliasSets: withDefault(boolAttribute, false),
    printConflicts: withDefault(boolAttribute, false),
    testAnalysisOnly: withDefault(boolAttribute, false),
    memcpyOp: withDefault(stringAttributeKind, 'memref.copy'),
    dropEquivalentBufferResults: withImplicitDefault(boolAttribute, false),
    hoistAllocations: withImplicitDefault(boolAttribute, false),
  },
  results: { transformed: produces('the targets') },
  failures: {
    'bufferize/not-a-module': { mode: 'definite', when: 'a target is neither a module nor a function' },
    'bufferize/unsupported-op': { mode: 'definite', when: 'an operation on tensors cannot be bufferized' },
    'bufferize/unstructured-control-flow': {
      mode: 'definite',
      when: 'tensors are used in a region of several blocks',
    },
    'bufferize/recursive-call': {
      mode: 'definite',
      when: 'functions hand tensors to each other in a circle',
    },
    'bufferize/loop-carried-size': {
      mode: 'definite',
      when: 'a loop carries a tensor of dynamic size that is not updated in place',
    },
  },
  assembly: {
    format:
      '(`layout` `{` $function_boundary_type_conversion^ `}`)? $target attr-dict `:` functional-type(operands, results)',
  },
  *verify({ attributes: { memcpyOp, printConflicts, dumpAliasSets, testAnalysisOnly } }) {
    if (!isCopy(memcpyOp)) yield 'unsupported memcpy op';
    else if (printConflicts && !testAnalysisOnly) yield "'print_conflicts' requires 'test_analysis_only'";
    else if (dumpAliasSets && !testAnalysisOnly) yield "'dump_alias_sets' requires 'test_analysis_only'";
  },
  apply: ({ rewriter, location }, { target }, attributes) => {
    if (attributes.testAnalysisOnly) return notImplemented('an analysis alone', location);
    if (attributes.allowUnknownOps) return notImplemented("'allow_unknown_ops'", location);
    if (attributes.memcpyOp !== 'memref.copy') return notImplemented('another op that copies', location);
    const options: BufferizeOptions = {
      bufferizeFunctionBoundaries: attributes.bufferizeFunctionBoundaries,
      dropEquivalentBufferResults: attributes.dropEquivalentBufferResults,
      hoistAllocations: attributes.hoistAllocations,
      ...(attributes.functionBoundaryTypeConversion === undefined
        ? {}
        : { functionBoundaryTypeConversion: attributes.functionBoundaryTypeConversion }),
    };
    return mapSuccess(
      collect(target, (operation) => bufferize(rewriter, operation, options)),
      () => ({ transformed: target }),
    );
  },
});
