import { describe, expect, it } from 'vitest';
import { main, messages, runText, step, yieldedBy } from './support.ts';

/** What a match of this text finds, and what it says. */
const found = (match: string) => {
  const script = main(`%m = transform.structured.match ${match} : ${step}`).replace(
    'transform.yield',
    'transform.yield %m : !transform.any_op',
  );
  const result = runText(script);
  return { names: yieldedBy(result)[0]!.map((each) => each.name), said: messages(result) };
};

describe('transform.structured.match', () => {
  it.each([
    ['ops{["test.a"]} in %root', ['test.a', 'test.a']],
    ['ops{["test.b", "test.a"]} in %root', ['test.a', 'test.a']],
    ['attributes {n = 1 : i64} in %root', ['test.a']],
    ['ops{["test.a"]} attributes {n = 0 : i64} in %root', ['test.a']],
    ['in %root', ['builtin.module', 'test.a', 'test.a']],
    ['ops{["test.a"]} in %all', ['test.a', 'test.a']],
    ['ops{[]} in %root', []],
  ])('%s', (match, names) => {
    expect(found(match)).toEqual({ names, said: '' });
  });

  const present = '\npayload.mlir:1:1: note: the payload has builtin.module, test.a';
  it.each([
    ['ops{["test.aa"]} in %root', "no operation is named 'test.aa'; did you mean 'test.a'?", present],
    ['ops{["x.y", "v.w"]} in %root', "no operation is named 'x.y', no operation is named 'v.w'", present],
    [
      'ops{["test.a"]} attributes {n = 2 : i64} in %root',
      'no operation has the attributes that are asked for',
      '',
    ],
    ['attributes {m} in %root', 'no operation has the attributes that are asked for', ''],
  ])('warns of %s, which finds nothing', (match, message, note) => {
    const { names, said } = found(match);
    expect(names).toEqual([]);
    expect(said).toBe(`script.mlir:4:10: warning: ${message} [transform/no-match]${note}`);
  });

  it.each([
    ['ops{["test.a"], "test.b"} in %root', "expected '}'"],
    ['ops{} in %root', 'expected attribute value'],
    ['ops{"test.a"} in %root', "attribute 'ops' failed to satisfy constraint: string array attribute"],
    [
      'attributes 3 in %root',
      "'op_attrs' failed to satisfy constraint: dictionary of named attribute values",
    ],
  ])('does not take %s', (match, message) => {
    expect(() => found(match)).toThrow(message);
  });

  it('does not warn where there was nothing to look in', () => {
    const none = `%none = transform.structured.match ops{[]} in %root : ${step}
    %m = transform.structured.match ops{["test.b"]} in %none : ${step}`;
    expect(messages(runText(main(none)))).toBe('');
  });
});
