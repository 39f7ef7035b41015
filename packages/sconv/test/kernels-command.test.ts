import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { KernelFamily, KernelShares } from '@sconv/targets';
import { tileCycles } from '@sconv/targets';
import type { MeasuredSpeeds } from '../src/kernels/measure-speeds.ts';
import { main } from '../src/sconv.ts';
import { capture, temporaryFolder } from './support/capture.ts';
import { engine } from './support/engine.ts';
import { undocumented } from './support/json-table.ts';
import { isThorough } from './support/thorough.ts';

describe('sconv kernels measure', () => {
  it.runIf(isThorough)('gives speeds of all register tiles that the registers hold', async () => {
    const { code, out, err } = await capture(main, 'kernels', 'measure', '--samples', '1', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(undocumented('kernels measure', out)).toEqual([]);
    const { speeds, shares } = JSON.parse(out) as MeasuredSpeeds;
    expect(speeds.stepCycles.map(({ length }) => length)).toEqual(shares.map(({ length }) => length));
    expect(speeds.stepCycles.slice(0, 3).map(({ length }) => length)).toEqual([12, 5, 3]);
    // A table that plans can be chosen by.
    expect(tileCycles(speeds, { windows: 8, filters: 5 }, 100)).toBeGreaterThan(0);
  });
  it('fails where the engine lacks the relaxed SIMD to measure', async () => {
    const validate = vi.spyOn(engine, 'validate').mockReturnValue(false);
    onTestFinished(() => {
      validate.mockRestore();
    });
    const { code, out, err } = await capture(main, 'kernels', 'measure', '--relaxed');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^error: this engine has no relaxed SIMD$/m);
  });
  it('refuses samples that are no number', async () => {
    const { code, err } = await capture(main, 'kernels', 'measure', '--samples', 'many');
    expect(code).toBe(2);
    expect(err).toContain('a number from 1');
  });
});

describe('sconv kernels measure --families', () => {
  it.each([
    [['--families', '--relaxed'], 'say --target wasm-relaxed'],
    [['--target', 'avx2'], 'go with --families only'],
    [['--taps', '5'], 'go with --families only'],
    [['--families', '--taps', '4'], 'some of 3, 5 and 7'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await capture(main, 'kernels', 'measure', ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('fails where the code does not run', async () => {
    const { code, out, err } = await capture(main, 'kernels', 'measure', '--families', '--target', 'mma');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/sconv\/emulated|native\//);
  });
});

describe('sconv kernels show', () => {
  it('shows which kernels are kept, and that they are estimated', async () => {
    const { code, out } = await capture(main, 'kernels', 'show', '--target', 'neon');
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 7).join('\n')).toMatchInlineSnapshot(`
      "neon: percent of the best kernel; vectors of filters down, heights across; * above 85 % of the best
      estimated by multiply-adds and loads per cycle, latency and registers; not measured
      plain    1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19  20  21  22  23  24  25  26  27  28  29  30
            1 12  24  36  48  60  72  84  86* 87* 89* 90* 91* 91* 92* 93* 93* 94* 94* 94* 95* 95* 95* 96* 96* 96* 96* 96* 97* 97* 97*
            2 24  48  72  96* 97* 98* 98* 99* 99* 99*100*100*100*100*
            3 36  72  96* 98* 99* 99* 99*100*100*
            4 48  96* 98* 99* 99*100*"
    `);
  });

  it('draws them, framed', async () => {
    const svg = join(temporaryFolder(), 'kernels.svg');
    const { code, out } = await capture(main, 'kernels', 'show', '--svg', svg, '--json');
    expect(code).toBe(0);
    expect(undocumented('kernels show', out)).toEqual([]);
    const { grids, classes, fingerprint } = JSON.parse(out) as KernelShares & KernelFamily;
    expect(fingerprint).toMatch(/V8 \d/);
    const picture = readFileSync(svg, 'utf8');
    const cells = grids.flatMap(({ shares }) => shares.flat()).length;
    const kept = classes.flatMap(({ heights }) => heights).length;
    expect(picture.match(/<rect/g)).toHaveLength(1 + cells);
    expect(picture.match(/stroke="#c0392b"/g)).toHaveLength(kept);
  });

  it('fails where it cannot write', async () => {
    const { code, err } = await capture(main, 'kernels', 'show', '--svg', '/missing/kernels.svg');
    expect(code).toBe(1);
    expect(err).toContain('sconv/cannot-write');
  });
});
