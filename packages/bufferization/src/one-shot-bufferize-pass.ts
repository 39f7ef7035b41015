/** The pass `one-shot-bufferize`. */
import { definite, error, unknownLocation } from '@sconv/diagnostics';
import { choiceOption, countOption, definePass, flagOption, listOption } from '@sconv/ir';
import { bufferizeModule } from './one-shot-bufferize.ts';
import { analysisHeuristics, boundaryLayouts } from './options.ts';

const invalid = (message: string) =>
  definite(error('bufferize/option', `Invalid option: ${message}`, unknownLocation));

/** One-Shot Bufferize as a pass, with upstream's options and presets. */
export const oneShotBufferizePass = definePass({
  name: 'one-shot-bufferize',
  title: 'OneShotBufferize',
  summary: 'replace tensors by buffers',
  options: {
    allowReturnAllocsFromLoops: flagOption('let loops yield new buffers'),
    allowUnknownOps: flagOption('leave operations without a bufferization model on tensors'),
    analysisFuzzerSeed: countOption('the seed of the heuristic `fuzzer`', 0),
    analysisHeuristic: choiceOption('the order in which operands are decided', analysisHeuristics),
    bufferAlignment: countOption('the alignment of allocations, in bytes (default: 64)', 64),
    bufferizeFunctionBoundaries: flagOption('bufferize the arguments and results of functions too'),
    checkParallelRegions: flagOption(
      'treat a write to a buffer from outside of a parallel region as a conflict (default: true)',
      true,
    ),
    copyBeforeWrite: flagOption('copy before every write, without an analysis'),
    dialectFilter: listOption('bufferize only operations of these dialects'),
    dumpAliasSets: flagOption('annotate each tensor with its may-alias set'),
    functionBoundaryTypeConversion: choiceOption('the layout of arguments and results', boundaryLayouts),
    mustInferMemorySpace: flagOption('fail where the memory space of a buffer cannot be inferred'),
    noAnalysisFuncFilter: listOption('functions to leave out of the analysis: they copy before every write'),
    printConflicts: flagOption('annotate conflicts'),
    testAnalysisOnly: flagOption('only annotate the decisions of the analysis'),
    unknownTypeConversion: choiceOption('the layout of buffers whose layout cannot be inferred', [
      'fully-dynamic-layout-map',
      'identity-layout-map',
      'infer-layout-map',
    ]),
  },
  run: (module, { unknownTypeConversion, ...options }, { registry }) => {
    if (unknownTypeConversion === 'infer-layout-map')
      return invalid("'infer-layout-map' is not a valid value for 'unknown-type-conversion'");
    if (options.copyBeforeWrite && options.testAnalysisOnly)
      return invalid("'copy-before-write' cannot be used with 'test-analysis-only'");
    if (options.printConflicts && !options.testAnalysisOnly)
      return invalid("'print-conflicts' requires 'test-analysis-only'");
    if (options.dumpAliasSets && !options.testAnalysisOnly)
      return invalid("'dump-alias-sets' requires 'test-analysis-only'");
    if (options.noAnalysisFuncFilter.length > 0 && !options.bufferizeFunctionBoundaries)
      return invalid("'no-analysis-func-filter' requires 'bufferize-function-boundaries'");
    return bufferizeModule(module, { decisions: 'upstream', registry, unknownTypeConversion, ...options });
  },
});
