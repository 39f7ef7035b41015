import { describe, expect, expectTypeOf, it } from 'vitest';
import { success, unwrap } from '@sconv/diagnostics';
import {
  choiceOption,
  countOption,
  createRegistry,
  definePass,
  extendRegistry,
  flagOption,
  i64,
  listOption,
  textOption,
  vectorType,
} from '../src/index.ts';
import { parse, registry } from './test-dialect.ts';

const seen: unknown[] = [];
const pass = definePass({
  name: 'look-around',
  title: 'LookAround',
  summary: 'looks around',
  options: {
    far: flagOption('how far'),
    nearBy: flagOption('or how near', true),
    whichWay: choiceOption('where', ['left', 'right']),
    greeting: textOption('what to say', 'hello'),
    times: countOption('how often', 3),
    names: listOption('to whom'),
  },
  run: (module, options, context) => {
    seen.push(options, context.registry);
    return success(module);
  },
});
const presets = { far: false, nearBy: true, whichWay: 'left', greeting: 'hello', times: 3, names: [] };
const module = parse('module {}');
const run = (made: ReturnType<typeof pass>) => {
  seen.length = 0;
  expect(unwrap(made.run(module, { registry }))).toBe(module);
  return seen[0];
};

describe('a pass', () => {
  it('has its presets, and says them as text', () => {
    expect(run(pass())).toEqual(presets);
    expect(seen[1]).toBe(registry);
    expect(pass()).toMatchObject({ name: 'look-around', title: 'LookAround', summary: 'looks around' });
    expect(pass().options).toEqual({
      far: 'false',
      'near-by': 'true',
      'which-way': 'left',
      greeting: 'hello',
      times: '3',
      names: '',
    });
  });

  it('takes options in code, of their types', () => {
    expect(run(pass({ whichWay: 'right', names: ['a', 'b'], nearBy: false }))).toEqual({
      ...presets,
      whichWay: 'right',
      names: ['a', 'b'],
      nearBy: false,
    });
    expectTypeOf(pass)
      .parameter(0)
      .exclude<undefined>()
      .toHaveProperty('whichWay')
      .toEqualTypeOf<'left' | 'right' | undefined>();
    // @ts-expect-error there is no such way
    expect(() => pass({ whichWay: 'up' })).toThrow(TypeError);
    // @ts-expect-error there is no such option
    expect(() => pass({ which: 'left' })).toThrow(TypeError);
  });

  it('takes them as text, and gives the same text again', () => {
    const given = {
      far: 'true',
      'near-by': 'false',
      'which-way': 'right',
      greeting: 'x=y',
      times: '0',
      names: 'a,b',
    };
    const made = unwrap(pass.definition.fromText(given));
    expect(run(made)).toEqual({
      far: true,
      nearBy: false,
      whichWay: 'right',
      greeting: 'x=y',
      times: 0,
      names: ['a', 'b'],
    });
    expect(made.options).toEqual(given);
    expect(run(unwrap(pass.definition.fromText({})))).toEqual(presets);
  });

  it.each([
    [{ 'near-bi': 'true' }, "pass 'look-around' has no option 'near-bi'"],
    [{ 'near-bi': 'true' }, "did you mean 'near-by'?"],
    [{ nearBy: 'true' }, "has no option 'nearBy'"],
    [{ far: 'yes' }, "option 'far' is one of false, true, not 'yes'"],
    [{ 'which-way': 'rigt' }, "is one of left, right, not 'rigt'; did you mean 'right'?"],
    [{ times: '-1' }, "option 'times' is an integer from 0 on, not '-1'"],
    [{ times: '1.5' }, "not '1.5'"],
    [{ times: '' }, "not ''"],
  ])('refuses %o', (texts, message) => {
    const { status, diagnostics } = pass.definition.fromText(texts);
    expect(status).toBe('definite');
    expect(diagnostics[0]).toMatchObject({ code: 'pass/option' });
    expect(diagnostics[0]!.message).toContain(message);
  });

  it.each<[unknown, string]>([
    [
      { nearBi: true },
      "pass 'look-around' has no option 'nearBi'; there are far, nearBy, whichWay, greeting, times, names; did you mean 'nearBy'?",
    ],
    [{ 'near-by': true }, "has no option 'near-by'"],
    [{ toString: true }, "has no option 'toString'"],
    [{ far: 'true' }, "option 'far' of pass 'look-around' is one of false, true, not 'true'"],
    [{ far: null }, 'not null'],
    [{ whichWay: 'rigt' }, "is one of left, right, not 'rigt'; did you mean 'right'?"],
    [{ greeting: 1 }, "option 'greeting' of pass 'look-around' is a text, not 1"],
    [{ times: -1 }, "option 'times' of pass 'look-around' is an integer from 0 on, not -1"],
    [{ times: '3' }, "not '3'"],
    [{ times: 1.5 }, 'not 1.5'],
    [{ names: 'a,b' }, "option 'names' of pass 'look-around' is texts, separated by commas, not 'a,b'"],
    [{ names: [1] }, 'not [1]'],
    ['far', "pass 'look-around' expects an object of options, not 'far'"],
    [null, 'not null'],
  ])('refuses %o in code without types', (options, message) => {
    expect(() => pass(options as Parameters<typeof pass>[0])).toThrow(TypeError);
    expect(() => pass(options as Parameters<typeof pass>[0])).toThrow(message);
  });

  it('takes an option of undefined for one that is omitted', () => {
    expect(run(pass({ times: undefined } as object))).toEqual(presets);
  });

  it('is described for a command line', () => {
    const { name, title, summary, options } = pass.definition;
    expect([name, title, summary]).toEqual(['look-around', 'LookAround', 'looks around']);
    expect(Object.entries(options).map(([option, { help, texts }]) => [option, help, texts])).toEqual([
      ['far', 'how far', ['false', 'true']],
      ['near-by', 'or how near', ['false', 'true']],
      ['which-way', 'where', ['left', 'right']],
      ['greeting', 'what to say', undefined],
      ['times', 'how often', undefined],
      ['names', 'to whom', undefined],
    ]);
  });

  it('fails where a number passes 2^53', () => {
    const wide = definePass({
      name: 'wide',
      title: '',
      summary: '',
      run: () => success((vectorType([2 ** 60], i64), module)),
    });
    expect(wide().run(module, { registry })).toMatchObject({
      status: 'silenceable',
      diagnostics: [{ code: 'pass/arithmetic' }],
    });
  });

  it('stands in a registry by its name, the later of two', () => {
    const other = definePass({ name: 'look-around', title: '', summary: '', run: (given) => success(given) });
    const one = createRegistry([], [], [pass]);
    expect(one.passes.get('look-around')).toBe(pass.definition);
    expect(extendRegistry(one, []).passes.get('look-around')).toBe(pass.definition);
    expect(extendRegistry(one, [], [], [other]).passes.get('look-around')).toBe(other.definition);
    expect(createRegistry([]).passes.size).toBe(0);
  });
});
