/**
 * The text of `--pass-pipeline`: `builtin.module(transform-interpreter{entry-point=main},func.func(canonicalize,cse))`.
 */
import type { Diagnosed } from '@sconv/diagnostics';
import { definite, error, fileLocation, success, unknownName } from '@sconv/diagnostics';
import { parsePassOptions } from '@sconv/ir';
import type { PassRequest } from './arguments.ts';
import { isNestable, passNames } from './passes.ts';

/** The text's name in diagnostics. */
export const pipelineFile = '<pass-pipeline>';

/** The nesting of pipelines; a module has no deeper operations to run on. */
const deepestNesting = 256;

class PipelineError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** The passes of a pipeline on `builtin.module`; those of nested pipelines with their anchor operations. */
export const parsePipeline = (text: string): Diagnosed<readonly PassRequest[]> => {
  try {
    return success(new PipelineReader(text).read());
  } catch (problem) {
    if (!(problem instanceof PipelineError)) throw problem;
    return definite(
      error('sconv-opt/pass-pipeline', problem.message, fileLocation(pipelineFile, 1, problem.offset + 1)),
    );
  }
};

class PipelineReader {
  private readonly text: string;
  private at = 0;
  private readonly requests: PassRequest[] = [];

  constructor(text: string) {
    this.text = text;
  }

  read(): readonly PassRequest[] {
    const name = this.match(/\s*([\w.]+)\s*\(/y);
    const anchor = name?.[1];
    if (anchor === undefined) {
      return this.fail(0, "expected a pipeline such as 'builtin.module(transform-interpreter)'");
    }
    if (anchor !== 'builtin.module' && anchor !== 'any') {
      this.fail(0, `passes run on builtin.module, not on '${anchor}'`);
    }
    this.list([]);
    if (this.match(/\s*$/y) === undefined) this.fail(this.at, 'expected the end of the pipeline');
    return this.requests;
  }

  /** Parses up to and including the closing parenthesis of a pipeline. */
  private list(anchors: readonly string[]): void {
    if (this.match(/\s*\)/y) !== undefined) return;
    do this.element(anchors);
    while (this.match(/\s*,/y) !== undefined);
    if (this.match(/\s*\)/y) === undefined) {
      this.fail(this.at, 'expected a pass and a comma or the end of the pipeline');
    }
  }

  private element(anchors: readonly string[]): void {
    const start = this.at;
    const written = this.match(/\s*([\w.-]+)\s*/y)?.[1];
    if (written === undefined)
      return this.fail(start, 'expected a pass and a comma or the end of the pipeline');
    if (this.match(/\(/y) !== undefined) {
      if (anchors.length === deepestNesting)
        this.fail(start, `pipelines nest deeper than ${deepestNesting} levels`);
      this.list([...anchors, written]);
      return;
    }
    if (!passNames.includes(written)) this.fail(start, unknownName('pass', written, passNames));
    if (anchors.length > 0 && !isNestable(written)) {
      this.fail(start, `'${written}' runs on builtin.module, not on '${anchors.join('(')}'`);
    }
    this.requests.push({ name: written, options: parsePassOptions(this.options()), anchors });
  }

  /** The text in balanced braces; empty without them. */
  private options(): string {
    const open = this.at;
    if (this.match(/\{/y) === undefined) return '';
    for (let depth = 1; depth > 0; this.at += 1) {
      const next = this.text[this.at];
      if (next === undefined) this.fail(open, 'expected a pass and a comma or the end of the pipeline');
      if (next === '{') depth += 1;
      if (next === '}') depth -= 1;
    }
    return this.text.slice(open + 1, this.at - 1);
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }

  private fail(offset: number, message: string): never {
    throw new PipelineError(offset, message);
  }
}
