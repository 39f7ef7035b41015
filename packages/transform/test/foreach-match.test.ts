/** Named matchers on every operation under a root. */
import { describe, expect, it } from 'vitest';
import { attributesOf, main, messages, parse, runText, runWithLibrary, yieldedBy } from './support.ts';

const one = '!transform.any_op';
const readonly = `${one} {transform.readonly}`;
const param = '!transform.param<i64>';

/** Matches the second op of the payload, which has an operand. */
const matchers = `transform.named_sequence @has_operand(%x: ${readonly}) -> ${one} {
    %p = transform.get_producer_of_operand %x[0] : (${one}) -> ${one}
    transform.yield %x : ${one}
  }
  transform.named_sequence @is_a(%x: ${readonly}) -> ${one} {
    transform.match.operation_name %x ["test.a"] : ${one}
    transform.yield %x : ${one}
  }
  transform.named_sequence @twice(%x: ${readonly}) -> ${one} {
    %two = transform.merge_handles %x, %x : ${one}
    transform.yield %two : ${one}
  }
  transform.named_sequence @first(%x: ${readonly}) { transform.annotate %x "first" : ${one} transform.yield }
  transform.named_sequence @second(%x: ${readonly}) { transform.annotate %x "second" : ${one} transform.yield }
  transform.named_sequence @pass(%x: ${readonly}) -> ${one} { transform.yield %x : ${one} }
  transform.named_sequence @both(%x: ${readonly}) -> ${one} {
    %two = transform.merge_handles %x, %x : ${one}
    transform.yield %two : ${one}
  }
  transform.named_sequence @fails(%x: ${readonly}) {
    transform.test.fail %x : ${one}
    transform.annotate %x "after" : ${one}
    transform.yield
  }
  transform.named_sequence @erases(%x: ${one} {transform.consumed}) {
    transform.test.erase %x : ${one}
    transform.yield
  }`;

describe('transform.foreach_match', () => {
  const run = (body: string) => runText(main(body, matchers));
  const attributes = (body: string) => {
    const result = run(body);
    return result.status === 'success' ? attributesOf(result.value.module) : messages(result);
  };

  it('applies the action of the first matcher that succeeds', () => {
    expect(
      attributes(
        `transform.foreach_match in %root @has_operand -> @first, @is_a -> @second : (${one}) -> ${one}`,
      ),
    ).toEqual(['n second', 'n first']);
  });

  it('looks at the root itself where it is told to', () => {
    const at = (words: string) =>
      attributes(`transform.foreach_match ${words} in %all @is_a -> @first : (${one}) -> ${one}`);
    expect(at('')).toEqual(['n', 'n']);
    expect(at('restrict_root')).toEqual(['n first', 'n first']);
  });

  it('gives what the actions yield', () => {
    const result = runText(
      main(
        `%r, %twice = transform.foreach_match flatten_results in %root @is_a -> @both : (${one}) -> (${one}, ${one})
    %count = transform.num_associations %twice : (${one}) -> ${param}
    transform.debug.emit_param_as_remark %count : ${param}
    %s, %found = transform.foreach_match in %r @is_a -> @pass : (${one}) -> (${one}, ${one})`,
        matchers,
      ).replace('transform.yield\n', `transform.yield %found : ${one}\n`),
    );
    expect(messages(result)).toContain('remark: 4 : i64');
    expect(yieldedBy(result)[0]!.map(({ name }) => name)).toEqual(['test.a', 'test.a']);
  });

  it('goes on where an action has failed, and fails', () => {
    const suppressed = `transform.sequence %root : ${one} failures(suppress) { ^bb0(%x: ${one}):
      transform.foreach_match in %x @is_a -> @fails : (${one}) -> ${one}
    }`;
    expect(attributes(suppressed)).toEqual(['n after', 'n after']);
    const failed = run(`transform.foreach_match in %root @is_a -> @fails : (${one}) -> ${one}`);
    expect(messages(failed)).toContain('actions failed [transform/actions-failed]');
    expect(messages(failed).match(/failed action: always fails|payload\.mlir:\d.*matching payload/g)).toEqual(
      [
        'failed action: always fails',
        'payload.mlir:2:8: note: when applied to this matching payload',
        'failed action: always fails',
        'payload.mlir:3:8: note: when applied to this matching payload',
      ],
    );
  });

  it('passes over what an action erased', () => {
    const nested = parse('"test.b"() ({ "test.b"() ({ }) : () -> () }) : () -> ()');
    const script = main(
      `transform.foreach_match in %root @any -> @erases : (${one}) -> ${one}`,
      `transform.named_sequence @any(%x: ${readonly}) -> ${one} {
    transform.match.operation_name %x ["test.b"] : ${one}
    transform.yield %x : ${one}
  } ${matchers}`,
    );
    const result = runText(script, {}, nested);
    expect(result.status === 'success' && attributesOf(result.value.module)).toEqual([]);
  });

  it('takes handles besides', () => {
    const sequences = `transform.named_sequence @with(%x: ${readonly}, %y: ${readonly}) -> ${one} {
    transform.match.operation_name %x ["test.a"] : ${one}
    transform.yield %y : ${one}
  }
  ${matchers}`;
    const script = main(
      `%r, %all2 = transform.foreach_match flatten_results in %root, %all @with -> @pass : (${one}, ${one}) -> (${one}, ${one})
    %count = transform.num_associations %all2 : (${one}) -> ${param}
    transform.debug.emit_param_as_remark %count : ${param}`,
      sequences,
    );
    expect(messages(runText(script))).toContain('remark: 4 : i64');
  });

  it('consumes the root', () => {
    const result = run(`transform.foreach_match in %root @is_a -> @first : (${one}) -> ${one}
    transform.annotate %all "late" : ${one}`);
    expect(messages(result)).toContain('[transform/invalidated-handle]');
  });

  it.each([
    [
      'transform/unflattened',
      `%r, %found = transform.foreach_match in %root @is_a -> @both : (${one}) -> (${one}, ${one})`,
    ],
    ['transform/match-single', `transform.foreach_match in %root @several -> @first : (${one}) -> ${one}`],
  ])('%s', (code, body) => {
    const several = `transform.named_sequence @several(%x: ${readonly}) -> ${one} {
    %two = transform.merge_handles %x, %x : ${one}
    transform.match.operation_name %two ["test.a"] : ${one}
    transform.yield %x : ${one}
  }`;
    const result = runText(main(body, `${matchers} ${several}`));
    expect(result.status).toBe('definite');
    expect(messages(result)).toContain(`[${code}]`);
  });

  it('transform/external-sequence', () => {
    const declared = `transform.named_sequence private @ext(${readonly})`;
    const result = runText(
      main(
        `transform.foreach_match in %root @ext -> @none : (${one}) -> ${one}`,
        `${declared} transform.named_sequence @none() { transform.yield }`,
      ),
    );
    expect(messages(result)).toContain('unresolved external symbol @ext [transform/external-sequence]');
  });
});

describe('transform.collect_matching', () => {
  const collected = (matcher: string) =>
    runText(
      main(`%found = transform.collect_matching @${matcher} in %root : (${one}) -> ${one}`, matchers).replace(
        'transform.yield\n',
        `transform.yield %found : ${one}\n`,
      ),
    );

  it('gathers what the matcher yields', () => {
    expect(yieldedBy(collected('is_a'))[0]).toHaveLength(2);
    expect(yieldedBy(collected('has_operand'))[0]).toHaveLength(1);
  });

  it('fails where that is not one thing', () => {
    expect(messages(collected('twice'))).toContain(
      'result #0, associated with 2 payload objects, expected 1 [transform/matched-several]',
    );
  });

  it('transform/external-sequence', () => {
    const result = runWithLibrary(
      main(
        `transform.collect_matching @ext in %root : (${one}) -> ()`,
        `transform.named_sequence private @ext(${readonly})`,
      ),
      '',
    );
    expect(messages(result)).toContain('[transform/external-sequence]');
  });
});
