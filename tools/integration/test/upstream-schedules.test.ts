/**
 * Schedules of upstream ops on small payloads, here and in LLVM 19's `mlir-opt`: both preserve what the payload
 * computes, and both produce the same text. If the texts differ, the file's first line gives the reason: `// differs:
 * <reason>`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { unwrap } from '@sconv/diagnostics';
import { firstDifference } from '@sconv/interpreter/testing';
import { printModule } from '@sconv/ir';
import { transformInterpreterPass } from '@sconv/transform';
import { describe, expect, it } from 'vitest';
import { hasMlirOpt, mlirOpt } from './support/mlir-opt.ts';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const folder = new URL('upstream-schedules/', import.meta.url);
const files = readdirSync(folder)
  .sort()
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

/** What mlir-opt makes of each file, in one run: it takes longer to start than to transform one. */
const allTheirs = hasMlirOpt
  ? mlirOpt(
      files.map(({ text }) => text),
      ['--transform-interpreter'],
    )
  : [];

describe.each(files.map((file, i) => ({ ...file, theirText: allTheirs[i] })))('$name', (file) => {
  const { name, text, theirText } = file;
  const payload = parse(text, name);
  const run = () => unwrap(transformInterpreterPass().run(payload, { registry }));

  it('computes what it did', () => {
    expect(firstDifference(payload, run())).toBeUndefined();
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt makes of it', () => {
    const ours = run();
    expect(allTheirs).toHaveLength(files.length);
    const theirs = parse(theirText!, name);
    expect(firstDifference(theirs, ours)).toBeUndefined();
    const [our, their] = [ours, theirs].map((module) => printModule(module, { registry }));
    if (/^\/\/ differs: \S/.test(text)) expect(our).not.toBe(their);
    else expect(our).toBe(their);
  });
});
