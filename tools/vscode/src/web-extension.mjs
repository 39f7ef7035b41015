/** The extension in a page: starts the server as a worker. */
/* global Worker */
import { Uri, commands, window } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';

/** @type {LanguageClient | undefined} */
let client;

const tellWhere = () =>
  window.showInformationMessage('Schedules run in a terminal, on the desktop: npx sconv run --schedule FILE');

/** Called by the editor when a file of MLIR is opened. */
export const activate = async (/** @type {import('vscode').ExtensionContext} */ context) => {
  context.subscriptions.push(
    commands.registerCommand('sconv.run', tellWhere),
    commands.registerCommand('sconv.step', tellWhere),
  );
  const worker = new Worker(Uri.joinPath(context.extensionUri, 'dist/web-server.js').toString(true));
  client = new LanguageClient('sconv', 'MLIR', worker, { documentSelector: [{ language: 'mlir' }] });
  await client.start();
};

/** Called by the editor at its end. */
export const deactivate = async () => {
  await client?.stop();
};
