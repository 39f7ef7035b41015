import { describe, expect, it } from 'vitest';
import { parsePassOptions } from '@sconv/ir';
import type { OptArguments } from '../src/opt/arguments.ts';
import { optionsHelp, parseArguments } from '../src/opt/arguments.ts';

const defaults: OptArguments = {
  input: '-',
  output: '-',
  passes: [],
  pipeline: undefined,
  transform: undefined,
  splitInput: false,
  verifyDiagnostics: false,
  verifyEach: true,
  allowUnregisteredDialects: false,
  implicitModule: true,
  generic: false,
  localScope: false,
  debugInfo: false,
  skipRegions: false,
  printBeforeAll: false,
  printAfterAll: false,
  printAfterChange: false,
  treeFolder: undefined,
  timing: false,
};

/** Every flag, the field that it sets, and to what. */
const flags: readonly (readonly [string, keyof OptArguments, boolean])[] = [
  ['split-input-file', 'splitInput', true],
  ['verify-diagnostics', 'verifyDiagnostics', true],
  ['verify-each', 'verifyEach', true],
  ['allow-unregistered-dialect', 'allowUnregisteredDialects', true],
  ['no-implicit-module', 'implicitModule', false],
  ['mlir-print-op-generic', 'generic', true],
  ['mlir-print-local-scope', 'localScope', true],
  ['mlir-print-debuginfo', 'debugInfo', true],
  ['mlir-print-skip-regions', 'skipRegions', true],
  ['mlir-print-ir-before-all', 'printBeforeAll', true],
  ['mlir-print-ir-after-all', 'printAfterAll', true],
  ['mlir-print-ir-after-change', 'printAfterChange', true],
  ['mlir-timing', 'timing', true],
];

/** Every option with a value, and its field. */
const valued: readonly (readonly [string, keyof OptArguments])[] = [
  ['o', 'output'],
  ['transform', 'transform'],
  ['pass-pipeline', 'pipeline'],
  ['mlir-print-ir-tree-dir', 'treeFolder'],
];

const values = (...words: readonly string[]): OptArguments => {
  const parsed = parseArguments(words);
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
  return parsed.values;
};

describe('the arguments', () => {
  it('have defaults', () => {
    expect(values()).toEqual(defaults);
  });

  it.each(flags)('--%s sets %s to %s, and =false to the contrary', (name, field, set) => {
    for (const word of [`--${name}`, `-${name}`, `--${name}=true`, `--${name}=1`])
      expect(values(word), word).toEqual({ ...defaults, [field]: set });
    for (const word of [`--${name}=false`, `-${name}=0`])
      expect(values(word), word).toEqual({ ...defaults, [field]: !set });
    expect(parseArguments([`--${name}=`])).toEqual({
      kind: 'error',
      message: `--${name} is true or false, not ''`,
    });
  });

  it.each(valued)('--%s takes a value, for %s', (name, field) => {
    const goesWith = name === 'mlir-print-ir-tree-dir' ? ['--mlir-print-ir-after-all'] : [];
    const others = { ...defaults, printAfterAll: goesWith.length > 0 };
    for (const words of [[`--${name}=a=b`], [`-${name}`, 'a=b']])
      expect(values(...goesWith, ...words), words.join(' ')).toEqual({ ...others, [field]: 'a=b' });
    const word = name.length === 1 ? `-${name}` : `--${name}`;
    expect(parseArguments([`--${name}`])).toEqual({ kind: 'error', message: `${word} needs a value` });
  });

  it('are all above', () => {
    const listed = [...optionsHelp().matchAll(/^ {2}--?([\w-]+)/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual([...flags, ...valued].map(([name]) => name).toSorted());
  });

  it.each([
    [['a', '-b'], 'unknown option --b'],
    [['a', '-'], 'one input file, not 2'],
    [['-transform=a', '--pass-pipeline=b'], 'give only one of passes, --pass-pipeline and -transform'],
    [['--toString'], 'unknown option --toString'],
    [
      ['--mlir-print-ir-tree-dir=a'],
      '--mlir-print-ir-tree-dir requires --mlir-print-ir-before-all, --mlir-print-ir-after-all or --mlir-print-ir-after-change',
    ],
  ])('%j are refused', (words, message) => {
    expect(parseArguments(words)).toEqual({ kind: 'error', message });
  });

  it('name passes with their options, in their order', () => {
    const words = ['--transform-interpreter=entry-point=main', 'a', '--one-shot-bufferize'];
    expect(values(...words)).toEqual({
      ...defaults,
      input: 'a',
      passes: [
        { name: 'transform-interpreter', options: { 'entry-point': 'main' } },
        { name: 'one-shot-bufferize', options: {} },
      ],
    });
  });
});

it.each([
  ['', {}],
  ['a', { a: 'true' }],
  [' a=1  b=c=d ', { a: '1', b: 'c=d' }],
])("the options '%s' of a pass", (text, expected) => {
  expect(parsePassOptions(text)).toEqual(expected);
});
