import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tileCycles } from '@sconv/targets';
import type { MeasuredSpeeds } from '../src/kernels/measure-speeds.ts';
import { main } from '../src/sconv.ts';
import { capture } from './support/capture.ts';
import { engine } from './support/engine.ts';
import { undocumented } from './support/json-table.ts';

describe('sconv kernels measure', () => {
  it('gives speeds of all register tiles that the registers hold', { timeout: 120_000 }, async () => {
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
