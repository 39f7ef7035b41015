import { describe, expect, it } from 'vitest';
import { jsonDocument } from '../src/json-document.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload, slicing } from './support/capture.ts';
import { undocumented } from './support/json-table.ts';

interface FailureDocument {
  readonly version: number;
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly message: string;
    readonly location: object | null;
    readonly notes: readonly { readonly message: string; readonly location: object | null }[];
  }[];
}

/** The only output on stdout. */
const documentOf = (out: string): FailureDocument => JSON.parse(out) as FailureDocument;

describe('work that fails', () => {
  it('says where and why', async () => {
    const [path, schedule] = [fileWith(payload('1x3x?x9')), fileWith(slicing(), 'schedule.mlir')];
    const { code, out, err } = await capture(main, 'run', path, '--schedule', schedule, '--json');
    expect(code).toBe(1);
    const { version, diagnostics } = documentOf(out);
    expect(version).toBe(1);
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'sconv/dynamic-shape',
        message: expect.stringContaining('static shape') as string,
        location: { file: schedule, line: 5, column: 24 },
        notes: [{ location: { file: path, line: 2, column: 8 } }, {}],
      },
    ]);
    // stderr is for people, with the lines of both files.
    expect(err).toMatch(
      /^.*schedule.mlir:5:24: error: .*\n +%kernels, %loops = .*\n {23}\^\n.*note: payload op\n {2}%0 = .*\n {7}\^$/m,
    );
  });
  it.each([
    ['a file that is not there', ['run', 'missing.mlir'], 'sconv/cannot-read'],
    ['text that is no MLIR', ['run', fileWith], 'parse/expected-token'],
  ] as const)('of %s has a document', async (_, [command, file], code) => {
    const path = typeof file === 'string' ? file : file('func.func @f(');
    const result = await capture(main, command, path, '--json');
    expect(result.code).toBe(1);
    expect(documentOf(result.out)).toMatchObject({
      version: 1,
      diagnostics: [{ severity: 'error', code, location: { file: path } }],
    });
  });
});

it('a file of maps that is not there is a failure with a document', async () => {
  const { code, out } = await capture(main, 'affine', 'simplify', 'missing.txt', '--json');
  expect(code).toBe(1);
  expect(documentOf(out).diagnostics).toMatchObject([
    { code: 'sconv/cannot-read', location: { file: 'missing.txt' } },
  ]);
});

it.each<readonly [command: string, words: () => readonly string[]]>([
  ['run', () => [fileWith(payload()), '--check', '--repeat', '1']],
  ['bench', () => [fileWith(payload()), '--samples', '1']],
  ['convbench', () => ['rectangular', '--every', '31', '--samples', '0']],
  ['csa SHAPE…', () => ['1x8x9x9,4x8x3x3']],
  ['affine simplify', () => [fileWith('(d0) -> (d0)')]],
  ['affine equiv', () => ['(d0) -> (d0)', '(d0) -> (1)']],
  ['affine eval', () => ['(d0) -> (d0)', '3']],
  ['scheme', () => ['[T(k,2), V(k,4)]']],
  ['targets', () => []],
  ['targets', () => ['--host']],
])('the README names the fields of %s', async (command, words) => {
  const path = command.split(' ').filter((word) => word !== 'SHAPE…');
  const { out } = await capture(main, ...path, ...words(), '--json');
  expect(undocumented(command, out)).toEqual([]);
});

describe('bad usage', () => {
  it.each([
    [['run', 'a.mlir', '--nonsense', '--json'], /unknown option '--nonsense'/],
    [['run', '--json'], /missing required argument 'payload'/],
    [
      ['run', 'a.mlir', '--target', 'wsam', '--json'],
      /no backend for target 'wsam'; .*; did you mean 'wasm'\?/,
    ],
    [['csa', '1x2', '--json'], /^input: '1x2' is not of the form NxCxHxW$/],
    [['csa', '1x8x9x9,4x8x3x3', '--target', 'vax', '--json'], /^no target 'vax'/],
    [['targets', 'avx22', '--json'], /^no target 'avx22'; .*; did you mean 'avx2'\?$/],
    [['affine', 'equiv', '(d0) -> (d0', '(d0) -> (d0)', '--json'], /^A: expected '\)'/],
    [['affine', 'eval', '(d0) -> (d0)', '3,4', '--json'], /^the map has 1 dimensions, the point has 2$/],
  ])('%j has a document', async (words, message) => {
    const { code, out } = await capture(main, ...words);
    expect(code).toBe(2);
    const { version, diagnostics } = documentOf(out);
    expect(version).toBe(1);
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'sconv/usage', location: null, notes: [] },
    ]);
    expect(diagnostics[0]!.message).toMatch(message);
  });
  it('without --json has none', async () => {
    expect(await capture(main, 'targets', 'avx22')).toMatchObject({ code: 2, out: '' });
  });
});

it('work that fails after its document has no second one', async () => {
  const { code, out } = await capture(main, 'affine', 'simplify', '--json', fileWith('(d0) ->'));
  expect(code).toBe(1);
  expect(documentOf(out)).toMatchObject({ version: 1, results: [{ line: 1 }] });
});

it.each([
  [7n, 7],
  [-(2n ** 53n) + 1n, -(2 ** 53) + 1],
  [2n ** 53n, '9007199254740992'],
  [-(2n ** 60n), '-1152921504606846976'],
])('the integer %s keeps its digits', (value, expected) => {
  expect(JSON.parse(jsonDocument({ values: [value] }))).toEqual({ version: 1, values: [expected] });
});
