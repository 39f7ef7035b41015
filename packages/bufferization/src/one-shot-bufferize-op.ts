/** `transform.bufferization.one_shot_bufferize` (ST §5.6, Listing 10). */
import { collect, mapSuccess, silenceable, silenceableError } from '@sconv/diagnostics';
import { moduleOp } from '@sconv/dialects/builtin';
import { funcOp } from '@sconv/dialects/func';
import {
  attributeKind,
  boolAttribute,
  i32,
  integerAttribute,
  optionalAttribute,
  stringAttributeKind,
  withDefault,
  withSyntax,
} from '@sconv/ir';
import { consumes, defineTransformOp, produces } from '@sconv/transform';
import { isCopy } from './transforms/buffer-ops.ts';
import { bufferizeOp } from './one-shot-bufferize.ts';
import type { BoundaryLayout, UpstreamOptions } from './options.ts';

/** In the order of upstream's enum. */
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
export const oneShotBufferize = defineTransformOp({
  name: 'transform.bufferization.one_shot_bufferize',
  summary: 'Bufferizes the tensors of modules, or of functions, whose signatures then stay.',
  paper: ['ST §5.6, step 5a', 'ST Listing 10'],
  operands: {
    target: consumes(
      'modules, or functions without bufferize_function_boundaries',
      'builtin.module',
      'func.func',
    ),
  },
  attributes: {
    functionBoundaryTypeConversion: optionalAttribute(layoutAttribute),
    bufferizeFunctionBoundaries: withDefault(boolAttribute, false),
    allowReturnAllocsFromLoops: withDefault(boolAttribute, false),
    checkParallelRegions: withDefault(boolAttribute, true),
    allowUnknownOps: withDefault(boolAttribute, false),
    dumpAliasSets: withDefault(boolAttribute, false),
    printConflicts: withDefault(boolAttribute, false),
    testAnalysisOnly: withDefault(boolAttribute, false),
    memcpyOp: withDefault(stringAttributeKind, 'memref.copy'),
  },
  results: { transformed: produces('the targets') },
  failures: {
    'bufferize/not-a-module': { mode: 'silenceable', when: 'a target is neither a module nor a function' },
    'bufferize/target-function': {
      mode: 'silenceable',
      when: 'a target is a function, and function boundaries are to be bufferized',
    },
    'bufferize/not-bufferized': { mode: 'silenceable', when: 'an operation on tensors has no model' },
    'bufferize/other-yield': {
      mode: 'silenceable',
      when: 'a loop yields a tensor that is not in the buffer of its iter arg',
    },
    'bufferize/other-condition': {
      mode: 'silenceable',
      when: 'scf.condition forwards a tensor that is not in the buffer of its iter arg',
    },
    'bufferize/other-while-yield': {
      mode: 'silenceable',
      when: 'the after region of an scf.while yields a tensor that is not in the buffer of its argument',
    },
    'bufferize/several-yields': {
      mode: 'silenceable',
      when: 'an scf.execute_region has more than one scf.yield',
    },
    'bufferize/several-returns': {
      mode: 'silenceable',
      when: 'a function with tensors does not have exactly one func.return',
    },
    'bufferize/circular-calls': {
      mode: 'silenceable',
      when: 'the calls that pass tensors are recursive',
    },
    'bufferize/declared-result': {
      mode: 'silenceable',
      when: 'a function declaration has a tensor among its results',
    },
    'bufferize/several-blocks': {
      mode: 'silenceable',
      when: 'a region has several blocks, and the model of its operation does not support branches',
    },
    'bufferize/unknown-branch': {
      mode: 'silenceable',
      when: 'a terminator that is not known as a branch leads to a block with tensor arguments',
    },
    'bufferize/unrestricted-to-tensor': {
      mode: 'silenceable',
      when: "bufferization.to_tensor is not marked 'restrict'",
    },
    'bufferize/unavoidable-conflict': {
      mode: 'silenceable',
      when: 'an operand that is always in place causes a read-after-write conflict',
    },
    'bufferize/unavoidable-write': {
      mode: 'silenceable',
      when: 'an operand that is always in place writes a read-only buffer',
    },
    'bufferize/unranked-operand': { mode: 'silenceable', when: 'an operand needs a copy, and is unranked' },
    'bufferize/unranked-copy': {
      mode: 'silenceable',
      when: 'a loop yields an unranked tensor that needs a copy',
    },
    'bufferize/carried-memory-space': {
      mode: 'silenceable',
      when: 'the initial and the yielded buffer of an iter arg are in different memory spaces',
    },
    'bufferize/branch-memory-space': {
      mode: 'silenceable',
      when: 'the regions of a branch yield buffers in different memory spaces',
    },
    'bufferize/select-memory-space': {
      mode: 'silenceable',
      when: 'an arith.select chooses between buffers in different memory spaces',
    },
    'bufferize/block-memory-space': {
      mode: 'silenceable',
      when: 'branches pass a block argument buffers in different memory spaces',
    },
  },
  assembly: {
    format:
      '(`layout` `{` $function_boundary_type_conversion^ `}`)? $target attr-dict `:` ' +
      'functional-type(operands, results)',
  },
  *verify({ attributes: { memcpyOp, printConflicts, dumpAliasSets, testAnalysisOnly } }) {
    if (!isCopy(memcpyOp)) yield 'unsupported memcpy op';
    else if (printConflicts && !testAnalysisOnly) yield "'print_conflicts' requires 'test_analysis_only'";
    else if (dumpAliasSets && !testAnalysisOnly) yield "'dump_alias_sets' requires 'test_analysis_only'";
  },
  apply: ({ rewriter }, { target }, attributes) => {
    const { functionBoundaryTypeConversion: layout, memcpyOp, ...flags } = attributes;
    const options: UpstreamOptions = {
      decisions: 'upstream',
      ...flags,
      ...(layout === undefined ? {} : { functionBoundaryTypeConversion: layout }),
      memcpyOp: memcpyOp === 'linalg.copy' ? memcpyOp : 'memref.copy',
    };
    return mapSuccess(
      collect(target, (operation) => {
        if (!moduleOp.is(operation) && !funcOp.is(operation)) {
          return silenceableError('bufferize/not-a-module', 'expected module or function target', operation);
        }
        if (flags.bufferizeFunctionBoundaries && !moduleOp.is(operation))
          return silenceableError('bufferize/target-function', 'expected module target', operation);
        const result = bufferizeOp(rewriter, operation, options);
        return result.status === 'success' ? result : silenceable(...result.diagnostics);
      }),
      () => ({ transformed: target }),
    );
  },
});
