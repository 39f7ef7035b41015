/** Random vectors: transfers within and out of bounds, masked accesses, gathers, and arithmetic. */
import type { Buffer, EffectValue, Element, Tensor, Vector } from './effect-types.ts';
import { isBuffer, isElement, isFloat, isTensor, isVector, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import { combined } from './draw-memory.ts';

type Memory = EffectValue<Buffer> | EffectValue<Tensor>;

const rankOf = ({ type }: Memory): number => type.actual.length;

/** Where a transfer is: indices, the map, and which dimensions are in bounds. */
interface Place {
  readonly indices: readonly string[];
  readonly map: string;
  readonly inBounds: readonly boolean[];
  readonly vector: Vector;
  /** The sizes of its mask. */
  readonly mask: readonly number[];
}

const vectorSize = (w: EffectWriter, size: number): number =>
  w.random.pick([1, 2, 4, Math.max(1, size), Math.max(1, size >> 1)]);

const drawPlace = (w: EffectWriter, memory: Memory, isRead: boolean): Place => {
  const { random } = w;
  const { actual, element } = memory.type;
  const rank = rankOf(memory);
  const dims = random.shuffled(actual.map((_, i) => i)).slice(0, random.integer(1, Math.min(2, rank)));
  const ordered = random.chance(0.7) ? [...dims].sort((a, b) => a - b) : dims;
  const isOut = random.chance(0.45);
  const sizes = ordered.map((dimension) => vectorSize(w, actual[dimension]!));
  const isIn: boolean[] = [];
  const indices = actual.map((size, dimension) => {
    const place = ordered.indexOf(dimension);
    if (place < 0) return w.indexIn(0, size - 1);
    const room = size - sizes[place]!;
    isIn[place] = room >= 0 && !isOut;
    if (isIn[place]) return w.indexIn(0, room);
    return random.chance(0.3)
      ? w.constant('index', String(random.integer(-2, size)))
      : w.indexIn(0, Math.max(0, size));
  });
  const results = ordered.map((dimension) => `d${dimension}`);
  const inBounds = isIn.map((each) => each && random.chance(0.7));
  // A broadcast in front.
  const isBroadcast = isRead && random.chance(0.12);
  const all = actual.map((_, i) => `d${i}`).join(', ');
  return {
    indices,
    map: `affine_map<(${all}) -> (${[...(isBroadcast ? ['0'] : []), ...results].join(', ')})>`,
    inBounds: [...(isBroadcast ? [true] : []), ...inBounds],
    vector: { kind: 'vector', element, actual: [...(isBroadcast ? [2] : []), ...sizes] },
    mask: maskShape(ordered, sizes),
  };
};

/** A mask has the vector's dimensions in the order of memory. */
const maskShape = (ordered: readonly number[], sizes: readonly number[]): readonly number[] =>
  [...ordered.keys()].sort((a, b) => ordered[a]! - ordered[b]!).map((i) => sizes[i]!);

/** A mask of these sizes. */
const maskOf = (w: EffectWriter, sizes: readonly number[]): string => {
  const type: Vector = { kind: 'vector', element: 'i1', actual: sizes };
  const { random } = w;
  if (random.chance(0.4)) {
    const drawn = sizes.map((size) => random.integer(0, size));
    const counts = drawn.includes(0) ? drawn.map(() => 0) : drawn;
    return w.define(type, `vector.constant_mask [${counts.join(', ')}] : ${textOf(type)}`);
  }
  if (random.chance(0.7)) {
    const counts = sizes.map((size) => w.indexIn(0, size)).join(', ');
    return w.define(type, `vector.create_mask ${counts} : ${textOf(type)}`);
  }
  const values = Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, () =>
    random.pick(['true', 'false']),
  );
  if (sizes.length > 1) return w.define(type, `arith.constant dense<${values[0]}> : ${textOf(type)}`);
  return w.define(type, `arith.constant dense<[${values.join(', ')}]> : ${textOf(type)}`);
};

const canTransfer = ({ actual }: { readonly actual: readonly number[] }): boolean => actual.length > 0;

const attributes = ({ map, inBounds }: Place): string =>
  `{in_bounds = [${inBounds.join(', ')}], permutation_map = ${map}}`;

const memoryOf = (w: EffectWriter): Memory | undefined => {
  const tensor = w.random.chance(0.15) ? w.tensor(canTransfer) : undefined;
  return tensor ?? w.buffer((type) => canTransfer(type) && !outsideIsEmpty(type));
};

/** Dimensions that are not of the vector must have an element. */
const outsideIsEmpty = ({ actual }: { readonly actual: readonly number[] }): boolean =>
  actual.length > 1 && actual.includes(0);

/** Reads a vector, within bounds or not, masked or not. */
export const transferRead = (w: EffectWriter, memory = memoryOf(w)): string | undefined => {
  if (memory === undefined || outsideIsEmpty(memory.type)) return undefined;
  const { name, type } = memory;
  const place = drawPlace(w, memory, true);
  const padding = w.scalar(type.element);
  const mask = w.random.chance(0.2) ? `, ${maskOf(w, place.mask)}` : '';
  note(w, place, mask, 'read');
  const text = `vector.transfer_read ${name}[${place.indices.join(', ')}], ${padding}${mask} ${attributes(place)}`;
  return w.define(place.vector, `${text} : ${textOf(type)}, ${textOf(place.vector)}`);
};

const note = (w: EffectWriter, { inBounds }: Place, mask: string, what: string): void => {
  const bounds = inBounds.includes(false) ? ', out of bounds' : '';
  w.features.add(`transfer_${what}${mask === '' ? '' : ', masked'}${bounds}`);
};

/** A vector of this type in scope, or a new one. */
const vectorOf = (w: EffectWriter, type: Vector): string => {
  const known = w.vector((each) => textOf(each) === textOf(type));
  if (known !== undefined) return known.name;
  return w.define(type, `vector.broadcast ${w.scalar(type.element)} : ${type.element} to ${textOf(type)}`);
};

/** Writes a vector, within bounds or not, masked or not. */
export const transferWrite = (w: EffectWriter, memory = memoryOf(w)): void => {
  if (memory === undefined || outsideIsEmpty(memory.type)) return;
  const { name, type } = memory;
  const place = drawPlace(w, memory, false);
  const mask = w.random.chance(0.2) ? `, ${maskOf(w, place.mask)}` : '';
  note(w, place, mask, 'write');
  const vector = vectorOf(w, place.vector);
  const target = `${name}[${place.indices.join(', ')}]${mask} ${attributes(place)}`;
  const text = `vector.transfer_write ${vector}, ${target} : ${textOf(place.vector)}, ${textOf(type)}`;
  if (isTensor(type)) w.define(type, text);
  else w.line(text);
};

/** Reads a vector, and writes what it computes from it to the same place. */
export const transferUpdate = (w: EffectWriter): void => {
  const memory = w.buffer((type) => canTransfer(type) && !outsideIsEmpty(type));
  if (memory === undefined) return;
  const { name, type } = memory;
  const place = drawPlace(w, memory, false);
  const at = `${name}[${place.indices.join(', ')}]`;
  const [memoryText, vectorText] = [textOf(type), textOf(place.vector)];
  const padding = w.scalar(type.element);
  const read = w.define(
    place.vector,
    `vector.transfer_read ${at}, ${padding} ${attributes(place)} : ${memoryText}, ${vectorText}`,
  );
  const value = combined(w, type.element, read, vectorOf(w, place.vector), vectorText);
  w.line(`vector.transfer_write ${value}, ${at} ${attributes(place)} : ${vectorText}, ${memoryText}`);
  w.features.add('transfers of one place');
};

/** `vector.load`, `store`, masked and compressing accesses, gathers and scatters: of rows. */
export const rowAccess = (w: EffectWriter): void => {
  const { random } = w;
  const memory = w.buffer(
    ({ actual, layout }) =>
      actual.length > 0 && !actual.includes(0) && (layout === undefined || layout.strides.at(-1) === 1),
  );
  if (memory === undefined) return;
  const { name, type } = memory;
  const size = type.actual.at(-1)!;
  const length = random.pick([1, 2, size].filter((each) => each <= size));
  const vector: Vector = { kind: 'vector', element: type.element, actual: [length] };
  const outer = type.actual.slice(0, -1).map((each) => w.indexIn(0, each - 1));
  const kind = random.pick([
    'load',
    'store',
    'maskedload',
    'maskedstore',
    'expandload',
    'compressstore',
    'gather',
    'scatter',
  ]);
  const isIndexed = kind === 'gather' || kind === 'scatter';
  const at = `${name}[${[...outer, isIndexed ? w.constant('index', '0') : w.indexIn(0, size - length)].join(', ')}]`;
  const [memoryText, text] = [textOf(type), textOf(vector)];
  w.features.add(`vector.${kind}`);
  if (kind === 'load') {
    w.define(vector, `vector.load ${at} : ${memoryText}, ${text}`);
    return;
  }
  const value = vectorOf(w, vector);
  if (kind === 'store') {
    w.line(`vector.store ${value}, ${at} : ${memoryText}, ${text}`);
    return;
  }
  const mask = maskOf(w, [length]);
  const bits = `vector<${length}xi1>`;
  if (!isIndexed) {
    const line = `vector.${kind} ${at}, ${mask}, ${value} : ${memoryText}, ${bits}, ${text}`;
    if (kind.endsWith('load')) w.define(vector, `${line} into ${text}`);
    else w.line(line);
    return;
  }
  const places = Array.from({ length }, () => random.integer(0, size - 1)).join(', ');
  const indices = w.define(
    { kind: 'vector', element: 'index', actual: [length] },
    `arith.constant dense<[${places}]> : vector<${length}xindex>`,
  );
  const types = `${memoryText}, vector<${length}xindex>, ${bits}, ${text}`;
  const line = `vector.${kind} ${at} [${indices}], ${mask}, ${value} : ${types}`;
  if (kind === 'gather') w.define(vector, `${line} into ${text}`);
  else w.line(line);
};

const reductions = (element: Element): readonly string[] =>
  isFloat(element)
    ? ['add', 'maximumf', 'minimumf']
    : element === 'i1'
      ? ['and', 'or', 'xor']
      : ['add', 'maxsi', 'xor', 'minui'];

/** Several ops on vectors, each on what is there. */
export const vectorChain = (w: EffectWriter): void => {
  transferRead(w);
  const count = w.random.integer(2, 5);
  for (let i = 0; i < count; i++) vectorOperation(w);
};

/** Writes vectors, scalars and elements of tensors that were defined since `outer`: otherwise they are dead. */
export const writeResults = (w: EffectWriter, outer: ReadonlySet<string>): void => {
  for (const { name, type } of w.scope.filter((value) => !outer.has(value.name)).slice(-4)) {
    const element = isElement(type) ? type : type.element;
    const rank = isVector(type) ? type.actual.length : 0;
    const target = w.buffer(
      (each) => each.element === element && each.actual.length >= rank && !each.actual.includes(0),
    );
    if (target === undefined || isBuffer(type) || w.random.chance(0.3)) continue;
    const at = `${target.name}[${w.indices(target.type.actual)}]`;
    const memory = textOf(target.type);
    if (isVector(type)) {
      if (rank > 0) w.line(`vector.transfer_write ${name}, ${at} : ${textOf(type)}, ${memory}`);
    } else if (isElement(type)) w.line(`memref.store ${name}, ${at} : ${memory}`);
    else if (!type.actual.includes(0)) {
      const value = w.define(element, `tensor.extract ${name}[${w.indices(type.actual)}] : ${textOf(type)}`);
      w.line(`memref.store ${value}, ${at} : ${memory}`);
    }
  }
};

/** Writes a vector to the beginning of a buffer of 4 x 8 elements, as far as it is within. */
export const writeVector = (
  w: EffectWriter,
  { name, type }: EffectValue<Vector>,
  buffer: string,
  bufferText: string,
): void => {
  if (type.actual.length === 0 || type.actual.length > 2 || !bufferText.endsWith(`x${type.element}>`)) return;
  const zero = w.constant('index', '0');
  w.line(`vector.transfer_write ${name}, ${buffer}[${zero}, ${zero}] : ${textOf(type)}, ${bufferText}`);
};

const vectorKinds = [
  'combine',
  'combine',
  'reduce',
  'extract',
  'cast',
  'transpose',
  'multi',
  'slice',
  'insert',
  'outer',
  'broadcast',
  'contract',
  'shuffle',
  'mask',
  'interleave',
  'scan',
  'bitcast',
  'gather',
] as const;

/** What is done with a vector. */
export type VectorKind = (typeof vectorKinds)[number];

/** Arithmetic and rearrangement. */
export const vectorOperation = (
  w: EffectWriter,
  kind: VectorKind = w.random.pick(vectorKinds),
  source = w.vector(({ element }) => element !== 'index'),
): void => {
  const { random } = w;
  if (source === undefined) return;
  const { name, type } = source;
  const { actual, element } = type;
  const text = textOf(type);
  const vector = (sizes: readonly number[]): Vector => ({ kind: 'vector', element, actual: sizes });
  const count = actual.reduce((a, b) => a * b, 1);
  const [first = 1, second = 1] = actual;
  switch (kind) {
    case 'combine': {
      const result = combined(w, element, name, vectorOf(w, type), text);
      w.scope.push({ name: result, type });
      break;
    }
    case 'reduce': {
      if (actual.length !== 1) return;
      w.define(
        element,
        `vector.reduction <${random.pick(reductions(element))}>, ${name} : ${text} into ${element}`,
      );
      break;
    }
    case 'extract': {
      const part = actual.length === 1 ? element : vector(actual.slice(1));
      w.define(
        part,
        `vector.extract ${name}[${random.integer(0, first - 1)}] : ${textOf(part)} from ${text}`,
      );
      break;
    }
    case 'insert': {
      const part = vector(actual.slice(1));
      const isRow = actual.length > 1;
      const value = isRow ? vectorOf(w, part) : w.scalar(element);
      const place = random.integer(0, first - 1);
      w.define(
        type,
        `vector.insert ${value}, ${name} [${place}] : ${isRow ? textOf(part) : element} into ${text}`,
      );
      break;
    }
    case 'cast': {
      const to = vector(
        actual.length > 1
          ? [count]
          : random.pick([[1, count], [count, 1], count % 2 === 0 ? [2, count / 2] : [1, count]]),
      );
      w.define(to, `vector.shape_cast ${name} : ${text} to ${textOf(to)}`);
      break;
    }
    case 'transpose': {
      if (actual.length !== 2) return;
      const to = vector([second, first]);
      w.define(to, `vector.transpose ${name}, [1, 0] : ${text} to ${textOf(to)}`);
      break;
    }
    case 'multi': {
      if (actual.length !== 2) return;
      const along = random.integer(0, 1);
      const to = vector([along === 0 ? second : first]);
      const sum = random.pick(reductions(element));
      const start = vectorOf(w, to);
      w.define(
        to,
        `vector.multi_reduction <${sum}>, ${name}, ${start} [${along}] : ${text} to ${textOf(to)}`,
      );
      break;
    }
    case 'slice': {
      if (actual.length !== 1) return;
      const size = random.integer(1, first);
      const to = vector([size]);
      const offset = random.integer(0, first - size);
      const place = `{offsets = [${offset}], sizes = [${size}], strides = [1]}`;
      w.define(to, `vector.extract_strided_slice ${name} ${place} : ${text} to ${textOf(to)}`);
      break;
    }
    case 'outer': {
      if (actual.length !== 1 || first > 4 || element === 'i1') return;
      const to = vector([first, first]);
      const operands = `${name}, ${vectorOf(w, type)}, ${vectorOf(w, to)}`;
      w.define(to, `vector.outerproduct ${operands} {kind = #vector.kind<add>} : ${text}, ${text}`);
      break;
    }
    case 'contract': {
      if (actual.length !== 2 || element === 'i1') return;
      const to = vector([first, first]);
      const maps = ['m, k', 'n, k', 'm, n']
        .map((results) => `affine_map<(m, n, k) -> (${results})>`)
        .join(', ');
      const iterators = '"parallel", "parallel", "reduction"';
      const traits = `{indexing_maps = [${maps}], iterator_types = [${iterators}], kind = #vector.kind<add>}`;
      const operands = `${name}, ${vectorOf(w, type)}, ${vectorOf(w, to)}`;
      w.define(to, `vector.contract ${traits} ${operands} : ${text}, ${text} into ${textOf(to)}`);
      break;
    }
    case 'shuffle': {
      if (actual.length !== 1) return;
      const lanes = Array.from({ length: first }, () => random.integer(0, 2 * first - 1));
      w.define(type, `vector.shuffle ${name}, ${vectorOf(w, type)} [${lanes.join(', ')}] : ${text}, ${text}`);
      break;
    }
    case 'interleave': {
      const to = vector([...actual.slice(0, -1), 2 * actual.at(-1)!]);
      w.define(to, `vector.interleave ${name}, ${vectorOf(w, type)} : ${text} -> ${textOf(to)}`);
      break;
    }
    case 'scan': {
      if (actual.length !== 2 || element === 'i1') return;
      const along = random.integer(0, 1);
      const row = vector([along === 0 ? second : first]);
      const start = vectorOf(w, row);
      const options = `{inclusive = ${random.chance(0.5)}, reduction_dim = ${along} : i64}`;
      const result = w.fresh();
      w.line(`${result}:2 = vector.scan <add>, ${name}, ${start} ${options} : ${text}, ${textOf(row)}`);
      w.scope.push({ name: `${result}#0`, type });
      break;
    }
    case 'bitcast': {
      const to = element === 'f32' ? 'i32' : element === 'i32' ? 'f32' : undefined;
      if (to === undefined) return;
      const other: Vector = { ...type, element: to };
      const cast = w.define(other, `vector.bitcast ${name} : ${text} to ${textOf(other)}`);
      w.define(type, `vector.bitcast ${cast} : ${textOf(other)} to ${text}`);
      break;
    }
    case 'gather': {
      const base = w.buffer(
        (each) => each.element === element && each.actual.length > 0 && !each.actual.includes(0),
      );
      if (base === undefined) return;
      const zeros = base.type.actual.map(() => w.constant('index', '0'));
      const place = random.integer(0, base.type.actual.at(-1)! - 1);
      const indices: Vector = { ...type, element: 'index' };
      const places = w.define(indices, `arith.constant dense<${place}> : ${textOf(indices)}`);
      const from = `${base.name}[${zeros.join(', ')}] [${places}], ${maskOf(w, actual)}, ${name}`;
      const types = [base.type, indices, { ...type, element: 'i1' as const }, type].map(textOf).join(', ');
      w.define(type, `vector.gather ${from} : ${types} into ${text}`);
      break;
    }
    case 'mask': {
      if (actual.length !== 1) return;
      const kindOf = random.pick(reductions(element));
      const masked = `vector.reduction <${kindOf}>, ${name}, ${w.scalar(element)} : ${text} into ${element}`;
      w.define(element, `vector.mask ${maskOf(w, actual)} { ${masked} } : vector<${first}xi1> -> ${element}`);
      break;
    }
    default: {
      if (actual.length > 1 || first > 4) return;
      const to = vector([2, first]);
      w.define(to, `vector.broadcast ${name} : ${text} to ${textOf(to)}`);
    }
  }
  w.features.add(`vector: ${kind}`);
};
