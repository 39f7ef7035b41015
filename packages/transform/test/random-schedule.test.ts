import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Module, Operation } from '@sconv/ir';
import { bodyOf, printModule } from '@sconv/ir';
import type { TraceNode } from '../src/index.ts';
import { parse, registry, runText, step } from './support.ts';

const one = '!transform.any_op';
const count = 4;
const payload = parse(
  Array.from({ length: count }, (_, n) => `%${n} = "test.a"() {n = ${n} : i64} : () -> i32`).join('\n'),
);

/** A step of a schedule, on two of the existing handles. */
interface Step {
  readonly kind: (typeof kinds)[number];
  readonly x: number;
  readonly y: number;
}

const kinds = [
  'match',
  'mark',
  'remake',
  'rename',
  'erase',
  'merge',
  'merge once',
  'split',
  'pick',
  'foreach',
  'include',
  'attempt',
  'try in vain',
] as const;

const schedules = fc.array(
  fc.record<Step>({ kind: fc.constantFrom(...kinds), x: fc.nat(99), y: fc.nat(99) }),
  { maxLength: 7 },
);

/** A handle as a list of op numbers; or why it is invalid. */
interface Modelled {
  readonly name: string;
  ops: readonly number[];
  gone?: 'transform/invalidated-handle' | 'transform/lost-payload';
}

/** A schedule as text, and its expected behaviour, modelled without an interpreter. */
class Model {
  readonly lines: string[] = [];
  readonly handles: Modelled[] = [];
  /** The name of each existing op. */
  readonly ops = new Map(Array.from({ length: count }, (_, n) => [n, 'test.a']));
  readonly marked = new Set<number>();
  /** The code of the failure that it ends with. */
  failure: string | undefined;

  constructor() {
    this.add('all', this.matched());
  }

  matched(): readonly number[] {
    return [...this.ops].flatMap(([n, name]) => (name === 'test.a' ? [n] : []));
  }

  add(name: string, ops: readonly number[]): void {
    this.handles.push({ name, ops });
  }

  /** Drops these ops from all handles. */
  lose(ops: readonly number[], gone: NonNullable<Modelled['gone']>): void {
    for (const handle of this.handles) {
      if (handle.gone === undefined && handle.ops.some((n) => ops.includes(n))) handle.gone = gone;
    }
  }

  mark(ops: readonly number[], x?: Modelled): void {
    this.lose(ops, 'transform/invalidated-handle');
    if (x !== undefined) x.gone = 'transform/invalidated-handle';
    for (const n of ops) {
      this.marked.add(n);
      this.ops.set(n, 'test.a');
    }
  }

  step({ kind, x: i, y: j }: Step, k: number): void {
    const [x, y] = [this.handles[i % this.handles.length]!, this.handles[j % this.handles.length]!];
    const gone = (kind.startsWith('merge') ? [x, y] : [x]).find((each) => each.gone !== undefined)?.gone;
    const isRepeated = gone === undefined && new Set(x.ops).size < x.ops.length;
    const [a, b, result] = [`%${x.name}`, `%${y.name}`, `h${k}`];
    const fails = (code: string | undefined): boolean => {
      this.failure = code;
      return code !== undefined;
    };
    switch (kind) {
      case 'match':
        this.lines.push(`%${result} = transform.structured.match ops{["test.a"]} in %root : ${step}`);
        {
          this.add(result, this.matched());
          return;
        }
      case 'mark':
      case 'include': {
        const op = kind === 'mark' ? 'transform.test.mark' : 'transform.include @step failures(propagate)';
        this.lines.push(`%${result} = ${op} ${kind === 'mark' ? a : `(${a})`} : ${step}`);
        if (fails(gone ?? (isRepeated ? 'transform/repeated-payload' : undefined))) return;
        this.mark(x.ops, x);
        this.add(result, x.ops);
        return;
      }
      case 'remake':
      case 'rename':
      case 'erase': {
        if (isRepeated) return;
        this.lines.push(`transform.test.${kind} ${a} : ${one}`);
        if (fails(gone)) return;
        const { ops } = x;
        if (kind === 'rename') {
          this.lose(
            ops.filter((n) => this.ops.get(n) === 'test.a'),
            'transform/lost-payload',
          );
          for (const n of ops) {
            this.ops.set(n, 'test.b');
            this.marked.delete(n);
          }
        } else if (kind === 'erase') {
          for (const n of ops) this.ops.delete(n);
          for (const handle of this.handles) handle.ops = handle.ops.filter((n) => this.ops.has(n));
        }
        return;
      }
      case 'merge':
      case 'merge once': {
        const isOnce = kind === 'merge once';
        this.lines.push(
          `%${result} = transform.merge_handles ${isOnce ? 'deduplicate ' : ''}${a}, ${b} : ${one}`,
        );
        if (fails(gone)) return;
        const all = [...x.ops, ...y.ops];
        this.add(result, isOnce ? [...new Set(all)] : all);
        return;
      }
      case 'split':
        this.lines.push(
          `%${result}a, %${result}b = transform.split_handle ${a} : (${one}) -> (${one}, ${one})`,
        );
        if (fails(gone ?? ([0, 2].includes(x.ops.length) ? undefined : 'transform/split-handle-sizes')))
          return;
        this.add(`${result}a`, x.ops.slice(0, 1));
        {
          this.add(`${result}b`, x.ops.slice(1));
          return;
        }
      case 'pick':
        this.lines.push(
          `%${result}a, %${result}b = transform.split_handle ${a} {overflow_result = 1 : i64, fail_on_payload_too_small = false} : (${one}) -> (${one}, ${one})`,
        );
        if (fails(gone)) return;
        this.add(`${result}a`, x.ops.slice(0, 1));
        {
          this.add(`${result}b`, x.ops.slice(1));
          return;
        }
      case 'foreach':
        if (isRepeated) return;
        this.lines.push(`%${result} = transform.foreach ${a} : ${one} -> ${one} {
          ^bb0(%each: ${one}):
            %m = transform.test.mark %each : ${step}
            transform.yield %m : ${one}
          }`);
        if (fails(gone)) return;
        this.mark(x.ops, x);
        {
          this.add(result, x.ops);
          return;
        }
      case 'attempt':
        this.lines.push(`%${result} = transform.alternatives -> ${one} {
          ^bb0(%scope: ${one}):
            %x = transform.structured.match ops{["test.a"]} in %scope : ${step}
            transform.test.erase %x : ${one}
            transform.test.fail %scope : ${one}
            transform.yield %x : ${one}
          }, {
          ^bb0(%scope: ${one}):
            %x = transform.structured.match ops{["test.a"]} in %scope : ${step}
            %m = transform.test.mark %x : ${step}
            transform.yield %m : ${one}
          }`);
        this.mark(this.matched());
        {
          this.add(result, this.matched());
          return;
        }
      case 'try in vain':
        this.lines.push(`transform.sequence ${a} : ${one} failures(suppress) {
          ^bb0(%each: ${one}):
            %p:9 = transform.split_handle %each {pass_through_empty_handle = false} : (${one}) -> (${Array.from({ length: 9 }, () => one).join(', ')})
            %q = transform.merge_handles deduplicate %p#0, %each : ${one}
            %r = transform.test.mark %q : ${step}
          }`);
        if (fails(gone)) return;
        // Nine are too many: the handles to them become empty.
        this.mark([...new Set(x.ops)]);
    }
  }
}

const text = (module: Module): string => printModule(module, { registry });

const isMarked = ({ attributes }: Operation): boolean => attributes['marked'] !== undefined;

it('a schedule does what its steps say of lists of ops, and its trace replays it', () => {
  fc.assert(
    fc.property(schedules, (steps) => {
      const model = new Model();
      for (const [k, each] of steps.entries()) {
        if (model.failure === undefined) model.step(each, k);
      }
      const usable = model.handles.filter(({ gone }) => gone === undefined);
      const yielded = usable.map(({ name }) => `%${name}`).join(', ');
      const types = usable.map(() => one).join(', ');
      const script = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: ${one}) {
    %all = transform.structured.match ops{["test.a"]} in %root : ${step}
    ${model.lines.join('\n    ')}
    transform.yield ${usable.length === 0 ? '' : `${yielded} : ${types}`}
  }
  transform.named_sequence @step(%x: ${one} {transform.consumed}) -> ${one} {
    %m = transform.test.mark %x : ${step}
    transform.yield %m : ${one}
  }
}`;
      const result = runText(script, {}, payload);
      const failure = result.diagnostics.find(({ severity }) => severity === 'error');
      expect(failure?.code).toBe(model.failure);

      const seen: [TraceNode, string, string][] = [];
      const before: string[] = [];
      const traced = runText(
        script,
        {
          trace: {
            enter: (_, module) => before.push(text(module)),
            leave: (node, module) => seen.push([node, before.pop()!, text(module)]),
          },
        },
        payload,
      );
      for (const [node, earlier, later] of seen) {
        expect([text(node.before()), text(node.after())]).toEqual([earlier, later]);
      }
      expect(traced.diagnostics).toEqual(result.diagnostics);
      if (result.status !== 'success' || traced.status !== 'success') return;

      const { module } = result.value;
      expect(text(traced.value.module)).toBe(text(module));
      const { operations } = bodyOf(module.root);
      const numbers = [...model.ops.keys()];
      expect(operations.map((operation, i) => [operation.name, isMarked(operation), numbers[i]])).toEqual(
        [...model.ops].map(([n, name]) => [name, model.marked.has(n), n]),
      );
      expect(
        result.value.yielded.map((each) =>
          each.kind === 'operations' ? each.operations.map((op) => numbers[operations.indexOf(op)]) : each,
        ),
      ).toEqual(usable.map(({ ops }) => ops));
    }),
    { numRuns: process.env['THOROUGH'] === undefined ? 40 : 120 },
  );
});
