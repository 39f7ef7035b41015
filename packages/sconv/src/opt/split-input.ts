/** `--split-input-file`: the parts of a file between lines that begin with `// -----`. */

/** What stands between two parts, in the input and in the output. */
export const separator = '// -----';

/**
 * The parts of a text. Each begins with as many empty lines as there are lines before it, so that locations in a part are
 * locations in the file.
 */
export function* splitInput(text: string): Generator<string> {
  let lines = 0;
  for (const part of text.split(/^[ \t]*\/\/ -----.*$/m)) {
    yield '\n'.repeat(lines) + part;
    lines += part.split('\n').length - 1;
  }
}
