import type { Command } from 'commander';
import { afterEach, describe, expect, it } from 'vitest';
import { affineCommand } from '../src/commands/affine.ts';

afterEach(() => {
  process.exitCode = undefined;
});

/** Output, messages and exit code of `sconv affine …`, `input` being the standard input. */
function run(args: readonly string[], input = ''): { out: string; err: string; code: number } {
  let [out, err] = ['', ''];
  const command = affineCommand(
    (text) => {
      out += text;
    },
    () => input,
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
    return { out, err, code: Number(process.exitCode ?? 0) };
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

describe('sconv affine equiv', () => {
  it.each([
    [['(d0) -> (d0 + d0)', '(d0) -> (d0 * 2)'], 'equivalent (normal form)\n', 0],
    [['(d0) -> (d0 mod 75)', '(d0) -> (d0)', '--over', 'd0=0:75'], 'equivalent (normal form)\n', 0],
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
      ['(d0) -> (d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3)', '(d0) -> (d0)', '--seed', '5'],
      'no difference found (2000 points tried, seed 5)\n',
      0,
    ],
    [
      ['(d0) -> (d0 floordiv 3 + (d0 + 1) floordiv 3 + (d0 + 2) floordiv 3)', '(d0) -> (d0)'],
      'no difference found (2000 points tried, seed 1)\n',
      0,
    ],
  ])('%j', (args, out, code) => {
    expect(run(['equiv', ...args])).toEqual({ out, err: '', code });
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
    expect(code).toBeGreaterThanOrEqual(1);
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
