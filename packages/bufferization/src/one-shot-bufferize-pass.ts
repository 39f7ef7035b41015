/** The pass `one-shot-bufferize`. */
import { definite, error, unknownLocation } from '@sconv/diagnostics';
import { choiceOption, countOption, definePass, flagOption, listOption } from '@sconv/ir';
import { oneShotBufferize } from './one-shot-bufferize.ts';
import { analysisHeuristics, boundaryLayouts } from './options.ts';

const invalid = (message: string) =>
  definite(error('bufferize/option', `Invalid option: ${message}`, unknownLocation));

/** One-Shot Bufferize as a pass, with upstream's options and presets. */
export const oneShotBufferizePass = definePass({
  name: 'one-shot-bufferize',
  title: 'OneShotBufferize',
  summary: 'replace tensors by buffers',
  options: {
    allowReturnAllocsFromLoops: flagOption('let loops hand on new buffers'),
    allowUnknownOps: flagOption('leave operations that are not known as they are'),
    analysisFuzzerSeed: countOption('the seed of the heuristic `fuzzer`', 0),
    analysisHeuristic: choiceOption('the order of decisions', analysisHeuristics),
    bufferAlignment: countOption('bytes to which allocations are aligned (default: 64)', 64),
    bufferizeFunctionBoundaries: flagOption('arguments and results of functions too'),
    checkParallelRegions: flagOption(
      'keep parallel regions from writing to one buffer (default: true)',
      true,
    ),
    copyBeforeWrite: flagOption('copy what is written instead of an analysis'),
    dialectFilter: listOption('only operations of these dialects'),
    dumpAliasSets: flagOption('values that may share memory as attributes'),
    functionBoundaryTypeConversion: choiceOption('the layout of arguments and results', boundaryLayouts),
    mustInferMemorySpace: flagOption('fail where no memory space is known'),
    noAnalysisFuncFilter: listOption('functions that are not analysed'),
    printConflicts: flagOption('conflicts as attributes'),
    testAnalysisOnly: flagOption('the decisions as attributes, and nothing else'),
    unknownTypeConversion: choiceOption('the layout of tensors of which nothing is known', [
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
    return oneShotBufferize(module, { decisions: 'upstream', registry, unknownTypeConversion, ...options });
  },
});
