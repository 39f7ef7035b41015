/** Random ops on tensors, and linalg ops on them. */
import type { TensorShape, Drawn, FunctionWriter } from './function-writer.ts';
import { elements, typeText, isFloat, constantText } from './function-writer.ts';

/** Extraction of elements, tensors from elements, sizes and casts. */
export const tensorOperation = (w: FunctionWriter): void => {
  const { random } = w;
  const kind = random.pick([
    'elements',
    'splat',
    'dense',
    'dim',
    'cast',
    'extract',
    'insert',
    'generate',
    'pad',
    'collapse',
  ]);
  const source = w.tensor();
  if (source === undefined || kind === 'elements' || kind === 'splat' || kind === 'dense') {
    newTensor(w, kind);
    return;
  }
  const { name, type } = source;
  const text = typeText(type);
  switch (kind) {
    case 'dim': {
      const place = random.integer(0, type.actual.length - 1);
      w.define('index', `tensor.dim ${name}, ${w.constant('index', String(place))} : ${text}`);
      return;
    }
    case 'cast': {
      const known = type.actual.map((size) => (random.chance(0.5) ? undefined : size));
      const to: TensorShape = { ...type, known };
      w.define(to, `tensor.cast ${name} : ${text} to ${typeText(to)}`);
      return;
    }
    case 'extract': {
      if (type.actual.includes(0)) return;
      const at = places(w, type);
      w.define(type.element, `tensor.extract ${name}[${at}] : ${text}`);
      return;
    }
    case 'insert': {
      if (type.actual.includes(0)) return;
      const value = w.scalar(type.element);
      w.define(type, `tensor.insert ${value} into ${name}[${places(w, type)}] : ${text}`);
      return;
    }
    case 'generate':
      generate(w, type);
      return;
    case 'pad':
      pad(w, name, type);
      return;
    default:
      reshape(w, name, type);
  }
};

/** Indices within a tensor. */
const places = (w: FunctionWriter, type: TensorShape): string => {
  return type.actual.map((size) => w.constant('index', String(w.random.integer(0, size - 1)))).join(', ');
};

const newTensor = (w: FunctionWriter, kind: string): void => {
  const { random } = w;
  const element = random.pick(elements);
  const size = random.integer(kind === 'elements' ? 1 : 0, 4);
  const type: TensorShape = { element, known: [size], actual: [size] };
  if (kind === 'elements') {
    const values = Array.from({ length: size }, () => w.scalar(element));
    w.define(type, `tensor.from_elements ${values.join(', ')} : ${typeText(type)}`);
  } else if (kind === 'dense' && size > 0) {
    const values = Array.from({ length: random.chance(0.5) ? 1 : size }, () => constantText(random, element));
    const text = values.length === 1 ? values[0]! : `[${values.join(', ')}]`;
    w.define(type, `arith.constant dense<${text}> : ${typeText(type)}`);
  } else w.define(type, `tensor.splat ${w.scalar(element)} : ${typeText(type)}`);
};

/** Constants for the dynamic sizes of a type. */
const dynamicSizes = (w: FunctionWriter, type: TensorShape): string => {
  return type.actual
    .flatMap((size, i) => (type.known[i] === undefined ? [w.constant('index', String(size))] : []))
    .join(', ');
};

const generate = (w: FunctionWriter, type: TensorShape): void => {
  const name = w.fresh();
  const sizes = dynamicSizes(w, type);
  const indices = type.actual.map((): Drawn => ({ name: w.fresh(), type: 'index' }));
  w.line(`${name} = tensor.generate ${sizes} {`);
  w.line(`^bb0(${indices.map((index) => `${index.name}: index`).join(', ')}):`);
  w.nested(indices, () => {
    w.line(`tensor.yield ${w.scalar(type.element)} : ${type.element}`);
  });
  w.line(`} : ${typeText(type)}`);
  w.scope.push({ name, type });
};

const pad = (w: FunctionWriter, source: string, type: TensorShape): void => {
  const { random } = w;
  const margins = type.actual.map(() => [random.integer(0, 2), random.integer(0, 2)] as const);
  const actual = type.actual.map((size, i) => size + margins[i]![0] + margins[i]![1]);
  const list = (side: 0 | 1): string =>
    margins
      .map((margin) =>
        random.chance(0.3) ? w.constant('index', String(margin[side])) : String(margin[side]),
      )
      .join(', ');
  const [low, high] = [list(0), list(1)];
  const known = actual.map((size, i) => {
    const isDynamic = low.split(', ')[i]!.startsWith('%') || high.split(', ')[i]!.startsWith('%');
    return isDynamic || type.known[i] === undefined ? undefined : size;
  });
  const value = w.scalar(type.element);
  const to: TensorShape = { ...type, known, actual };
  const name = w.fresh();
  const indices = type.actual.map(() => `${w.fresh()}: index`).join(', ');
  w.line(`${name} = tensor.pad ${source} low[${low}] high[${high}] {`);
  w.line(`^bb0(${indices}):`);
  w.line(`  tensor.yield ${value} : ${type.element}`);
  w.line(`} : ${typeText(type)} to ${typeText(to)}`);
  w.scope.push({ name, type: to });
};

const reshape = (w: FunctionWriter, source: string, type: TensorShape): void => {
  if (type.actual.length !== 2) return;
  const [a = 0, b = 0] = type.actual;
  const isStatic = !type.known.includes(undefined);
  const flat: TensorShape = { ...type, actual: [a * b], known: [isStatic ? a * b : undefined] };
  const name = w.define(
    flat,
    `tensor.collapse_shape ${source} [[0, 1]] : ${typeText(type)} into ${typeText(flat)}`,
  );
  if (!isStatic || w.random.chance(0.5)) return;
  w.define(
    { ...type, actual: [b, a], known: [b, a] },
    `tensor.expand_shape ${name} [[0, 1]] output_shape [${b}, ${a}] : ${typeText(flat)} into ${typeText({ ...type, actual: [b, a], known: [b, a] })}`,
  );
};

/** Extraction and insertion of slices. */
export const slice = (w: FunctionWriter): void => {
  const { random } = w;
  const source = w.tensor();
  if (source === undefined) return;
  const { name, type } = source;
  const sizes = type.actual.map((size) => random.integer(0, size));
  const offsets = type.actual.map((size, i) => random.integer(0, size - sizes[i]!));
  const list = (values: readonly number[]): readonly string[] =>
    values.map((value) => (random.chance(0.4) ? w.constant('index', String(value)) : String(value)));
  const [from, length] = [list(offsets), list(sizes)];
  const known = length.map((size, i) => (size.startsWith('%') ? undefined : sizes[i]));
  const part: TensorShape = { ...type, known, actual: sizes };
  const place = `[${from.join(', ')}] [${length.join(', ')}] [${sizes.map(() => '1').join(', ')}]`;
  const slice = w.define(
    part,
    `tensor.extract_slice ${name}${place} : ${typeText(type)} to ${typeText(part)}`,
  );
  if (random.chance(0.5)) return;
  w.define(
    type,
    `tensor.insert_slice ${slice} into ${name}${place} : ${typeText(part)} into ${typeText(type)}`,
  );
};

/** A fill, and elementwise sums over it. */
export const structured = (w: FunctionWriter): void => {
  const { random } = w;
  const source = w.tensor();
  if (source === undefined) return;
  const { name, type } = source;
  const sizes = dynamicSizes(w, type);
  const text = typeText(type);
  const empty = w.fresh();
  // Its content is undefined: only a fill may use it.
  w.line(`${empty} = tensor.empty(${sizes}) : ${text}`);
  const filled = w.define(
    type,
    `linalg.fill ins(${w.scalar(type.element)} : ${type.element}) outs(${empty} : ${text}) -> ${text}`,
  );
  if (random.chance(0.3)) return;
  const rank = type.actual.length;
  const dims = Array.from({ length: rank }, (_, i) => `d${i}`).join(', ');
  const map = `affine_map<(${dims}) -> (${dims})>`;
  const iterators = Array.from({ length: rank }, () => '"parallel"').join(', ');
  const result = w.fresh();
  const [a, b] = [w.fresh(), w.fresh()];
  w.line(
    `${result} = linalg.generic {indexing_maps = [${map}, ${map}], iterator_types = [${iterators}]} ins(${name} : ${text}) outs(${filled} : ${text}) {`,
  );
  w.line(`^bb0(${a}: ${type.element}, ${b}: ${type.element}):`);
  w.nested([], () => {
    const mnemonic = isFloat(type.element) ? 'addf' : 'addi';
    const value = random.chance(0.4)
      ? random.pick([a, b])
      : w.define(type.element, `arith.${mnemonic} ${a}, ${b} : ${type.element}`);
    w.line(`linalg.yield ${value} : ${type.element}`);
  });
  w.line(`} -> ${text}`);
  w.scope.push({ name: result, type });
};
