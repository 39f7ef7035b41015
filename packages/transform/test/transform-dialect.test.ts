import { describe, expect, it } from 'vitest';
import { printModule } from '@sconv/ir';
import { transformDialect } from '../src/index.ts';
import { main, parse, registry } from './support.ts';

const one = '!transform.any_op';
const typed = '!transform.op<"test.a">';

/** Each op in each of its forms, with all optional parts, as it is printed. */
const texts: readonly (readonly [name: string, line: string])[] = [
  ['structured.match', `transform.structured.match ops{["test.a"]} in %arg0 : (${one}) -> ${one}`],
  [
    'structured.match',
    `transform.structured.match ops{["test.a", "test.b"]} attributes {n = 1 : i64} in %arg0 {tag = "x"} : (${one}) -> ${typed}`,
  ],
  ['structured.match', `transform.structured.match attributes {n} in %arg0 : (${one}) -> ${one}`],
  ['structured.match', `transform.structured.match in %arg0 : (${one}) -> ${one}`],
  ['merge_handles', `transform.merge_handles %0, %0 : ${one}`],
  ['merge_handles', `transform.merge_handles deduplicate %0 {tag} : ${one}`],
  ['cast', `transform.cast %0 {tag} : ${one} to ${typed}`],
  ['param.constant', `transform.param.constant 32 : i64 {tag} -> !transform.param<i64>`],
  ['param.constant', `transform.param.constant "x" -> !transform.any_param`],
  ['split_handle', `transform.split_handle %0 {tag} : (${one}) -> ${one}`],
  ['include', `transform.include @step failures(propagate) (%0) : (${one}) -> ${one}`],
  ['include', `transform.include @step failures(suppress) (%0) {tag} : (${one}) -> ${one}`],
];

const alternative = (yields: string) => `{\n    ^bb0(%arg1: ${one}):${yields}\n    }`;
const yielding = `\n      transform.yield %arg1 : ${one}`;

const bodies: readonly (readonly [name: string, text: string])[] = [
  ['foreach', `transform.foreach %0 : ${one} {\n    ^bb0(%arg1: ${one}):\n    }`],
  [
    'foreach',
    `transform.foreach %0, %0 with_zip_shortest : ${one}, ${one} {\n    ^bb0(%arg1: ${one}, %arg2: ${one}):\n    } {tag}`,
  ],
  [
    'foreach',
    `%1 = transform.foreach %0 : ${one} -> ${typed} {\n    ^bb0(%arg1: ${one}):\n      %2 = transform.structured.match in %arg1 : (${one}) -> ${typed}\n      transform.yield %2 : ${typed}\n    }`,
  ],
  [
    'foreach',
    `%1:2 = transform.foreach %0 : ${one} -> ${one}, ${one} {\n    ^bb0(%arg1: ${one}):\n      transform.yield %arg1, %arg1 : ${one}, ${one}\n    }`,
  ],
  ['alternatives', `transform.alternatives ${alternative('')}, ${alternative('')}`],
  [
    'alternatives',
    `%1 = transform.alternatives %0 : ${one} -> ${one} attributes {tag} ${alternative(yielding)}, ${alternative(yielding)}`,
  ],
  ['sequence', `transform.sequence  failures(suppress) ${alternative('')}`],
  [
    'sequence',
    `%1 = transform.sequence %0 : ${one} -> ${one} failures(propagate) attributes {tag} ${alternative(`\n      yield %arg1 : ${one}`)}`,
  ],
  [
    'sequence',
    `transform.sequence %0, %0 : (${one}, ${one}) failures(suppress) {\n    ^bb0(%arg1: ${one}, %arg2: ${one}):\n    }`,
  ],
];

const sequences: readonly string[] = [
  'transform.named_sequence @other() {\n    transform.yield \n  }',
  `transform.named_sequence @other(%arg0: ${one} {transform.readonly}, %arg1: ${typed}) -> (${one}, ${typed}) attributes {tag = "x"} {\n    transform.yield %arg0, %arg1 : ${one}, ${typed}\n  }`,
  `transform.named_sequence private @other(${one} {transform.readonly}) -> ${one}`,
  `transform.named_sequence private @other(${one} {transform.readonly}, ${one} {transform.consumed})`,
  `transform.named_sequence @"odd name"(%arg0: ${one}) {\n    transform.yield %arg0 {tag} : ${one}\n  }`,
];

const printed = (script: string) => printModule(parse(script), { registry });
const step = `transform.named_sequence @step(%arg0: ${one} {transform.readonly}) -> ${one} {\n    transform.yield %arg0 : ${one}\n  }`;

describe('the transform dialect', () => {
  it('is covered by these texts', () => {
    const covered = new Set([...texts, ...bodies].map(([name]) => `transform.${name}`));
    // The texts of the others are in the packages of their passes.
    expect(
      [...covered].filter((name) => !transformDialect.operations.some((each) => each.name === name)),
    ).toEqual([]);
  });

  it.each(texts)('prints %s as it reads it: %s', (_, line) => {
    const text = printed(main(`%x = ${line.replaceAll('%0', '%all').replaceAll('%arg0', '%root')}`, step));
    expect(text).toContain(`%1 = ${line}\n`);
    expect(printed(text)).toBe(text);
  });

  it.each(bodies)('prints %s as it reads it: %s', (_, body) => {
    const text = printed(main(body.replaceAll('%0', '%all').replaceAll('%1', '%x').replaceAll('%2', '%y')));
    expect(text).toContain(body);
    expect(printed(text)).toBe(text);
  });

  it.each(sequences)('prints a sequence as it reads it: %s', (sequence) => {
    const text = printed(main('', sequence));
    expect(text).toContain(sequence);
    expect(printed(text)).toBe(text);
  });

  it('keeps all of it in the generic form', () => {
    const script = main(
      texts
        .map(([, line], i) => `%x${i} = ${line.replaceAll('%0', '%all').replaceAll('%arg0', '%root')}`)
        .join('\n'),
      step,
    );
    const generic = printModule(parse(script), { registry, generic: true });
    expect(printModule(parse(generic), { registry, generic: true })).toBe(generic);
    expect(printed(generic)).toBe(printed(script));
  });
});
