/** The language server in a process that the extension starts. */
import { IPCMessageReader, IPCMessageWriter, createMessageConnection } from 'vscode-jsonrpc/node';
import { serve } from './serve.mjs';

const connection = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
// An editor that is gone needs no server.
connection.onClose(() => process.exit(1));
serve(connection, (code) => process.exit(code));
