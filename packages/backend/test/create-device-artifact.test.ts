import { payloadDialects } from '@sconv/dialects';
import { createRegistry } from '@sconv/ir';
import { wasm } from '@sconv/targets';
import { describe, expect, it } from 'vitest';
import { createDeviceArtifact } from '../src/index.ts';
import { backendLaws } from '../src/testing.ts';
import { deviceBackend, fakeDevice } from './fake-device.ts';

const registry = createRegistry(payloadDialects);

/** An artifact on a fake device, its log, and the steps to fail. */
const loaded = () => {
  const test = { log: [] as string[], failing: new Set<string>() };
  return { ...test, artifact: createDeviceArtifact(fakeDevice(test)) };
};
const arrays = () => ({
  x: Float32Array.of(1, 2, 3, 4),
  y: Float32Array.of(5, 6, 7, 8),
  o: Float32Array.of(100, 100, 100, 100),
});

describe('an artifact on a device', () => {
  it.each(backendLaws)('keeps the law: $name', ({ check }) =>
    check({ backend: deviceBackend(), target: wasm, registry }),
  );

  it('moves what a call takes, writes and returns, and frees it', async () => {
    const { artifact, log } = loaded();
    const { x, y, o } = arrays();
    expect(await artifact.runAsync('mix', x, y, o)).toEqual([o]);
    expect(o).toEqual(Float32Array.of(151, 162, 173, 184));
    expect(await artifact.runAsync('fresh', x)).toEqual([x]);
    expect(log).toEqual([
      ...[
        'upload 0',
        'upload 1',
        'upload 2',
        'call mix',
        'download 2',
        'release 0',
        'release 1',
        'release 2',
      ],
      ...['upload 3', 'call fresh', 'download 4', 'release 3', 'release 4'],
    ]);
  });

  it('uploads an array once that is passed twice', async () => {
    const { artifact, log } = loaded();
    const { x, o } = arrays();
    await artifact.runAsync('mix', x, x, o);
    expect(o).toEqual(Float32Array.of(111, 122, 133, 144));
    expect(log.slice(0, 3)).toEqual(['upload 0', 'upload 1', 'call mix']);
  });

  it('keeps constants on the device from the first call until they are disposed of', async () => {
    const { artifact, log } = loaded();
    const { x, y, o } = arrays();
    const bound = artifact.bind('mix', { 1: y });
    expect(log).toEqual([]);
    await bound.runAsync(x, o);
    await bound.runAsync(x, o);
    expect(log.filter((each) => each.startsWith('upload'))).toHaveLength(5);
    expect(log.at(-1)).toBe('release 4');
    bound.dispose();
    expect(log.at(-1)).toBe('release 1');
    expect(o).toEqual(Float32Array.of(202, 224, 246, 268));
    // One that no call has used is not there.
    artifact.bind('mix', { 1: y }).dispose();
    expect(log.at(-1)).toBe('release 1');
  });

  it('makes calls that overlap one after the other', async () => {
    const { artifact, log } = loaded();
    const { x, y, o } = arrays();
    const calls = [artifact.runAsync('mix', x, y, o), artifact.runAsync('add', 1, 2)];
    expect(() => artifact.call('add', 1, 2)).toThrow('a promised call is not settled');
    expect(await Promise.all(calls)).toEqual([[o], [3]]);
    expect(log.indexOf('release 2')).toBeLessThan(log.indexOf('call add'));
  });

  it.each([
    ['upload 1', ['upload 0', 'upload 1', 'release 0']],
    ['call mix', ['release 0', 'release 1', 'release 2']],
    ['download 2', ['download 2', 'release 0', 'release 1', 'release 2']],
  ])('fails with the step %s, changes no array, and goes on', async (step, end) => {
    const { artifact, log, failing } = loaded();
    const { x, y, o } = arrays();
    failing.add(step);
    const result = await artifact.callAsync('mix', x, y, o);
    expect(result.diagnostics).toMatchObject([
      { code: 'test/device', message: `the device refuses '${step}'` },
    ]);
    expect(log.slice(-end.length)).toEqual(end);
    expect(o).toEqual(arrays().o);
    failing.clear();
    await artifact.runAsync('mix', x, y, o);
    expect(o).toEqual(Float32Array.of(151, 162, 173, 184));
  });

  it('uploads constants again whose upload has failed', async () => {
    const { artifact, failing } = loaded();
    const { x, y, o } = arrays();
    const bound = artifact.bind('mix', { 0: x, 1: y });
    failing.add('upload 1');
    expect((await bound.callAsync(o)).status).toBe('definite');
    failing.clear();
    await bound.runAsync(o);
    expect(o).toEqual(Float32Array.of(151, 162, 173, 184));
  });

  it('is disposed of after the call under way, which rejects, and frees everything', async () => {
    const { artifact, log } = loaded();
    const { x, y, o } = arrays();
    const bound = artifact.bind('mix', { 1: y });
    await bound.runAsync(x, o);
    const pending = [bound.runAsync(x, o), artifact.runAsync('add', 1, 2)];
    await Promise.resolve();
    artifact.dispose();
    for (const call of pending) await expect(call).rejects.toThrow('disposed of');
    expect(log.at(-1)).toBe('dispose of 1');
    expect(log).not.toContain('call add');
  });

  it('fails where it is called at once, and says what to call', () => {
    const { artifact } = loaded();
    expect(artifact.onlyAsync).toBe(true);
    expect(artifact.call('add', 1, 2).diagnostics).toMatchObject([
      {
        code: 'backend/only-async',
        message: "'add' runs only asynchronously, where its arrays are: call it by callAsync or runAsync",
      },
    ]);
  });
});
