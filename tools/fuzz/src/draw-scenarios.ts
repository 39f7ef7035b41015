/** Arrangements that some passes look for and independent draws rarely give: nests, siblings, chains, paddings. */
import { combined } from './draw-memory.ts';
import type { Buffer, EffectValue, Tensor } from './effect-types.ts';
import { isFloat, textOf } from './effect-types.ts';
import { insOf } from './draw-structured-effects.ts';
import type { EffectWriter } from './effect-writer.ts';

const map = (from: string, to: string): string => `affine_map<(${from}) -> (${to})>`;

/** A new tensor or buffer with elements that differ. */
export const fresh = (
  w: EffectWriter,
  isValue: boolean,
  actual: readonly number[],
  isDynamic = w.random.chance(0.2),
  element = w.element,
): EffectValue<Tensor | Buffer> => {
  const { random } = w;
  const known = actual.map((size) => (isDynamic ? undefined : size));
  const type: Tensor | Buffer = { kind: isValue ? 'tensor' : 'memref', element, known, actual };
  const sizes = isDynamic ? actual.map((size) => w.indexIn(size, size)).join(', ') : '';
  const text = textOf(type);
  const empty = w.fresh();
  w.line(`${empty} = ${isValue ? 'tensor.empty' : 'memref.alloc'}(${sizes}) : ${text}`);
  const name = isValue ? w.fresh() : empty;
  const head = isValue ? `${name} = ` : '';
  const tail = isValue ? ` -> ${text}` : '';
  if (random.chance(0.4) || element === 'index') {
    w.line(`${head}linalg.fill ins(${w.scalar(element)} : ${element}) outs(${empty} : ${text})${tail}`);
  } else {
    const dims = actual.map((_, i) => `d${i}`).join(', ');
    const iterators = actual.map(() => '"parallel"').join(', ');
    const traits = `{indexing_maps = [${map(dims, dims)}], iterator_types = [${iterators}]}`;
    w.line(`${head}linalg.generic ${traits} outs(${empty} : ${text}) {`);
    const [old, i, integer, value] = [w.fresh(), w.fresh(), w.fresh(), w.fresh()];
    w.line(`^bb0(${old}: ${element}):`);
    w.line(`  ${i} = linalg.index ${random.integer(0, actual.length - 1)} : index`);
    const width = element === 'f16' || element === 'f32' ? 'i32' : element;
    w.line(`  ${integer} = arith.index_cast ${i} : index to ${width}`);
    if (isFloat(element)) w.line(`  ${value} = arith.sitofp ${integer} : i32 to ${element}`);
    w.line(`  linalg.yield ${isFloat(element) ? value : integer} : ${element}`);
    w.line(`}${tail}`);
  }
  const result: EffectValue<Tensor | Buffer> = isValue
    ? { name, type }
    : { name, type, roots: [`own${name}`] };
  w.scope.push(result);
  return result;
};

/** Defines `op ins outs` for tensors, or writes it for buffers; returns what has the result. */
const apply = (
  w: EffectWriter,
  op: string,
  target: EffectValue<Tensor | Buffer>,
): EffectValue<Tensor | Buffer> => {
  if (target.type.kind === 'memref') {
    w.line(op);
    return target;
  }
  const name = w.define(target.type, `${op} -> ${textOf(target.type)}`);
  return { name, type: target.type };
};

/** An elementwise op on `source`, as a consumer is. */
const elementwise = (
  w: EffectWriter,
  source: EffectValue<Tensor | Buffer>,
  isValue: boolean,
): EffectValue<Tensor | Buffer> => {
  const { actual, element } = source.type;
  const out = fresh(w, isValue, actual, false);
  const dims = actual.map((_, i) => `d${i}`).join(', ');
  const [a, b] = [w.fresh(), w.fresh()];
  const from = textOf(source.type);
  const iterators = actual.map(() => '"parallel"').join(', ');
  const lines = [
    `linalg.generic {indexing_maps = [${map(dims, dims)}, ${map(dims, dims)}], iterator_types = [${iterators}]} ` +
      `ins(${source.name} : ${from}) outs(${out.name} : ${textOf(out.type)}) {`,
    `^bb0(${a}: ${element}, ${b}: ${element}):`,
  ];
  const name = isValue ? w.fresh() : out.name;
  w.line(`${isValue ? `${name} = ` : ''}${lines[0]!}`);
  w.line(lines[1]!);
  const value = combined(w, element, a, w.random.chance(0.3) ? b : a);
  w.line(`  linalg.yield ${value} : ${element}`);
  w.line(`}${isValue ? ` -> ${textOf(out.type)}` : ''}`);
  if (!isValue) return out;
  const result: EffectValue<Tensor> = { name, type: out.type as Tensor };
  w.scope.push(result);
  return result;
};

const chainKinds = [
  'matmul',
  'generic matmul',
  'conv',
  'conv of a row',
  'sum',
  'softmax',
  'elementwise',
  'batch_matmul',
] as const;

/** Named and generic products, convolutions and sums on new operands, and what reads them. */
export const chain = (
  w: EffectWriter,
  kind: (typeof chainKinds)[number] = w.random.pick(chainKinds),
  isValue = w.random.chance(0.6),
): void => {
  const { random, element } = w;
  if (element === 'i1' || element === 'index') return;
  const size = (): number => random.pick([1, 2, 3, 4, 4, 5]);
  const [m, n, k] = [size(), size(), size()];
  w.features.add(`chain: ${kind}`);
  const ins = (...values: readonly EffectValue[]): string => insOf(values);
  const outs = ({ name, type }: EffectValue): string => `outs(${name} : ${textOf(type)})`;
  let result: EffectValue<Tensor | Buffer>;
  switch (kind) {
    case 'matmul':
    case 'generic matmul': {
      const [a, b, c] = [fresh(w, isValue, [m, k]), fresh(w, isValue, [k, n]), fresh(w, isValue, [m, n])];
      if (kind === 'matmul') {
        result = apply(w, `linalg.matmul ${ins(a, b)} ${outs(c)}`, c);
        break;
      }
      const maps = [
        map('d0, d1, d2', 'd0, d2'),
        map('d0, d1, d2', 'd2, d1'),
        map('d0, d1, d2', 'd0, d1'),
      ].join(', ');
      const traits = `{indexing_maps = [${maps}], iterator_types = ["parallel", "parallel", "reduction"]}`;
      const [x, y, z, p, q] = [w.fresh(), w.fresh(), w.fresh(), w.fresh(), w.fresh()];
      const [times, plus] = isFloat(element) ? ['mulf', 'addf'] : ['muli', 'addi'];
      result = apply(
        w,
        `linalg.generic ${traits} ${ins(a, b)} ${outs(c)} {
    ^bb0(${x}: ${element}, ${y}: ${element}, ${z}: ${element}):
      ${p} = arith.${times} ${x}, ${y} : ${element}
      ${q} = arith.${plus} ${z}, ${p} : ${element}
      linalg.yield ${q} : ${element}
    }`,
        c,
      );
      break;
    }
    case 'batch_matmul': {
      const [a, b, c] = [
        fresh(w, isValue, [2, m, k]),
        fresh(w, isValue, [2, k, n]),
        fresh(w, isValue, [2, m, n]),
      ];
      result = apply(w, `linalg.batch_matmul ${ins(a, b)} ${outs(c)}`, c);
      break;
    }
    case 'conv':
    case 'conv of a row': {
      const height = kind === 'conv' ? 2 : 1;
      const [image, filter, out] = [
        fresh(w, isValue, [1, height + m - 1 - (kind === 'conv' ? 0 : m - 1), n + 2, k], false),
        fresh(w, isValue, [height, 3, k, 2], false),
        fresh(w, isValue, [1, kind === 'conv' ? m : 1, n, 2], false),
      ];
      const steps = '{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}';
      result = apply(w, `linalg.conv_2d_nhwc_hwcf ${steps} ${ins(image, filter)} ${outs(out)}`, out);
      break;
    }
    case 'sum': {
      const [a, out] = [fresh(w, isValue, [m, 4 * k]), fresh(w, isValue, [m])];
      const maps = [map('d0, d1', 'd0, d1'), map('d0, d1', 'd0')].join(', ');
      const [x, y, sum] = [w.fresh(), w.fresh(), w.fresh()];
      result = apply(
        w,
        `linalg.generic {indexing_maps = [${maps}], iterator_types = ["parallel", "reduction"]} ${ins(a)} ${outs(out)} {
    ^bb0(${x}: ${element}, ${y}: ${element}):
      ${sum} = arith.${isFloat(element) ? 'addf' : 'addi'} ${x}, ${y} : ${element}
      linalg.yield ${sum} : ${element}
    }`,
        out,
      );
      break;
    }
    case 'softmax': {
      if (!isFloat(element) || !isValue) return;
      const [a, out] = [fresh(w, true, [m, n], false), fresh(w, true, [m, n], false)];
      result = apply(w, `linalg.softmax dimension(${random.integer(0, 1)}) ${ins(a)} ${outs(out)}`, out);
      break;
    }
    default:
      result = fresh(w, isValue, random.chance(0.5) ? [m, n] : [2, m, n]);
  }
  if (random.chance(0.6)) result = elementwise(w, result, isValue);
  if (isValue && random.chance(0.5)) insertPart(w, result as EffectValue<Tensor>);
};

/** Inserts a tensor into a larger one. */
const insertPart = (w: EffectWriter, { name, type }: EffectValue<Tensor>): void => {
  const larger = fresh(
    w,
    true,
    type.actual.map((size) => size + 1),
    false,
  );
  const sizes = type.actual.map((size, i) =>
    type.known[i] === undefined ? w.indexIn(size, size) : String(size),
  );
  const ones = sizes.map(() => '1').join(', ');
  const at = sizes.map(() => (w.random.chance(0.3) ? w.indexIn(0, 1) : w.random.pick(['0', '1']))).join(', ');
  w.features.add('a computed part');
  const place = `${larger.name}[${at}] [${sizes.join(', ')}] [${ones}]`;
  w.define(
    larger.type,
    `tensor.insert_slice ${name} into ${place} : ${textOf(type)} into ${textOf(larger.type)}`,
  );
};

/** Loops in each other, or next to each other, over the same ranges or others. */
export const nest = (w: EffectWriter): void => {
  const { random } = w;
  const target =
    w.buffer(({ actual }) => actual.length === 2 && !actual.includes(0)) ??
    (fresh(w, false, [3, 4], false) as EffectValue<Buffer>);
  const { name, type } = target;
  const [rows, columns] = type.actual as readonly [number, number];
  const text = textOf(type);
  const bound = (value: number): string =>
    random.chance(0.4) ? w.indexIn(value, value) : w.constant('index', String(value));
  const low = random.chance(0.2) ? 1 : 0;
  const step = random.pick([1, 1, 2]);
  const bounds = [
    bound(Math.min(low, rows)),
    bound(random.chance(0.15) ? 0 : rows),
    bound(0),
    bound(random.chance(0.15) ? 0 : columns),
    bound(step),
  ];
  const [i, j] = [w.fresh(), w.fresh()];
  const write = (row: string, column: string): void => {
    const old = w.fresh();
    w.line(`${old} = memref.load ${name}[${row}, ${column}] : ${text}`);
    const value = combined(w, type.element, old, w.scalar(type.element));
    w.line(`memref.store ${value}, ${name}[${row}, ${column}] : ${text}`);
  };
  const header = (variable: string, from: number): string =>
    `scf.for ${variable} = ${bounds[from]!} to ${bounds[from + 1]!} step ${bounds[4]!}`;
  if (random.chance(0.5)) {
    w.features.add('a nest');
    if (random.chance(0.4)) {
      // It carries a sum through both loops.
      const [outer, inner, sum, a, b] = [w.fresh(), w.fresh(), w.fresh(), w.fresh(), w.fresh()];
      const element = type.element;
      const init = w.scalar(element);
      w.line(`${sum} = ${header(i, 0)} iter_args(${outer} = ${init}) -> (${element}) {`);
      w.line(`  ${inner} = ${header(j, 2)} iter_args(${a} = ${outer}) -> (${element}) {`);
      w.nested([], () => {
        w.line(`${b} = memref.load ${name}[${i}, ${j}] : ${text}`);
        w.line(`scf.yield ${combined(w, element, a, b)} : ${element}`);
      });
      w.line('  }');
      w.line(`  scf.yield ${inner} : ${element}`);
      w.line('}');
      w.scope.push({ name: sum, type: element });
      return;
    }
    w.line(`${header(i, 0)} {`);
    w.line(`  ${header(j, 2)} {`);
    w.nested([], () => write(i, j));
    w.line('  }');
    w.line('}');
    return;
  }
  w.features.add('siblings');
  const zero = w.constant('index', '0');
  const second = random.chance(0.5)
    ? (fresh(w, false, type.actual, false, type.element) as EffectValue<Buffer>)
    : target;
  w.line(`${header(i, 0)} {`);
  w.nested([], () => write(i, zero));
  w.line('}');
  w.line(`${header(j, 0)} {`);
  w.nested([], () => {
    const value = w.define(type.element, `memref.load ${name}[${j}, ${zero}] : ${text}`);
    const at = random.chance(0.5) ? zero : w.indexIn(0, columns - 1);
    w.line(`memref.store ${value}, ${second.name}[${j}, ${at}] : ${textOf(second.type)}`);
  });
  w.line('}');
};

/** A loop that takes a part out of a tensor, changes it, and puts it back; it moves or not, and is padded or not. */
export const partsOfTensor = (w: EffectWriter): void => {
  const { random, element } = w;
  const source = fresh(w, true, [random.pick([4, 5, 6, 7])], false) as EffectValue<Tensor>;
  const [count] = source.type.actual as readonly [number];
  const text = textOf(source.type);
  const isMoving = random.chance(0.5);
  const isPadded = random.chance(0.4);
  const [zero, high, two] = ['0', String(random.chance(0.1) ? 0 : count), '2'].map((value) =>
    w.constant('index', value),
  );
  const [i, part, carried, result, changed, next] = Array.from({ length: 6 }, () => w.fresh()) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  w.features.add(`parts of a tensor${isMoving ? ', moving' : ''}${isPadded ? ', padded' : ''}`);
  w.line(
    `${result} = scf.for ${i} = ${zero} to ${high} step ${two} iter_args(${carried} = ${source.name}) -> (${text}) {`,
  );
  w.nested([], () => {
    const size = isMoving ? w.fresh() : '2';
    if (isMoving) w.line(`${size} = affine.min affine_map<(d0) -> (2, ${count} - d0)>(${i})`);
    const type: Tensor = { kind: 'tensor', element, known: [isMoving ? undefined : 2], actual: [2] };
    const place = `[${isMoving ? i : '1'}] [${size}] [1]`;
    w.line(`${part} = tensor.extract_slice ${carried}${place} : ${text} to ${textOf(type)}`);
    if (isPadded) {
      const [padded, margin, filled] = [w.fresh(), w.fresh(), w.fresh()];
      const wide = `tensor<2x${element}>`;
      const [padding, value] = [w.scalar(element), w.scalar(element)];
      if (isMoving) w.line(`${margin} = affine.apply affine_map<(d0) -> (2 - d0)>(${size})`);
      w.line(`${padded} = tensor.pad ${part} low[0] high[${isMoving ? margin : '0'}] {`);
      w.line(`^bb0(%pad${i.slice(1)}: index):`);
      w.line(`  tensor.yield ${padding} : ${element}`);
      w.line(`} : ${textOf(type)} to ${wide}`);
      w.line(`${filled} = linalg.fill ins(${value} : ${element}) outs(${padded} : ${wide}) -> ${wide}`);
      const from = random.chance(0.5) ? filled : padded;
      w.line(`${changed} = tensor.extract_slice ${from}[0] [${size}] [1] : ${wide} to ${textOf(type)}`);
    } else {
      const [value, of] = [w.scalar(element), textOf(type)];
      w.line(`${changed} = linalg.fill ins(${value} : ${element}) outs(${part} : ${of}) -> ${of}`);
    }
    w.line(`${next} = tensor.insert_slice ${changed} into ${carried}${place} : ${textOf(type)} into ${text}`);
    w.line(`scf.yield ${next} : ${text}`);
  });
  w.line('}');
  w.scope.push({ name: result, type: source.type });
};

/** A buffer before a loop that each iteration overwrites, or one in a condition; and symbols that nothing uses. */
export const reusedBuffer = (w: EffectWriter): void => {
  const { random } = w;
  const target = w.buffer(
    ({ actual, layout, known }) =>
      actual.length === 1 && actual[0]! > 1 && layout === undefined && !known.includes(undefined),
  );
  if (target === undefined) return;
  const { name, type } = target;
  const { element } = type;
  const size = type.actual[0]!;
  if (random.chance(0.3)) {
    w.symbols.push(
      `func.func private ${w.symbol('unused')}(%x: ${element}) -> ${element} { return %x : ${element} }`,
    );
  }
  const own: Buffer = { kind: 'memref', element, known: [2], actual: [2] };
  const text = textOf(own);
  const part: Buffer = { ...own, layout: { strides: [1], offset: undefined } };
  const isLoop = random.chance(0.6);
  const [buffer, i, view] = [w.fresh(), w.fresh(), w.fresh()];
  const op = random.pick(['memref.alloc', 'memref.alloca']);
  const [zero, high, step] = [
    '0',
    String(random.chance(0.1) ? 0 : size - 1),
    String(random.integer(1, 2)),
  ].map((value) => w.constant('index', value));
  w.features.add(isLoop ? 'a buffer that a loop overwrites' : 'a buffer of a condition');
  if (isLoop) w.line(`${buffer} = ${op}() : ${text}`);
  w.line(isLoop ? `scf.for ${i} = ${zero} to ${high} step ${step} {` : `scf.if ${w.scalar('i1')} {`);
  w.nested([], () => {
    if (!isLoop) w.line(`${buffer} = ${op}() : ${text}`);
    w.line(
      `${view} = memref.subview ${name}[${isLoop ? i : zero!}] [2] [1] : ${textOf(type)} to ${textOf(part)}`,
    );
    w.line(`memref.copy ${view}, ${buffer} : ${textOf(part)} to ${text}`);
    const old = w.fresh();
    w.line(`${old} = memref.load ${buffer}[${zero!}] : ${text}`);
    w.line(`memref.store ${combined(w, element, old, old)}, ${buffer}[${zero!}] : ${text}`);
    if (random.chance(0.7)) w.line(`memref.copy ${buffer}, ${view} : ${text} to ${textOf(part)}`);
    else w.line(`linalg.fill ins(${w.scalar(element)} : ${element}) outs(${view} : ${textOf(part)})`);
  });
  w.line('}');
};
