import { definite, error, unknownLocation } from '@sconv/diagnostics';
import { describe, expect, it, vi } from 'vitest';
import { createArtifact } from '../src/index.ts';
import { coreOf } from './script-backend.ts';

describe('an artifact', () => {
  it('names the functions that there are', () => {
    const artifact = createArtifact(coreOf());
    expect(() => artifact.call('mixed')).toThrow(
      "there is no function 'mixed'; there are 'mix', 'same', 'fresh', 'add'",
    );
  });
  it('gives a failure as a value, and throws it from run', () => {
    const failure = definite(error('test/division', 'divides by zero', unknownLocation));
    const artifact = createArtifact({ ...coreOf(), call: () => failure });
    expect(artifact.call('add', 1, 2)).toBe(failure);
    expect(() => artifact.run('add', 1, 2)).toThrow('divides by zero');
    const bound = artifact.bind('add', { 0: 1 });
    expect(bound.call(2)).toBe(failure);
    expect(() => bound.run(2)).toThrow('divides by zero');
  });
  it('is disposed of once', () => {
    const dispose = vi.fn();
    const artifact = createArtifact({ ...coreOf(), dispose });
    artifact.dispose();
    artifact.dispose();
    expect(dispose).toHaveBeenCalledTimes(1);
  });
  it('takes no room for constants of which one has none', () => {
    const core = coreOf();
    const artifact = createArtifact(core);
    const all = Array.from({ length: 255 }, () => artifact.allocate('f32', 4));
    const constants = { 0: new Float32Array(4), 1: new Float32Array(4) };
    expect(() => artifact.bind('mix', constants)).toThrow('no room');
    expect(artifact.allocate('f32', 4)).toEqual(new Float32Array(4));
    expect(() => artifact.allocate('f32', 1)).toThrow('no room');
    core.release(all[0]!);
    core.release(all[1]!);
    expect(artifact.bind('mix', constants).signature).toMatchObject({
      name: 'mix',
      parameters: [{ written: true }],
      results: [{ kind: 'buffer' }],
    });
  });
  it('releases nothing more once it is disposed of', () => {
    const core = coreOf();
    const release = vi.fn();
    const artifact = createArtifact({ ...core, release });
    const [bound, number] = [
      artifact.bind('same', { 0: new Float32Array(4) }),
      artifact.bind('add', { 0: 1 }),
    ];
    number.dispose();
    expect(release).not.toHaveBeenCalled();
    artifact.dispose();
    bound.dispose();
    expect(release).not.toHaveBeenCalled();
  });
});
