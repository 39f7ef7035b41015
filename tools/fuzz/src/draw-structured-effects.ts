/** Random linalg ops on buffers and tensors, and ops on tensors. */
import type { Buffer, EffectValue, Tensor } from './effect-types.ts';
import { isFloat, isTensor, product, textOf } from './effect-types.ts';
import type { EffectWriter } from './effect-writer.ts';
import { combined } from './draw-memory.ts';

type Shaped = EffectValue<Buffer> | EffectValue<Tensor>;

/** Whether an operand is taken, by its shape and what is known of it. */
type Accept = (actual: readonly number[], known: readonly (number | undefined)[]) => boolean;

const shaped = (w: EffectWriter, wantsTensor: boolean, accept: Accept): readonly Shaped[] =>
  w.scope.filter((value): value is Shaped => {
    const { type } = value;
    if (typeof type === 'string' || type.kind === 'vector' || (type.kind === 'tensor') !== wantsTensor)
      return false;
    return type.element === w.element && accept(type.actual, type.known);
  });

const add = (w: EffectWriter): string => (isFloat(w.element) ? 'addf' : w.element === 'i1' ? 'ori' : 'addi');

/** Ends an op on `target`: its result is in scope, or its effect is on the buffer. */
const finish = (w: EffectWriter, target: Shaped, lines: readonly string[]): EffectValue => {
  const isValue = isTensor(target.type);
  const name = isValue ? w.fresh() : target.name;
  lines.forEach((line, i) => {
    const isLast = i === lines.length - 1;
    const head = i === 0 && isValue ? `${name} = ` : '';
    w.line(`${head}${line}${isLast && isValue && !line.includes('->>') ? ` -> ${textOf(target.type)}` : ''}`);
  });
  if (!isValue) return target;
  const result = { name, type: target.type };
  w.scope.push(result);
  return result;
};

const same = (a: readonly number[], b: readonly number[]): boolean => String(a) === String(b);

/** A buffer or tensor of this shape that `target` does not share memory with. */
const other = (w: EffectWriter, target: Shaped, accept: Accept): Shaped | undefined => {
  const known = shaped(w, isTensor(target.type), accept);
  const apart = known.filter(
    (each) => isTensor(each.type) || !(each.roots ?? []).some((root) => target.roots?.includes(root)),
  );
  if (apart.length === 0) return undefined;
  const chosen = w.random.pick(apart);
  w.separate(chosen, target);
  return chosen;
};

const pick = (
  w: EffectWriter,
  accept: (actual: readonly number[]) => boolean = () => true,
): Shaped | undefined => {
  const wantsTensor = w.random.chance(0.4);
  const known = shaped(w, wantsTensor, accept);
  return known.length === 0 ? undefined : w.random.pick(known);
};

/** `ins(%a, %b : types)`. */
export const insOf = (values: readonly EffectValue[]): string =>
  `ins(${values.map(({ name }) => name).join(', ')} : ${values.map(({ type }) => textOf(type)).join(', ')})`;

/** What precedes an op that has this result. */
const headOf = (name: string | undefined): string => (name === undefined ? '' : `${name} = `);

const map = (count: number, results: readonly string[]): string =>
  `affine_map<(${Array.from({ length: count }, (_, i) => `d${i}`).join(', ')}) -> (${results.join(', ')})>`;

/** An elementwise op, in place or of others, permuted or broadcast; or a sum along one dimension. */
export const generic = (w: EffectWriter): void => {
  const { random } = w;
  const target = pick(w);
  if (target === undefined) return;
  const { actual, element } = target.type;
  const rank = actual.length;
  const dims = actual.map((_, i) => `d${i}`);
  const reduced = random.chance(0.5)
    ? other(w, target, (from) => from.length === rank + 1 && same(from.slice(0, rank), actual))
    : undefined;
  const isReduction = reduced !== undefined;
  const count = isReduction ? rank + 1 : rank;
  const inputs: { readonly value: Shaped; readonly results: readonly string[] }[] = [];
  if (isReduction) inputs.push({ value: reduced, results: [...dims, `d${rank}`] });
  if (!isReduction && random.chance(0.4)) inputs.push({ value: target, results: dims });
  const like = random.chance(0.5) ? other(w, target, (from) => same(from, actual)) : undefined;
  if (like !== undefined) inputs.push({ value: like, results: dims });
  const order = random.shuffled(dims.map((_, i) => i));
  const permuted = random.chance(0.3)
    ? other(w, target, (from) =>
        same(
          from,
          order.map((i) => actual[i]!),
        ),
      )
    : undefined;
  if (permuted !== undefined) inputs.push({ value: permuted, results: order.map((i) => dims[i]!) });
  const row =
    rank > 0 && random.chance(0.3)
      ? other(w, target, (from) => from.length === 1 && from[0] === actual[rank - 1])
      : undefined;
  if (row !== undefined) inputs.push({ value: row, results: [dims[rank - 1]!] });
  const maps = [...inputs.map(({ results }) => map(count, results)), map(count, dims)];
  const iterators = Array.from({ length: count }, (_, i) => (i < rank ? '"parallel"' : '"reduction"')).join(
    ', ',
  );
  const text = textOf(target.type);
  const ins = inputs.length === 0 ? '' : `${insOf(inputs.map(({ value }) => value))} `;
  const name = isTensor(target.type) ? w.fresh() : undefined;
  const head = headOf(name);
  const body = [...inputs, target].map(() => w.fresh());
  w.line(
    `${head}linalg.generic {indexing_maps = [${maps.join(', ')}], iterator_types = [${iterators}]} ` +
      `${ins}outs(${target.name} : ${text}) {`,
  );
  w.line(`^bb0(${body.map((each) => `${each}: ${element}`).join(', ')}):`);
  w.nested([], () => {
    let value = body.at(-1)!;
    if (isReduction) {
      value = w.fresh();
      w.line(`${value} = arith.${add(w)} ${body.at(-1)!}, ${body[0]!} : ${element}`);
    } else {
      for (const each of body.slice(0, -1)) value = combined(w, element, each, value);
      if (random.chance(0.3)) value = combined(w, element, value, w.scalar(element));
    }
    w.line(`linalg.yield ${value} : ${element}`);
  });
  w.line(`}${name === undefined ? '' : ` -> ${text}`}`);
  if (name !== undefined) w.scope.push({ name, type: target.type });
  w.features.add(
    `linalg.generic on ${isTensor(target.type) ? 'tensors' : 'buffers'}` +
      (isReduction ? ', a sum' : inputs[0]?.value === target ? ', in place' : ''),
  );
};

/** Named ops. */
export const named = (w: EffectWriter): void => {
  const { random } = w;
  const target = pick(w);
  if (target === undefined) return;
  const { actual, known, element } = target.type;
  const text = textOf(target.type);
  const outs = `outs(${target.name} : ${text})`;
  const kind = random.pick([
    'fill',
    'copy',
    'transpose',
    'matmul',
    'matmul',
    'reduce',
    'map',
    'broadcast',
    'conv',
    'conv2d',
    'pool',
    'add',
  ]);
  const ins = (...values: readonly Shaped[]): string => insOf(values);
  w.features.add(`linalg ${kind}`);
  switch (kind) {
    case 'fill':
      finish(w, target, [`linalg.fill ins(${w.scalar(element)} : ${element}) ${outs}`]);
      return;
    case 'copy': {
      const source = other(w, target, (from) => same(from, actual));
      if (source !== undefined) finish(w, target, [`linalg.copy ${ins(source)} ${outs}`]);
      return;
    }
    case 'add': {
      if (element === 'i1') return;
      const [a, b] = [
        other(w, target, (from) => same(from, actual)),
        other(w, target, (from) => same(from, actual)),
      ];
      if (a !== undefined && b !== undefined)
        finish(w, target, [`linalg.${random.pick(['add', 'sub', 'mul'])} ${ins(a, b)} ${outs}`]);
      return;
    }
    case 'transpose': {
      const order = random.shuffled(actual.map((_, i) => i));
      const source = other(
        w,
        target,
        (from, given) =>
          from.length === order.length &&
          order.every((i, at) => from[i] === actual[at] && given[i] === known[at]),
      );
      if (source === undefined) return;
      const name = isTensor(target.type) ? w.fresh() : undefined;
      w.line(`${headOf(name)}linalg.transpose ${ins(source)} ${outs} permutation = [${order.join(', ')}]`);
      if (name !== undefined) w.scope.push({ name, type: target.type });
      return;
    }
    case 'broadcast': {
      if (actual.length === 0) return;
      const source = other(
        w,
        target,
        (from, given) => same(from, actual.slice(1)) && String(given) === String(known.slice(1)),
      );
      if (source === undefined) return;
      const name = isTensor(target.type) ? w.fresh() : undefined;
      w.line(`${headOf(name)}linalg.broadcast ${ins(source)} ${outs} dimensions = [0]`);
      if (name !== undefined) w.scope.push({ name, type: target.type });
      return;
    }
    case 'reduce': {
      const source = other(
        w,
        target,
        (from, given) =>
          from.length === actual.length + 1 &&
          same(from.slice(1), actual) &&
          String(given.slice(1)) === String(known),
      );
      if (source === undefined) return;
      const name = isTensor(target.type) ? w.fresh() : undefined;
      w.line(`${headOf(name)}linalg.reduce { arith.${add(w)} } ${ins(source)} ${outs} dimensions = [0]`);
      if (name !== undefined) w.scope.push({ name, type: target.type });
      return;
    }
    case 'map': {
      const source = other(w, target, (from, given) => same(from, actual) && String(given) === String(known));
      if (source === undefined) return;
      const name = isTensor(target.type) ? w.fresh() : undefined;
      const a = w.fresh();
      w.line(`${headOf(name)}linalg.map ${ins(source)} ${outs}`);
      w.line(`  (${a}: ${element}) {`);
      w.nested([], () => w.line(`linalg.yield ${combined(w, element, a, a)} : ${element}`));
      w.line('}');
      if (name !== undefined) w.scope.push({ name, type: target.type });
      return;
    }
    case 'matmul': {
      if (actual.length !== 2) return;
      const a = other(w, target, (from) => from.length === 2 && from[0] === actual[0]);
      const b =
        a === undefined ? undefined : other(w, target, (from) => same(from, [a.type.actual[1]!, actual[1]!]));
      if (a !== undefined && b !== undefined && element !== 'i1')
        finish(w, target, [`linalg.matmul ${ins(a, b)} ${outs}`]);
      return;
    }
    case 'conv': {
      if (actual.length !== 1 || element === 'i1') return;
      const image = other(w, target, (from) => from.length === 1 && from[0]! >= actual[0]!);
      const filter =
        image === undefined
          ? undefined
          : other(w, target, (from) => same(from, [image.type.actual[0]! - actual[0]! + 1]));
      if (image !== undefined && filter !== undefined)
        finish(w, target, [`linalg.conv_1d ${ins(image, filter)} ${outs}`]);
      return;
    }
    default: {
      if (actual.length !== 2 || element === 'i1') return;
      const image = other(
        w,
        target,
        (from) => from.length === 2 && from.every((size, i) => size >= actual[i]!),
      );
      const filter =
        image === undefined
          ? undefined
          : other(w, target, (from) =>
              same(
                from,
                image.type.actual.map((size, i) => size - actual[i]! + 1),
              ),
            );
      if (image !== undefined && filter !== undefined)
        finish(w, target, [`linalg.conv_2d ${ins(image, filter)} ${outs}`]);
    }
  }
};

const tensorKinds = [
  'slice',
  'slice',
  'insert_slice',
  'pad',
  'pack',
  'pack',
  'collapse',
  'expand',
  'insert',
  'extract',
  'empty',
  'generate',
  'cast',
  'concat',
  'read',
  'splat',
] as const;

/** Slices, paddings, packings, reshapes, elements. */
export const tensorOperation = (
  w: EffectWriter,
  kind: (typeof tensorKinds)[number] = w.random.pick(tensorKinds),
  source = w.tensor(),
): void => {
  const { random } = w;
  if (source === undefined) return;
  const { name, type } = source;
  const { actual, element } = type;
  const text = textOf(type);
  const rank = actual.length;
  const isStatic = !type.known.includes(undefined);
  const of = (sizes: readonly number[], known: readonly (number | undefined)[] = sizes): Tensor => ({
    ...type,
    actual: sizes,
    known,
  });
  const written = (value: number): string => (random.chance(0.35) ? w.indexIn(value, value) : String(value));
  const knownOf = (texts: readonly string[]) =>
    texts.map((each) => (each.startsWith('%') ? undefined : Number(each)));
  w.features.add(`tensor: ${kind}`);
  switch (kind) {
    case 'slice':
    case 'insert_slice': {
      const sizes = actual.map((size) => random.integer(0, size));
      const at = sizes.map((size, i) => written(random.integer(0, actual[i]! - size)));
      const lengths = sizes.map(written);
      const part = of(sizes, knownOf(lengths));
      const place = `[${at.join(', ')}] [${lengths.join(', ')}] [${sizes.map(() => '1').join(', ')}]`;
      const slice = w.define(part, `tensor.extract_slice ${name}${place} : ${text} to ${textOf(part)}`);
      if (kind === 'slice') return;
      const value = w.same(part).name;
      w.define(
        type,
        `tensor.insert_slice ${random.chance(0.5) ? slice : value} into ${name}${place} : ${textOf(part)} into ${text}`,
      );
      return;
    }
    case 'pad': {
      const [low, high] = [0, 1].map(() => actual.map(() => written(random.integer(0, 2))));
      const margin = (texts: readonly string[], i: number): number => {
        const each = texts[i]!;
        const known = w.scope.find((value) => value.name === each)?.range?.[0];
        return known ?? Number(each);
      };
      const sizes = actual.map((size, i) => size + margin(low!, i) + margin(high!, i));
      const known = sizes.map((size, i) =>
        low![i]!.startsWith('%') || high![i]!.startsWith('%') || type.known[i] === undefined
          ? undefined
          : size,
      );
      const to = of(sizes, known);
      const value = w.scalar(element);
      const result = w.fresh();
      const indices = actual.map(() => `${w.fresh()}: index`).join(', ');
      w.line(`${result} = tensor.pad ${name} low[${low!.join(', ')}] high[${high!.join(', ')}] {`);
      w.line(`^bb0(${indices}):`);
      w.line(`  tensor.yield ${value} : ${element}`);
      w.line(`} : ${text} to ${textOf(to)}`);
      w.scope.push({ name: result, type: to });
      return;
    }
    case 'pack': {
      if (!isStatic || rank === 0) return;
      const tiles = actual.map(() => random.integer(1, 3));
      const outer = actual.map((size, i) => Math.ceil(size / tiles[i]!) + (random.chance(0.1) ? 1 : 0));
      const needs = actual.some((size, i) => size !== outer[i]! * tiles[i]!);
      const dims = random.shuffled(actual.map((_, i) => i));
      const order = random.chance(0.3) ? random.shuffled(actual.map((_, i) => i)) : undefined;
      const packed = of([
        ...(order === undefined ? outer : order.map((i) => outer[i]!)),
        ...dims.map((i) => tiles[i]!),
      ]);
      const empty = w.fresh();
      w.line(`${empty} = tensor.empty() : ${textOf(packed)}`);
      const padding = needs || random.chance(0.2) ? `padding_value(${w.scalar(element)} : ${element}) ` : '';
      const outerOrder = order === undefined ? '' : `outer_dims_perm = [${order.join(', ')}] `;
      const innerSizes = dims.map((i) => tiles[i]!).join(', ');
      const how = `${outerOrder}inner_dims_pos = [${dims.join(', ')}] inner_tiles = [${innerSizes}]`;
      const result = w.define(
        packed,
        `tensor.pack ${name} ${padding}${how} into ${empty} : ${text} -> ${textOf(packed)}`,
      );
      if (random.chance(0.4)) return;
      w.define(type, `tensor.unpack ${result} ${how} into ${name} : ${textOf(packed)} -> ${text}`);
      return;
    }
    case 'collapse': {
      if (rank < 2 || !isStatic) return;
      const to = of([product(actual)]);
      w.define(
        to,
        `tensor.collapse_shape ${name} [[${actual.map((_, i) => i).join(', ')}]] : ${text} into ${textOf(to)}`,
      );
      return;
    }
    case 'expand': {
      if (rank !== 1 || !isStatic) return;
      const size = actual[0]!;
      const outer = random.pick([1, 2, size].filter((each) => each > 0 && size % each === 0));
      const to = of([outer, size / outer]);
      w.define(
        to,
        `tensor.expand_shape ${name} [[0, 1]] output_shape [${to.actual.join(', ')}] : ${text} into ${textOf(to)}`,
      );
      return;
    }
    case 'insert':
    case 'extract': {
      if (actual.includes(0)) return;
      if (kind === 'extract') w.define(element, `tensor.extract ${name}[${w.indices(actual)}] : ${text}`);
      else w.define(type, `tensor.insert ${w.scalar(element)} into ${name}[${w.indices(actual)}] : ${text}`);
      return;
    }
    case 'empty': {
      const sizes = type.known.flatMap((size, i) =>
        size === undefined ? [w.indexIn(actual[i]!, actual[i]!)] : [],
      );
      const empty = w.fresh();
      w.line(`${empty} = tensor.empty(${sizes.join(', ')}) : ${text}`);
      w.define(
        type,
        `linalg.fill ins(${w.scalar(element)} : ${element}) outs(${empty} : ${text}) -> ${text}`,
      );
      return;
    }
    case 'generate': {
      const sizes = type.known.flatMap((size, i) =>
        size === undefined ? [w.indexIn(actual[i]!, actual[i]!)] : [],
      );
      const result = w.fresh();
      const indices = actual.map((): EffectValue => ({ name: w.fresh(), type: 'index' }));
      w.line(`${result} = tensor.generate ${sizes.join(', ')} {`);
      w.line(`^bb0(${indices.map((each) => `${each.name}: index`).join(', ')}):`);
      w.nested(indices, () => w.line(`tensor.yield ${w.scalar(element)} : ${element}`));
      w.line(`} : ${text}`);
      w.scope.push({ name: result, type });
      return;
    }
    case 'cast': {
      const to = of(
        actual,
        actual.map((size) => (random.chance(0.5) ? undefined : size)),
      );
      w.define(to, `tensor.cast ${name} : ${text} to ${textOf(to)}`);
      return;
    }
    case 'concat': {
      if (rank === 0 || !isStatic) return;
      const to = of([2 * actual[0]!, ...actual.slice(1)]);
      w.define(
        to,
        `tensor.concat dim(0) ${name}, ${w.same(type).name} : (${text}, ${text}) -> ${textOf(to)}`,
      );
      return;
    }
    case 'read': {
      const target = w.buffer(
        (each) =>
          each.element === element &&
          String(each.actual) === String(actual) &&
          textOf(each) === text.replace('tensor', 'memref'),
      );
      if (target !== undefined)
        w.line(
          `bufferization.materialize_in_destination ${name} in restrict writable ${target.name} : ` +
            `(${text}, ${textOf(target.type)}) -> ()`,
        );
      return;
    }
    default:
      if (isStatic) w.define(type, `tensor.splat ${w.scalar(element)} : ${text}`);
  }
};
