import { describe, expect, it } from 'vitest';
import { error, silenceable, success, unknownLocation, unwrap, warning } from '@sconv/diagnostics';
import type { Module, Pass, PassRun } from '../src/index.ts';
import { runPipeline } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const module = parse('module {}');
const other = parse('module attributes {t.done} {}');
const invalid: Module = {
  ...module,
  root: { ...module.root, regions: [] },
};

const pass = (name: string, run: Pass['run']): Pass => ({ name, summary: name, run });
const keep = pass('keep', (given) => success(given));
const change = pass('change', () => success(other, [warning('test/odd', 'odd', unknownLocation)]));
const fail = pass('fail', () => silenceable(error('test/no', 'no', unknownLocation)));
const spoil = pass('spoil', () => success(invalid));

describe('runPipeline', () => {
  it('gives each pass what the one before made, and keeps the warnings', () => {
    const result = runPipeline(module, [keep, change, keep], { registry });
    expect(unwrap(result)).toBe(other);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['test/odd']);
  });

  it('ends with the first failure, which is definite', () => {
    const ran: string[] = [];
    const result = runPipeline(module, [change, fail, keep], {
      registry,
      onBeforePass: ({ name }) => ran.push(name),
    });
    expect(result).toMatchObject({
      status: 'definite',
      diagnostics: [{ code: 'test/odd' }, { code: 'test/no' }],
    });
    expect(ran).toEqual(['change', 'fail']);
  });

  it('verifies after each pass unless it is told not to', () => {
    expect(runPipeline(module, [spoil], { registry })).toMatchObject({
      status: 'definite',
      diagnostics: [{ message: "'builtin.module' op requires one region" }],
    });
    expect(runPipeline(module, [spoil], { registry, verifyEach: false }).status).toBe('success');
  });

  it('reports runs with what they made and how long they took', () => {
    const runs: PassRun[] = [];
    let time = 0;
    runPipeline(module, [keep, fail], {
      registry,
      onAfterPass: (run) => runs.push(run),
      now: () => (time += 500),
    });
    expect(runs.map(({ pass: { name }, after, milliseconds }) => [name, after, milliseconds])).toEqual([
      ['keep', module, 500],
      ['fail', undefined, 500],
    ]);
  });
});
