/** The pass `one-shot-bufferize`. */
import { choiceOption, countOption, definePass, flagOption } from '@sconv/ir';
import { oneShotBufferize } from './one-shot-bufferize.ts';

/** `oneShotBufferize` as a pass; in code and in text its options have upstream's presets. */
export const oneShotBufferizePass = definePass({
  name: 'one-shot-bufferize',
  title: 'OneShotBufferize',
  summary: 'replace tensors by buffers',
  options: {
    bufferizeFunctionBoundaries: flagOption('arguments and results of functions too'),
    functionBoundaryTypeConversion: choiceOption('the layout of those', [
      'infer-layout-map',
      'identity-layout-map',
      'fully-dynamic-layout-map',
    ]),
    dropEquivalentBufferResults: flagOption('leave out results that are arguments'),
    hoistAllocations: flagOption('allocate buffers before loops'),
    bufferAlignment: countOption('bytes to which allocations are aligned (default: 64)', 64),
  },
  run: (module, options, { registry }) => oneShotBufferize(module, { registry, ...options }),
});
