import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import {
  anyType,
  applyPatternsGreedily,
  constantLike,
  defineOp,
  extendRegistry,
  follow,
  i32,
  implement,
  integerAttribute,
  integerOf,
  one,
  printModule,
  tryEdit,
  unitAttribute,
  verify,
} from '../src/index.ts';
import type { Folder, GreedyOptions, RewritePattern, Trait } from '../src/index.ts';
import { named } from './sample-module.ts';
import { parse, registry as testRegistry } from './test-dialect.ts';

const binary = (name: string, fold: Folder, traits: readonly Trait[] = []) =>
  defineOp({
    name: `g.${name}`,
    summary: name,
    operands: { lhs: one(anyType), rhs: one(anyType) },
    results: { result: one(anyType) },
    traits: ['pure', 'same-operands-and-result-type', ...traits],
    assembly: { format: '$lhs `,` $rhs attr-dict `:` type($result)' },
    fold,
  });

/** Folds sums of constants, and `x + 0`. */
const sum = binary(
  'sum',
  ({ operands }, constants) => {
    const [a, b] = constants.map((constant) => integerOf(constant));
    if (a !== undefined && b !== undefined) return [integerAttribute(a + b, i32)];
    return b === 0 ? [operands[0]!] : undefined;
  },
  ['commutative'],
);

/** Marks itself as seen, in place. */
const mark = defineOp({
  name: 'g.mark',
  summary: 'mark',
  assembly: { format: 'attr-dict' },
  fold: ({ attributes }) => ({ kind: 'in-place', attributes: { ...attributes, seen: unitAttribute } }),
});

const halves = defineOp({
  name: 'g.halves',
  summary: 'two results',
  operands: { input: one(anyType) },
  results: { low: one(anyType), high: one(anyType) },
  traits: ['pure'],
  assembly: { format: '$input attr-dict `:` type($input) `,` type($low) `,` type($high)' },
  // `test.constant` cannot hold the second result.
  fold: (_, [constant]) => (constant === undefined ? undefined : [constant, unitAttribute]),
});

/** Alternates between numbers. */
const flip = defineOp({
  name: 'g.flip',
  summary: 'flip',
  assembly: { format: 'attr-dict' },
  fold: ({ attributes }) => ({
    kind: 'in-place',
    attributes: attributes['up'] === undefined ? { up: unitAttribute } : {},
  }),
});

/** A constant that folds to itself. */
const own = defineOp({
  name: 'g.own',
  summary: 'a constant',
  results: { result: one(anyType) },
  traits: ['pure'],
  assembly: { format: 'attr-dict `:` type($result)' },
  interfaces: [
    implement(constantLike, {
      value: () => integerAttribute(9, i32),
      attributesFor: (value) => (integerOf(value) === 9 ? {} : undefined),
    }),
  ],
  fold: () => [integerAttribute(9, i32)],
});

const body = (name: string, traits: readonly Trait[]) =>
  defineOp({
    name: `g.${name}`,
    summary: name,
    regions: ['body'],
    traits: ['no-terminator', ...traits],
    assembly: { format: '$body attr-dict' },
  });

const registry = extendRegistry(testRegistry, [
  {
    name: 'g',
    operations: [
      sum,
      mark,
      halves,
      flip,
      own,
      body('body', ['recursive-effects']),
      body('isolated', ['recursive-effects', 'isolated-from-above']),
      body('restricting', ['recursive-effects', 'restricts-body']),
    ],
  },
]);

interface Run extends GreedyOptions {
  readonly patterns?: readonly RewritePattern[];
  /** The name of the root operations. */
  readonly roots?: string;
}

/** Runs the driver on the function `@f` with body `lines`. */
const run = (lines: string, { patterns = [], roots = 'builtin.module', ...options }: Run = {}) => {
  const module = parse(`test.func @f(%x: i32, %y: i32) {\n${lines}\n}`, registry);
  const edited = tryEdit(module, { registry }, (rewriter) =>
    applyPatternsGreedily(
      rewriter,
      rewriter.walk(rewriter.root).filter(({ name }) => name === roots),
      patterns,
      options,
    ),
  );
  return { module, edited };
};

/** The lines of the function's body afterwards. */
const greedy = (lines: string, options?: Run): string => {
  const { module: after } = unwrap(run(lines, options).edited);
  expect(verify(after, registry, { allowUnregisteredDialects: true })).toEqual([]);
  return printModule(after, { registry })
    .split('\n')
    .slice(2, -3)
    .map((line) => line.slice(4))
    .join('\n');
};

const use = (...values: string[]): string =>
  `"u.use"(${values.join(', ')}) : (${values.map(() => 'i32').join(', ')}) -> ()`;

describe('applyPatternsGreedily without patterns', () => {
  it('does nothing without roots, whatever the bounds', () => {
    const result = tryEdit(parse(''), { registry: testRegistry }, (rewriter) =>
      applyPatternsGreedily(rewriter, [], [], { maxRounds: 0 }),
    );
    expect(unwrap(result).results).toEqual({ changed: false });
  });

  it.each<[string, string, string]>([
    [
      'folds to constants, which stand once and at the start',
      `${use('%x')}
%0 = test.constant 1 : i32
%1 = test.constant 2 : i32
%2 = g.sum %0, %1 : i32
%3 = g.sum %2, %0 : i32
%4 = test.constant 3 : i32
%5 = g.sum %3, %4 : i32
${use('%2', '%3', '%4', '%5')}`,
      `%c7 = constant 7 : i32
%c4 = constant 4 : i32
%c3 = constant 3 : i32
${use('%arg0')}
${use('%c3', '%c4', '%c3', '%c7')}`,
    ],
    [
      'folds to operands, and has constants behind other operands before it does',
      `%0 = test.constant 0 : i32
%1 = g.sum %0, %x : i32
%2 = test.constant 5 : i32
%3 = g.sum %2, %1 : i32
${use('%3')}`,
      `%c5 = constant 5 : i32
%0 = g.sum %arg0, %c5 : i32
${use('%0')}`,
    ],
    [
      'folds in place only what an op restricts',
      `%0 = test.constant 0 : i32
g.restricting {
  g.mark
  %1 = g.sum %0, %x : i32
  ${use('%1')}
}
${use()}`,
      `%c0 = constant 0 : i32
g.restricting {
  g.mark {seen}
  %0 = g.sum %arg0, %c0 : i32
  ${use('%0')}
}
${use()}`,
    ],
    ['folds in place, once', `g.mark\n${use()}`, `g.mark {seen}\n${use()}`],
    [
      'leaves what folds to something that no op holds',
      `%0 = test.constant 1 : i32
%1, %2 = g.halves %0 : i32, i32, i32
${use('%1')}`,
      `%c1 = constant 1 : i32
%low, %high = g.halves %c1 : i32, i32, i32
${use('%low')}`,
    ],
    ['leaves constants that fold', `%0 = g.own : i32\n${use('%0')}`, `%0 = g.own : i32\n${use('%0')}`],
    [
      'keeps constants of equal value and other type apart',
      `%0 = test.constant 1 : i32
%1 = test.constant 1 : i64
"u.use"(%0, %1) : (i32, i64) -> ()`,
      `%c1 = constant 1 : i32
%c1_0 = constant 1 : i64
"u.use"(%c1, %c1_0) : (i32, i64) -> ()`,
    ],
    [
      'hoists constants out of regions, as far as the isolated one and out of none that is not known',
      `g.body {
  %0 = test.constant 1 : i32
  ${use('%0')}
}
g.isolated {
  ${use()}
  g.body {
    %1 = test.constant 1 : i32
    ${use('%1')}
  }
}
"u.body"() ({
  ${use()}
  %1 = test.constant 1 : i32
  ${use('%1')}
}) : () -> ()`,
      `%c1 = constant 1 : i32
g.body {
  ${use('%c1')}
}
g.isolated {
  %c1_0 = test.constant 1 : i32
  ${use()}
  g.body {
    ${use('%c1_0')}
  }
}
"u.body"() ({
  %c1_0 = test.constant 1 : i32
  ${use()}
  ${use('%c1_0')}
}) : () -> ()`,
    ],
    [
      'erases what is unused, from the last to the first, and with regions where nothing in them has effects',
      `%0 = g.sum %x, %y : i32
%1 = g.sum %0, %0 : i32
g.body {
  %2 = g.sum %1, %1 : i32
}
%3 = "u.unknown"() : () -> i32`,
      `%0 = "u.unknown"() : () -> i32`,
    ],
  ])('%s', (_, lines, expected) => {
    expect(greedy(lines)).toBe(expected);
    expect(greedy(expected.replaceAll('%arg0', '%x'))).toBe(expected);
  });

  it('returns the very module where there is nothing to do', () => {
    const { module, edited } = run(`%0 = test.constant 1 : i32\n%1 = g.sum %x, %0 : i32\n${use('%1')}`);
    const { module: after, results } = unwrap(edited);
    expect([after === module, results]).toEqual([true, { changed: false }]);
  });

  it('rewrites below the roots only, and not these', () => {
    const lines = `g.mark
g.body {
  g.mark
}
${use()}`;
    expect(greedy(lines, { roots: 'g.body' })).toBe(`g.mark
g.body {
  g.mark {seen}
}
${use()}`);
    expect(greedy(lines, { roots: 'g.mark' })).toBe(lines);
  });

  it('forwards what it folds to what it becomes', () => {
    const { module, edited } = run(`%0 = test.constant 2 : i32\n%1 = g.sum %0, %0 : i32\n${use('%1')}`);
    const { module: after, forward } = unwrap(edited);
    const [[constant], [folded], [four]] = [
      named(module, 'test.constant'),
      named(module, 'g.sum'),
      named(after, 'test.constant'),
    ];
    expect(follow(forward.operations, folded!.id)).toEqual([four!.id]);
    expect(follow(forward.operations, constant!.id)).toEqual([]);
  });
});

/** Replaces an op by a new one with another name. */
const rename = (root: string, to: string, benefit?: number): RewritePattern => ({
  name: `${root}-to-${to}`,
  root,
  ...(benefit === undefined ? {} : { benefit }),
  rewrite: (rewriter, operation) => {
    rewriter.replaceWith(operation, {
      name: to,
      operands: operation.operands,
      resultTypes: operation.results.map(({ type }) => type),
      attributes: {},
      bodies: [],
      successors: [],
      location: undefined,
    });
  },
});

describe('patterns', () => {
  const lines = `"u.first"() : () -> ()\n%0 = "u.a"(%x) : (i32) -> i32\n${use('%0')}`;
  const result = (name: string): string =>
    `"u.first"() : () -> ()\n%0 = "${name}"(%arg0) : (i32) -> i32\n${use('%0')}`;

  it.each<[string, readonly RewritePattern[], string]>([
    ['apply to their root', [rename('u.b', 'u.c')], 'u.a'],
    ['apply to what others made', [rename('u.b', 'u.c'), rename('u.a', 'u.b')], 'u.c'],
    ['are tried in the order of the list', [rename('u.a', 'u.d'), rename('u.a', 'u.e')], 'u.d'],
    ['are tried by benefit', [rename('u.a', 'u.d'), rename('u.a', 'u.e', 2), rename('u.a', 'u.f', 0)], 'u.e'],
  ])('%s', (_, patterns, expected) => {
    // One round does everything, the next finds nothing left.
    expect(greedy(lines, { patterns, maxRounds: 2 })).toBe(result(expected));
  });

  it('without a root are tried on all operations, each before what is in it', () => {
    const seen: string[] = [];
    const look: RewritePattern = { name: 'look', rewrite: (_, { name }) => void seen.push(name) };
    greedy(`g.mark {seen}\ng.body {\n  ${use('%x')}\n}\n${use('%y')}`, { patterns: [look] });
    expect(seen.join(' ')).toBe('test.func g.mark g.body u.use u.use');
  });

  it('are not tried on what was erased with its parent', () => {
    const patterns: readonly RewritePattern[] = [
      { name: 'erase', root: 'g.body', rewrite: (rewriter, operation) => rewriter.eraseOperation(operation) },
      {
        name: 'mark',
        root: 'u.make',
        rewrite: (rewriter, operation) => rewriter.setAttribute(operation, 'seen', unitAttribute),
      },
    ];
    const lines = `g.body {\n  %a = "u.make"() : () -> i32\n  ${use('%a')}\n}\n${use('%y')}`;
    expect(greedy(lines, { patterns })).toBe(use('%arg1'));
  });

  it('insert before the operation', () => {
    const before: RewritePattern = {
      name: 'mark-before',
      root: 'u.use',
      rewrite: (rewriter, operation) => {
        if (operation.previous === undefined) rewriter.create(mark.state({}));
      },
    };
    expect(greedy(`${use('%x')}\n${use('%y')}`, { patterns: [before] })).toBe(
      `g.mark {seen}\n${use('%arg0')}\n${use('%arg1')}`,
    );
  });

  it('that look for a single use see it as soon as there is one', () => {
    const single: RewritePattern = {
      name: 'single',
      root: 'u.a',
      rewrite: (rewriter, operation) => {
        if (rewriter.users(operation.results[0]!).length === 1)
          rewriter.replaceOperation(operation, operation.operands);
      },
    };
    const twice = `%0 = "u.a"(%x) : (i32) -> i32\n%1 = g.sum %0, %0 : i32\n${use('%0')}`;
    expect(greedy(twice, { patterns: [single], maxRounds: 2 })).toBe(use('%arg0'));
  });

  const back = [rename('u.a', 'u.b'), rename('u.b', 'u.a')];
  /** Changes an operation outside the roots, so that each round finds one thing to do. */
  const outside: RewritePattern = {
    name: 'outside',
    root: 'u.use',
    rewrite: (rewriter) => rewriter.setAttribute(rewriter.root, 'touched', unitAttribute),
  };
  it.each<[string, Run, string]>([
    [
      'that undo each other are named',
      { patterns: back, maxRewrites: 4 },
      '4 rewrites are not enough to converge; rewrites of the last round: u.a-to-u.b (3), u.b-to-u.a (2)',
    ],
    [
      'are named from what was applied most on',
      { patterns: [rename('u.first', 'u.last'), ...back], maxRewrites: 4 },
      '4 rewrites are not enough to converge; rewrites of the last round: u.a-to-u.b (2), u.b-to-u.a (2), u.first-to-u.last (1)',
    ],
    [
      'have 100 rewrites for each operation, and 100,000',
      { patterns: back },
      '100500 rewrites are not enough to converge; rewrites of the last round: u.a-to-u.b (50251), u.b-to-u.a (50250)',
    ],
    [
      'have 10 rounds',
      { patterns: [outside], roots: 'test.func' },
      '10 rounds are not enough to converge; rewrites of the last round: outside (1)',
    ],
    [
      'have as many rounds as are given',
      { patterns: [outside], roots: 'test.func', maxRounds: 2 },
      '2 rounds are not enough to converge; rewrites of the last round: outside (1)',
    ],
  ])('%s', (_, options, message) => {
    const { edited } = run(lines, options);
    expect([edited.status, edited.diagnostics.map((d) => `${d.code}: ${d.message}`)]).toEqual([
      'silenceable',
      [`greedy/not-converged: ${message}`],
    ]);
  });

  it('names folds that undo themselves', () => {
    const { edited } = run('g.flip\n"u.use"() : () -> ()', { maxRewrites: 2 });
    expect(edited.diagnostics.map((d) => d.message)).toEqual([
      '2 rewrites are not enough to converge; rewrites of the last round: fold of g.flip (3)',
    ]);
  });

  it('stop where the caller says so', () => {
    const signal = { aborted: false };
    const abort: RewritePattern = { name: 'abort', rewrite: () => void (signal.aborted = true) };
    const { edited } = run(lines, { patterns: [abort], signal });
    expect([edited.status, edited.diagnostics[0]?.code, edited.diagnostics[0]?.location]).toMatchObject([
      'definite',
      'greedy/aborted',
      { line: 2 },
    ]);
  });
});
