/**
 * Random functions around `tensor.pack` and `tensor.unpack`: an argument, unpacked or not, goes through elementwise
 * ops, reductions, padding and reshapes, and is packed or not.
 */

/** A number below a bound. */
export type Draw = (below: number) => number;

/** Numbers from a seed. */
export const drawsOf = (seed: number): Draw => {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
  const draw = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  for (let i = 0; i < 20; i++) draw(2);
  return draw;
};

interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
}

/** An operand of a generic op, with the results of its indexing map. */
interface Operand extends Tensor {
  readonly map: readonly string[];
}

/** A tiling of a shape: tiles, the dimensions that they are of, and the order of the others. */
interface Tiling {
  readonly tiles: readonly number[];
  readonly positions: readonly number[];
  /** Identity if empty. */
  readonly order: readonly number[];
}

/** Stands for the size of dimension 0, where that is dynamic. */
const dynamic = -1;

/** `[[0], [1, 2]]`. */
const groupsText = (groups: readonly (readonly number[])[]): string =>
  `[${groups.map((group) => `[${group.join(', ')}]`).join(', ')}]`;

const range = (length: number): readonly number[] => Array.from({ length }, (_, i) => i);

/** The text of a function `@name`. */
export class PackedFunction {
  private readonly draw: Draw;
  private readonly element: 'f32' | 'i32';
  private readonly lines: string[] = [];
  private readonly parameters: string[] = [];
  private count = 0;

  constructor(draw: Draw) {
    this.draw = draw;
    this.element = draw(2) === 0 ? 'f32' : 'i32';
  }

  /** Draws a function and gives its text. */
  text(name: string): string {
    const { draw } = this;
    const rank = 1 + draw(4);
    const isDynamic = rank > 1 && draw(8) === 0;
    const shape = range(rank).map((i) => (i === 0 && isDynamic ? dynamic : this.size()));
    this.line('%zero = arith.constant 0 : index');
    this.line(`%c = arith.constant ${this.element === 'f32' ? '2.0' : '2'} : ${this.element}`);
    let value = draw(3) > 0 ? this.unpacked(shape) : this.argument(shape);
    if (isDynamic) this.line(`%n = tensor.dim ${value.name}, %zero : ${this.type(value.shape)}`);
    const kept: Tensor[] = [];
    const steps = 1 + draw(4);
    for (let i = 0; i < steps; i++) {
      if (draw(9) === 0) kept.push(value);
      value = this.step(value);
    }
    if (draw(4) > 0) value = this.packed(value);
    const results = [value, ...kept];
    const types = results.map((each) => this.type(each.shape)).join(', ');
    return [
      `func.func @${name}(${this.parameters.join(', ')}) -> (${types}) {`,
      ...this.lines.map((line) => `  ${line}`),
      `  return ${results.map((each) => each.name).join(', ')} : ${types}`,
      '}',
    ].join('\n');
  }

  private step(value: Tensor): Tensor {
    const { draw } = this;
    const choice = draw(12);
    if (choice < 6) return this.elementwise(value);
    if (choice === 6) return this.reduced(value);
    if (choice < 9) return this.padded(value);
    if (choice === 9) return this.collapsed(value);
    if (choice === 10) return this.expanded(value);
    return this.unpackedAgain(value);
  }

  /** An elementwise op of `value`, transposed or not, and up to two more operands. */
  private elementwise(value: Tensor): Tensor {
    const rank = value.shape.length;
    const read = this.order(rank);
    // Dimension `d` of the domain is dimension `read.indexOf(d)` of the value.
    const extents = range(rank).map((d) => value.shape[read.indexOf(d)]!);
    const operands: Operand[] = [{ ...value, map: read.map((d) => `d${d}`) }];
    for (let i = this.draw(3); i > 0; i--) operands.push(this.operand(extents));
    const write = this.order(rank);
    return this.generic(
      operands,
      extents,
      write,
      range(rank).map(() => 'parallel'),
    );
  }

  /** Another operand of an op over `extents`: whole, with fewer dimensions, or with ones. */
  private operand(extents: readonly number[]): Operand {
    const used = range(extents.length).filter(() => this.draw(3) > 0);
    const map: string[] = [];
    const shape: number[] = [];
    for (const d of this.draw(3) === 0 ? used.toReversed() : used) {
      const isOne = this.draw(8) === 0;
      map.push(isOne ? '0' : `d${d}`);
      shape.push(isOne ? 1 : extents[d]!);
    }
    const isTiled = shape.some((size) => size !== dynamic);
    const made = this.draw(5) === 0 && isTiled ? this.unpacked(shape) : this.argument(shape);
    return { ...made, map };
  }

  /** The sum over the last dimension. */
  private reduced(value: Tensor): Tensor {
    const rank = value.shape.length;
    if (rank === 1) return value;
    const kinds = range(rank).map((d) => (d === rank - 1 ? 'reduction' : 'parallel'));
    return this.generic(
      [{ ...value, map: range(rank).map((d) => `d${d}`) }],
      value.shape,
      range(rank - 1),
      kinds,
    );
  }

  private generic(
    operands: readonly Operand[],
    extents: readonly number[],
    write: readonly number[],
    kinds: readonly string[],
  ): Tensor {
    const { draw, element } = this;
    const shape = write.map((d) => extents[d]!);
    const isSum = kinds.includes('reduction');
    const init = isSum || draw(3) === 0 ? this.argument(shape) : this.empty(shape);
    const readsInit = isSum || (!init.name.startsWith('%e') && draw(2) === 0);
    const [op, ...ops] = ['add', 'sub', 'mul', 'max'].map((kind) => this.arithmetic(kind));
    const dims = range(extents.length).map((d) => `d${d}`);
    const maps = [...operands.map(({ map }) => map), write.map((d) => `d${d}`)];
    const inputs = operands.map((_, i) => `%i${i}`);
    const terms = [...inputs, ...(readsInit ? ['%o'] : [])];
    const body = terms.slice(1).map((term, i) => {
      const kind = isSum ? op! : [op!, ...ops][draw(4)]!;
      return `%b${i} = ${kind} ${i === 0 ? terms[0]! : `%b${i - 1}`}, ${term} : ${element}`;
    });
    if (terms.length === 1) body.push(`%b0 = ${op!} %i0, %i0 : ${element}`);
    const result = this.fresh('%g');
    const affine = maps.map((map) => `affine_map<(${dims.join(', ')}) -> (${map.join(', ')})>`);
    const iterators = kinds.map((kind) => `"${kind}"`);
    const types = operands.map((each) => this.type(each.shape));
    this.line(
      `${result} = linalg.generic {indexing_maps = [${affine.join(', ')}], ` +
        `iterator_types = [${iterators.join(', ')}]} ` +
        `ins(${operands.map(({ name }) => name).join(', ')} : ${types.join(', ')}) ` +
        `outs(${init.name} : ${this.type(shape)}) {`,
    );
    this.line(`^bb0(${[...inputs, '%o'].map((each) => `${each}: ${element}`).join(', ')}):`);
    for (const each of body) this.line(`  ${each}`);
    this.line(`  linalg.yield %b${body.length - 1} : ${element}`);
    this.line(`} -> ${this.type(shape)}`);
    return { name: result, shape };
  }

  private arithmetic(kind: string): string {
    if (kind === 'max') return this.element === 'f32' ? 'arith.maximumf' : 'arith.maxsi';
    return `arith.${kind}${this.element === 'f32' ? 'f' : 'i'}`;
  }

  private padded(value: Tensor): Tensor {
    const { draw, element } = this;
    const margin = (size: number): number => (size !== dynamic && draw(3) === 0 ? draw(3) : 0);
    const low = value.shape.map(margin);
    const high = value.shape.map(margin);
    const shape = value.shape.map((size, i) => (size === dynamic ? size : size + low[i]! + high[i]!));
    const result = this.fresh('%p');
    this.line(`${result} = tensor.pad ${value.name} low[${low.join(', ')}] high[${high.join(', ')}] {`);
    this.line(`^bb0(${shape.map((_, i) => `%x${i}: index`).join(', ')}):`);
    this.line(`  tensor.yield %c : ${element}`);
    this.line(`} : ${this.type(value.shape)} to ${this.type(shape)}`);
    return { name: result, shape };
  }

  private collapsed(value: Tensor): Tensor {
    const rank = value.shape.length;
    const first = value.shape[0] === dynamic ? 1 : 0;
    if (rank - first < 2) return value;
    const at = first + this.draw(rank - first - 1);
    const groups = range(rank - 1).map((i) => (i < at ? [i] : i === at ? [i, i + 1] : [i + 1]));
    const shape = groups.map((group) => group.map((i) => value.shape[i]!).reduce((a, b) => a * b));
    const result = this.fresh('%r');
    this.line(
      `${result} = tensor.collapse_shape ${value.name} ${groupsText(groups)} : ` +
        `${this.type(value.shape)} into ${this.type(shape)}`,
    );
    return { name: result, shape };
  }

  private expanded(value: Tensor): Tensor {
    const rank = value.shape.length;
    const at = this.draw(rank);
    const size = value.shape[at]!;
    const outer = [1, 2, 3, 4, size].filter((each) => size !== dynamic && size % each === 0);
    if (outer.length === 0 || rank > 4) return value;
    const factor = outer[this.draw(outer.length)]!;
    const shape = value.shape.flatMap((each, i) => (i === at ? [factor, size / factor] : [each]));
    const groups = range(rank).map((i) => (i < at ? [i] : i === at ? [i, i + 1] : [i + 1]));
    const result = this.fresh('%r');
    this.line(
      `${result} = tensor.expand_shape ${value.name} ${groupsText(groups)} ` +
        `output_shape [${shape.map((each) => (each === dynamic ? '%n' : each)).join(', ')}] : ` +
        `${this.type(value.shape)} into ${this.type(shape)}`,
    );
    return { name: result, shape };
  }

  private packed(value: Tensor): Tensor {
    if (value.shape.every((size) => size === dynamic)) return value;
    const tiling = this.tiling(value.shape);
    const shape = this.packedShape(value.shape, tiling);
    const isPartial = tiling.positions.some((d, i) => value.shape[d]! % tiling.tiles[i]! !== 0);
    const dest =
      shape[0] !== dynamic && !shape.includes(dynamic) && this.draw(3) === 0
        ? this.argument(shape)
        : this.empty(shape);
    const result = this.fresh('%k');
    const padding = isPartial ? ` padding_value(%c : ${this.element})` : '';
    this.line(
      `${result} = tensor.pack ${value.name}${padding} ${this.tilingText(tiling)} ` +
        `into ${dest.name} : ${this.type(value.shape)} -> ${this.type(shape)}`,
    );
    return { name: result, shape };
  }

  private unpackedAgain(value: Tensor): Tensor {
    const tiling = this.tiling(value.shape);
    const packed = this.packedShape(value.shape, tiling);
    if (packed.includes(dynamic)) return value;
    return this.unpackOf(this.argument(packed), value.shape, tiling);
  }

  /** An argument of tiles, unpacked to this shape. */
  private unpacked(shape: readonly number[]): Tensor {
    const tiling = this.tiling(shape);
    return this.unpackOf(this.argument(this.packedShape(shape, tiling)), shape, tiling);
  }

  private unpackOf(source: Tensor, shape: readonly number[], tiling: Tiling): Tensor {
    const [at, size] = [this.fresh('%d'), this.fresh('%n')];
    if (shape.includes(dynamic)) {
      this.line(`${at} = arith.constant ${source.shape.indexOf(dynamic)} : index`);
      this.line(`${size} = tensor.dim ${source.name}, ${at} : ${this.type(source.shape)}`);
    }
    const dest = this.empty(shape, size);
    const result = this.fresh('%u');
    this.line(
      `${result} = tensor.unpack ${source.name} ${this.tilingText(tiling)} into ${dest.name} : ` +
        `${this.type(source.shape)} -> ${this.type(shape)}`,
    );
    return { name: result, shape };
  }

  /** Tiles of some dimensions, one in eight of which does not divide its dimension. */
  private tiling(shape: readonly number[]): Tiling {
    const { draw } = this;
    const positions: number[] = [];
    const tiles: number[] = [];
    for (const d of this.order(shape.length)) {
      const size = shape[d]!;
      if (size === dynamic || draw(2) === 0) continue;
      const fitting = [1, 2, 3, 4, 6, 8].filter((tile) => size % tile === 0);
      positions.push(d);
      tiles.push(draw(24) === 0 ? 5 : fitting[draw(fitting.length)]!);
    }
    const order = draw(2) === 0 ? [] : this.order(shape.length);
    // Of packings that change nothing, upstream does not see an end.
    if (tiles.length === 0 && (order.length < 2 || draw(4) > 0)) {
      const at = shape.findLastIndex((size) => size !== dynamic);
      positions.push(at);
      tiles.push(shape[at]!);
    }
    return { tiles, positions, order };
  }

  private packedShape(shape: readonly number[], { tiles, positions, order }: Tiling): readonly number[] {
    const outer = [...shape];
    positions.forEach((d, i) => (outer[d] = Math.ceil(shape[d]! / tiles[i]!)));
    return [...(order.length === 0 ? outer : order.map((d) => outer[d]!)), ...tiles];
  }

  private tilingText({ tiles, positions, order }: Tiling): string {
    const permutation = order.length === 0 ? '' : `outer_dims_perm = [${order.join(', ')}] `;
    return `${permutation}inner_dims_pos = [${positions.join(', ')}] inner_tiles = [${tiles.join(', ')}]`;
  }

  /** An order of dimensions, the identity half of the time. */
  private order(rank: number): readonly number[] {
    const left = [...range(rank)];
    if (this.draw(2) === 0) return left;
    return range(rank).map(() => left.splice(this.draw(left.length), 1)[0]!);
  }

  private size(): number {
    return [1, 2, 4, 6, 8, 12][this.draw(6)]!;
  }

  private argument(shape: readonly number[]): Tensor {
    const name = this.fresh('%a');
    this.parameters.push(`${name}: ${this.type(shape)}`);
    return { name, shape };
  }

  private empty(shape: readonly number[], size = '%n'): Tensor {
    const name = this.fresh('%e');
    this.line(`${name} = tensor.empty(${shape.includes(dynamic) ? size : ''}) : ${this.type(shape)}`);
    return { name, shape };
  }

  private type(shape: readonly number[]): string {
    return `tensor<${shape.map((size) => `${size === dynamic ? '?' : size}x`).join('')}${this.element}>`;
  }

  private fresh(letter: string): string {
    return `${letter}${this.count++}`;
  }

  private line(text: string): void {
    this.lines.push(text);
  }
}

/** A random function `@name`. */
export const drawPackedFunction = (seed: number, name: string): string =>
  new PackedFunction(drawsOf(seed)).text(name);
