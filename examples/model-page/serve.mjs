/**
 * Serves the built page on this machine: `node serve.mjs [FOLDER] [--port 8080] [--not-isolated]`. Any server of files does that sends
 * the same headers.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** With these, a page may share memory with its workers: it is cross-origin isolated. */
const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** Nothing from elsewhere, for the page and its workers. */
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'";

/** @type {Readonly<Record<string, string>>} */
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/** Answers requests for the files of a folder. */
export const servePage =
  (/** @type {string} */ folder, { isolated = true } = {}) =>
  (
    /** @type {import('node:http').IncomingMessage} */ request,
    /** @type {import('node:http').ServerResponse} */ response,
  ) => {
    const [path] = (request.url ?? '/').split('?');
    const name = path === '/' ? '/index.html' : path;
    // The page has no folders.
    const type = /^\/[\w-]+\.\w+$/.test(name) ? types[extname(name)] : undefined;
    try {
      if (type === undefined) throw new Error('no file of the page');
      const text = readFileSync(join(folder, name));
      response.writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': policy,
        ...(isolated ? isolation : {}),
      });
      response.end(text);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('not found\n');
    }
  };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '8080' },
      'not-isolated': { type: 'boolean', default: false },
    },
  });
  const folder = positionals[0] ?? join(import.meta.dirname, 'dist');
  const server = createServer(servePage(folder, { isolated: !values['not-isolated'] }));
  server.listen(Number(values.port), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${values.port}/`);
  });
}
