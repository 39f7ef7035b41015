// @ts-check
/** Asks isl, through a small driver in C that is compiled when it is first used. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * An answer: a word, a number or the text of a set, and the nanoseconds of the question and of reading the sets;
 * `undecided` where isl fails or takes too long.
 *
 * @typedef {{ readonly text: string, readonly time: number, readonly reading: number }} IslAnswer
 */

/**
 * A function that asks isl a list of questions, each an operation and its sets; undefined where isl is not installed.
 *
 * @param {{ readonly runs?: number, readonly seconds?: number }} [options] runs, the fastest of which counts, and
 *   processor time for each question
 */
export const findIsl = ({ runs = 3, seconds = 2 } = {}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'isl-driver-'));
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  const driver = path.join(folder, 'isl-driver');
  const source = path.join(import.meta.dirname, 'isl-driver.c');
  try {
    execFileSync('cc', ['-O2', source, '-o', driver, '-lisl'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return (/** @type {readonly (readonly string[])[]} */ questions) => {
    const input = questions.map((words) => `${words.join('\t')}\n`).join('');
    const { stdout, status } = spawnSync(driver, [String(runs), String(seconds)], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (status !== 0) throw new Error(`the driver of isl ended with ${status}`);
    const lines = stdout.trimEnd().split('\n');
    if (questions.length > 0 && lines.length !== questions.length) {
      throw new Error(`${lines.length} answers of isl to ${questions.length} questions`);
    }
    return questions.map((_, i) => {
      const [text = '', time, reading] = (lines[i] ?? '').split('\t');
      return { text, time: Number(time), reading: Number(reading) };
    });
  };
};
