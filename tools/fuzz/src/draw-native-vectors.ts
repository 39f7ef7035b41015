/** Draws operations on vectors. */
import type { NativeElement } from './native-writer.ts';
import { bitsOf, floatNames, integerNames, isFloatName, NativeWriter, vectorType } from './native-writer.ts';

const anyElement = (w: NativeWriter): NativeElement => w.random.pick([...integerNames, ...floatNames]);

/** Elements whose sums and products are exact. */
const exactElement = (w: NativeWriter): NativeElement =>
  w.random.pick(['i8', 'i32', 'i64', 'index', 'f32', 'f64', 'f16', 'bf16']);

const shapeOf = (w: NativeWriter, least: number, most: number): readonly number[] => w.shape(least, most, 1);

const listText = (numbers: readonly (number | string)[]): string => `[${numbers.join(', ')}]`;

const count = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1);

/** Transfers of all kinds: permuted, repeated, masked, outside the buffer. */
export const transfers = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const buffer = w.buffer(w.shape(random.chance(0.1) ? 0 : 1, 3), element);
  const { length: rank } = buffer.sizes;
  const isRead = random.chance(0.5);
  const used = random.shuffled(buffer.sizes.map((_, i) => i)).slice(0, random.integer(0, rank));
  const order = random.chance(0.6) ? [...used].sort((a, b) => a - b) : used;
  const dimensions: (number | undefined)[] = [...order];
  if (isRead && random.chance(0.2)) dimensions.splice(random.integer(0, dimensions.length), 0, undefined);
  const shape = dimensions.map(() => random.pick([1, 2, 3, 4, 8]));
  const starts = buffer.sizes.map((size, i) => {
    const at = dimensions.indexOf(i);
    if (at >= 0) return random.integer(-3, Math.max(1, size + 1));
    return random.integer(0, Math.max(0, size - 1));
  });
  const isIn = (i: number | undefined, at: number): boolean =>
    i === undefined || (starts[i]! >= 0 && starts[i]! + shape[at]! <= buffer.sizes[i]!);
  if (buffer.sizes.some((size, i) => size === 0 && !dimensions.includes(i))) return;
  const inBounds = dimensions.map((i, at) => i === undefined || (isIn(i, at) && random.chance(0.6)));
  const maskShape = dimensions
    .map((dimension, at) => ({ dimension, size: shape[at]! }))
    .filter(({ dimension }) => dimension !== undefined)
    .sort((a, b) => a.dimension! - b.dimension!)
    .map(({ size }) => size);
  const masking =
    maskShape.length === 0 || shape.length === 0
      ? 'none'
      : random.pick(['none', 'none', 'operand', 'op'] as const);
  const mask = masking === 'none' ? undefined : maskOf(w, maskShape);
  const at = starts.map((start) => w.index(start)).join(', ');
  const dims = buffer.sizes.map((_, i) => `d${i}`).join(', ');
  const results = dimensions.map((i) => (i === undefined ? '0' : `d${i}`)).join(', ');
  const attributes = `{permutation_map = affine_map<(${dims}) -> (${results})>${shape.length === 0 ? '' : `, in_bounds = [${inBounds.join(', ')}]`}}`;
  const type = vectorType(shape, element);
  const maskType = vectorType(maskShape, 'i1');
  const own = masking === 'operand' ? `, ${mask}` : '';
  const wrapped = (op: string, result: string): string =>
    masking === 'op' ? `vector.mask ${mask} { ${op} } : ${maskType}${result}` : op;
  if (isRead) {
    const op = `vector.transfer_read ${buffer.name}[${at}], ${w.number(element)}${own} ${attributes} : ${buffer.type}, ${type}`;
    w.keepVector(w.define(wrapped(op, ` -> ${type}`)), shape, element);
  } else {
    const vector = w.vector(shape, element);
    const op = `vector.transfer_write ${vector}, ${buffer.name}[${at}]${own} ${attributes} : ${type}, ${buffer.type}`;
    w.line(wrapped(op, ''));
    w.keepBuffer(buffer);
  }
};

/** A mask: elements, or those below bounds. */
const maskOf = (w: NativeWriter, shape: readonly number[]): string => {
  const type = vectorType(shape, 'i1');
  const kind = w.random.integer(0, 2);
  if (kind === 0) return w.vector(shape, 'i1');
  if (kind === 1)
    return w.define(
      `vector.create_mask ${shape.map((size) => w.index(w.random.integer(-1, size + 1))).join(', ')} : ${type}`,
    );
  const sizes = shape.map((size) => w.random.integer(0, size));
  return w.define(
    `vector.constant_mask ${listText(sizes.includes(0) ? sizes.map(() => 0) : sizes)} : ${type}`,
  );
};

export const masks = (w: NativeWriter): void => {
  const shape = shapeOf(w, 1, 3);
  w.keepVector(maskOf(w, shape), shape, 'i1');
};

/** Contiguous, masked, scattered and compressed accesses. */
export const memory = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const width = random.pick([1, 2, 3, 4, 8]);
  const sizes = [...shapeOf(w, 0, 1), width + random.integer(0, 4)];
  const drawn = w.buffer(sizes, element);
  const buffer = drawn.isContiguous ? drawn : w.plain(sizes, element);
  const at = sizes.map((size, i) =>
    w.index(i + 1 < sizes.length ? random.integer(0, size - 1) : random.integer(0, size - width)),
  );
  const [place, type] = [`${buffer.name}[${at.join(', ')}]`, vectorType([width], element)];
  const maskType = vectorType([width], 'i1');
  const kind = random.integer(0, 7);
  if (kind === 0) w.keepVector(w.define(`vector.load ${place} : ${buffer.type}, ${type}`), [width], element);
  else if (kind === 1)
    w.line(`vector.store ${w.vector([width], element)}, ${place} : ${buffer.type}, ${type}`);
  else if (kind <= 3) {
    const name = random.pick(['maskedload', 'expandload']);
    const [mask, rest] = [maskOf(w, [width]), w.vector([width], element)];
    w.keepVector(
      w.define(
        `vector.${name} ${place}, ${mask}, ${rest} : ${buffer.type}, ${maskType}, ${type} into ${type}`,
      ),
      [width],
      element,
    );
  } else if (kind <= 5) {
    const name = random.pick(['maskedstore', 'compressstore']);
    w.line(
      `vector.${name} ${place}, ${maskOf(w, [width])}, ${w.vector([width], element)} : ${buffer.type}, ${maskType}, ${type}`,
    );
  } else {
    const shape = random.chance(0.7) ? [width] : [2, width];
    const index = random.pick(['i32', 'i64', 'index'] as const);
    const last = sizes.at(-1)! - 1;
    const distances = w.argument(
      shape,
      index,
      random
        .shuffled(Array.from({ length: count(shape) }, (_, i) => i % (last + 1)))
        .map((each) => (index === 'i32' ? each : BigInt(each))),
    );
    const zero = w.constant('index', 0);
    const ends = sizes.map((size, i) => (i + 1 < sizes.length ? w.index(random.integer(0, size - 1)) : zero));
    const indexType = vectorType(shape, index);
    const padding = w.constant(index, 0);
    const at = w.define(
      `vector.transfer_read ${distances}[${shape.map(() => zero).join(', ')}], ${padding} {in_bounds = [${shape.map(() => 'true').join(', ')}]} : memref<${shape.join('x')}x${index}>, ${indexType}`,
    );
    const [mask, masked, all] = [maskOf(w, shape), vectorType(shape, 'i1'), vectorType(shape, element)];
    const target = `${buffer.name}[${ends.join(', ')}] [${at}], ${mask}`;
    if (kind === 6) {
      w.keepVector(
        w.define(
          `vector.gather ${target}, ${w.vector(shape, element)} : ${buffer.type}, ${indexType}, ${masked}, ${all} into ${all}`,
        ),
        shape,
        element,
      );
    } else if (shape.length === 1 && width <= last + 1) {
      w.line(
        `vector.scatter ${target}, ${w.vector(shape, element)} : ${buffer.type}, ${indexType}, ${masked}, ${all}`,
      );
    }
  }
  w.keepBuffer(buffer);
};

/** Elements and parts of vectors. */
export const parts = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const shape = shapeOf(w, 1, 3);
  const type = vectorType(shape, element);
  const vector = w.vector(shape, element);
  const kind = random.integer(0, 9);
  const position = shape.slice(0, random.integer(1, shape.length)).map((size) => random.integer(0, size - 1));
  const positionText = position.map((at) => (random.chance(0.3) ? w.index(at) : String(at)));
  const rest = shape.slice(position.length);
  const restType = rest.length === 0 ? element : vectorType(rest, element);
  const keepRest = (name: string): void =>
    rest.length === 0 ? w.keepScalar(name, element) : w.keepVector(name, rest, element);
  if (kind === 0)
    keepRest(w.define(`vector.extract ${vector}[${positionText.join(', ')}] : ${restType} from ${type}`));
  else if (kind === 1) {
    const part = rest.length === 0 ? w.number(element) : w.vector(rest, element);
    w.keepVector(
      w.define(`vector.insert ${part}, ${vector}[${positionText.join(', ')}] : ${restType} into ${type}`),
      shape,
      element,
    );
  } else if (kind === 2) {
    const line = random.chance(0.2) ? [] : [shape[0]!];
    const [from, lineType] = [w.vector(line, element), vectorType(line, element)];
    const at = line.length === 0 ? '' : `${w.index(random.integer(0, line[0]! - 1))} : index`;
    if (random.chance(0.5))
      w.keepScalar(w.define(`vector.extractelement ${from}[${at}] : ${lineType}`), element);
    else
      w.keepVector(
        w.define(`vector.insertelement ${w.number(element)}, ${from}[${at}] : ${lineType}`),
        line,
        element,
      );
  } else if (kind === 3) {
    const offsets = shape.map((size) => random.integer(0, size - 1));
    const taken = shape.slice(0, random.integer(1, shape.length));
    const sizes = taken.map((size, i) => random.integer(1, size - offsets[i]!));
    const to = [...sizes, ...shape.slice(taken.length)];
    const attributes = `{offsets = ${listText(offsets.slice(0, taken.length))}, sizes = ${listText(sizes)}, strides = ${listText(taken.map(() => 1))}}`;
    w.keepVector(
      w.define(
        `vector.extract_strided_slice ${vector} ${attributes} : ${type} to ${vectorType(to, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 4) {
    const lead = random.integer(0, shape.length - 1);
    const offsets = shape.map((size) => random.integer(0, size - 1));
    const part = shape.slice(lead).map((size, i) => random.integer(1, size - offsets[lead + i]!));
    const attributes = `{offsets = ${listText(offsets)}, strides = ${listText(part.map(() => 1))}}`;
    w.keepVector(
      w.define(
        `vector.insert_strided_slice ${w.vector(part, element)}, ${vector} ${attributes} : ${vectorType(part, element)} into ${type}`,
      ),
      shape,
      element,
    );
  } else if (kind === 5) {
    const other = [random.pick([1, 2, shape[0]!]), ...shape.slice(1)];
    const total = shape[0]! + other[0]!;
    const picked = Array.from({ length: random.integer(1, 5) }, () => random.integer(0, total - 1));
    const to = [picked.length, ...shape.slice(1)];
    w.keepVector(
      w.define(
        `vector.shuffle ${vector}, ${w.vector(other, element)} ${listText(picked)} : ${type}, ${vectorType(other, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 6) {
    const to = [...shape.slice(0, -1), 2 * shape.at(-1)!];
    w.keepVector(
      w.define(
        `vector.interleave ${vector}, ${w.vector(shape, element)} : ${type} -> ${vectorType(to, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 7) {
    const from = [...shape.slice(0, -1), 2 * shape.at(-1)!];
    const made = w.fresh();
    w.line(
      `${made}:2 = vector.deinterleave ${w.vector(from, element)} : ${vectorType(from, element)} -> ${type}`,
    );
    w.keepVector(`${made}#0`, shape, element);
    w.keepVector(`${made}#1`, shape, element);
  } else if (kind === 8) {
    const elements = Array.from({ length: count(shape.slice(0, 2)) }, () => w.number(element));
    const to = shape.slice(0, 2);
    w.keepVector(
      w.define(`vector.from_elements ${elements.join(', ')} : ${vectorType(to, element)}`),
      to,
      element,
    );
  } else if (random.chance(0.5)) {
    w.keepVector(w.define(`vector.splat ${w.number(element)} : ${type}`), shape, element);
  } else {
    w.keepVector(w.define(`vector.step : vector<${shape[0]!}xindex>`), [shape[0]!], 'index');
  }
};

/** Shapes and orders. */
export const shapes = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const kind = random.integer(0, 5);
  if (kind === 0) {
    const to = shapeOf(w, 1, 3);
    const from = to.slice(random.integer(0, to.length)).map((size) => (random.chance(0.3) ? 1 : size));
    const isScalar = from.length === 0 && random.chance(0.5);
    const source = isScalar ? w.number(element) : w.vector(from, element);
    w.keepVector(
      w.define(
        `vector.broadcast ${source} : ${isScalar ? element : vectorType(from, element)} to ${vectorType(to, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 1) {
    const from = shapeOf(w, 0, 3);
    const total = count(from);
    const to = random.pick([
      [total],
      [1, total],
      [total, 1],
      // Sizes of several dimensions are joined or split as a whole.
      ...(from.length === 1 && total % 2 === 0 ? [[2, total / 2]] : []),
      ...(total === 1 ? [[]] : []),
    ]);
    w.keepVector(
      w.define(
        `vector.shape_cast ${w.vector(from, element)} : ${vectorType(from, element)} to ${vectorType(to, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 2) {
    const from = shapeOf(w, 1, 3);
    const order = random.chance(0.2) ? from.map((_, i) => i) : random.shuffled(from.map((_, i) => i));
    const to = order.map((i) => from[i]!);
    w.keepVector(
      w.define(
        `vector.transpose ${w.vector(from, element)}, ${listText(order)} : ${vectorType(from, element)} to ${vectorType(to, element)}`,
      ),
      to,
      element,
    );
  } else if (kind === 3) {
    const [from, to] = random.pick([
      ['i8', 'i32'],
      ['i32', 'i8'],
      ['f32', 'i16'],
      ['i64', 'f32'],
      ['f16', 'i8'],
      ['i16', 'bf16'],
    ] as const);
    const ratio = bitsOf[from] / bitsOf[to];
    const lead = shapeOf(w, 0, 1);
    const size = random.integer(1, 3) * 4;
    const values = isFloatName(to) ? 'small' : 'any';
    const shape = [...lead, size * ratio];
    w.keepVector(
      w.define(
        `vector.bitcast ${w.vector([...lead, size], from, values)} : ${vectorType([...lead, size], from)} to ${vectorType(shape, to)}`,
      ),
      shape,
      to,
    );
  } else if (kind === 4) {
    const exact = random.pick(['f32', 'f64', 'i32', 'i64'] as const);
    const [m, k, n] = [random.integer(1, 4), random.integer(1, 4), random.integer(1, 4)];
    const given = [w.vector([m * k], exact, 'small'), w.vector([k * n], exact, 'small')];
    const types = [m * k, k * n].map((size) => vectorType([size], exact)).join(', ');
    w.keepVector(
      w.define(
        `vector.matrix_multiply ${given.join(', ')} {lhs_rows = ${m} : i32, lhs_columns = ${k} : i32, rhs_columns = ${n} : i32} : (${types}) -> ${vectorType([m * n], exact)}`,
      ),
      [m * n],
      exact,
    );
  } else {
    const exact = random.pick(['f32', 'i32', 'f64'] as const);
    const [rows, columns] = [random.integer(1, 4), random.integer(1, 4)];
    const type = vectorType([rows * columns], exact);
    w.keepVector(
      w.define(
        `vector.flat_transpose ${w.vector([rows * columns], exact)} {rows = ${rows} : i32, columns = ${columns} : i32} : ${type} -> ${type}`,
      ),
      [rows * columns],
      exact,
    );
  }
};

const kinds = (element: NativeElement): readonly string[] =>
  isFloatName(element)
    ? ['add', 'mul', 'minnumf', 'maxnumf', 'minimumf', 'maximumf']
    : ['add', 'mul', 'minsi', 'minui', 'maxsi', 'maxui', 'and', 'or', 'xor'];

/** Sums and products, some masked. Data are small integers: sums are exact in any order. */
export const reductions = (w: NativeWriter): void => {
  const { random } = w;
  const element = exactElement(w);
  const isNarrow = element === 'f16' || element === 'bf16' || element === 'i8';
  const kind = random.integer(0, 7);
  const values = isNarrow ? 'small' : 'small';
  const chosen = isNarrow
    ? random.pick(kinds(element).filter((each) => each !== 'mul'))
    : random.pick(kinds(element));
  const masked = (op: string, shape: readonly number[], result: string): string =>
    random.chance(0.3)
      ? `vector.mask ${maskOf(w, shape)} { ${op} } : ${vectorType(shape, 'i1')} -> ${result}`
      : op;
  if (kind <= 1) {
    const shape = [random.pick([1, 2, 3, 4, 8, 5])];
    const [vector, type] = [w.vector(shape, element, values), vectorType(shape, element)];
    const start = random.chance(0.5) ? `, ${w.number(element, w.value(element, 'small'))}` : '';
    w.keepScalar(
      w.define(
        masked(`vector.reduction <${chosen}>, ${vector}${start} : ${type} into ${element}`, shape, element),
      ),
      element,
    );
  } else if (kind <= 3) {
    const shape = shapeOf(w, 1, 3);
    const reduced = shape.flatMap((_, i) => (random.chance(0.5) ? [i] : []));
    const to = shape.filter((_, i) => !reduced.includes(i));
    const result = to.length === 0 ? element : vectorType(to, element);
    const start =
      to.length === 0 ? w.number(element, w.value(element, 'small')) : w.vector(to, element, 'small');
    const op = `vector.multi_reduction <${chosen}>, ${w.vector(shape, element, values)}, ${start} ${listText(reduced)} : ${vectorType(shape, element)} to ${result}`;
    const made = w.define(masked(op, shape, result));
    if (to.length === 0) w.keepScalar(made, element);
    else w.keepVector(made, to, element);
  } else if (kind === 4) {
    const [m, n] = [random.integer(1, 5), random.integer(1, 5)];
    const isScaled = random.chance(0.3);
    const name = isScaled || isNarrow ? 'add' : chosen;
    const lhs = w.vector([m], element, 'small');
    const rhs = isScaled ? w.number(element, w.value(element, 'small')) : w.vector([n], element, 'small');
    const shape = isScaled ? [m] : [m, n];
    const start = w.vector(shape, element, 'small');
    const types = `${vectorType([m], element)}, ${isScaled ? element : vectorType([n], element)}`;
    w.keepVector(
      w.define(
        masked(
          `vector.outerproduct ${lhs}, ${rhs}, ${start} {kind = #vector.kind<${name}>} : ${types}`,
          shape,
          vectorType(shape, element),
        ),
      ),
      shape,
      element,
    );
  } else if (kind === 5) {
    const shape = shapeOf(w, 1, 3);
    const float = isFloatName(element) ? element : 'f32';
    const given = [0, 1, 2].map(() => w.vector(shape, float, 'small'));
    w.keepVector(w.define(`vector.fma ${given.join(', ')} : ${vectorType(shape, float)}`), shape, float);
  } else if (kind === 6) {
    const shape = shapeOf(w, 1, 3);
    const dimension = random.integer(0, shape.length - 1);
    const rest = shape.filter((_, i) => i !== dimension);
    const made = w.fresh();
    w.line(
      `${made}:2 = vector.scan <${isNarrow ? 'add' : chosen}>, ${w.vector(shape, element, 'small')}, ${w.vector(rest, element, 'small')} {inclusive = ${random.chance(0.5)}, reduction_dim = ${dimension} : i64} : ${vectorType(shape, element)}, ${vectorType(rest, element)}`,
    );
    w.keepVector(`${made}#0`, shape, element);
    w.keepVector(`${made}#1`, rest, element);
  } else contraction(w, element, masked);
};

const contraction = (
  w: NativeWriter,
  element: NativeElement,
  masked: (op: string, shape: readonly number[], result: string) => string,
): void => {
  const { random } = w;
  const sizes = [random.integer(1, 3), random.integer(1, 3), random.integer(1, 3), random.integer(1, 3)];
  // Batch, rows, columns, sum.
  const all = [0, 1, 2, 3].filter((i) => i === 3 || random.chance(0.6));
  const named = (dimensions: readonly number[]): readonly number[] =>
    random.shuffled(dimensions.filter((i) => all.includes(i)));
  const operands = [named([0, 1, 3]), named([0, 2, 3]), named([0, 1, 2])];
  const shapes = operands.map((dimensions) => dimensions.map((i) => sizes[i]!));
  const dims = all.map((i) => `d${all.indexOf(i)}`).join(', ');
  const map = (dimensions: readonly number[]): string =>
    `affine_map<(${dims}) -> (${dimensions.map((i) => `d${all.indexOf(i)}`).join(', ')})>`;
  const iterators = all.map((i) => (i === 3 ? '"reduction"' : '"parallel"')).join(', ');
  const to = shapes[2]!;
  const result = to.length === 0 ? element : vectorType(to, element);
  const start =
    to.length === 0 ? w.number(element, w.value(element, 'small')) : w.vector(to, element, 'small');
  const types = `${vectorType(shapes[0]!, element)}, ${vectorType(shapes[1]!, element)} into ${result}`;
  const op = `vector.contract {indexing_maps = [${operands.map(map).join(', ')}], iterator_types = [${iterators}], kind = #vector.kind<add>} ${w.vector(shapes[0]!, element, 'small')}, ${w.vector(shapes[1]!, element, 'small')}, ${start} : ${types}`;
  const made = w.define(
    masked(
      op,
      all.map((i) => sizes[i]!),
      result,
    ),
  );
  if (to.length === 0) w.keepScalar(made, element);
  else w.keepVector(made, to, element);
};
