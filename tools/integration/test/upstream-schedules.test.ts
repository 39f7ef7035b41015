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
const files = readdirSync(folder).sort();

describe.each(files)('%s', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  const payload = parse(text, name);
  const run = () => unwrap(transformInterpreterPass().run(payload, { registry }));

  it('computes what it did', () => {
    expect(firstDifference(payload, run())).toBeUndefined();
  });

  it.skipIf(!hasMlirOpt)('is what mlir-opt makes of it', () => {
    const ours = run();
    const theirs = parse(mlirOpt([text], ['--transform-interpreter'])[0]!, name);
    expect(firstDifference(theirs, ours)).toBeUndefined();
    const [our, their] = [ours, theirs].map((module) => printModule(module, { registry }));
    if (/^\/\/ differs: \S/.test(text)) expect(our).not.toBe(their);
    else expect(our).toBe(their);
  });
});
