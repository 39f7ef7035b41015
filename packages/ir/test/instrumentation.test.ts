import { describe, expect, it } from 'vitest';
import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
import type { IrDump, Pass } from '../src/index.ts';
import { createIrPrinter, createTiming, printModule, runPipeline } from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const module = parse('module {}');
const other = parse('module attributes {t.done} {}');

const pass = (name: string, run: Pass['run'], title?: string): Pass => ({
  name,
  summary: name,
  run,
  ...(title === undefined ? {} : { title }),
});
const keep = pass('keep', (given) => success(given));
const change = pass('change', () => success(other), 'Changer');
const stop = pass('stop', () => definite(error('test/no', 'no', unknownLocation)));

describe('the printer', () => {
  const dumps = (passes: readonly Pass[], onlyChanges?: boolean): IrDump[] => {
    const written: IrDump[] = [];
    const { afterPass } = createIrPrinter(module, {
      print: (each) => printModule(each, { registry }),
      write: (dump) => written.push(dump),
      ...(onlyChanges === undefined ? {} : { onlyChanges }),
    });
    runPipeline(module, passes, { registry, onAfterPass: afterPass });
    return written;
  };

  it('writes the IR after all passes, also before what fails', () => {
    expect(dumps([keep, change, stop])).toEqual([
      { number: 0, name: 'keep', text: '// -----// IR Dump After keep //----- //\nmodule {\n}\n\n\n' },
      {
        number: 1,
        name: 'change',
        text: '// -----// IR Dump After Changer (change) //----- //\nmodule attributes {t.done} {\n}\n\n\n',
      },
      {
        number: 2,
        name: 'stop',
        text: '// -----// IR Dump After stop Failed //----- //\nmodule attributes {t.done} {\n}\n\n\n',
      },
    ]);
  });

  it('or only after those that change it', () => {
    expect(dumps([keep, change, change, stop], true).map(({ number, name }) => [number, name])).toEqual([
      [0, 'change'],
    ]);
  });

  it('writes the IR before passes', () => {
    const names: string[] = [];
    const { beforePass } = createIrPrinter(module, {
      onlyChanges: true,
      print: () => 'IR',
      write: ({ text }) => names.push(text.split('\n')[0]!),
    });
    runPipeline(module, [keep, change], { registry, onBeforePass: beforePass });
    expect(names).toEqual([
      '// -----// IR Dump Before keep //----- //',
      '// -----// IR Dump Before Changer (change) //----- //',
    ]);
  });

  it('shows what is not a pass, too', () => {
    const written: string[] = [];
    const { show } = createIrPrinter(module, { print: () => 'IR', write: ({ text }) => written.push(text) });
    show('a step', 'step', other);
    expect(written).toEqual(['// -----// IR Dump After a step //----- //\nIR\n\n']);
  });
});

describe('times', () => {
  it('are summed up by title, in their order, with the rest and the total', () => {
    let now = 0;
    const timing = createTiming(() => now);
    expect(timing.time('Parser', () => (now += 250))).toBe(250);
    for (const each of [change, keep, change]) {
      timing.afterPass({ pass: each, before: module, after: module, milliseconds: 100, diagnostics: [] });
      now += 100;
    }
    const stopped = (): never => {
      now += 50;
      throw new Error('stopped');
    };
    expect(() => timing.time('Output', stopped)).toThrow('stopped');
    now += 400;
    const rule = `===${'-'.repeat(75)}===`;
    expect(timing.report().split('\n')).toEqual([
      rule,
      '                          ... Execution time report ...',
      rule,
      '  Total Execution Time: 1.0000 seconds',
      '',
      '  ----Wall Time----  ----Name----',
      '    0.2500 ( 25.0%)  Parser',
      '    0.2000 ( 20.0%)  Changer',
      '    0.1000 ( 10.0%)  keep',
      '    0.0500 (  5.0%)  Output',
      '    0.4000 ( 40.0%)  Rest',
      '    1.0000 (100.0%)  Total',
      '',
    ]);
  });

  it('of nothing are all of it', () => {
    expect(createTiming(() => 7).report()).toContain('    0.0000 (100.0%)  Total\n');
  });
});
