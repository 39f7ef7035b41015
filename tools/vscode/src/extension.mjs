/** The extension on the desktop: starts the server as a process. */
import { Uri, commands, window } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

/** @type {LanguageClient | undefined} */
let client;

/** A word for a shell. */
const quoted = (/** @type {string} */ word) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Types a command into a terminal; the user names the payload and runs it. */
const typed = (/** @type {string} */ command) => (/** @type {string} */ uri) => {
  const terminal = window.createTerminal('sconv');
  terminal.show();
  terminal.sendText(`npx sconv ${command} --schedule ${quoted(Uri.parse(uri).fsPath)} PAYLOAD.mlir`, false);
};

/** Called by the editor when a file of MLIR is opened. */
export const activate = async (/** @type {import('vscode').ExtensionContext} */ context) => {
  context.subscriptions.push(
    commands.registerCommand('sconv.run', typed('run')),
    commands.registerCommand('sconv.step', typed('explain')),
  );
  const module = context.asAbsolutePath('dist/server.cjs');
  const documentSelector = [{ language: 'mlir' }];
  client = new LanguageClient(
    'sconv',
    'MLIR',
    { module, transport: TransportKind.ipc },
    { documentSelector },
  );
  await client.start();
};

/** Called by the editor at its end. */
export const deactivate = async () => {
  await client?.stop();
};
