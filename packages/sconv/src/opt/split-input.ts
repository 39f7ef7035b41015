/** `--split-input-file`: splits a file at lines that begin with `// -----`. */

/** The separator of parts, in input and output. */
export const separator = '// -----';

/**
 * The parts of a text. Each starts with as many empty lines as there are lines before it, so that its locations are
 * those of the file.
 */
export function* splitInput(text: string): Generator<string> {
  let lines = 0;
  for (const part of text.split(/^[ \t]*\/\/ -----.*$/m)) {
    yield '\n'.repeat(lines) + part;
    lines += part.split('\n').length - 1;
  }
}
