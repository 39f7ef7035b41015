/** Ops that print, check or annotate any target, and run passes on it. */
import { describe, expect, it } from 'vitest';
import { error, silenceable, success, unwrap } from '@sconv/diagnostics';
import {
  defineOp,
  defineOperationPass,
  definePass,
  extendRegistry,
  flagOption,
  parseModule,
  printModule,
  unitAttribute,
} from '@sconv/ir';
import { runSchedule } from '../src/index.ts';
import { attributesOf, main, messages, parse, payload, registry, runText } from './support.ts';

const one = '!transform.any_op';
const param = '!transform.param<i64>';

describe('transform.print', () => {
  const printed = (script: string) => {
    let text = '';
    const result = runText(main(script), { print: (part) => (text += part) });
    expect(result.status).toBe('success');
    return text;
  };

  it('writes the target, its values named as in the payload', () => {
    expect(printed(`transform.print %all : ${one}`)).toBe(`[[[ IR printer: ]]]
%0 = "test.a"() {n = 0 : i64} : () -> i32
%1 = "test.a"(%0) {n = 1 : i64} : (i32) -> i32
`);
  });

  it('writes the payload under a name', () => {
    expect(printed('transform.print {name = "now"}')).toBe(
      `[[[ IR printer: now top-level ]]]\n${printModule(payload, { registry })}`,
    );
  });

  it('leaves out regions', () => {
    expect(printed(`transform.print %root {skip_regions} : ${one}`)).toBe(
      '[[[ IR printer: ]]]\nmodule {...}\n',
    );
  });

  it('is a remark where nobody takes it', () => {
    expect(messages(runText(main('transform.print {name = "now"}')))).toContain(
      'remark: [[[ IR printer: now top-level ]]]',
    );
  });
});

describe('transform.annotate', () => {
  const annotated = (script: string) => {
    const result = runText(main(script));
    return result.status === 'success' ? printModule(result.value.module, { registry }) : messages(result);
  };
  const numbers = (...values: readonly number[]) =>
    `${values.map((value, i) => `%p${i} = transform.param.constant ${value} : i64 -> ${param}`).join('\n')}
    %p = transform.merge_handles ${values.map((_, i) => `%p${i}`).join(', ')} : ${param}
    transform.annotate %all "size" = %p : ${one}, ${param}`;

  it('gives an attribute to each target', () => {
    expect(annotated(`transform.annotate %all "seen" : ${one}`).match(/seen/g)).toHaveLength(2);
    expect(annotated(numbers(7)).match(/size = 7/g)).toHaveLength(2);
    expect(annotated(numbers(3, 5)).match(/size = \d/g)).toEqual(['size = 3', 'size = 5']);
  });

  it('fails for another number of values', () => {
    expect(annotated(numbers(1, 2, 3))).toContain(
      'parameter and target have different payload lengths (3 vs 2) [transform/annotate-lengths]',
    );
  });
});

describe('transform.verify', () => {
  const script = main(`transform.verify %root : ${one}`);
  it('takes what is valid', () => {
    expect(runText(script).status).toBe('success');
  });
  it('knows the ops around the target', () => {
    const deep = defineOp({
      name: 'test.deep',
      summary: 'an op in two others',
      *verify(_, { ancestors }) {
        if (ancestors.length < 2) yield 'is not in two ops';
      },
    });
    const withDeep = extendRegistry(registry, [{ name: 'test', operations: [deep] }]);
    const inner = unwrap(
      parseModule('module { module { "test.deep"() : () -> () } }', { registry: withDeep }),
    );
    const nested = main(`%op = transform.structured.match ops{["test.deep"]} in %root : (${one}) -> ${one}
      %module = transform.get_parent_op %op : (${one}) -> ${one}
      transform.verify %module : ${one}`);
    expect(runText(nested, { registry: withDeep }, inner).status).toBe('success');
  });
  it('fails where the target is not', () => {
    const result = runText(script, {}, { ...payload, root: { ...payload.root, regions: [] } });
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain('failed to verify payload op [transform/not-verified]');
  });
});

describe('transform.apply_registered_pass', () => {
  const mark = defineOperationPass({
    name: 'mark',
    title: 'Mark',
    summary: 'mark the operation',
    options: { twice: flagOption('also say so') },
    runOn: (rewriter, operation, { twice }) => {
      rewriter.setAttribute(operation, twice ? 'twice' : 'once', unitAttribute);
      return success(undefined);
    },
  });
  const refuse = defineOperationPass({
    name: 'refuse',
    title: 'Refuse',
    summary: 'fail',
    runOn: (_, { location }) => silenceable(error('test/refuse', 'always refuses', location)),
  });
  const whole = definePass({
    name: 'whole',
    title: 'Whole',
    summary: 'run on modules',
    run: (module) => success(module),
  });
  const withPasses = extendRegistry(registry, [], [], [mark, refuse, whole]);
  const nested = parse('module { module { } }', 'payload.mlir');
  const script = (call: string) =>
    parse(
      `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${one}) {
    ${call}
    transform.yield
  }
}`,
      'script.mlir',
    );
  const run = (name: string, options = '', on = nested) =>
    runSchedule(
      script(`%x = transform.apply_registered_pass "${name}" to %root ${options} : (${one}) -> ${one}
    transform.annotate %x "after" : ${one}`),
      on,
      { registry: withPasses },
    );

  it.each([
    ['', 'once'],
    ['{options = "twice=true"}', 'twice'],
    ['{options = "twice"}', 'twice'],
  ])('runs a pass with %s', (options, attribute) => {
    const result = run('mark', options);
    expect(result.status === 'success' && Object.keys(result.value.module.root.attributes)).toEqual([
      attribute,
      'after',
    ]);
  });

  it.each([
    ['none', '', 'definite', ['unknown pass or pass pipeline: none [transform/unknown-pass]']],
    [
      'mark',
      '{options = "thrice"}',
      'definite',
      [
        '<Pass-Options-Parser>: no such option thrice [pass/option]',
        'failed to add pass or pass pipeline to pipeline: mark [transform/pass-options]',
      ],
    ],
    [
      'refuse',
      '',
      'silenceable',
      ['always refuses [test/refuse]', 'pass pipeline failed [transform/pass-failed]'],
    ],
    [
      'whole',
      '',
      'silenceable',
      ["'builtin.module' op trying to schedule a pass on an unsupported operation [transform/pass-target]"],
    ],
  ])('%s %s is refused', (name, options, mode, expected) => {
    const result = run(name, options);
    for (const message of expected) expect(messages(result)).toContain(message);
    const suppressed = runSchedule(
      script(`transform.sequence %root : ${one} failures(suppress) { ^bb0(%y: ${one}):
      %x = transform.apply_registered_pass "${name}" to %y ${options} : (${one}) -> ${one}
    }`),
      nested,
      { registry: withPasses },
    );
    expect(suppressed.status).toBe(mode === 'silenceable' ? 'success' : 'definite');
  });

  it('runs on what is isolated alone', () => {
    const call = main(`%x = transform.apply_registered_pass "mark" to %all : (${one}) -> ${one}`);
    const result = runSchedule(parse(call), payload, { registry: withPasses });
    expect(messages(result)).toContain(
      "'test.a' op trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'",
    );
  });

  it('does not run on the script itself', () => {
    const itself = script(`%x = transform.apply_registered_pass "mark" to %root : (${one}) -> ${one}`);
    expect(messages(runSchedule(itself, itself, { registry: withPasses }))).toContain(
      'cannot apply transform to itself (or one of its ancestors) [transform/applied-to-itself]',
    );
  });

  it('does nothing for no target', () => {
    const call = main(`%none = transform.select "test.none" in %all : (${one}) -> ${one}
    %x = transform.apply_registered_pass "nowhere" to %none : (${one}) -> ${one}`);
    const result = runSchedule(parse(call), payload, { registry: withPasses });
    expect(result.status === 'success' && attributesOf(result.value.module)).toEqual(['n', 'n']);
  });
});

describe('transform.apply_conversion_patterns', () => {
  const read = (regions: string) =>
    parse(main(`"transform.apply_conversion_patterns"(%all) (${regions}) : (${one}) -> ()`));

  it('has one region for patterns, and perhaps one for types', () => {
    expect(read('{}').root.name).toBe('builtin.module');
    expect(() => read('')).toThrow('expected 1 or more regions');
    expect(() => read('{}, {}, {}')).toThrow('expected 1 or 2 regions');
  });

  it('takes one converter of types', () => {
    expect(() => read('{}, {}')).toThrow('expected exactly one op in default type converter region');
    expect(() => read(`{}, { transform.print }`)).toThrow('expected default converter child op to implement');
  });

  it('takes nothing but patterns', () => {
    expect(() => read(`{ transform.print }`)).toThrow('expected pattern children ops to implement');
  });
});
