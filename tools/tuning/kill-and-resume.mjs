/**
 * Kills a tuner, or the process that measures for it, at random points, and resumes until it ends: the file then has
 * one record of each key, and the winner is the planted one. With `--folder` kills the workers on a folder and the one
 * that collects, which are started again: the records of all have the keys of an undisturbed run, and the same winners.
 * With `--redis` these share queues of a Redis server, which is killed and started again, too: one record of each key.
 *
 *     node tools/tuning/kill-and-resume.mjs [--folder | --redis] [--points 200] [--seed 1]
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
import { collectWork, doWork, keyText, openRecords, openWorkFolder, readRecords } from '@sconv/tuning';
import { openWorkQueues } from '@sconv/tuning-bullmq';
import { commandLine, numberOf } from '../command-line.mjs';
import { plantedMeasurer, simulatedMeasurer, tunePlanted } from './planted.mjs';

const { values: options } = commandLine('[--folder | --redis] [--points 200] [--seed 1]', {
  folder: { type: 'boolean', default: false },
  redis: { type: 'boolean', default: false },
  points: { type: 'string', default: '200' },
  seed: { type: 'string', default: '1' },
  // What this script starts itself for.
  tune: { type: 'string' },
  work: { type: 'string' },
  collect: { type: 'string' },
});
const points = numberOf('points', options.points);

/** Rounds of the candidates: the third is the fastest by far. */
const planted = [60_000, 50_000, 20_000, 70_000, 55_000, 65_000, 80_000];
const winner = '20000';

/** Units of the folder. */
const units = [1, 2, 3].map((task) => ({ fingerprint: 'this machine', generator: 'none', task }));

/** A worker is taken for dead soon, and no unit is given up. */
const patience = { lease: 1, attempts: 1000 };
const openFolder = (path) => unwrap(openWorkFolder(path, patience));

const isUrl = (place) => place.startsWith('redis:');
/** Queues at a URL, whose fragment tells them from those of other runs. */
const openQueues = async (url) =>
  unwrap(await openWorkQueues(url, { ...patience, prefix: new URL(url).hash.slice(1) }));

const pause = 0.05;

/** Kills before a run is let through. */
const mostKills = 4;

const next = randomIntegers(numberOf('seed', options.seed));

/** Starts this script; `ended` is what it has said, once it has ended. */
const start = (...words) => {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  return { child, ended: new Promise((resolve) => child.on('close', () => resolve(said.trim()))) };
};

const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
};

/** The keys of the records in files, one for each line that is whole. */
const keysIn = (files) =>
  files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .flatMap((line) => {
      try {
        return [keyText(JSON.parse(line))];
      } catch {
        return [];
      }
    });

/** Tunes with records in a file, and says what won. */
const tune = async (path) => {
  const known = existsSync(path) ? unwrap(readRecords([path])) : new Map();
  const writer = unwrap(openRecords(path, true));
  const measurer = plantedMeasurer();
  const { best } = unwrap(await tunePlanted(planted, 40_000, { measurer, known, writer }));
  measurer.close();
  console.log(best.name);
};

/** Does a unit with the records of others, and its own in a file; returns what won. */
const doPlanted = async ({ task }, records, others) => {
  const writer = unwrap(openRecords(records, true));
  const settings = { measurer: simulatedMeasurer(), workload: `planted ${task}`, writer };
  const { best } = unwrap(
    await tunePlanted(planted, 40_000, { ...settings, known: unwrap(readRecords(others)) }),
  );
  writer.close();
  return best.name;
};

/** Does units of a folder, or of queues. */
const work = async (place) => {
  if (isUrl(place)) {
    const queues = await openQueues(place);
    const one = ({ unit, records, others }) => doPlanted(unit, records, others);
    unwrap(await queues.work(units.slice(0, 1), one, { pause }));
    queues.close();
    return;
  }
  const folder = openFolder(place);
  const one = ({ unit, records }) => doPlanted(unit, records, unwrap(folder.recordFiles()));
  unwrap(await doWork(folder, () => true, one, { pause }));
};

/** Collects what came of the units: the outcomes, and the lines of records in queues. */
const collectAll = async (place) => {
  const ignore = () => undefined;
  if (!isUrl(place))
    return { outcomes: unwrap(await collectWork(openFolder(place), units, ignore, { pause })), records: [] };
  const queues = await openQueues(place);
  const collected = unwrap(await queues.collect(units, ignore, { pause }));
  queues.close();
  return collected;
};

/** Collects what came of the units, and says it. */
const collect = async (place) => {
  const { outcomes } = await collectAll(place);
  console.log(outcomes.map(({ result }) => result).join(' '));
};

/** Kills tuners over a file until there were enough kills; returns how many files are wrong. */
const killTuners = async (root) => {
  const run = async (path, killAfter) => {
    const { child, ended } = start('--tune', path);
    const timer = setTimeout(() => {
      const measuring = next() % 2 === 0 ? childOf(child.pid) : undefined;
      kill(measuring ?? child.pid);
    }, killAfter);
    const said = await ended;
    clearTimeout(timer);
    return said === '' ? undefined : said;
  };
  const usual = performance.now();
  await run(join(root, 'usual.jsonl'), 1e6);
  const length = performance.now() - usual;
  let [killed, files, wrong] = [0, 0, 0];
  while (killed < points) {
    const path = join(root, `${(files += 1)}.jsonl`);
    let best;
    for (let kills = 0; best === undefined; kills += 1) {
      const isKilled = kills < mostKills && killed < points;
      if (isKilled) killed += 1;
      best = await run(path, isKilled ? next() % length : 1e6);
    }
    const keys = keysIn([path]);
    if (best === winner && new Set(keys).size === keys.length) continue;
    wrong += 1;
    console.log(`${path}: ${best}, ${keys.length} records of ${new Set(keys).size} keys`);
  }
  console.log(`${killed} kills, ${files} files: ${wrong} wrong`);
  return wrong;
};

const childOf = (pid) => {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return child === undefined || child === '' ? undefined : Number(child);
  } catch {
    return undefined;
  }
};

/** A Redis server of this run, and its end as by a failure of power. */
const startServer = (folder, port) => {
  const words = ['--port', port, '--dir', folder, '--appendonly', 'yes', '--save', ''];
  const child = spawn('redis-server', ['--bind', '127.0.0.1', ...words], { stdio: 'ignore' });
  return { child, ended: new Promise((resolve) => child.on('close', () => resolve(''))) };
};

/** Kills workers and collectors, and the server that they share, if any; returns how many runs are wrong. */
const killWorkers = async (root) => {
  const port = String(20_000 + (process.pid % 20_000));
  let server = options.redis ? startServer(root, port) : undefined;
  let isOver = false;
  const keepServer = async () => {
    while (!isOver) {
      await server.ended;
      if (!isOver) server = startServer(root, port);
    }
  };
  const kept = server === undefined ? undefined : keepServer();
  const placeOf = (name) => (options.redis ? `redis://127.0.0.1:${port}#${name}` : join(root, name));
  const keysOf = async (place) =>
    isUrl(place)
      ? (await collectAll(place)).records.map((line) => keyText(JSON.parse(line)))
      : keysIn(unwrap(openFolder(place).recordFiles()));
  /** Runs until there are outcomes, with so many kills within a time; returns these and the keys of all records. */
  const run = async (path, kills, length) => {
    const roles = ['--collect', '--work', '--work'];
    const running = roles.map((role) => start(role, path));
    let outcomes = '';
    const watch = async (i) => {
      for (;;) {
        const said = await running[i].ended;
        if (i === 0) outcomes = said;
        if (outcomes !== '') return;
        running[i] = start(roles[i], path);
      }
    };
    const victims = () => [...running, ...(server === undefined ? [] : [server])];
    const timers = Array.from({ length: kills }, () =>
      setTimeout(() => kill(victims()[next() % victims().length].child.pid), next() % length),
    );
    await Promise.all(roles.map((_, i) => watch(i)));
    timers.forEach(clearTimeout);
    return { outcomes, keys: await keysOf(path) };
  };
  const begin = performance.now();
  const usual = await run(placeOf('usual'), 0, 1);
  const length = 2 * (performance.now() - begin);
  const wanted = [...new Set(usual.keys)].sort().join();
  let [killed, folders, wrong, twice] = [0, 0, 0, 0];
  while (killed < points) {
    const kills = Math.min(mostKills, points - killed);
    const path = placeOf(`${(folders += 1)}`);
    const { outcomes, keys } = await run(path, kills, length);
    killed += kills;
    const distinct = new Set(keys);
    twice += keys.length - distinct.size;
    if (outcomes === units.map(() => winner).join(' ') && [...distinct].sort().join() === wanted) continue;
    wrong += 1;
    console.log(`${path}: ${outcomes}, ${distinct.size} keys`);
  }
  console.log(`${killed} kills, ${folders} runs: ${wrong} wrong, ${twice} records of a key again`);
  isOver = true;
  if (server !== undefined) kill(server.child.pid);
  await kept;
  return wrong;
};

if (options.tune !== undefined) await tune(options.tune);
else if (options.work !== undefined) await work(options.work);
else if (options.collect !== undefined) await collect(options.collect);
else {
  const root = mkdtempSync(join(tmpdir(), 'kill-'));
  const wrong = await (options.folder || options.redis ? killWorkers : killTuners)(root);
  if (wrong === 0) rmSync(root, { recursive: true });
  process.exitCode = wrong === 0 ? 0 : 1;
}
