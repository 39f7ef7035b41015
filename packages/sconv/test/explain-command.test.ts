import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceDocument } from '@sconv/explain';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload } from './support/capture.ts';

const explain = (...words: readonly string[]) => capture(main, 'explain', ...words);

const sequence = (lines: string) => `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    ${lines}
    transform.yield
  }
}`;
const match =
  '%conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op';
const generalize =
  '%generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op';
/** Fails: 3 does not divide. */
const tile = `%tiled, %loop = transform.structured.tile_using_for %generic tile_sizes [0, 3] {exact} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)`;
const right = sequence(`${match}\n${generalize}`);

describe('sconv explain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sconv-explain-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('prints the steps with their changes', async () => {
    const { code, out, err } = await explain(
      fileWith(payload()),
      '--schedule',
      fileWith(right),
      '--no-times',
    );
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^1 %conv = transform\.structured\.match/);
    expect(out).toMatch(/\n {2}- +%0 = linalg\.conv_2d_nchw_fchw .*\/\/ %conv\n {2}\+ +%0 = linalg\.generic/);
    expect(out).not.toMatch(/\d ms/);
  });

  it('is in colours where the output has them', async () => {
    const words = ['explain', fileWith(payload()), '--schedule', fileWith(right), '--no-times'];
    const plain = await capture(main, ...words);
    let out = '';
    await main(words, {
      out: (text) => (out += text),
      err: () => undefined,
      isTerminal: false,
      hasColors: true,
    });
    const lines = out.replaceAll('\u001b', 'ESC').split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^ESC\[31m {2}- .*ESC\[39m$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ESC\[32m {2}\+ .*ESC\[39m$/));
    expect(stripVTControlCharacters(out)).toBe(plain.out);
  });

  it("explains the target's own schedule", async () => {
    const { code, out } = await explain(fileWith(payload()), '--op', 'scf.for');
    expect(code).toBe(0);
    expect(out).toMatch(/tile_using_for .* \d+\.\d ms\n/);
    expect(out).toContain('scf.for');
  });

  it('explains a schedule that fails, up to there', async () => {
    const failing = fileWith(sequence(`${match}\n${generalize}\n${tile}`));
    const { code, out, err } = await explain(fileWith(payload()), '--schedule', failing);
    expect(code).toBe(1);
    expect(out).toMatch(
      /\(did not apply\)\n {2}did not apply: tile size 3 does not divide .* \[tile\/remainder\]/,
    );
    expect(err).toContain('[tile/remainder]');
  });

  it('prints the trace as JSON, of two schedules if asked', async () => {
    const files = [
      fileWith(payload()),
      '--schedule',
      fileWith(right),
      '--against',
      fileWith(sequence(match)),
    ];
    const { code, out, err } = await explain(...files, '--json', '--no-times');
    expect([code, err]).toEqual([0, '']);
    const { version, runs } = JSON.parse(out) as TraceDocument;
    expect([version, runs.map(({ nodes }) => nodes.length)]).toEqual([1, [2, 1]]);
    expect((await explain(...files, '--json', '--no-times')).out).toBe(out);
  });

  it('bisects', async () => {
    const { code, out } = await explain(fileWith(payload()), '--schedule', fileWith(right), '--bisect');
    expect([code, out]).toEqual([
      0,
      '1 step changes the payload; 2 executions: no step changes what it computes\n',
    ]);
    const refused = await explain(fileWith(payload()), '--bisect', '--work', '100');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('[explain/too-much-work]')]);
  });

  it.each([
    [
      tile.replace('%generic', '%conv'),
      'the schedule fails at step 2; no step before it changes the payload\n',
    ],
    [
      `${generalize}\n${tile}`,
      'the schedule fails at step 3; 1 step before it changes the payload; 2 executions: no step changes what it computes\n',
    ],
  ])('bisects what precedes a step that fails: %j', async (lines, expected) => {
    const schedule = fileWith(sequence(`${match}\n${lines}`));
    const { code, out, err } = await explain(fileWith(payload()), '--schedule', schedule, '--bisect');
    expect([code, out]).toEqual([1, expected]);
    expect(err).toContain('[tile/');
  });

  it('writes the smallest run that fails alike', async () => {
    const two = `${payload()}${payload('1x2x6x6', '4x2x1x1', '1x4x6x6').replace('@conv', '@other')}`;
    const failing = fileWith(
      sequence(`${match}\n%none = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
${generalize}\n${tile}\ntransform.print %root : !transform.any_op`),
    );
    const into = join(folder, 'made', 'here');
    const { code, out } = await explain(fileWith(two), '--schedule', failing, '--reproduce', into);
    const command = 'npx sconv explain payload.mlir --schedule schedule.mlir';
    expect([code, out]).toEqual([0, `${into}: ${command}\n`]);
    const read = (name: string) => readFileSync(join(into, name), 'utf8');
    expect(read('command.txt')).toBe(`${command}\n`);
    expect(read('payload.mlir').match(/func\.func/g)).toHaveLength(1);
    expect(read('schedule.mlir')).not.toMatch(/scf\.for|print/);
    const again = await explain(join(into, 'payload.mlir'), '--schedule', join(into, 'schedule.mlir'));
    const [first] = read('diagnostic.txt').split('\n');
    expect(again.code).toBe(1);
    expect(again.err).toContain(first!.replace(/^\S+ /, ''));
  });

  it('writes nothing where nothing fails', async () => {
    const into = join(folder, 'none');
    const { code, err } = await explain(
      fileWith(payload()),
      '--schedule',
      fileWith(right),
      '--reproduce',
      into,
    );
    expect([code, err]).toEqual([1, expect.stringContaining('[explain/no-fault]')]);
    expect(existsSync(into)).toBe(false);
  });

  it.each([
    [['--step', '0'], 'expected a number from 1'],
    [['--bisect', '--op', 'scf.for'], '--op cannot be given with --bisect'],
    [['--json', '--step', '2'], '--step cannot be given with --json'],
    [['--work', '5'], '--work goes with --bisect only'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await explain(fileWith(payload()), ...words);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
