import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { unwrap } from '@sconv/diagnostics';
import { afterAll, describe, expect, it } from 'vitest';
import type { WorkClaim, WorkFolder, WorkFolderOptions, WorkUnit } from '../src/index.ts';
import { collectWork, doWork, openWorkFolder } from '../src/index.ts';

const root = mkdtempSync(join(tmpdir(), 'work-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

let folders = 0;
const newPath = (): string => join(root, `${(folders += 1)}`, 'work');
const open = (path: string, options: WorkFolderOptions = {}): WorkFolder =>
  unwrap(openWorkFolder(path, options));

const unit = (task: number, fingerprint = 'here'): WorkUnit => ({ fingerprint, generator: 'g', task });
const all = (): boolean => true;
const here = ({ fingerprint }: WorkUnit): boolean => fingerprint === 'here';

const claimed = (folder: WorkFolder, suits = all): WorkClaim => unwrap(folder.claim(suits))!;

describe('a unit', () => {
  it('is done once by one of several workers, whatever of what has been added again', async () => {
    const path = newPath();
    const units = Array.from({ length: 9 }, (_, i) => unit(i));
    const did: unknown[] = [];
    const worker = () =>
      doWork(
        open(path),
        all,
        async ({ unit: { task } }) => {
          did.push(task);
          await setTimeout(1);
          return { task };
        },
        { pause: 0.01 },
      );
    const collected = collectWork(open(path), [...units, units[0]!], () => undefined, { pause: 0.01 });
    const counts = await Promise.all([worker(), worker(), worker()]);
    expect(counts.reduce((sum, count) => sum + unwrap(count), 0)).toBe(9);
    expect(did.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const outcomes = unwrap(await collected);
    expect(outcomes).toHaveLength(10);
    expect(outcomes.at(-1)).toEqual({ kind: 'done', result: { task: 0 } });
    unwrap(open(path).add(units));
    expect(unwrap(open(path).look(all))).toEqual({ waiting: 0, claimed: 0 });
  });

  it('waits for a machine of its fingerprint', async () => {
    const folder = open(newPath());
    const names = unwrap(folder.add([unit(1, 'elsewhere'), unit(2)]));
    expect(unwrap(await doWork(folder, here, () => Promise.resolve(0)))).toBe(1);
    expect(names.map((name) => unwrap(folder.outcome(name))?.kind)).toEqual([undefined, 'done']);
    expect(unwrap(folder.look(all))).toEqual({ waiting: 1, claimed: 0 });
  });

  it('goes back when its worker is interrupted', async () => {
    const folder = open(newPath());
    unwrap(folder.add([unit(1)]));
    const controller = new AbortController();
    const { signal } = controller;
    const work = (): Promise<unknown> => {
      controller.abort();
      return Promise.resolve('a part');
    };
    expect(unwrap(await doWork(folder, all, work, { signal }))).toBe(0);
    expect(unwrap(folder.look(all))).toEqual({ waiting: 1, claimed: 0 });
    const collected = await collectWork(folder, [unit(1)], () => undefined, { signal });
    expect(unwrap(collected)).toEqual([undefined]);
  });
});

describe('a dead worker', () => {
  /** Waits until the others hold the worker of each claim for dead that does not say otherwise. */
  const lease = async (folder: WorkFolder): Promise<void> => {
    unwrap(folder.look(all));
    await setTimeout(60);
    unwrap(folder.look(all));
  };
  const short = { lease: 0.04, attempts: 2 };

  it('has its unit done by another one; the first outcome counts', async () => {
    const path = newPath();
    const folder = open(path, short);
    const [name] = unwrap(folder.add([unit(1)]));
    // Its process is stopped: no beat.
    const first = claimed(open(path, { lease: 1000 }));
    await lease(folder);
    const second = claimed(folder);
    expect(unwrap(second.finish('second'))).toBe(true);
    expect(unwrap(first.finish('first'))).toBe(false);
    expect(unwrap(folder.outcome(name!))).toEqual({ kind: 'done', result: 'second' });
    expect(second.records).not.toBe(first.records);
    expect(['waiting', 'claimed', 'drafts'].flatMap((each) => readdirSync(join(path, each)))).toEqual([]);
  });

  it('leaves its unit to those who look for it, while one that lives keeps its own', async () => {
    const path = newPath();
    const folder = open(path, short);
    unwrap(folder.add([unit(1), unit(2)]));
    const living = claimed(folder);
    const dead = claimed(open(path, { lease: 1000 }));
    await lease(folder);
    expect(unwrap(folder.look(all))).toEqual({ waiting: 1, claimed: 1 });
    expect(living.signal.aborted).toBe(false);
    expect(claimed(folder).unit).toEqual(dead.unit);
    unwrap(living.release());
  });

  it('is told when it was only slow', async () => {
    const path = newPath();
    const folder = open(path, short);
    unwrap(folder.add([unit(1)]));
    const { signal, release } = claimed(folder);
    const [file] = readdirSync(join(path, 'claimed'));
    renameSync(join(path, 'claimed', file!), join(path, 'elsewhere'));
    await setTimeout(40);
    expect(signal.aborted).toBe(true);
    unwrap(release());
  });

  it('of which there were too many has its unit abandoned', async () => {
    const path = newPath();
    const folder = open(path, short);
    const [name] = unwrap(folder.add([unit(1)]));
    for (let death = 0; death < 2; death += 1) {
      claimed(open(path, { lease: 1000 }));
      await lease(folder);
    }
    expect(unwrap(folder.outcome(name!))).toEqual({ kind: 'abandoned', attempts: 2 });
    expect(unwrap(folder.claim(all))).toBeUndefined();
  });
});

describe('a folder', () => {
  it('passes over what is no unit', () => {
    const path = newPath();
    const folder = open(path);
    for (const [name, text] of [
      ['0123.0.json', '{"fingerprint": 1}'],
      ['4567.0.json', '{'],
      ['notes.txt', ''],
    ] as const)
      writeFileSync(join(path, 'waiting', name), text);
    expect(unwrap(folder.claim(all))).toBeUndefined();
    expect(unwrap(folder.look(all))).toEqual({ waiting: 0, claimed: 0 });
  });

  it('is made, unless it is to be there', () => {
    const path = newPath();
    const opened = openWorkFolder(path, { create: false });
    expect(opened.diagnostics).toMatchObject([{ code: 'tuning/work-folder' }]);
    expect(existsSync(path)).toBe(false);
    open(path);
    expect(openWorkFolder(path, { create: false }).status).toBe('success');
  });

  it('that cannot be used is a failure', async () => {
    const path = newPath();
    const folder = open(path);
    rmSync(path, { recursive: true });
    writeFileSync(path, '');
    const code = 'tuning/work-folder';
    expect(openWorkFolder(path).diagnostics).toMatchObject([{ code }]);
    expect((await doWork(folder, all, () => Promise.resolve(0))).diagnostics).toMatchObject([{ code }]);
    const collected = await collectWork(folder, [unit(1)], () => undefined);
    expect(collected.diagnostics).toMatchObject([{ code }]);
  });
});
