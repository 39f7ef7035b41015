/** The command `sconv-lsp`: a language server for MLIR and schedules, which an editor starts. */
import type { Readable, Writable } from 'node:stream';
import { serveLanguage } from '@sconv/language';
import type { Console } from './console.ts';
import { badUsage, guarded, processConsole } from './console.ts';
import { languageRegistry } from './language-registry.ts';
import { lastRunFiles } from './last-run-file.ts';
import { version } from './version.ts';

const helpText = [
  'Usage: sconv-lsp --stdio',
  '',
  'A language server for MLIR and Transform-dialect schedules: an editor starts it and talks to it on the standard',
  'input and output. docs/editor.md says how to set editors up.',
  '',
  'Options:',
  '  --stdio    talk on the standard input and output',
  '  --help     show this',
  '  --version  show the version',
  '',
].join('\n');

/** How long to wait for further changes before a text is checked, in milliseconds. */
const pause = 30;

/** Serves until the editor says that it ends, or goes away; the exit code. */
export const main = (words: readonly string[], output: Console = processConsole): Promise<number> =>
  guarded(output, async () => {
    if (words.includes('--help') || words.includes('-h')) {
      output.out(helpText);
      return 0;
    }
    if (words.includes('--version')) {
      output.out(`sconv-lsp ${version()}\n`);
      return 0;
    }
    // Clients of some editors add `--clientProcessId=N`.
    const unknown = words.find((word) => word !== '--stdio' && !word.startsWith('--clientProcessId='));
    if (unknown !== undefined || !words.includes('--stdio')) {
      const problem = unknown === undefined ? 'give --stdio' : `unknown option ${unknown}`;
      output.err(`sconv-lsp: ${problem}; see sconv-lsp --help\n`);
      return badUsage;
    }
    return await serve(process.stdin, process.stdout);
  });

/** Answers on these streams until the editor ends the server, or is gone; the exit code. */
export const serve = async (input: Readable, output: Writable): Promise<number> => {
  // Loaded here: `--help` does without it.
  const { createMessageConnection } = await import('vscode-jsonrpc/node');
  const connection = createMessageConnection(input, output);
  const code = await new Promise<number>((onExit) => {
    serveLanguage(connection, {
      registry: languageRegistry,
      lastRun: lastRunFiles(),
      info: { name: 'sconv-lsp', version: version() },
      schedule: (work) => {
        setTimeout(work, pause);
      },
      onExit,
    });
    connection.onClose(() => {
      onExit(1);
    });
    connection.listen();
  });
  connection.dispose();
  return code;
};
