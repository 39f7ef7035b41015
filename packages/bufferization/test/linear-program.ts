/**
 * Random programs on two tensors that never read a value after it has been overwritten, so that everything bufferizes
 * in place, except for explicit copies and allocations.
 */
import fc from 'fast-check';

/** One operation of a program, on one of the two tensors. */
export interface LinearStep {
  readonly kind:
    | 'fill'
    | 'add'
    | 'insert'
    | 'change row'
    | 'change column'
    | 'copy row'
    | 'move row'
    | 'collapse'
    | 'expand'
    | 'cast'
    | 'new'
    | 'call'
    | 'ask'
    | 'materialize'
    | 'loop'
    | 'branch';
  /** The tensor that it changes. */
  readonly on: 0 | 1;
  readonly row: number;
  /** The steps in its region or, for a branch, in both. */
  readonly inner: readonly LinearStep[];
  readonly otherwise: readonly LinearStep[];
}

const flat = [
  'fill',
  'add',
  'insert',
  'change row',
  'change column',
  'copy row',
  'move row',
  'collapse',
  'expand',
  'cast',
  'new',
  'call',
  'ask',
  'materialize',
] as const;

const stepOf = (
  kinds: readonly LinearStep['kind'][],
  inner: fc.Arbitrary<readonly LinearStep[]>,
): fc.Arbitrary<LinearStep> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    on: fc.constantFrom(0 as const, 1 as const),
    row: fc.nat(2),
    inner,
    otherwise: inner,
  });

const none = fc.constant<readonly LinearStep[]>([]);
const some = (step: fc.Arbitrary<LinearStep>) => fc.array(step, { maxLength: 2 });
const innermost = stepOf(flat, none);
const inLoops = stepOf([...flat, 'loop'], some(innermost));

/** Loops nest and may be in branches; a branch in a loop would yield a tensor that is not known to be in place. */
export const linearSteps: fc.Arbitrary<readonly LinearStep[]> = fc.array(
  stepOf([...flat, 'loop', 'loop', 'branch'], some(inLoops)),
  { minLength: 1, maxLength: 6 },
);

/** A program, and the allocations and copies that it requires. */
export interface LinearProgram {
  readonly text: string;
  /** The number of `tensor.empty`. */
  readonly made: number;
  /** Rows that it copies elsewhere. */
  readonly copied: number;
  /** Whether it collapses tensors, which is impossible with unknown strides. */
  readonly collapses: boolean;
}

type Tensors = readonly [string, string];

const whole = 'tensor<4x8xf32>';
const row = 'tensor<1x8xf32>';
const column = 'tensor<4xf32>';
const flatType = 'tensor<32xf32>';
const split = 'tensor<4x2x4xf32>';
const open = 'tensor<?x8xf32>';

/** `@f(%t, %u, %i, %j, %x, %n)`, which returns both tensors. */
export const linearProgram = (steps: readonly LinearStep[]): LinearProgram => {
  const lines: string[] = [];
  let made = 0;
  let copied = 0;
  let collapses = false;
  let values = 0;
  const fresh = (): string => `%v${values++}`;
  /** Adds an operation; returns the name of its result. */
  const op = (text: string): string => {
    const result = fresh();
    lines.push(`${result} = ${text}`);
    return result;
  };

  const through = (inner: readonly LinearStep[], tensors: Tensors): Tensors =>
    inner.reduce<Tensors>((now, step) => {
      if (step.kind === 'loop') return loop(step, now);
      if (step.kind === 'branch') return branch(step, now);
      const changed = change(step, now[step.on], now[1 - step.on]!);
      return step.on === 0 ? [changed, now[1]] : [now[0], changed];
    }, tensors);

  const loop = ({ inner, row: n }: LinearStep, [a, b]: Tensors): Tensors => {
    const [result, x, y] = [fresh(), fresh(), fresh()];
    lines.push(
      `${result}:2 = scf.for ${fresh()} = %c0 to ${['%c4', '%n', '%c1'][n]!} step %c1 iter_args(${x} = ${a}, ${y} = ${b}) -> (${whole}, ${whole}) {`,
    );
    lines.push(`scf.yield ${through(inner, [x, y]).join(', ')} : ${whole}, ${whole}`, '}');
    return [`${result}#0`, `${result}#1`];
  };

  const branch = ({ inner, otherwise }: LinearStep, tensors: Tensors): Tensors => {
    const result = fresh();
    lines.push(`${result}:2 = scf.if %c -> (${whole}, ${whole}) {`);
    lines.push(`scf.yield ${through(inner, tensors).join(', ')} : ${whole}, ${whole}`, '} else {');
    lines.push(`scf.yield ${through(otherwise, tensors).join(', ')} : ${whole}, ${whole}`, '}');
    return [`${result}#0`, `${result}#1`];
  };

  const fill = (tensor: string, type: string): string =>
    op(`linalg.fill ins(%x : f32) outs(${tensor} : ${type}) -> ${type}`);

  /** The tensor after a change that reads the other one. */
  const change = ({ kind, row: at }: LinearStep, tensor: string, other: string): string => {
    const rowSlice = `[%i, 0] [1, 8] [1, 1]`;
    switch (kind) {
      case 'add':
        return op(
          `linalg.add ins(${other}, ${tensor} : ${whole}, ${whole}) outs(${tensor} : ${whole}) -> ${whole}`,
        );
      case 'insert': {
        const element = op(`tensor.extract ${at === 0 ? other : tensor}[%i, %j] : ${whole}`);
        return op(`tensor.insert ${element} into ${tensor}[%j, %c${at === 1 ? 1 : 0}] : ${whole}`);
      }
      case 'change row': {
        const part = op(`tensor.extract_slice ${tensor}${rowSlice} : ${whole} to ${row}`);
        return op(`tensor.insert_slice ${fill(part, row)} into ${tensor}${rowSlice} : ${row} into ${whole}`);
      }
      case 'change column': {
        const slice = `[0, %j] [4, 1] [1, 1]`;
        const part = op(`tensor.extract_slice ${tensor}${slice} : ${whole} to ${column}`);
        const changed = op(`tensor.insert %x into ${part}[%i] : ${column}`);
        return op(`tensor.insert_slice ${changed} into ${tensor}${slice} : ${column} into ${whole}`);
      }
      case 'copy row': {
        copied += 1;
        const part = op(`tensor.extract_slice ${other}[${at}, 0] [1, 8] [1, 1] : ${whole} to ${row}`);
        return op(`tensor.insert_slice ${part} into ${tensor}[%j, 0] [1, 8] [1, 1] : ${row} into ${whole}`);
      }
      case 'move row': {
        const part = op(`tensor.extract_slice ${other}${rowSlice} : ${whole} to ${row}`);
        const slice = `[${at}, 0] [1, 8] [1, 1]`;
        const target = op(`tensor.extract_slice ${tensor}${slice} : ${whole} to ${row}`);
        const sum = op(
          `linalg.add ins(${part}, ${target} : ${row}, ${row}) outs(${target} : ${row}) -> ${row}`,
        );
        return op(`tensor.insert_slice ${sum} into ${tensor}${slice} : ${row} into ${whole}`);
      }
      case 'collapse': {
        collapses = true;
        const view = op(`tensor.collapse_shape ${tensor} [[0, 1]] : ${whole} into ${flatType}`);
        const changed = op(`tensor.insert %x into ${view}[%j] : ${flatType}`);
        return op(`tensor.expand_shape ${changed} [[0, 1]] output_shape [4, 8] : ${flatType} into ${whole}`);
      }
      case 'expand': {
        const view = op(
          `tensor.expand_shape ${tensor} [[0], [1, 2]] output_shape [4, 2, 4] : ${whole} into ${split}`,
        );
        const changed = op(`tensor.insert %x into ${view}[%j, %c1, %i] : ${split}`);
        return op(`tensor.collapse_shape ${changed} [[0], [1, 2]] : ${split} into ${whole}`);
      }
      case 'cast': {
        const view = op(`tensor.cast ${tensor} : ${whole} to ${open}`);
        return op(`tensor.cast ${fill(view, open)} : ${open} to ${whole}`);
      }
      case 'new': {
        made += 1;
        const filled = fill(op(`tensor.empty() : ${whole}`), whole);
        return op(
          `linalg.sub ins(${tensor}, ${filled} : ${whole}, ${whole}) outs(${tensor} : ${whole}) -> ${whole}`,
        );
      }
      case 'call':
        return op(`func.call @put(${tensor}, %i, %x) : (${whole}, index, f32) -> ${whole}`);
      case 'ask': {
        const element = op(`func.call @get(${other}, %i) : (${whole}, index) -> f32`);
        return op(`tensor.insert ${element} into ${tensor}[%i, %j] : ${whole}`);
      }
      case 'materialize':
        copied += 1;
        return op(
          `bufferization.materialize_in_destination ${other} in ${tensor} : (${whole}, ${whole}) -> ${whole}`,
        );
      default:
        return fill(tensor, whole);
    }
  };

  const results = through(steps, ['%t', '%u']);
  const text = `func.func private @put(%t: ${whole}, %i: index, %x: f32) -> ${whole} {
    %0 = tensor.insert %x into %t[%i, %i] : ${whole}
    return %0 : ${whole}
  }
  func.func private @get(%t: ${whole}, %i: index) -> f32 {
    %0 = tensor.extract %t[%i, %i] : ${whole}
    return %0 : f32
  }
  func.func @f(%t: ${whole}, %u: ${whole}, %i: index, %j: index, %x: f32, %n: index) -> (${whole}, ${whole}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c = arith.cmpi eq, %n, %c1 : index
    ${lines.join('\n    ')}
    return ${results.join(', ')} : ${whole}, ${whole}
  }`;
  return { text, made, copied, collapses };
};
