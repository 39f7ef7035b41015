/** The language server in a worker of a page. */
/* global self */
import { BrowserMessageReader, BrowserMessageWriter, createMessageConnection } from 'vscode-jsonrpc/browser';
import { serve } from './serve.mjs';

serve(createMessageConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self)), () =>
  self.close(),
);
