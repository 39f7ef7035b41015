import { describe, expect, it } from 'vitest';
import { unwrap } from '@sconv/diagnostics';
import { printModule } from '@sconv/ir';
import { resolveTuning, tuningChoices } from '../src/index.ts';
import { attributesOf, main, messages, parse, registry, runText, step } from './support.ts';

const payload = parse(
  `module {
  %0 = "test.a"() {n = 0 : i64} : () -> i32
  %1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32
}`,
  'payload.mlir',
);

const one = '!transform.any_op';
const param = '!transform.any_param';
const find = (n: number, name = 'x') =>
  `%${name} = transform.structured.match attributes {n = ${n} : i64} in %root : ${step}`;
const mark = (n: number) => `${find(n)}\n %m = transform.test.mark %x : ${step}`;

/** The attributes of the ops after a script; the messages where it fails. */
const after = (lines: string): readonly string[] | string => {
  const result = runText(main(lines), {}, payload);
  return result.status === 'success' ? attributesOf(result.value.module) : messages(result);
};

describe('transform.tune.knob', () => {
  it('is the selected option', () => {
    const script = main(`%t = transform.tune.knob<"t"> = 8 : i64 from options = [2 : i64, 8 : i64] -> ${param}
      %n = transform.param.constant 8 : i64 -> ${param}
      transform.match.param.cmpi eq %t, %n : ${param}`);
    const result = runText(script, {}, payload);
    expect(messages(result)).toBe('');
    const text = printModule(parse(script), { registry });
    expect(text).toContain(
      '= transform.tune.knob<"t"> = 8 : i64 from options = [2, 8] -> !transform.any_param',
    );
    expect(printModule(parse(text), { registry })).toBe(text);
  });

  it.each([
    ['options = []', 'expected an option at least'],
    ['= 3 : i64 from options = [2 : i64]', 'selects 3 : i64, which is none of its options'],
    ['from options = [2]', 'expected'],
  ])('does not parse %s', (text, message) => {
    expect(() => runText(main(`%t = transform.tune.knob<"t"> ${text} -> ${param}`))).toThrow(message);
  });

  it('may have other options, as long as one is selected', () => {
    expect(after(`%t = transform.tune.knob<"t"> = "wide" from options = "any" -> ${param}`)).toEqual([
      'n',
      'n',
    ]);
  });
});

describe('transform.tune.alternatives', () => {
  const bodies = `{ ${mark(0)} }, { ${mark(1)} }`;
  it.each([
    ['the first', `selected_region = 0 ${bodies}`, ['n marked', 'n']],
    ['the second', `selected_region = 1 ${bodies}`, ['n', 'n marked']],
    ['that of a parameter', `selected_region = %p : ${param} ${bodies}`, ['n', 'n marked']],
  ])('does %s', (_, text, attributes) => {
    const script = `%p = transform.param.constant 1 : i64 -> ${param}
      transform.tune.alternatives<"x"> ${text}`;
    expect(after(script)).toEqual(attributes);
    const printed = printModule(parse(main(script)), { registry });
    expect(printModule(parse(printed), { registry })).toBe(printed);
  });

  it('yields', () => {
    const script = `%h = transform.tune.alternatives<"x"> selected_region = 1 -> ${one}
        { ${find(0)}\n transform.yield %x : ${one} }, { ${find(1)}\n transform.yield %x : ${one} }
      %m = transform.test.mark %h : ${step}`;
    expect(after(script)).toEqual(['n', 'n marked']);
  });

  it.each([
    ['selected_region = 2 { }, { }', 'selects body 2, of which there are 2'],
    ['selected_region = -1 { }', 'selects body -1, of which there are 1'],
    [`{ ^bb0(%y: ${one}): }`, 'expected bodies without arguments'],
    [`-> ${one} { }`, 'expected bodies that yield values of the types of its results'],
    ['', 'expected'],
  ])('does not parse %s', (text, message) => {
    expect(() => runText(main(`transform.tune.alternatives<"x"> ${text}`))).toThrow(message);
  });

  it('has one selection', () => {
    const script = `%p = transform.param.constant 1 : i64 -> ${param}
      "transform.tune.alternatives"(%p) <{name = "x", selected_region_attr = 0 : i64}> ({ "transform.yield"() : () -> () }) : (${param}) -> ()`;
    expect(() => runText(main(script))).toThrow('has a constant and a parameter for the selected body');
  });

  it.each(['2 : i64', '-1 : i64', '"x"'])('refuses a parameter of %s', (value) => {
    const script = `%p = transform.param.constant ${value} -> ${param}
      transform.tune.alternatives<"x"> selected_region = %p : ${param} { }, { }`;
    expect(after(script)).toContain(
      `expected the number of one of 2 bodies in the parameter, not ${value} [transform/tune-region]`,
    );
  });
});

it.each([
  [`%t = transform.tune.knob<"t"> options = [2, 8] -> ${param}`, '"t": write = VALUE from options'],
  ['transform.tune.alternatives<"x"> { }, { }', '"x": write selected_region = NUMBER'],
])('says that nothing is selected: %s', (script, message) => {
  expect(after(script)).toContain(`nothing is selected for ${message}`);
  expect(after(script)).toContain('[transform/tune-unselected]');
});

describe('choices of a schedule', () => {
  const script = main(`%t = transform.tune.knob<"t"> options = [2 : i64, 8 : i64] -> ${param}
    transform.tune.alternatives<"x"> selected_region = 0 {
      transform.tune.alternatives<"y"> { ${mark(0)} }, { }
    }, { ${mark(1)} }
    %u = transform.tune.knob<"t"> options = [2 : i64, 8 : i64] -> ${param}`);
  const module = parse(script);

  it('are found, each name once', () => {
    const [t, x, y] = [
      { name: 't', options: ['2', '8'] },
      { name: 'x', options: ['0', '1'] },
      { name: 'y', options: ['0', '1'] },
    ].map(({ name, options }) => ({ name, options: name === 't' ? ['2 : i64', '8 : i64'] : options }));
    expect(unwrap(tuningChoices(module))).toEqual([t, y]);
    expect(unwrap(tuningChoices(module, { all: true }))).toEqual([t, x, y]);
  });

  it.each([
    [{ t: 1, y: 0 }, ['n marked', 'n'], 8],
    [{ t: 0, y: 1 }, ['n', 'n'], 2],
    [{ t: 0, y: 1, x: 1 }, ['n', 'n marked'], 2],
  ])('are resolved by %j', (selection, attributes, size) => {
    const resolved = unwrap(resolveTuning(module, registry, new Map(Object.entries(selection))));
    const text = printModule(resolved, { registry });
    expect(text).not.toContain('tune');
    expect(text.match(new RegExp(`transform.param.constant ${size} : i64`, 'g'))).toHaveLength(2);
    expect(attributesOf(unwrap(runText(text, {}, payload)).module)).toEqual(attributes);
  });

  it.each([
    [{}, 'nothing is selected for "t" of 2 : i64, 8 : i64'],
    [{ t: 2, y: 0 }, 'nothing is selected for "t" of 2 : i64, 8 : i64'],
    [{ t: 0, y: 2 }, 'nothing is selected for "y" of 0, 1'],
  ])('are not resolved by %j', (selection, message) => {
    const { diagnostics } = resolveTuning(module, registry, new Map(Object.entries(selection)));
    expect(diagnostics.map((each) => each.message)).toEqual([message]);
  });

  it.each([
    [
      `%t = transform.tune.knob<"t"> options = [2 : i64] -> ${param}\n transform.tune.alternatives<"t"> { }, { }`,
      '"t" has options 0, 1 here, and 2 : i64 elsewhere',
    ],
    [
      `%t = transform.tune.knob<"t"> options = "any" -> ${param}`,
      'the options of "t" are no list: a tuner cannot choose',
    ],
  ])('of one name have the same options: %s', (lines, message) => {
    const { diagnostics } = tuningChoices(parse(main(lines)));
    expect(diagnostics.map((each) => `${each.message} [${each.code}]`)).toEqual([
      `${message} [transform/tune-options]`,
    ]);
  });
});
