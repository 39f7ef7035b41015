import { describe, expect, it } from 'vitest';
import { cast, match, schedule } from '../src/index.ts';
import { main, messages, payload, registry, runText, yieldedBy } from './support.ts';

describe('transform.cast', () => {
  it('gives a handle the name that all of its payload has', () => {
    const recorded = schedule(({ root }) => {
      const below = match({ target: root }, { ops: ['test.a', 'test.b'] }).results;
      return [cast(below, 'test.a'), cast(below)];
    });
    expect(recorded.toMlir(registry)).toContain(
      'transform.cast %0 : !transform.any_op to !transform.op<"test.a">',
    );
    const yielded = yieldedBy(recorded.run(payload, { registry }));
    expect(yielded.map((each) => each.map(({ name }) => name))).toEqual([
      ['test.a', 'test.a'],
      ['test.a', 'test.a'],
    ]);
  });

  it('fails where the payload has another name', () => {
    const result = runText(main('%b = transform.cast %root : !transform.any_op to !transform.op<"test.b">'));
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(
      'incompatible payload operation name expected test.b vs builtin.module [transform/handle-type]',
    );
  });

  it('is no cast to a parameter', () => {
    expect(() =>
      runText(main('%b = transform.cast %root : !transform.any_op to !transform.any_param')),
    ).toThrow('must be TransformHandleTypeInterface instance');
  });
});
