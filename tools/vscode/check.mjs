/**
 * Reads `sconv-mlir.vsix`, lists what is in it, and runs it: the extension for a page beside a stub of its host, with the
 * server that it starts as a worker, and the desktop's server. `node check.mjs`; fails where a file is missing, or an
 * answer is wrong.
 */
/* global Buffer */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import yauzl from 'yauzl';
import { hostOf } from './host-stub.mjs';

/** The files of the archive, by path. */
const read = async (/** @type {string} */ path) => {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  const archive = await yauzl.openPromise(path);
  for await (const entry of archive.eachEntry()) {
    const parts = [];
    for await (const part of await archive.openReadStreamPromise(entry)) parts.push(part);
    files.set(entry.fileName, Buffer.concat(parts));
  }
  return files;
};

const files = await read(fileURLToPath(new URL('sconv-mlir.vsix', import.meta.url)));
for (const [name, { length }] of files) console.log(`${String(length).padStart(8)}  ${name}`);

const text = `func.func @f(%a: i32) -> i32 {
  %twice = arith.addi %a, %a : i32
  return %twice : i32
}
func.func @g() {
  arith.adi
  return
}
`;
const manifest = JSON.parse(String(files.get('extension/package.json')));
const host = hostOf(
  (path) => {
    const file = files.get(`extension/${path.replace(/^\.\//, '')}`);
    assert.ok(file, `${path} is missing`);
    return String(file);
  },
  { uri: 'file:///f.mlir', language: manifest.contributes.languages[0].id, text },
);
for (const { path } of manifest.contributes.grammars) {
  const { patterns, repository } = JSON.parse(host.read(path));
  assert.ok(patterns.length > 0);
  const shape = 'tensor<2x8x?x[4]xvector<16xi4>>';
  const matches = [...repository.type.patterns, repository.number].flatMap(({ match }) =>
    [...shape.matchAll(new RegExp(match, 'g'))].map(([word]) => word),
  );
  assert.deepEqual(matches, ['tensor', 'vector', 'i4', '2', '8', '4', '16']);
}

assert.match(host.read(manifest.main), /server\.cjs/);
await host.activate(manifest.browser);
assert.deepEqual([...host.commands].sort(), ['sconv.run', 'sconv.step']);
const [{ range, code }] = await host.diagnostics();
assert.deepEqual([range.start.line, range.start.character, code], [5, 2, 'parse/unknown-operation']);
const hover = await host.ask('HoverProvider', 'provideHover', { line: 1, character: 12 });
assert.match(hover.contents[0].value, /arith\.addi/);
console.log('The extension for a page is activated, shows an error, and tells what an operation is.');
await host.deactivate();

/** What the desktop's server answers to messages in turn, and the exit code with which it ends. */
const answersOf = async (messages) => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-vsix-'));
  const program = join(folder, 'server.cjs');
  writeFileSync(program, host.read('dist/server.cjs'));
  const server = fork(program);
  const answers = [];
  server.on('message', (answer) => answers.push(answer));
  for (const message of messages) server.send({ jsonrpc: '2.0', ...message });
  const code = await new Promise((resolve) => server.once('exit', resolve));
  rmSync(folder, { recursive: true });
  return { answers, code };
};
const parameters = { processId: null, rootUri: null, capabilities: {} };
const { answers, code: exitCode } = await answersOf([
  { id: 1, method: 'initialize', params: parameters },
  { id: 2, method: 'shutdown' },
  { method: 'exit' },
]);
assert.equal(answers[0]?.result.capabilities.hoverProvider, true);
assert.equal(exitCode, 0);
console.log("The desktop's server answers, and ends when it is told to.");
