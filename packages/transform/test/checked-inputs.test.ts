import { describe, expect, it } from 'vitest';
import {
  i64ArrayAttribute,
  i64Attribute,
  optionalAttribute,
  stringAttributeKind,
  unitAttributeKind,
} from '@sconv/ir';
import { cast, defineTransformOp, mergeHandles, reads, readsOptional, schedule } from '../src/index.ts';
import type { Handle } from '../src/index.ts';
import { registry } from './support.ts';

const configured = defineTransformOp({
  name: 'transform.test.configured',
  summary: 'Has one option of each kind.',
  operands: { target: reads('ops') },
  attributes: {
    count: i64Attribute,
    sizes: optionalAttribute(i64ArrayAttribute),
    label: optionalAttribute(stringAttributeKind),
    fast: unitAttributeKind,
  },
  assembly: { format: '$target attr-dict `:` type($target)' },
});

type Loose = (operands: unknown, options?: unknown) => unknown;

/** Records the op as plain JavaScript might call it. */
const record = (operands: (root: Handle) => unknown, options?: unknown, op: unknown = configured) =>
  schedule(({ root }) => {
    (op as Loose)(operands(root), options);
    return undefined;
  });

describe('the inputs of a recorded op', () => {
  it.each([
    [{ count: 2 }, 'count = 2 : i64'],
    [{ count: -2, sizes: [] }, 'count = -2 : i64, sizes = array<i64>'],
    [{ count: 2, sizes: [1, 0] }, 'sizes = array<i64: 1, 0>'],
    [{ count: 2, label: undefined }, '{count = 2 : i64}'],
    [{ count: 2, label: '' }, 'label = ""'],
    [{ count: 2, fast: true }, '{count = 2 : i64, fast}'],
    [{ count: 2, fast: false }, '{count = 2 : i64}'],
  ])('may be the options %j', (options, text) => {
    expect(record((target) => ({ target }), options).toMlir(registry)).toContain(text);
  });

  it('may lack an operand that is optional, and no other', () => {
    const beside = defineTransformOp({
      name: 'transform.test.beside',
      summary: 'Has an operand that may be left out.',
      operands: { target: reads('ops'), other: readsOptional('more ops') },
      assembly: { format: '$target (`beside` $other^)? attr-dict `:` type(operands)' },
    });
    const texts = [{}, { other: undefined }].map((more) =>
      record((target) => ({ target, ...more }), undefined, beside).toMlir(registry),
    );
    for (const text of texts) expect(text).toContain('transform.test.beside');
    expect(() => record((other) => ({ other }), undefined, beside)).toThrow(
      "expects a handle as 'target', got",
    );
  });

  it.each([
    [undefined, "needs the option 'count', a 64-bit signless integer attribute"],
    [{}, "needs the option 'count'"],
    [{ count: 2, size: [1] }, "has no option 'size'; did you mean 'sizes'?"],
    [{ count: '2' }, "as 'count', got '2'"],
    [{ count: NaN }, "as 'count', got NaN"],
    [{ count: 1.5 }, "as 'count', got 1.5"],
    [{ count: 2 ** 60 }, "as 'count', got 1152921504606847000"],
    [{ count: null }, "as 'count', got null"],
    [{ count: [2] }, "as 'count', got [2]"],
    [{ count: 2, sizes: 2 }, "as 'sizes', got 2"],
    [{ count: 2, sizes: '12' }, "as 'sizes', got '12'"],
    [{ count: 2, sizes: ['1'] }, "as 'sizes', got ['1']"],
    [{ count: 2, sizes: [1, NaN] }, "as 'sizes', got [1, NaN]"],
    [{ count: 2, sizes: {} }, "as 'sizes', got an object"],
    [{ count: 2, label: 3 }, "as 'label', got 3"],
    [{ count: 2, fast: 'yes' }, "as 'fast', got 'yes'"],
  ])('are not the options %j', (options, message) => {
    const text = `${message.replace(/[[\]?]/g, String.raw`\$&`)}.* \\[schedule/option\\]`;
    expect(() => record((target) => ({ target }), options)).toThrow(new RegExp(text));
  });

  it.each([null, 7])('are not recorded with the options %s', (options) => {
    const given = ($: { readonly root: unknown }): unknown[] => [{ target: $.root }, { count: 2 }, options];
    expect(() => schedule(($) => void Reflect.apply(configured, undefined, given($)))).toThrow(
      `expects an object as its recording options, got ${options}`,
    );
  });

  it('are refused where they were written', () => {
    expect(() => record((target) => ({ target }))).toThrow(/checked-inputs\.test\.ts:\d+:\d+: error: /);
  });

  it.each<[string, (root: Handle) => unknown, string]>([
    ['nothing', () => ({}), "expects a handle as 'target', got undefined"],
    [
      'undefined',
      () => ({ target: undefined }),
      "expects a handle as 'target', got undefined (is it the name of a result of the step that made it?)",
    ],
    ['a name', () => ({ target: 'x' }), "expects a handle as 'target', got 'x'"],
    ['a list', (target) => ({ target: [target] }), "expects a handle as 'target', got [a handle]"],
    ['a misspelt operand', (root) => ({ taget: root }), "has no operand 'taget'; did you mean 'target'?"],
  ])('are not the operands: %s', (_, operands, message) => {
    expect(() => record(operands, { count: 1 })).toThrow(`${message} [schedule/operand]`);
  });

  it.each<[string, (root: Handle) => unknown]>([
    ['a handle', (handles) => ({ handles })],
    ['a list of something else', () => ({ handles: ['x'] })],
  ])('are not a list of handles: %s', (_, operands) => {
    expect(() => record(operands, undefined, mergeHandles)).toThrow("a list of handles as 'handles'");
  });

  const choosy = defineTransformOp({
    name: 'transform.test.choosy',
    summary: 'Takes ops of a few names.',
    operands: { target: reads('ops', 'my.op', 'linalg.*') },
    assembly: { format: '$target attr-dict `:` type($target)' },
  });

  it.each(['my.op', 'linalg.generic', undefined])('may be a handle to %s, as the op accepts', (name) => {
    const text = record((root) => ({ target: cast(root, name) }), undefined, choosy).toMlir(registry);
    expect(text).toContain('"transform.test.choosy"(%0)');
  });

  it.each(['my.ops', 'linalgic.op', 'func.func'])(
    'are not a handle to %s, which the op does not take',
    (name) => {
      expect(() => record((root) => ({ target: cast(root, name) }), undefined, choosy)).toThrow(
        `expects a handle to my.op or linalg.* as 'target', got a handle to ${name} [schedule/operand]`,
      );
    },
  );
});
