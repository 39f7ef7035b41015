/** The text of `--pass-pipeline`: `builtin.module(transform-interpreter{entry-point=main},one-shot-bufferize)`. */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success, unknownName } from '@sconv/diagnostics';
import type { PassRequest } from './arguments.ts';
import { parsePassOptions } from './arguments.ts';
import { passNames } from './passes.ts';

/** As diagnostics call the text. */
export const pipelineFile = '<pass-pipeline>';

/** The passes of a pipeline on `builtin.module`. */
export const parsePipeline = (text: string): Diagnosed<readonly PassRequest[]> => {
  const fail = (at: number, message: string) =>
    definite(error('sconv-opt/pass-pipeline', message, fileLocation(pipelineFile, 1, at + 1)));
  const [whole, anchor = '', body = ''] = /^\s*([\w.]+)\((.*)\)\s*$/s.exec(text) ?? [];
  if (whole === undefined)
    return fail(0, "expected a pipeline such as 'builtin.module(transform-interpreter)'");
  if (anchor !== 'builtin.module' && anchor !== 'any') {
    return fail(0, `passes run on builtin.module, not on '${anchor}'`);
  }
  const requests: PassRequest[] = [];
  const start = text.indexOf('(') + 1;
  const pattern = /\s*([\w.-]+)\s*(?:\{([^{}]*)\})?\s*(,|$)/y;
  while (pattern.lastIndex < body.length) {
    const at = pattern.lastIndex;
    const [, written, options = ''] = pattern.exec(body) ?? [];
    if (written === undefined)
      return fail(start + at, 'expected a pass and a comma or the end of the pipeline');
    const name = passNames.find((known) => known === written);
    if (name === undefined) {
      return fail(start + at, unknownName('pass', written, passNames));
    }
    requests.push({ name, options: parsePassOptions(options) });
  }
  return success(requests);
};
