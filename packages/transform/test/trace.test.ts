import { describe, expect, it } from 'vitest';
import { unknownLocation, unwrap } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { printModule } from '@sconv/ir';
import { collectTrace, expansionsIn, schedule, traceNodes } from '../src/index.ts';
import type { TraceNode } from '../src/index.ts';
import { groupNames, inGroups } from '../src/script.ts';
import { attributesOf, main, messages, payload, registry, runText, step } from './support.ts';

const one = '!transform.any_op';
const text = (module: Module) => printModule(module, { registry });

/** A trace as lines: each node, and the ops of the payload after it by their marks. */
const outline = (nodes: readonly TraceNode[], depth = 0): readonly string[] =>
  nodes.flatMap((node) => [
    `${'  '.repeat(depth)}${node.kind === 'step' ? node.operation.name.replace('transform.', '') : `${node.role} ${node.name}`}: ${attributesOf(node.after()).join(', ')}`,
    ...outline(node.children, depth + 1),
  ]);

const traced = (body: string, more?: string) =>
  unwrap(runText(main(body, more), { trace: true })).trace.children;

describe('a trace', () => {
  const twice = `%m = transform.test.mark_twice %all : ${step}`;

  it('has the steps of a schedule, of expansions by target, and their stages', () => {
    expect(outline(traced(twice))).toEqual([
      'structured.match: n, n',
      'test.mark_twice: n marked, n marked',
      '  expansion test.a: n marked, n',
      '    stage first: n marked, n',
      '      test.mark: n marked, n',
      '    stage second: n marked, n',
      '      test.mark: n marked, n',
      '  expansion test.a: n marked, n marked',
      '    stage first: n marked, n marked',
      '      test.mark: n marked, n marked',
      '    stage second: n marked, n marked',
      '      test.mark: n marked, n marked',
    ]);
  });

  it('has the steps of bodies and of included sequences', () => {
    const body = `transform.foreach %all : ${one} {
    ^bb0(%each: ${one}):
      transform.include @step failures(propagate) (%each) : (${one}) -> ()
    }`;
    const sequence = `transform.named_sequence @step(%x: ${one} {transform.consumed}) {
    %m = transform.test.mark %x : ${step}
    transform.yield }`;
    expect(outline(traced(body, sequence)).slice(1)).toEqual([
      'foreach: n marked, n marked',
      '  iteration 0: n marked, n',
      '    include: n marked, n',
      '      test.mark: n marked, n',
      '  iteration 1: n marked, n marked',
      '    include: n marked, n marked',
      '      test.mark: n marked, n marked',
    ]);
  });

  it('groups ops by the names in their locations, however deep', () => {
    const mark = (from: string, to: string, location: string) =>
      `${to} = transform.test.mark ${from} : ${step} loc(${location})`;
    const body = [
      mark('%all', '%a', '"x"("y"("f":1:1))'),
      mark('%a', '%b', '"x"("z")'),
      mark('%b', '%c', '"x"'),
      mark('%c', '%d', '"y"'),
    ].join('\n');
    expect(outline(traced(body)).map((line) => line.split(':')[0])).toEqual([
      'structured.match',
      'stage x',
      '  stage y',
      '    test.mark',
      '  stage z',
      '    test.mark',
      '  test.mark',
      'stage y',
      '  test.mark',
    ]);
  });

  /** The first alternative marks before it fails; the second contains a suppressed failure. */
  const attempts = `transform.alternatives %root : ${one} {
    ^bb0(%scope: ${one}):
      %x = transform.structured.match ops{["test.a"]} in %scope : ${step}
      %m = transform.test.mark %x : ${step}
      transform.test.fail %m : ${one}
    }, {
    ^bb0(%scope: ${one}):
      %x = transform.structured.match ops{["test.a"]} in %scope : ${step}
      transform.sequence %x : ${one} failures(suppress) {
      ^bb0(%y: ${one}):
        transform.test.fail %y : ${one}
        %m = transform.test.mark %y : ${step}
      }
    }`;

  it('has alternatives that were taken back, and failures that were suppressed', () => {
    const nodes = [...traceNodes({ children: traced(attempts).slice(1) })];
    const shown = nodes.map((node) => [
      node.kind === 'step' ? node.operation.name.replace('transform.', '') : `${node.role} ${node.name}`,
      node.status,
      attributesOf(node.after()).join(', '),
    ]);
    expect(shown).toEqual([
      ['alternatives', 'success', 'n marked, n marked'],
      ['alternative 0', 'silenceable', 'n marked, n marked'],
      ['structured.match', 'success', 'n, n'],
      ['test.mark', 'success', 'n marked, n marked'],
      ['test.fail', 'silenceable', 'n marked, n marked'],
      ['alternative 1', 'success', 'n marked, n marked'],
      ['structured.match', 'success', 'n, n'],
      ['sequence', 'success', 'n marked, n marked'],
      ['test.fail', 'silenceable', 'n, n'],
      ['test.mark', 'success', 'n marked, n marked'],
    ]);
    const undone = nodes.filter(({ isUndone }) => isUndone);
    expect(undone.map((node) => node.kind === 'group' && node.name)).toEqual(['0']);
    const [whole, , , first, , , , , , second] = nodes;
    const created = (node: TraceNode | undefined) => node?.kind === 'step' && node.forward.created;
    // Undone changes are not in the total, and their ids are reused.
    expect(created(first)).toEqual(created(second));
    expect(created(whole)).toEqual(created(second));
  });

  it('has the payload before a step when it is entered, and none after it', () => {
    let first: TraceNode | undefined;
    const before: unknown[] = [];
    runText(main(twice), {
      trace: {
        enter: (node, module) => {
          first ??= node;
          if (before.length === 0) {
            before.push(node.before() === module);
            expect([node.status, node.seconds, node.children]).toEqual(['running', 0, []]);
            expect(() => node.after()).toThrow('the step is not over');
          }
        },
      },
    });
    expect(before).toEqual([true]);
    expect(first!.after()).toBe(payload);
  });

  it.each([
    ['an expansion', twice, 12],
    ['alternatives', attempts, 11],
  ])('replays what is inside of %s to the payload that there was', (_, body, count) => {
    const seen: [TraceNode, string, string][] = [];
    const before: string[] = [];
    runText(main(body), {
      trace: {
        enter: (_, module) => before.push(text(module)),
        leave: (node, module) => seen.push([node, before.pop()!, text(module)]),
      },
    });
    expect(seen).toHaveLength(count);
    for (const [node, earlier, later] of seen) {
      expect([text(node.before()), text(node.after())]).toEqual([earlier, later]);
    }
  });

  it('says what each step did to the payload, ids of the replay being those of the run', () => {
    const [, marking] = traced(twice);
    for (const node of traceNodes({ children: [marking!] })) {
      if (node.kind === 'group') continue;
      const [before, after] = [node.before(), node.after()].map((module) => module.nextId);
      expect(node.forward.created).toEqual({ from: before, to: after });
      // Chains of replacements resolve to the last one.
      const idsAfter = node.after().root.regions[0]!.blocks[0]!.operations.map(({ id }) => id);
      expect([...node.forward.operations.values()].flat().filter((id) => !idsAfter.includes(id))).toEqual([]);
    }
    const step1 = marking as Extract<TraceNode, { kind: 'step' }>;
    const ids = (module: Module) => module.root.regions[0]!.blocks[0]!.operations.map(({ id }) => id);
    expect(ids(payload).flatMap((id) => step1.forward.operations.get(id) ?? [])).toEqual(ids(step1.after()));
  });

  it('says what each step did to handles', () => {
    const [match, marking] = traced(`%m = transform.test.mark %all : ${step}`);
    const changes = (node: TraceNode | undefined) =>
      node?.kind === 'step'
        ? node.handles.map(({ value, before, after, invalidated }) => [
            node.operation.results.indexOf(value),
            before?.kind === 'operations' ? before.ids.length : before,
            after.kind === 'operations' ? after.ids.length : after,
            invalidated?.message,
          ])
        : [];
    expect(changes(match)).toEqual([[0, undefined, 2, undefined]]);
    expect(changes(marking)).toEqual([
      [-1, 2, 2, undefined],
      [
        -1,
        2,
        2,
        'invalidated by this transform op that consumes its operand #0 and invalidates all handles to payload IR entities associated with this operand and entities nested in them',
      ],
      [0, undefined, 2, undefined],
    ]);
  });

  it('has each warning and failure once, where it arose', () => {
    const trace = collectTrace();
    const body = `%none = transform.structured.match ops{["x.y"]} in %root : ${step}
    transform.include @step failures(propagate) (%all) : (${one}) -> ()`;
    const more = `transform.named_sequence @step(%x: ${one} {transform.readonly}) { transform.test.mark_then_fail %x : ${one} transform.yield }`;
    const result = runText(main(body, more), { trace });
    const said = [...traceNodes(trace)].flatMap((node) =>
      node.kind === 'step'
        ? [[node.operation.name, node.status, node.diagnostics.map(({ code }) => code).join()]]
        : [],
    );
    expect(said).toEqual([
      ['transform.structured.match', 'success', ''],
      ['transform.structured.match', 'success', 'transform/no-match'],
      ['transform.include', 'silenceable', ''],
      ['transform.test.mark_then_fail', 'silenceable', ''],
      ['transform.test.mark', 'success', ''],
      ['transform.test.mark', 'success', ''],
      ['transform.test.fail', 'silenceable', 'test/fail'],
    ]);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['transform/no-match', 'test/fail']);
  });

  it('says at which step a handle must not be used any more', () => {
    const trace = collectTrace();
    runText(main(`%m = transform.test.mark %all : ${step}\n%n = transform.test.mark %all : ${step}`), {
      trace,
    });
    const [, , last] = trace.children;
    expect([last!.status, last!.kind === 'step' && last!.diagnostics[0]!.code]).toEqual([
      'definite',
      'transform/invalidated-handle',
    ]);
  });

  it('takes the time of each step from the clock', () => {
    let time = 0;
    const { trace } = unwrap(runText(main(twice), { trace: true, now: () => (time += 500) }));
    expect(trace.children.map(({ seconds }) => seconds)).toEqual([0.5, 10.5]);
  });

  it('tells the op that a step is part of the expansion of, and stands where a person wrote', () => {
    const nodes = [...traceNodes({ children: traced(twice) })];
    expect(nodes.map((node) => node.expandedFrom?.name.replace('transform.test.', ''))).toEqual(
      [undefined, undefined, undefined, 'mark_twice', 'mark_twice', 'mark_twice', 'mark_twice'].concat([
        undefined,
        'mark_twice',
        'mark_twice',
        'mark_twice',
        'mark_twice',
      ]),
    );
    const locations = nodes.flatMap((node) => (node.kind === 'step' ? [node.location] : []));
    expect(new Set(locations).size).toBe(2);
  });

  it('has the schedule that an op was expanded to, for each target', () => {
    const expansions = expansionsIn({ children: traced(twice) });
    expect(expansions.map(({ operation, target }) => [operation.name, target.operands.length])).toEqual([
      ['transform.test.mark_twice', 0],
      ['transform.test.mark_twice', 1],
    ]);
    expect(expansions[0]!.schedule.toMlir(registry)).toContain('transform.test.mark ');
  });

  it('is not there if nobody asked for it', () => {
    const nothing = schedule(() => undefined);
    for (const options of [{}, { trace: {} }]) {
      for (const result of [runText(main(twice), options), nothing.run(payload, { registry, ...options })])
        expect(Object.keys(unwrap(result)).sort()).toEqual(['module', 'yielded']);
    }
    // @ts-expect-error -- the type has a trace only where one is asked for
    expect(unwrap(nothing.run(payload, { registry })).trace).toBeUndefined();
    expect(unwrap(nothing.run(payload, { registry, trace: true })).trace.children).toEqual([]);
    expect(messages(runText(main(twice), { trace: {} }))).toBe('');
  });
});

describe('names in locations', () => {
  it.each([[[]], [['x']], [['x', 'y', 'x']]])('are groups: %j', (names) => {
    expect(groupNames(inGroups(names, unknownLocation))).toEqual(names);
  });
});
