/** The page of a trace in Debian's headless Chromium: it shows what the trace says, and does nothing else. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { RunDocument, TraceDocument } from '@sconv/explain';
import { changesBetween, explanationPage, recordRun, runStates, traceVersion } from '@sconv/explain';
import { sequenceText } from '@sconv/transform/testing';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from './support/registry.ts';
import { parse } from './support/stages.ts';

const program = '/usr/bin/chromium';
const example = (name: string) => readFileSync(new URL(`../../../examples/${name}`, import.meta.url), 'utf8');

const record = (payload: string, schedule: string): RunDocument =>
  recordRun(parse(schedule, 'schedule.mlir'), parse(payload, 'payload.mlir'), {
    registry,
    times: false,
    payloadSource: { name: 'payload.mlir', text: payload },
    scheduleSource: { name: 'schedule.mlir', text: schedule },
  }).document;

const traceOf = (...runs: readonly RunDocument[]): TraceDocument => ({ version: traceVersion, runs });

const listing9 = () => record(example('listing-1.mlir'), example('listing-9.mlir'));

describe('the file', () => {
  it('is small, and the same each time', () => {
    const page = explanationPage(traceOf(listing9()));
    expect(page.length).toBeLessThan(1_000_000);
    expect(gzipSync(explanationPage(traceOf())).length).toBeLessThan(40_000);
    expect(explanationPage(traceOf(listing9()))).toBe(page);
  });
});

describe.skipIf(!existsSync(program))('in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-page-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page of a trace; `asked` has what it loads, `problems` what goes wrong, `work` CPU seconds so far. */
  const open = async (trace: TraceDocument) => {
    const file = join(folder, 'page.html');
    writeFileSync(file, explanationPage(trace));
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    const asked: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (problem) => problems.push(problem.message));
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    const session = await page.context().newCDPSession(page);
    // The time of the thread: a machine may have other work.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const work = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value;
    };
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('[role=treeitem]');
    return { page, asked, problems, work };
  };

  /** The changed lines that are shown, with their signs. */
  const shownChanges = (page: Page): Promise<readonly string[]> =>
    page.$$eval('.changes .line:not(.same)', (lines) =>
      lines.map((line) =>
        [...line.childNodes]
          .filter((child) => !(child instanceof HTMLElement && child.classList.contains('handles')))
          .map((child) => child.textContent)
          .join('')
          .trimEnd(),
      ),
    );

  it('shows what each step of Listing 9 changed, by the keyboard', async () => {
    const run = listing9();
    const { page, asked, problems } = await open(traceOf(run));
    const states = runStates(run);
    for (const [number, { title }] of run.nodes.entries()) {
      expect(await page.textContent('.detail h2')).toBe(`${number + 1} ${title}`);
      const { before, after } = states[number]!;
      const wanted = changesBetween(run, before, after)
        .filter(({ kind, moved }) => kind !== 'same' || moved)
        .map(({ kind, moved, line, text, words }) => {
          const sign = { same: '>', added: '+', removed: '-', changed: '~' }[kind];
          expect(kind !== 'same' || moved).toBe(true);
          return `${sign}${' '.repeat(line.indent)}${words?.map((word) => word.text).join('') ?? text}`;
        });
      expect(await shownChanges(page)).toEqual(wanted.map((line) => line.trimEnd()));
      const handles = await page.$$eval('tbody tr td:first-child', (cells) =>
        cells.map(({ textContent }) => textContent.replace('* ', '')),
      );
      expect(handles).toEqual([...after.handles.values()].map(({ name }) => name));
      await page.keyboard.press(number % 2 === 0 ? 'j' : 'ArrowDown');
    }
    await page.keyboard.press('Home');
    expect(await page.textContent('.detail h2')).toMatch(/^1 /);
    // The pictures are in the page; nothing else is asked for.
    expect(asked.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows a step fast', async () => {
    const { page, work } = await open(traceOf(listing9()));
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const before = await work();
      await page.keyboard.press('j');
      times.push((await work()) - before);
    }
    times.sort((a, b) => a - b);
    expect(times[0]).toBeGreaterThan(0);
    expect(times[10]).toBeLessThan(0.05);
    await page.close();
  });

  it('opens a thousand steps, folds, searches, and tells where an operation came from', async () => {
    const lines = Array.from(
      { length: 500 },
      (_, i) => `%m${i} = transform.structured.match ops{["linalg.matmul"]} in %root
  : (!transform.any_op) -> !transform.any_op
transform.annotate %m${i} "mark${i}" : !transform.any_op`,
    ).join('\n');
    const generalized = `%m = transform.structured.match ops{["linalg.matmul"]} in %root
  : (!transform.any_op) -> !transform.any_op
%g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op`;
    const run = record(example('matmul.mlir'), sequenceText(`${lines}\n${generalized}`));
    const { page, work, problems } = await open(traceOf(run));
    expect(run.nodes).toHaveLength(1002);
    expect(await work()).toBeLessThan(2);
    await page.keyboard.press('/');
    await page.keyboard.type('generalize');
    expect(await page.$$eval('[role=treeitem]:not([hidden])', (items) => items.length)).toBe(1);
    await page.keyboard.press('Escape');
    // Only the payload has this.
    await page.keyboard.press('/');
    await page.keyboard.type('iterator_types');
    expect(await page.$$eval('[role=treeitem]:not([hidden])', (items) => items.length)).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    expect(await page.textContent('.detail h2')).toBe('1002 transform.structured.generalize');
    await page.click('.changes .added .handles');
    expect(await page.textContent('.detail ol')).toMatch(
      /^linalg\.matmul, payload\.mlir:\d+:\d+, replaced by step 1002$/,
    );
    expect(problems).toEqual([]);
    await page.close();
  });

  it('shows two schedules beside each other, with no serious fault of accessibility', async () => {
    const other = sequenceText(`%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root
  : (!transform.any_op) -> !transform.any_op
%generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op
%a, %b = transform.structured.split %generic after 1000 {dimension = 1 : i64, exact} : !transform.any_op`);
    const { page, problems } = await open(traceOf(listing9(), record(example('listing-1.mlir'), other)));
    expect(await page.$$eval('.run', (runs) => runs.length)).toBe(2);
    await page.focus('.run:nth-child(2) [role=treeitem]');
    await page.keyboard.press('End');
    expect(await page.textContent('.run:nth-child(2) h2')).toMatch(/^3 transform\.structured\.split/);
    expect(await page.textContent('.run:nth-child(2) .facts')).toMatch(/^did not apply/);
    expect(await page.textContent('.run:nth-child(1) h2')).toMatch(/^1 /);
    await page.evaluate(axe.source);
    const faults = await page.evaluate(async () => {
      // In the page, where the source above has defined it.
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    });
    expect(faults).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('does nothing that a text asks for', async () => {
    const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u202e\u0000';
    const quoted = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u202e';
    const payload = `// ${quoted}
func.func @f() attributes {a = "${quoted}"} { return }`;
    const schedule = sequenceText(`// ${quoted}
%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
transform.annotate %f "b</script><img src=x onerror=alert(3)>" : !transform.any_op`);
    const run = record(payload, schedule);
    const trace = traceOf({ ...run, diagnostics: [], schedule: { name: hostile, text: schedule } });
    const html = explanationPage(trace);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toMatch(/[\u2028\u202e]/);
    const { page, problems, asked } = await open(trace);
    await page.keyboard.press('End');
    expect(await page.$$eval('img, script[src]', (found) => found.length)).toBe(0);
    expect(await page.textContent('h1')).toContain('</script>');
    expect(await page.textContent('h1')).toContain('\\u{202E}\\u{0}');
    expect([problems, asked.length]).toEqual([[], 1]);
    await page.close();
  });
});
