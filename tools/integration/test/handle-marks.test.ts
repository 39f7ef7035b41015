/**
 * The handles that a document shows at each step, beside LLVM 19's `mlir-opt`: `transform.debug.emit_remark_at`, put after each op
 * of a schedule for each handle that is valid there, remarks on the operations that the document marks.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { RunDocument } from '@sconv/explain';
import { marksOf, recordRun, runStates } from '@sconv/explain';
import type { Id, Module } from '@sconv/ir';
import { bodyOf, edit, printModule, stringAttribute } from '@sconv/ir';
import { entryPoint, findSequence } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';
import { isThorough } from './support/thorough.ts';

const folder = new URL('upstream-schedules/', import.meta.url);
/**
 * Where an op makes fewer operations of a target than it has results, as of a pack without a transposition, upstream's handles
 * have none of them.
 */
const incomplete = ['lower-pack.mlir', 'lower-unpack.mlir'];

const remarkName = 'transform.debug.emit_remark_at';

/** The module with a remark after each op of its entry point, for each handle to operations that is valid there. */
const withRemarks = (module: Module): Module => {
  const { document, result } = recordRun(module, module, { registry, times: false });
  if (result.status !== 'success') return module;
  const states = runStates(document);
  const outermost = document.nodes.flatMap(({ parent }, node) => (parent === undefined ? [node] : []));
  const entry = findSequence(module, entryPoint)!;
  return edit(module, { registry }, (rewriter) => {
    const steps = bodyOf(rewriter.find(entry.id)).operations.slice(0, -1);
    const values = steps.flatMap(({ results }) => results);
    // Adjacent steps form no groups here: these schedules have no stages.
    if (steps.length !== outermost.length) return;
    steps.forEach((step, i) => {
      const { handles } = states[outermost[i]!]!.after;
      rewriter.setInsertionPointAfter(step);
      for (const value of values) {
        const handle = handles.get(String(value.id));
        if (handle?.kind !== 'operations' || handle.invalid !== undefined) continue;
        const message = stringAttribute(`step ${i} handle ${value.id}`);
        rewriter.create({ name: remarkName, operands: [value], attributes: { message }, resultTypes: [] });
      }
    });
  }).module;
};

/** What the document says at each remark: `line:column message` for each marked operation. */
const ourRemarks = (document: RunDocument): readonly string[] => {
  const states = runStates(document);
  const places = new Map(document.operations.map(({ id, location }) => [id, location]));
  return document.nodes.flatMap(({ title, text = '' }, node) => {
    if (title !== remarkName) return [];
    const [, name = '', message = ''] = /emit_remark_at (%\S+), "([^"]*)"/.exec(text) ?? [];
    const marked: Id[] = [...marksOf(states[node]!.before)].flatMap(([id, names]) =>
      names.filter((each) => each === name).map(() => id),
    );
    return marked.map((id) => {
      const place = places.get(id);
      return `${place && 'line' in place ? `${place.line}:${place.column}` : '0:0'} ${message}`;
    });
  });
};

const theirRemarks = (text: string): readonly string[] => {
  const { status, stderr } = spawnSync('mlir-opt-19', ['--transform-interpreter', '-', '-o', '/dev/null'], {
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return [...stderr.matchAll(/^(?:<stdin>:(\d+):(\d+)|<unknown>:0): remark: (.*)$/gm)].map(
    ([, line = '0', column = '0', message = '']) => `${line}:${column} ${message}`,
  );
};

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.mlir'))
  .sort()
  // A process each.
  .filter((name, i) => isThorough || i % 3 === 0 || incomplete.includes(name));

describe.skipIf(!hasMlirOpt)('the marks of handles', () => {
  it('are the remarks of mlir-opt', () => {
    const different: string[] = [];
    let compared = 0;
    for (const name of files) {
      const module = withRemarks(parse(readFileSync(new URL(name, folder), 'utf8'), name));
      const text = printModule(module, { registry });
      if (!text.includes(remarkName)) continue;
      const again = parse(text, '<stdin>');
      const { document } = recordRun(again, again, {
        registry,
        times: false,
        scheduleSource: { name: '<stdin>', text },
      });
      const ours = [...ourRemarks(document)].sort();
      const theirs = [...theirRemarks(text)].sort();
      compared += 1;
      if (ours.join('\n') !== theirs.join('\n')) different.push(name);
    }
    expect(different).toEqual(incomplete);
    expect(compared).toBeGreaterThan(isThorough ? 50 : 16);
  });
});
