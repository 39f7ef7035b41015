import { definite, error, success, unknownLocation } from '@sconv/diagnostics';
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
  it.each<readonly [string, readonly unknown[], string]>([
    ['allocate', ['f33', 4], "there is no element type 'f33'; there are f32"],
    ['allocate', ['f32', -1], 'a buffer has a whole number of elements, not -1'],
    ['allocate', ['f32', 0.5], 'a buffer has a whole number of elements, not 0.5'],
    ['allocate', ['f32'], 'a buffer has a whole number of elements, not undefined'],
    ['allocate', ['f32', {}], 'a buffer has a whole number of elements, not an object'],
    ['call', [Symbol('same')], 'there is no function Symbol(same); there are'],
    ['bind', ['same', { 0: Object.create(null) as object }], "argument 0 of 'same' has type Object, not"],
    ['bind', ['same'], 'constants are an object of arguments by position, not undefined'],
    ['bind', ['same', { input: new Float32Array(4) }], "'same' has no argument input; it takes"],
  ])('refuses what untyped callers may pass: %s %j', (method, values, message) => {
    const artifact = createArtifact(coreOf()) as unknown as Record<
      string,
      (...all: readonly unknown[]) => unknown
    >;
    expect(() => artifact[method]!(...values)).toThrow(message);
  });
  it('says what runs its code where that is not the processor', () => {
    expect(createArtifact({ ...coreOf(), emulator: 'qemu-aarch64 -cpu max' }).emulator).toBe(
      'qemu-aarch64 -cpu max',
    );
    expect(createArtifact(coreOf())).not.toHaveProperty('emulator');
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
  it('calls nothing while a promised call is not settled', async () => {
    let settle: (() => void) | undefined;
    const callAsync = () =>
      new Promise<ReturnType<typeof success<number[]>>>((resolve) => {
        settle = () => resolve(success([3]));
      });
    const artifact = createArtifact({ ...coreOf(), callAsync });
    const promised = artifact.runAsync('add', 1, 2);
    expect(() => artifact.call('add', 1, 2)).toThrow('a promised call is not settled');
    while (settle === undefined) await Promise.resolve();
    settle();
    await promised;
    expect(artifact.run('add', 1, 2)).toEqual([3]);
  });
  it('releases constants when no promised call uses them any more', async () => {
    const release = vi.fn();
    let settle: (() => void) | undefined;
    const artifact = createArtifact({
      ...coreOf(),
      release,
      callAsync: () =>
        new Promise((resolve) => {
          settle = () => resolve(success([1]));
        }),
    });
    const bound = artifact.bind('same', { 0: new Float32Array(4) });
    const call = bound.runAsync();
    // Until the call has started.
    while (settle === undefined) await Promise.resolve();
    bound.dispose();
    expect(release).not.toHaveBeenCalled();
    settle();
    await call;
    expect(release).toHaveBeenCalledTimes(1);
  });
});

describe('what is kept of constants', () => {
  const failure = definite(error('test/division', 'divides by zero', unknownLocation));

  /** An artifact whose `add` fails for 0 and throws for -1, and the calls that its core receives. */
  const keeping = () => {
    const log: string[] = [];
    const core = coreOf();
    const artifact = createArtifact({
      ...core,
      call: (name, values) => {
        log.push(`${name} ${values.join(' ')}`);
        if (values.includes(-1)) throw new Error('a bug');
        return values.includes(0) ? failure : core.call(name, values);
      },
      keep: (name, constants) => {
        if (name === 'same') return undefined;
        const which = `${name} ${[...constants.values()].join(' ')}`;
        log.push(`keep ${which}`);
        return {
          enter: () => log.push(`enter ${which}`),
          leave: (succeeded) => log.push(`leave ${which}: ${succeeded}`),
          release: () => log.push(`release ${which}`),
        };
      },
    });
    return { artifact, log };
  };

  it('is told of each call, and whether it has succeeded', async () => {
    const { artifact, log } = keeping();
    const bound = artifact.bind('add', { 1: 5 });
    bound.run(1);
    bound.call(0);
    expect(() => bound.call(-1)).toThrow('a bug');
    await bound.runAsync(2);
    await bound.callAsync(0);
    await expect(bound.callAsync(-1)).rejects.toThrow('a bug');
    bound.dispose();
    const around = (value: number, succeeded: boolean): readonly string[] => [
      'enter add 5',
      `add ${value} 5`,
      `leave add 5: ${succeeded}`,
    ];
    const calls = [...around(1, true), ...around(0, false), ...around(-1, false)];
    const promised = [...around(2, true), ...around(0, false), ...around(-1, false)];
    expect(log).toEqual(['keep add 5', ...calls, ...promised, 'release add 5']);
  });

  it('is left before another call is entered', async () => {
    const { artifact, log } = keeping();
    const [a, b] = [artifact.bind('add', { 1: 5 }), artifact.bind('add', { 1: 6 })];
    await Promise.all([a.runAsync(1), b.runAsync(1), artifact.runAsync('add', 1, 7)]);
    expect(log.slice(2)).toEqual([
      ...['enter add 5', 'add 1 5', 'leave add 5: true'],
      ...['enter add 6', 'add 1 6', 'leave add 6: true'],
      'add 1 7',
    ]);
  });

  it('need not be anything', () => {
    const { artifact, log } = keeping();
    const bound = artifact.bind('same', { 0: new Float32Array(4) });
    expect(bound.run()).toEqual([new Float32Array(4)]);
    bound.dispose();
    expect(log).toEqual(['same 0,0,0,0']);
  });

  it('takes what is bound instead of constants, and gives that back', () => {
    const core = coreOf();
    const released: unknown[] = [];
    const other = Float32Array.of(5, 6, 7, 8);
    const artifact = createArtifact({
      ...core,
      release: (elements) => void released.push(elements),
      keep: (_, constants) => ({
        enter: () => undefined,
        leave: () => constants.set(0, other),
        release: () => undefined,
      }),
    });
    const bound = artifact.bind('same', { 0: Float32Array.of(1, 2, 3, 4) });
    expect(bound.run()).toEqual([Float32Array.of(1, 2, 3, 4)]);
    expect(bound.run()).toEqual([other]);
    bound.dispose();
    expect(released).toEqual([other]);
  });
});
