/**
 * Definitions and references in MLIR files beside those of mlir-lsp-server-19:
 *
 *   node tools/conformance/navigation.mjs FOLDER [--list 20] [--limit N]
 *
 * Takes each `*.mlir` below the folder that the server accepts, the first N of them, and asks both at each place of
 * each value, block and symbol. Lists the first differences (20 of them, or as `--list` says); exits with 1 if there is
 * one in a file whose operations are all known: in custom forms of unknown dialects, what defines a symbol is a guess.
 * Prints SKIPPED without the server.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definition, openDocument, references } from '@sconv/language';
import { defaultRegistry as registry } from 'sconv';
import { createMessageConnection } from 'vscode-jsonrpc/node';
import { commandLine, numberOf } from '../command-line.mjs';

const server = 'mlir-lsp-server-19';

const { values: options, positionals } = commandLine(
  'FOLDER [--list 20] [--limit N]',
  { list: { type: 'string', default: '20' }, limit: { type: 'string', default: '1000000' } },
  1,
);
const [folder] = positionals;
const [listed, limit] = [numberOf('list', options.list), numberOf('limit', options.limit)];

if (spawnSync(server, ['--version']).status !== 0) {
  console.log(`SKIPPED: ${server} is not installed`);
  process.exit(0);
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.mlir'))
  .sort()
  .slice(0, limit);

const show = ({ start, end }) => `${start.line}:${start.character}-${end.character}`;

/** A running server; what it is asked is undefined or empty once it has ended. */
const start = async () => {
  const child = spawn(server, { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(child.stdout, child.stdin);
  const waiting = new Map();
  const gone = new Promise((resolve) => {
    child.on('exit', () => resolve(undefined));
  });
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    waiting.get(uri)?.(diagnostics);
  });
  connection.onError(() => undefined);
  connection.listen();
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  return {
    gone,
    stop: () => child.kill(),
    open: (uri, text) => {
      const published = new Promise((resolve) => {
        waiting.set(uri, resolve);
      });
      const textDocument = { uri, languageId: 'mlir', version: 1, text };
      void connection.sendNotification('textDocument/didOpen', { textDocument }).catch(() => undefined);
      return Promise.race([published, gone]);
    },
    close: (uri) => connection.sendNotification('textDocument/didClose', { textDocument: { uri } }),
    ask: async (method, uri, position) => {
      const context = { includeDeclaration: true };
      const asked = connection.sendRequest(`textDocument/${method}`, {
        textDocument: { uri },
        position,
        context,
      });
      const places = await Promise.race([asked.catch(() => undefined), gone]);
      return (places ?? []).filter((place) => place.uri === uri).map(({ range }) => show(range));
    },
  };
};

/** The places to ask at: every place of every name but of aliases, of which the server says nothing. */
const placesIn = (document) =>
  document.parts.flatMap(({ offset, source, symbols }) =>
    [...source.names, ...symbols.names]
      .filter(({ kind }) => kind !== 'alias')
      .flatMap((name) => {
        const rangeOf = ({ start, end }) => ({
          start: document.lines.positionAt(offset + start),
          end: document.lines.positionAt(offset + end),
        });
        const isSymbol = name.kind === 'symbol';
        const places =
          name.definition === undefined || isSymbol ? name.uses : [name.definition, ...name.uses];
        return places.map((place) => ({
          name,
          position: rangeOf(place).start,
          place: show(rangeOf(place)),
          // Upstream takes the name of its operation for the definition of a symbol.
          defined: isSymbol ? name.operation?.nameRange : name.definition,
          rangeOf,
        }));
      }),
  );

/** What the server says at a place. */
const answersAt = async (client, uri, { name, position, rangeOf }) => {
  const defined = await client.ask('definition', uri, position);
  const used = defined.length === 0 ? [] : await client.ask('references', uri, position);
  // For some operations it counts the definition of a symbol among the uses.
  const ownPlace =
    name.kind === 'symbol' && name.definition !== undefined ? show(rangeOf(name.definition)) : '';
  return { defined, used: [...new Set(used)].filter((place) => place !== ownPlace).sort() };
};

/**
 * What differs at a place. `gaps` are names that the server does not know although they are in a text that it accepts:
 * a value that is named twice in the operands of an affine map has no second place for it.
 */
const differencesAt = (document, { name, position, place, defined, rangeOf }, theirs, gaps) => {
  if (gaps.has(place)) return [];
  const expected = defined === undefined ? [] : [show(rangeOf(defined))];
  const found = [];
  const isSame = expected.length === 0 ? theirs.defined.length === 0 : theirs.defined.includes(expected[0]);
  if (!isSame)
    found.push(`definition: ours ${expected.join() || 'none'}, theirs ${theirs.defined.join() || 'none'}`);
  if (defined === undefined) return found;
  const includeDeclaration = name.kind !== 'symbol';
  const ours = references(document, position, { includeDeclaration }).map(show).sort();
  const used = ours.filter((each) => !gaps.has(each)).join();
  if (theirs.used.join() !== used) found.push(`references: ours ${used}, theirs ${theirs.used.join()}`);
  const target = definition(document, position);
  if (target === undefined || show(target) !== show(rangeOf(name.definition)))
    found.push('definition: not at the place of the name');
  return found;
};

/** Whether all operations are of our dialects, or in generic form. */
const isKnown = ({ name, nameRange, children }, text) =>
  (registry.operations.has(name) || text[nameRange.start] === '"') &&
  children.every((each) => isKnown(each, text));

/** Files, places and differences where all operations are known, and where not. */
const known = { files: 0, places: 0, differing: new Set(), count: 0, gaps: 0 };
const unknown = { files: 0, places: 0, differing: new Set(), count: 0, gaps: 0 };
const differences = [];
const left = { refused: 0, crashing: 0 };
let client = await start();
for (const [i, name] of files.entries()) {
  const text = readFileSync(join(folder, name), 'utf8');
  const uri = `file:///${i}.mlir`;
  const diagnostics = await client.open(uri, text);
  if (diagnostics === undefined) {
    left.crashing += 1;
    client = await start();
    continue;
  }
  if (diagnostics.some(({ severity }) => severity === 1)) left.refused += 1;
  else {
    const document = openDocument(text, { registry });
    const isOwn = document.parts.every((part) =>
      part.source.operations.every((operation) => isKnown(operation, part.text)),
    );
    const counts = isOwn ? known : unknown;
    const places = placesIn(document);
    counts.files += 1;
    counts.places += places.length;
    const answers = await Promise.all(places.map((place) => answersAt(client, uri, place)));
    const gaps = new Set(
      places
        .filter(
          ({ name: { kind }, defined }, k) =>
            kind === 'value' && defined !== undefined && answers[k].defined.length === 0,
        )
        .map(({ place }) => place),
    );
    counts.gaps += gaps.size;
    places.forEach((place, k) => {
      const {
        position,
        name: { name: spelt },
      } = place;
      for (const each of differencesAt(document, place, answers[k], gaps)) {
        counts.count += 1;
        counts.differing.add(name);
        const where = `${name}:${position.line + 1}:${position.character + 1}`;
        differences.push({ isOwn, text: `${where}: ${spelt}: ${each}` });
      }
    });
  }
  await client.close(uri);
}
client.stop();
differences.sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
for (const { text } of differences.slice(0, listed)) console.log(text);
const summary = ({ files: count, places, differing, count: found, gaps }) =>
  `${count} files, ${places} places, ${gaps} that it does not know: ${found} differences in ${differing.size} files`;
console.log(`all operations known: ${summary(known)}`);
console.log(`others: ${summary(unknown)}`);
console.log(
  `left out of ${files.length}: ${left.refused} that ${server} refuses, ${left.crashing} that end it`,
);
process.exitCode = known.count === 0 ? 0 : 1;
