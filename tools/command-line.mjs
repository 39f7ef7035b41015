// @ts-check
/** The command lines of the scripts in these folders. */
import path from 'node:path';
import { parseArgs } from 'node:util';

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Options */

const script = path.relative(process.cwd(), process.argv[1] ?? '');

/**
 * Ends the script for bad usage: one line on stderr, status 2.
 *
 * @param {string} message
 * @returns {never}
 */
export const refuse = (message) => {
  console.error(`${script}: ${message}; see --help`);
  process.exit(2);
};

/**
 * The options of a script, and its other words, which may be `most`. Ends the script where its usage is asked for with
 * `--help`, or does not allow the arguments.
 *
 * @template {Options} T
 * @param {string} usage what follows the script's name, and what its options mean
 * @param {T} options
 * @param {number} [most]
 */
export const commandLine = (usage, options, most = 0) => {
  const parsed = parse({ ...options, help: { type: 'boolean', short: 'h', default: false } });
  if (/** @type {Record<string, unknown>} */ (parsed.values)['help'] === true) {
    console.log(`usage: node ${script} ${usage}`.trimEnd());
    process.exit(0);
  }
  const [unexpected] = parsed.positionals.slice(most);
  if (unexpected !== undefined) refuse(`unexpected argument '${unexpected}'`);
  return parsed;
};

/**
 * @template {Options} T
 * @param {T} options
 */
const parse = (options) => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // What follows is advice on words that begin with a dash.
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    return refuse(message.replace(/\.$/, ''));
  }
};

/**
 * The whole number that an option is given, of 1 at least.
 *
 * @param {string} name
 * @param {string | undefined} text
 */
export const numberOf = (name, text = '') =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : refuse(`--${name} takes a number, not '${text}'`);

/**
 * The word that an option is given, which must be one of these.
 *
 * @template {string} T
 * @param {string} name
 * @param {string | undefined} word
 * @param {readonly T[]} choices
 */
export const choiceOf = (name, word, choices) =>
  choices.find((each) => each === word) ??
  refuse(`--${name} takes ${choices.join(', ')}, not '${word ?? ''}'`);
