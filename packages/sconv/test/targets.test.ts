import { targets } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { targetsCommand } from '../src/commands/targets.ts';
import { detectHost } from '../src/host-machine.ts';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';

const run = (...args: readonly string[]): string => {
  let output = '';
  targetsCommand((text) => (output += text))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(args, { from: 'user' });
  return output;
};

describe('sconv targets', () => {
  it('lists every target on a line of its own', () => {
    const lines = run().trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(targets.map(({ name }) => name));
    expect(lines.find((line) => line.startsWith('sme'))).toMatch(
      /^sme +16x16 +Apple M4; L1 192 KiB, L2 16 MiB$/,
    );
  });

  it('shows one with its sources', () => {
    expect(run('avx512')).toContain('flopPerCycle: ST Table 1: 115 GFLOP/s measured at 3.6 GHz');
  });

  it.each(targets.map(({ name }) => name))('describes %s', async (name) => {
    await expect(run(name)).toMatchFileSnapshot(`targets/${name}.txt`);
  });

  it('prints JSON', () => {
    expect(JSON.parse(run('--json'))).toEqual(JSON.parse(JSON.stringify({ version: 1, targets })));
    expect(JSON.parse(run('wasm', '--json'))).toMatchObject({
      version: 1,
      name: 'wasm',
      microkernel: { windows: 8, filters: 4 },
    });
  });

  it('detects the host without failing', () => {
    expect(JSON.parse(run('--host', '--json'))).toMatchObject({ version: 1, target: { name: 'host' } });
  });

  it('shows the host, and what is not known of it', () => {
    const { target, extensions, unknown } = detectHost();
    const known = extensions.length === 0 ? 'none known' : extensions.join(', ');
    const shown = run('--host');
    expect(shown.startsWith(`host: ${target.machine.title} (${target.machine.isa})\n`)).toBe(true);
    const lines = unknown.map((line) => `  ${line}\n`);
    expect(shown.endsWith(`\nextensions: ${known}\nunknown:\n${lines.join('')}`)).toBe(true);
  });

  it('suggests a name', async () => {
    const { code, out, err } = await capture(main, 'targets', 'avx22');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: no target 'avx22'; there are wasm, .*; did you mean 'avx2'\?$/m);
  });

  it.each([[['vax']], [['wasm', '--host']]])('refuses %j', (args) => {
    expect(() => run(...args)).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});
