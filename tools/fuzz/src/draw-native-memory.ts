/** Draws operations on buffers. */
import type { Buffer, NativeElement } from './native-writer.ts';
import { floatNames, integerNames, isFloatName, memrefText, NativeWriter } from './native-writer.ts';

const anyElement = (w: NativeWriter): NativeElement => w.random.pick([...integerNames, ...floatNames]);

const indicesIn = (w: NativeWriter, { sizes }: Buffer): string =>
  sizes.map((size) => w.index(w.random.integer(0, Math.max(0, size - 1)))).join(', ');

/** Loads, stores, sizes. */
export const accesses = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const buffer = w.buffer(w.shape(0, 3, 1), element);
  const at = indicesIn(w, buffer);
  if (random.chance(0.3)) w.line(`memref.assume_alignment ${buffer.name}, 1 : ${buffer.type}`);
  if (random.chance(0.3) && buffer.sizes.length > 0)
    w.line(`memref.prefetch ${buffer.name}[${at}], write, locality<1>, data : ${buffer.type}`);
  const loaded = w.define(`memref.load ${buffer.name}[${at}] : ${buffer.type}`);
  w.keepScalar(loaded, element);
  w.line(`memref.store ${w.number(element)}, ${buffer.name}[${indicesIn(w, buffer)}] : ${buffer.type}`);
  if (buffer.sizes.length > 0) {
    const dimension = w.index(random.integer(0, buffer.sizes.length - 1));
    w.keepScalar(w.define(`memref.dim ${buffer.name}, ${dimension} : ${buffer.type}`), 'index');
  }
  w.keepScalar(w.define(`memref.rank ${buffer.name} : ${buffer.type}`), 'index');
};

/** Copies between layouts, from and to buffers that are allocated. */
export const copies = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const shape = w.shape(0, 3);
  const [from, to] = [w.buffer(shape, element), w.buffer(shape, element)];
  w.line(`memref.copy ${from.name}, ${to.name} : ${from.type} to ${to.type}`);
  const known = shape.map((size) => (random.chance(0.4) ? undefined : size));
  const sizes = shape.filter((_, i) => known[i] === undefined).map((size) => w.index(size));
  const type = memrefText(known, element);
  const by = random.pick(['alloc', 'alloca']);
  const made = w.define(
    `memref.${by}(${sizes.join(', ')})${random.chance(0.3) ? ' {alignment = 64 : i64}' : ''} : ${type}`,
  );
  w.line(`memref.copy ${to.name}, ${made} : ${to.type} to ${type}`);
  w.keepBuffer({ name: made, type, sizes: shape, element });
  if (by === 'alloc') w.line(`memref.dealloc ${made} : ${type}`);
};

/** Views of views. */
export const views = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const kind = random.pick([
    'subview',
    'collapse',
    'expand',
    'expand',
    'reinterpret',
    'transpose',
    'metadata',
    'view',
    'reshape',
    'space',
    'cast',
  ] as const);
  if (kind === 'subview') {
    w.keepBuffer(w.buffer(w.shape(0, 4), element));
  } else if (kind === 'collapse') {
    const from = w.plain(w.shape(2, 3), element);
    const whole = from.sizes[0]! * from.sizes[1]!;
    const sizes = [whole, ...from.sizes.slice(2)];
    const groups = from.sizes.length === 2 ? '[[0, 1]]' : '[[0, 1], [2]]';
    const type = memrefText(sizes, element);
    const name = w.define(`memref.collapse_shape ${from.name} ${groups} : ${from.type} into ${type}`);
    w.keepBuffer({ name, type, sizes, element });
  } else if (kind === 'expand') {
    const [a, b, c] = [random.integer(1, 3), random.integer(1, 4), random.integer(0, 3)];
    const from = w.plain([a * b, c], element);
    const isDynamic = random.chance(0.7);
    if (!isDynamic) {
      const type = memrefText([a, b, c], element);
      const name = w.define(
        `memref.expand_shape ${from.name} [[0, 1], [2]] output_shape [${a}, ${b}, ${c}] : ${from.type} into ${type}`,
      );
      w.keepBuffer({ name, type, sizes: [a, b, c], element });
      return;
    }
    const dynamic = `memref<?x${c}x${element}>`;
    const cast = w.define(`memref.cast ${from.name} : ${from.type} to ${dynamic}`);
    const known = random.pick([
      [undefined, undefined, c],
      [a, undefined, c],
      [undefined, b, c],
    ]);
    const sizes = [a, b, c].map((size, i) => (known[i] === undefined ? w.index(size) : String(size)));
    const type = memrefText(known, element);
    const name = w.define(
      `memref.expand_shape ${cast} [[0, 1], [2]] output_shape [${sizes.join(', ')}] : ${dynamic} into ${type}`,
    );
    w.keepBuffer({ name, type, sizes: [a, b, c], element });
  } else if (kind === 'reinterpret') {
    const from = w.plain([12], element);
    const [offset, size, stride] = [random.integer(0, 2), random.integer(0, 4), random.integer(0, 3)];
    const type = `memref<${size}x?x${element}, strided<[?, 1], offset: ?>>`;
    const name = w.define(
      `memref.reinterpret_cast ${from.name} to offset: [${w.index(offset)}], sizes: [${size}, ${w.index(1)}], strides: [${w.index(stride)}, 1] : ${from.type} to ${type}`,
    );
    w.keepBuffer({ name, type, sizes: [size, 1], element });
  } else if (kind === 'transpose') {
    // A stride of 0 cannot be written.
    const from = w.plain([...w.shape(1, 1), ...w.shape(1, 1, 1)], element);
    const [rows, columns] = from.sizes;
    const type = memrefText([columns, rows], element, `strided<[1, ${columns}]>`);
    const name = w.define(`memref.transpose ${from.name} (d0, d1) -> (d1, d0) : ${from.type} to ${type}`);
    w.keepBuffer({ name, type, sizes: [columns!, rows!], element });
  } else if (kind === 'metadata') {
    const from = w.buffer(w.shape(1, 2), element);
    const { length: rank } = from.sizes;
    const made = w.fresh();
    const results = [`memref<${element}>`, ...Array.from({ length: 1 + 2 * rank }, () => 'index')].join(', ');
    w.line(
      `${made}:${2 + 2 * rank} = memref.extract_strided_metadata ${from.name} : ${from.type} -> ${results}`,
    );
    for (let i = 1; i < 2 + 2 * rank; i++) w.keepScalar(`${made}#${i}`, 'index');
  } else if (kind === 'view') {
    const from = w.plain([64], 'i8');
    const to = random.pick(['f32', 'i16', 'i64'] as const);
    const shift = w.index(8 * random.integer(0, 2));
    const type = `memref<?x2x${to}>`;
    const size = random.integer(0, 3);
    const name = w.define(`memref.view ${from.name}[${shift}][${w.index(size)}] : ${from.type} to ${type}`);
    w.line(`linalg.fill ins(${w.number(to)} : ${to}) outs(${name} : ${type})`);
    w.keepBuffer({ name, type, sizes: [size, 2], element: to });
  } else if (kind === 'reshape') {
    const from = w.plain([6], element);
    const sizes = random.pick([
      [2, 3],
      [6, 1],
      [1, 6],
    ]);
    const shape = w.argument([2], 'index', sizes.map(BigInt));
    const type = random.pick([memrefText(sizes, element), memrefText([undefined, undefined], element)]);
    const name = w.define(
      `memref.reshape ${from.name}(${shape}) : (${from.type}, memref<2xindex>) -> ${type}`,
    );
    w.keepBuffer({ name, type, sizes, element });
  } else if (kind === 'space') {
    const made = w.define(`memref.alloca() : memref<2x${element}, 1>`);
    const name = w.define(
      `memref.memory_space_cast ${made} : memref<2x${element}, 1> to memref<2x${element}>`,
    );
    const type = `memref<2x${element}>`;
    w.line(`linalg.fill ins(${w.number(element)} : ${element}) outs(${name} : ${type})`);
    w.keepBuffer({ name, type, sizes: [2], element });
  } else {
    const from = w.plain(w.shape(1, 2, 1), element);
    const unranked = w.define(`memref.cast ${from.name} : ${from.type} to memref<*x${element}>`);
    w.keepScalar(w.define(`memref.rank ${unranked} : memref<*x${element}>`), 'index');
    w.keepScalar(w.define(`memref.dim ${unranked}, ${w.index(0)} : memref<*x${element}>`), 'index');
    const name = w.define(`memref.cast ${unranked} : memref<*x${element}> to ${from.type}`);
    w.keepBuffer({ ...from, name });
  }
};

export const globals = (w: NativeWriter): void => {
  const element = w.random.pick([...integerNames, ...floatNames] as const);
  const number = isFloatName(element) ? '2.5' : element === 'i1' ? 'true' : '3';
  const type = `memref<2x3x${element}>`;
  w.globals.push(`memref.global "private" constant @constant : ${type} = dense<${number}>`);
  const name = w.define(`memref.get_global @constant : ${type}`);
  w.keepBuffer({ name, type, sizes: [2, 3], element });
};

/** Atomic updates, one after the other. */
export const atomics = (w: NativeWriter): void => {
  const element = w.random.pick(['i8', 'i16', 'i32', 'i64', 'f16', 'f32', 'f64'] as const);
  const kinds = isFloatName(element)
    ? ['addf', 'assign', 'addf', 'maximumf', 'minnumf', 'mulf']
    : ['addi', 'assign', 'maxs', 'maxu', 'mins', 'minu', 'ori', 'andi', 'muli'];
  const buffer = w.buffer(w.shape(0, 3, 1), element);
  const place = `${buffer.name}[${indicesIn(w, buffer)}]`;
  const value = w.number(element);
  const old = w.define(
    `memref.atomic_rmw ${w.random.pick(kinds)} ${value}, ${place} : (${element}, ${buffer.type}) -> ${element}`,
  );
  w.keepScalar(old, element);
};

/** Structured ops with what only some of them have. */
export const linalgOps = (w: NativeWriter): void => {
  const { random } = w;
  const element = anyElement(w);
  const kind = random.pick([
    'transpose',
    'transpose',
    'broadcast',
    'reduce',
    'map',
    'fill',
    'copy',
    'generic',
    'index',
  ] as const);
  const add = (a: string, b: string): string => {
    const [name, type] = isFloatName(element) ? ['arith.maxnumf', element] : ['arith.addi', element];
    return w.define(`${name} ${a}, ${b} : ${type}`);
  };
  if (kind === 'transpose') {
    const shape = w.shape(0, 3);
    const order = random.chance(0.4) ? shape.map((_, i) => i) : random.shuffled(shape.map((_, i) => i));
    const known = w.someOf(shape, 0.7);
    const from = w.bufferOf(shape, known, element);
    const to = w.bufferOf(
      order.map((i) => shape[i]!),
      order.map((i) => known[i]),
      element,
    );
    w.line(
      `linalg.transpose ins(${from.name} : ${from.type}) outs(${to.name} : ${to.type}) permutation = [${order.join(', ')}]`,
    );
    w.keepBuffer(to);
  } else if (kind === 'broadcast') {
    const shape = w.shape(0, 3);
    const kept = shape.map(() => random.chance(0.6));
    const known = w.someOf(shape, 0.7);
    const from = w.bufferOf(
      shape.filter((_, i) => kept[i]),
      known.filter((_, i) => kept[i]),
      element,
    );
    const to = w.bufferOf(shape, known, element);
    const added = shape.flatMap((_, i) => (kept[i] === true ? [] : [i]));
    w.line(
      `linalg.broadcast ins(${from.name} : ${from.type}) outs(${to.name} : ${to.type}) dimensions = [${added.join(', ')}]`,
    );
    w.keepBuffer(to);
  } else if (kind === 'reduce') {
    const shape = w.shape(1, 3);
    const kept = shape.map(() => random.chance(0.5));
    const known = w.someOf(shape, 0.7);
    const from = w.bufferOf(shape, known, element);
    const to = w.bufferOf(
      shape.filter((_, i) => kept[i]),
      known.filter((_, i) => kept[i]),
      element,
    );
    const reduced = shape.flatMap((_, i) => (kept[i] === true ? [] : [i]));
    w.line(
      `linalg.reduce ins(${from.name} : ${from.type}) outs(${to.name} : ${to.type}) dimensions = [${reduced.join(', ')}]`,
    );
    w.line(`(%p: ${element}, %q: ${element}) {`);
    w.line(`linalg.yield ${add('%p', '%q')} : ${element}`);
    w.line('}');
    w.keepBuffer(to);
  } else if (kind === 'map') {
    const shape = w.shape(0, 3);
    const known = w.someOf(shape, 0.7);
    const operand = (): Buffer => w.bufferOf(shape, known, element);
    const [a, b, to] = [operand(), operand(), operand()];
    w.line(`linalg.map ins(${a.name}, ${b.name} : ${a.type}, ${b.type}) outs(${to.name} : ${to.type})`);
    w.line(`(%p: ${element}, %q: ${element}) {`);
    w.line(`linalg.yield ${add('%p', '%q')} : ${element}`);
    w.line('}');
    w.keepBuffer(to);
  } else if (kind === 'fill') {
    const to = w.buffer(w.shape(0, 3), element);
    w.line(`linalg.fill ins(${w.number(element)} : ${element}) outs(${to.name} : ${to.type})`);
    w.keepBuffer(to);
  } else if (kind === 'copy') {
    const shape = w.shape(0, 3);
    const [from, to] = [w.buffer(shape, element), w.buffer(shape, element)];
    w.line(`linalg.copy ins(${from.name} : ${from.type}) outs(${to.name} : ${to.type})`);
    w.keepBuffer(to);
  } else if (kind === 'generic') {
    const [n, m] = [random.integer(0, 4), random.integer(1, 4)];
    const [from, other, to] = [
      w.buffer([n + m - 1 < 0 ? 0 : n + m - 1, n], element),
      w.buffer([m], element),
      w.buffer([n, m], element),
    ];
    w.line(
      `linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1, d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "${random.pick(['parallel', 'reduction'])}"]}`,
    );
    w.line(`ins(${from.name}, ${other.name} : ${from.type}, ${other.type}) outs(${to.name} : ${to.type}) {`);
    w.line(`^bb0(%p: ${element}, %q: ${element}, %r: ${element}):`);
    w.line(`linalg.yield ${add(add('%p', '%q'), '%r')} : ${element}`);
    w.line('}');
    w.keepBuffer(to);
  } else {
    const to = w.buffer(w.shape(1, 2), 'index', 'small');
    const dims = to.sizes.map((_, i) => `d${i}`).join(', ');
    w.line(
      `linalg.generic {indexing_maps = [affine_map<(${dims}) -> (${dims})>], iterator_types = [${to.sizes.map(() => '"parallel"').join(', ')}]} outs(${to.name} : ${to.type}) {`,
    );
    w.line('^bb0(%p: index):');
    const first = w.define('linalg.index 0 : index');
    const last = w.define(`linalg.index ${to.sizes.length - 1} : index`);
    const isSmall = w.define(`arith.cmpi slt, %p, ${last} : index`);
    const made = w.fresh();
    w.line(`${made} = scf.if ${isSmall} -> (index) {`);
    w.line(`scf.yield ${first} : index`);
    w.line('} else {');
    w.line(`scf.yield %p : index`);
    w.line('}');
    w.line(`linalg.yield ${made} : index`);
    w.line('}');
    w.keepBuffer(to);
  }
};
