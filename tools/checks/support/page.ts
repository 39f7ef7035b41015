/** Pages in Debian's headless Chromium, from a local server. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/bin/chromium';

/** Whether it is installed, by `tools/setup-chromium.sh`. */
export const hasChromium = existsSync(program);

/** A minimal browser: no window, no network besides this machine's, no state of earlier runs. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The headers that allow a page to share memory. */
const isolation: OutgoingHttpHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export interface Page {
  /** Run as a classic script; sends its only report by `fetch('/report', { method: 'POST', body })`. */
  readonly script: string;
  /** Other scripts, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the page is cross-origin isolated. */
  readonly isolated: boolean;
  /** Answers requests for anything else; by default, that is the page again. */
  readonly others?: RequestListener;
}

/** Loads a page; returns its report. */
export const reportOf = async ({ script, files = {}, isolated, others }: Page): Promise<string> => {
  const scripts: Readonly<Record<string, string>> = { ...files, '/main.js': script };
  let report: (text: string) => void;
  const reported = new Promise<string>((resolve) => {
    report = resolve;
  });
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    const send = (type: string, text: string): void => {
      response.writeHead(200, { 'content-type': type, ...(isolated ? isolation : {}) });
      response.end(text);
    };
    if (request.method === 'POST') {
      const parts: string[] = [];
      request.setEncoding('utf8');
      request.on('data', (part: string) => parts.push(part));
      request.on('end', () => {
        send('text/plain', '');
        report(parts.join(''));
      });
    } else if (scripts[url] !== undefined) send('text/javascript', scripts[url]);
    else if (others !== undefined && url !== '/') others(request, response);
    else send('text/html', '<!doctype html><meta charset="utf-8"><script src="/main.js"></script>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const profile = mkdtempSync(join(tmpdir(), 'sconv-chromium-'));
  const browser = spawn(program, [...flags, `--user-data-dir=${profile}`, `http://127.0.0.1:${port}/`], {
    stdio: 'ignore',
    // The leader of a process group with all its processes.
    detached: true,
  });
  const ended = new Promise<never>((_, reject) => {
    browser.once('error', reject);
    browser.once('exit', (code) => {
      reject(new Error(`the browser has ended with ${String(code)} before the page has reported`));
    });
  });
  try {
    return await Promise.race([reported, ended]);
  } finally {
    await closed(browser);
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
};

/** Ends a process group, and waits until its processes no longer write to the profile. */
const closed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else {
      child.once('exit', () => {
        resolve();
      });
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }
  });
