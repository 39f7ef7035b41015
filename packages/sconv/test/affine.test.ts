import { success } from '@sconv/diagnostics';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { affineCommand } from '../src/commands/affine.ts';
import type { Console } from '../src/console.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith } from './support/capture.ts';

/** Output, messages and exit code of `sconv affine …`, `input` being the standard input. */
function run(args: readonly string[], input = ''): { out: string; err: string; code: number } {
  let [out, err, code] = ['', '', 0];
  const output: Console = {
    out: (text) => (out += text),
    err: (text) => (err += text),
    isTerminal: false,
  };
  const command = affineCommand(
    (given) => (code = given),
    output,
    (name) => success({ name, text: input }),
  );
  const intercept = (each: Command) => {
    each.exitOverride().configureOutput({
      writeErr: (text) => {
        err += text;
      },
    });
    each.commands.forEach(intercept);
  };
  intercept(command);
  try {
    command.parse(args, { from: 'user' });
    return { out, err, code };
  } catch (error) {
    return { out, err, code: (error as { exitCode: number }).exitCode };
  }
}

describe('sconv affine simplify', () => {
  it('prints maps and sets, one a line', () => {
    const input = [
      '(d0, d1) -> (d0 + d1 - d0)',
      '',
      '// a comment',
      'affine_map<(i)[n] -> ((i floordiv 4) * 4 + i mod 4 + n)>',
      '(d0) : (d0 * 2 - d0 >= 0)',
      'affine_set<(d0) : (d0 - d0 + 1 == 0)>',
    ].join('\n');
    expect(run(['simplify'], input)).toEqual({
      out: '(d0, d1) -> (d1)\naffine_map<(d0)[s0] -> (d0 + s0)>\n(d0) : (d0 >= 0)\naffine_set<(d0) : (1 == 0)>\n',
      err: '',
      code: 0,
    });
  });

  it('uses sets', () => {
    const over = ['simplify', '--over', '[n] -> { [i] : i mod 4 = 0 and 0 <= i < n <= 8 }'];
    expect(
      run(over, '(d0) -> (d0 floordiv 4 * 4)\n(i)[n] : (i + 1 >= 0, i - 4 >= 0)\n(d0)[s0] -> (d0 mod 8)'),
    ).toEqual({
      out: '(d0)[s0] : (d0 - 4 >= 0)\n(d0)[s0] -> (d0)\n',
      err: '-:1:1: error: a map of 1 dimensions and 0 symbols over a set of 1 dimensions and 1 symbols\n',
      code: 1,
    });
    const { out, err, code } = run(['simplify', '--over', '{ [i] : i < n }'], '');
    expect({ out, code }).toEqual({ out: '', code: 1 });
    expect(err).toContain('n is not declared');
  });

  it('uses bounds, half-open', () => {
    expect(run(['simplify', '--over', 'd0=0:75'], '(d0) -> (d0 mod 75)').out).toBe('(d0) -> (d0)\n');
    expect(run(['simplify', '--over', 'd0=0:76'], '(d0) -> (d0 mod 75)').out).toBe('(d0) -> (d0 mod 75)\n');
    expect(
      run(['simplify', '--over', 'd1=0:152, d0=:'], '(d0, d1) -> ((d0 * 152 + d1) floordiv 152)').out,
    ).toBe('(d0, d1) -> (d0)\n');
  });

  it('says where a line is wrong, and goes on', () => {
    expect(run(['simplify', 'maps.txt'], '(d0) -> (d1)\n(d0) -> (d0)\n')).toEqual({
      out: '(d0) -> (d0)\n',
      err: "maps.txt:1:10: error: use of undeclared identifier 'd1'\n",
      code: 1,
    });
  });

  it('writes one JSON document', () => {
    const { out, code } = run(['simplify', '--json'], '(d0) -> (d0 * 2 - d0)\n(d0) ->');
    expect(JSON.parse(out)).toEqual({
      version: 1,
      results: [
        { line: 1, input: '(d0) -> (d0 * 2 - d0)', output: '(d0) -> (d0)' },
        {
          line: 2,
          input: '(d0) ->',
          error: { code: 'affine/syntax', column: 8, message: "expected '(' in affine map range" },
        },
      ],
    });
    expect(code).toBe(1);
  });
});

describe('bounds', () => {
  const over = (bounds: string, map: string): string => run(['simplify', '--over', bounds], map).out.trim();
  it.each([
    ['d0=-5:0', '(d0) -> (d0 floordiv 5)', '(d0) -> (-1)'],
    ['d0=0:', '(d0) -> (d0 floordiv 5)', '(d0) -> (d0 floordiv 5)'],
    ['d0=:,s0=3:4', '(d0)[s0] -> (d0 + s0)', '(d0)[s0] -> (d0 + 3)'],
    [' s0 = 3 : 4 , d0 = 0 : 3 ', '(d0)[s0] -> (d0 floordiv s0)', '(d0)[s0] -> (0)'],
  ])('%s of %s', (bounds, map, simplified) => {
    expect(over(bounds, map)).toBe(simplified);
  });
  it('are by the names of the map, too', () => {
    expect(over('w=0:75', '(c, w) -> (w mod 75)')).toBe('(d0, d1) -> (d1)');
    expect(run(['simplify', '--over', 'x=0:1'], '(c, w) -> (w)')).toMatchObject({
      err: '-:1:1: error: x names no dimension and no symbol: use d0, s0, …, c, w\n',
      code: 1,
    });
    expect(run(['equiv', '--over', 'w=0:75', '(c, w) -> (w mod 75)', '(c, w) -> (w)']).code).toBe(0);
  });
  it.each(['d0', 'd0=1', 'd0=0:1,', 'd0=0:1 d1=0:1', 'd0=a:1', '0d=0:1'])('%s are none', (bounds) => {
    const { out, err, code } = run(['simplify', '--over', bounds], '(d0) -> (d0)');
    expect([out, code]).toEqual(['', 1]);
    expect(err).toContain("write bounds as d0=0:75,s0=1:9, not '");
  });
});

describe('sconv affine equiv', () => {
  it.each([
    [['(d0) -> (d0 + d0)', '(d0) -> (d0 * 2)'], 'equivalent (normal form)\n', 0],
    [['(d0) -> (d0 mod 75)', '(d0) -> (d0)', '--over', 'd0=0:75'], 'equivalent (normal form)\n', 0],
    [['(d0) : (d0 - 1 >= 0)', '(d0) : (d0 + 1 - 2 >= 0)'], 'equivalent (normal form)\n', 0],
    [
      ['(d0) : (d0 >= 1)', '(d0) : (d0 >= 0)', '--over', 'd0=0:9'],
      'not equivalent: only the second contains d0 = 0\n',
      1,
    ],
    [
      ['(d0) -> (d0 mod 75)', '(d0) -> (d0)', '--over', 'd0=0:76'],
      'not equivalent: at d0 = 75 the first gives (0), the second (75)\n',
      1,
    ],
    [
      [
        '(d0) -> (d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3)',
        '(d0) -> (d0)',
        '--over',
        'd0=0:9',
      ],
      'equivalent (exhaustion)\n',
      0,
    ],
    [
      ['(d0) -> (d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3)', '(d0) -> (d0)'],
      'equivalent (proof)\n',
      0,
    ],
    [
      ['(n) -> (n floordiv 4 * 4)', '(n) -> (n)'],
      'not equivalent: at d0 = -1 the first gives (-4), the second (-1)\n',
      1,
    ],
    [
      ['(n) -> (n floordiv 4 * 4)', '(n) -> (n)', '--over', '(n) : (n mod 4 == 0)'],
      'equivalent (proof)\n',
      0,
    ],
    [
      ['(i)[n] -> (i mod n)', '(i)[n] -> (i)', '--over', '[n] -> { [i] : 0 <= i < n }'],
      'undecided: d0 mod s0 multiplies variables, or divides by one or by zero: only constants may\n',
      3,
    ],
    [
      ['(i)[n] -> (i + n)', '(i)[n] -> (i)', '--over', '[n] -> { [i] : 0 <= i < n }'],
      'not equivalent: at d0 = 0, s0 = 1 the first gives (1), the second (0)\n',
      1,
    ],
    [
      ['(i) : (i mod 2 == 0)', '(i) : (i mod 4 == 0)', '--over', '(i) : (i mod 4 == 0)'],
      'equivalent (proof)\n',
      0,
    ],
    [
      ['(i) : (i mod 2 == 0)', '(i) : (i mod 4 == 0)'],
      'not equivalent: only the first contains d0 = -2\n',
      1,
    ],
    [
      ['(i)[n] -> ((i mod n + n) floordiv (2 * n))', '(i)[n] -> (0)', '--seed', '5'],
      'undecided: no difference found (2000 points tried, seed 5)\n',
      3,
    ],
  ])('%j', (args, out, code) => {
    expect(run(['equiv', ...args])).toEqual({ out, err: '', code });
  });

  it('says undecided in JSON', () => {
    const maps = ['(i)[n] -> ((i mod n + n) floordiv (2 * n))', '(i)[n] -> (0)'];
    const { out, code } = run(['equiv', '--json', ...maps]);
    expect(JSON.parse(out)).toEqual({ version: 1, equivalent: 'undecided', by: 'sampling', points: 2000 });
    expect(code).toBe(3);
  });

  it('writes one JSON document', () => {
    const { out, code } = run(['equiv', '--json', '--over', 'd0=5:6', '(d0) -> (d0)', '(d0) -> (1)']);
    expect(JSON.parse(out)).toEqual({
      version: 1,
      equivalent: false,
      by: 'exhaustion',
      points: 1,
      counterexample: { dims: [5], symbols: [], left: [5], right: [1] },
    });
    expect(code).toBe(1);
  });

  it.each([
    [
      ['(d0) -> (d0', '(d0) -> (d0)'],
      "error: A: expected ')' in affine map range\n  (d0) -> (d0\n             ^\n",
    ],
    [['(d0) -> (d0)', '(d0, d1) -> (d0)'], 'error: the maps differ in arity: 1 dimensions'],
    [['(d0) -> (d0)', '(d0) -> (d0)', '--over', 'd0=5'], "write bounds as d0=0:75,s0=1:9, not 'd0=5'"],
    [['(d0) -> (d0)', '(d0) -> (d0 + 1)', '--over', 'd0=5:5'], 'the bounds [5, 5) of d0 have no points'],
  ])('%j is bad usage', (args, message) => {
    const { out, err, code } = run(['equiv', ...args]);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(code).toBe(args.includes('d0=5') ? 1 : 2);
  });
});

describe('sconv affine eval', () => {
  it.each([
    [['(d0, d1, d2) -> (d0 * 100 + d1 * 10 + d2, d2)', '3,4,5'], '345,5\n'],
    [['(d0)[s0] -> (d0 * s0)', '-3', '7'], '-21\n'],
    [['(d0, d1) -> (d0 mod 4, d1)', '-3,4'], '1,4\n'],
    [['() -> (5)'], '5\n'],
    [['(d0) -> (d0, 1)', '2', '--json'], '{\n  "version": 1,\n  "values": [\n    2,\n    1\n  ]\n}\n'],
  ])('%j', (args, out) => {
    expect(run(['eval', ...args])).toEqual({ out, err: '', code: 0 });
  });

  it.each([
    [['(d0, d1) -> (d0)', '3'], 'error: the map has 2 dimensions, the point has 1\n', 2],
    [['(d0) -> (d0)', 'x'], "error: DIMS: write a point as 3,4,5, not 'x'\n", 2],
    [['(d0)[s0] -> (d0 mod s0)', '1', '0'], 'error: mod by zero\n', 1],
    [['(d0) -> (d0 * 3)', '9007199254740991'], 'error: 27021597764222972 is outside', 1],
  ])('%j fails', (args, message, code) => {
    const result = run(['eval', ...args]);
    expect(result.err).toContain(message);
    expect([result.out, result.code]).toEqual(['', code]);
  });
});

describe('what goes wrong besides', () => {
  it('is a file that cannot be read', async () => {
    const { code, out, err } = await capture(main, 'affine', 'simplify', 'missing.txt');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^missing\.txt:1:1: error: cannot read: ENOENT.* \[sconv\/cannot-read\]$/m);
  });
  it('is told by the exit code of the command, not of this process', async () => {
    const { code } = await capture(main, 'affine', 'equiv', '(d0) -> (d0)', '(d0) -> (1)');
    expect([code, process.exitCode]).toEqual([1, undefined]);
  });
  it.each(['x', '-1', '1.5', '12345678901'])('is a seed that is none: %s', (seed) => {
    const { err } = run(['equiv', '(d0) -> (d0)', '(d0) -> (d0)', `--seed=${seed}`]);
    expect(err).toContain('an integer from 0');
  });
  it('are several lines, each with its place', () => {
    const { out, err, code } = run(
      ['simplify', 'a.txt'],
      '(d0) -> (d0\r\n() -> (1 + 1)\r\n\r\n (d0) : (d1 >= 0)',
    );
    expect([out, code]).toEqual(['() -> (2)\n', 1]);
    expect(err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^a\.txt:1:12: error: /),
      expect.stringMatching(/^a\.txt:4:10: error: use of undeclared identifier 'd1'/),
    ]);
  });
  it.each([
    ['3,,4', 2],
    ['3;4', 2],
    ['1.5', 2],
    ['', 2],
  ])("is a point like '%s'", (point, code) => {
    expect(run(['eval', '(d0, d1) -> (d0)', point])).toMatchObject({ out: '', code });
  });
});

it('maps are read from a file', async () => {
  const { code, out } = await capture(main, 'affine', 'simplify', fileWith('(d0) -> (d0 + d0)\n'));
  expect({ code, out }).toEqual({ code: 0, out: '(d0) -> (d0 * 2)\n' });
});

it.each([
  [['(d0)[s0] -> (d0 + s0, 1)', '(d0)[s0] -> (d0, 1)', '--over', 'd0=2:3,s0=4:5'], 'not equivalent: at d0 = 2, s0 = 4 the first gives (6, 1), the second (2, 1)\n'],
  [['() -> (1)', '() -> (2)'], 'not equivalent: at  the first gives (1), the second (2)\n'],
])('a counterexample of %j', (args, out) => {
  expect(run(['equiv', ...args])).toEqual({ out, err: '', code: 1 });
}); // prettier-ignore
