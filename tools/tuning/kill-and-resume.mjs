/**
 * Kills a tuner, or the process that measures for it, at random points, and resumes until it ends: the file then has
 * one record of each key, and the winner is the planted one.
 *
 *     node tools/tuning/kill-and-resume.mjs [--points 200] [--seed 1]
 *
 * Needs the packages built.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearTimeout, setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { unwrap } from '@sconv/diagnostics';
import { randomIntegers } from '@sconv/interpreter';
import { keyText, openRecords, readRecords } from '@sconv/tuning';
import { commandLine } from '../command-line.mjs';
import { plantedMeasurer, tunePlanted } from './planted.mjs';

const { values: options } = commandLine('[--points 200] [--seed 1]', {
  points: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  tune: { type: 'string' },
});

/** Rounds of the candidates: the third is the fastest by far. */
const planted = [60_000, 50_000, 20_000, 70_000, 55_000, 65_000, 80_000];
const winner = '20000';

if (options.tune !== undefined) {
  const known = existsSync(options.tune) ? unwrap(readRecords([options.tune])) : new Map();
  const writer = unwrap(openRecords(options.tune, true));
  const measurer = plantedMeasurer();
  const { best } = unwrap(await tunePlanted(planted, 40_000, { measurer, known, writer }));
  measurer.close();
  console.log(best.name);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'kill-'));
  const next = randomIntegers(Number(options.seed));
  /** The winner's name; undefined if the tuner was killed. */
  const run = (path, killAfter) =>
    new Promise((resolve) => {
      const script = fileURLToPath(import.meta.url);
      const tuner = spawn(process.execPath, [script, '--tune', path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      tuner.stdout.on('data', (text) => (said += text));
      const timer = setTimeout(() => {
        const worker = next() % 2 === 0 ? childOf(tuner.pid) : undefined;
        try {
          process.kill(worker ?? tuner.pid, 'SIGKILL');
        } catch {
          // It has just ended.
        }
      }, killAfter);
      tuner.on('close', () => {
        clearTimeout(timer);
        resolve(said === '' ? undefined : said.trim());
      });
    });
  const childOf = (pid) => {
    try {
      const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      return child === undefined || child === '' ? undefined : Number(child);
    } catch {
      return undefined;
    }
  };
  const usual = performance.now();
  await run(join(folder, 'usual.jsonl'), 1e6);
  const length = performance.now() - usual;
  let [points, files, wrong] = [0, 0, 0];
  while (points < Number(options.points)) {
    const path = join(folder, `${(files += 1)}.jsonl`);
    let best;
    for (let kills = 0; best === undefined; kills += 1) {
      // After a few kills it is let through.
      const isKilled = kills < 4 && points < Number(options.points);
      if (isKilled) points += 1;
      best = await run(path, isKilled ? next() % length : 1e6);
    }
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const records = lines.flatMap((line) => {
      try {
        return [keyText(JSON.parse(line))];
      } catch {
        return [];
      }
    });
    const isOnce = new Set(records).size === records.length;
    if (best !== winner || !isOnce) {
      wrong += 1;
      console.log(`${path}: ${best}, ${records.length} records of ${new Set(records).size} keys`);
    }
  }
  console.log(`${points} kills, ${files} files: ${wrong} wrong`);
  if (wrong === 0) rmSync(folder, { recursive: true });
  process.exitCode = wrong === 0 ? 0 : 1;
}
