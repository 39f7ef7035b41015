/**
 * Folding preserves results: the greedy driver applies every fold that the dialects declare to random operations whose
 * operands are constants, arguments, or identical, and the outcome computes the same as before.
 */
import fc from 'fast-check';
import { payloadDialects } from '@sconv/dialects';
import { unwrap } from '@sconv/diagnostics';
import type { Module, OpDefinition, Operation, Type } from '@sconv/ir';
import {
  applyPatternsGreedily,
  createRegistry,
  functionTypeOf,
  isShaped,
  parseModule,
  parseType,
  tryEdit,
  verify,
  walk,
} from '@sconv/ir';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../src/element.ts';
import { elementKind, isNumberType, setElement } from '../src/element.ts';
import { elementsOf, interpret, memref, tensor } from '../src/index.ts';
import type { RuntimeValue } from '../src/index.ts';
import { shapeOf } from '../src/value.ts';

const registry = createRegistry(payloadDialects);
const folding = [...registry.operations.values()].filter(({ fold }) => fold !== undefined);

type Pick = <T>(choices: readonly T[]) => T;

/** How an argument of a function is filled. */
const valueOf = (type: Type, pick: Pick): RuntimeValue => {
  if (!isShaped(type)) return scalarOf(type, pick);
  const count = type.shape.reduce((product, size) => product * size, 1);
  const data = elementKind(type.elementType)!.allocate(count);
  for (const i of data.keys()) setElement(data, i, scalarOf(type.elementType, pick));
  return type.kind === 'memref'
    ? memref(type.shape, data, { elementType: type.elementType })
    : tensor(type.shape, data, type.elementType);
};

const integers = [0, 1, 2, 3, 7, 31, 100, -1, -2, -5, -128, 127] as const;
const ordinaryFloats = ['0.0', '-0.0', '1.0', '-1.0', '0.5', '-2.5', '3.5', '4096.0'] as const;
/** Both infinities and NaN. */
const specialFloats: Readonly<Record<string, readonly string[]>> = {
  bf16: ['0x7F80', '0xFF80', '0x7FC0'],
  f16: ['0x7C00', '0xFC00', '0x7E00'],
  f32: ['0x7F800000', '0xFF800000', '0x7FC00000'],
  f64: ['0x7FF0000000000000', '0xFFF0000000000000', '0x7FF8000000000000'],
};
const floats = [...ordinaryFloats.map(Number), Infinity, -Infinity, NaN];

const scalarOf = (type: Type, pick: Pick): Scalar => {
  if (type.kind === 'float') return pick(floats);
  const value = BigInt(pick(integers));
  if (type.kind === 'index') return Number(value);
  const width = type.kind === 'integer' ? type.width : 64;
  const held = width === 1 ? BigInt.asUintN(1, value) : BigInt.asIntN(width, value);
  return isNumberType(type) ? Number(held) : held;
};

/** A constant of this type as text, without its type. */
const constantText = (type: string, pick: Pick): string => {
  const shaped = /^(?:tensor|vector)<(\d+)x(\w+)>$/.exec(type);
  if (shaped !== null) {
    const [, count, elementType] = shaped;
    const elements = Array.from({ length: Number(count) }, () => constantText(elementType!, pick));
    return pick([true, false]) ? `dense<${elements[0]!}>` : `dense<[${elements.join(', ')}]>`;
  }
  const special = specialFloats[type];
  if (special !== undefined) return pick([...ordinaryFloats, ...special]);
  const value = BigInt(pick(integers));
  if (type === 'i1') return value % 2n === 0n ? 'false' : 'true';
  return String(type === 'i8' ? BigInt.asIntN(8, value) : value);
};

/** `@f` around one operation in generic form, each operand an argument, a constant, or the previous one. */
const inFunction = (
  name: string,
  properties: string,
  operands: readonly string[],
  results: readonly string[],
  pick: Pick,
): string => {
  const constants: string[] = [];
  const used: string[] = [];
  operands.forEach((type, i) => {
    const kinds = ['argument', 'constant', 'constant', ...(operands[i - 1] === type ? ['again'] : [])];
    const kind = /^(?:memref|tensor<\w+x\w+x|!)/.test(type) ? 'argument' : pick(kinds);
    if (kind === 'constant') {
      const value = constantText(type, pick);
      constants.push(`%c${i} = arith.constant ${type === 'i1' ? value : `${value} : ${type}`}`);
    }
    used.push(kind === 'constant' ? `%c${i}` : kind === 'again' ? used[i - 1]! : `%a${i}`);
  });
  const names = results.map((_, i) => `%r${i}`);
  return `func.func @f(${operands.map((type, i) => `%a${i}: ${type}`).join(', ')}) -> (${results.join(', ')}) {
${constants.join('\n')}
${names.join(', ')} = "${name}"(${used.join(', ')}) <{${properties}}> : (${operands.join(', ')}) -> (${results.join(', ')})
func.return ${names.join(', ')} : ${results.join(', ')}
}`;
};

const parse = (text: string): Module => unwrap(parseModule(text, { registry }));

const folded = (module: Module): Module =>
  unwrap(tryEdit(module, { registry }, (r) => applyPatternsGreedily(r, [r.root], []))).module;

/** The outcome of a call of `@f` as a list; undefined if the behaviour is not defined. */
const observe = (module: Module, values: readonly RuntimeValue[]): readonly unknown[] | undefined => {
  const results = interpret(module, 'f', values);
  if (results.status !== 'success') return undefined;
  return results.value.flatMap((value) => {
    if (typeof value !== 'object') return [value];
    const elements = value.kind === 'tensor' ? elementsOf(value) : value.allocation.data;
    const layout = value.kind === 'tensor' ? [] : [value.offset, ...value.strides];
    return [shapeOf(value).join('x'), ...layout, ...elements];
  });
};

const named = (module: Module, name: string): readonly Operation[] =>
  [...walk(module.root)].filter((operation) => operation.name === name);

/** Folds the op in `text` and compares; returns whether it was folded away and whether it could be executed. */
const check = (text: string, name: string, pick: Pick) => {
  const module = parse(text);
  const after = folded(module);
  expect(verify(after, registry)).toEqual([]);
  expect(folded(after)).toBe(after);
  const [f] = named(module, 'func.func');
  const { inputs } = functionTypeOf(f!.attributes['function_type'])!;
  const values = inputs.map((type) => valueOf(type, pick));
  const before = observe(module, values);
  if (before !== undefined) expect(observe(after, values)).toEqual(before);
  return { isFolded: named(after, name).length === 0, isExecuted: before !== undefined };
};

// --- Operations on elements --------------------------------------------------------------------------------------

const scalars = ['i1', 'i8', 'i32', 'i64', 'index', 'bf16', 'f16', 'f32', 'f64'];

interface Signature {
  readonly operands: readonly string[];
  readonly result: string;
}

/** The operand and result types of an elementwise operation that the verifier accepts. */
const signaturesOf = (definition: OpDefinition): readonly Signature[] =>
  scalars.flatMap((type) => {
    const own = unwrap(parseType(type, { registry }));
    const operands = definition.operandSpecs.map((spec) => (spec.type.test(own) ? type : 'i1'));
    return scalars.flatMap((result) => {
      const text = inFunction(
        definition.name,
        propertiesOf(definition, ([first]) => first!),
        operands,
        [result],
        ([first]) => first!,
      );
      return parseModule(text, { registry }).status === 'success' ? [{ operands, result }] : [];
    });
  });

const propertiesOf = ({ name }: OpDefinition, pick: Pick): string =>
  name === 'arith.cmpi' || name === 'arith.cmpf'
    ? `predicate = ${pick([...Array(name === 'arith.cmpi' ? 10 : 16).keys()])} : i64`
    : '';

const shapes: readonly ((type: string) => string)[] = [
  (type) => type,
  (type) => `tensor<2x${type}>`,
  (type) => `vector<3x${type}>`,
];

// --- Others ------------------------------------------------------------------------------------------------------

const maps: readonly (readonly [map: string, operands: number])[] = [
  ['(d0) -> (d0)', 1],
  ['()[s0] -> (s0)', 1],
  ['(d0, d1) -> (d1)', 2],
  ['(d0) -> (d0 * 3 - 1)', 1],
  ['(d0)[s0] -> (d0 mod 4 + s0 floordiv 3)', 2],
  ['(d0, d1) -> (d0 - d1 ceildiv 2)', 2],
  ['()[s0, s1] -> (s0 mod s1)', 2],
  ['() -> (42)', 0],
];
const manyMaps: typeof maps = [
  ...maps,
  ['(d0) -> (d0, 5)', 1],
  ['(d0, d1)[s0] -> (d0 + d1, s0, 16)', 3],
  ['()[s0] -> (s0 mod 7, s0 floordiv 2, 1)', 1],
];
const application = (name: string) => (pick: Pick) => {
  const [map, count] = pick(name === 'affine.apply' ? maps : manyMaps);
  return inFunction(name, `map = affine_map<${map}>`, Array<string>(count).fill('index'), ['index'], pick);
};

const sizes = ['2x3', '4', '1', '2x1x3'];
const slice = (shape: string, pick: Pick) => {
  const extents = shape.split('x').map(Number);
  const isWhole = pick([true, true, false]);
  const taken = extents.map((size) => (isWhole ? size : pick([1, size])));
  const offsets = extents.map((size, i) => (isWhole ? 0 : pick([0, size - taken[i]!])));
  const ones = extents.map(() => 1);
  return {
    taken,
    properties: `operandSegmentSizes = array<i32: %, 0, 0, 0>, static_offsets = array<i64: ${offsets.join(', ')}>, static_sizes = array<i64: ${taken.join(', ')}>, static_strides = array<i64: ${ones.join(', ')}>`,
  };
};
const reshape = (dialect: 'tensor' | 'memref', op: 'collapse_shape' | 'expand_shape') => (pick: Pick) => {
  const [flat, deep, groups] = pick([
    ['4', '4', '[[0]]'],
    ['2x3', '2x3', '[[0], [1]]'],
    ['6', '2x3', '[[0, 1]]'],
  ] as const);
  const [from, to] = op === 'collapse_shape' ? [deep, flat] : [flat, deep];
  const outputs =
    op === 'expand_shape' ? `, static_output_shape = array<i64: ${to.split('x').join(', ')}>` : '';
  return inFunction(
    `${dialect}.${op}`,
    `reassociation = ${groups.replaceAll(/(\d+)/g, '$1 : i64')}${outputs}`,
    [`${dialect}<${from}xf32>`],
    [`${dialect}<${to}xf32>`],
    pick,
  );
};
const dim = (dialect: 'tensor' | 'memref') => (pick: Pick) =>
  inFunction(`${dialect}.dim`, '', [`${dialect}<${pick(sizes)}xf32>`, 'index'], ['index'], pick);
const rank = (dialect: 'tensor' | 'memref') => (pick: Pick) =>
  inFunction(`${dialect}.rank`, '', [`${dialect}<${pick(sizes)}xf32>`], ['index'], pick);

/** From a vector to the same type, or to another one. */
const vectorTo =
  (name: string, properties: string, ...types: readonly string[]) =>
  (pick: Pick): string =>
    inFunction(name, properties, ['vector<2xi32>'], [pick(['vector<2xi32>', ...types])], pick);

/** All of a vector replaced by another. */
const intoItself = (name: string, properties: string, pick: Pick): string =>
  inFunction(name, properties, ['vector<2xi32>', 'vector<2xi32>'], ['vector<2xi32>'], pick);

/** A transfer that meets another one at constant positions. */
const transfers = (body: string, type: string, pick: Pick): string =>
  `func.func @f(%t: tensor<4xi32>, %v: vector<2xi32>, %x: i32) -> ${type} {
%i = arith.constant ${pick([0, 1, 2, 3])} : index
%j = arith.constant ${pick([0, 1, 2, 3])} : index
${body.replace('{in_bounds = [true]}', pick(['{in_bounds = [true]}', '']))}
return %r : ${type}
}`;

/** An operation that returns both halves of its result. */
const extended =
  (name: string, high?: string) =>
  (pick: Pick): string => {
    const type = pick(['i8', 'i32', 'i64']);
    const shape = pick(shapes);
    return inFunction(name, '', [shape(type), shape(type)], [shape(type), shape(high ?? type)], pick);
  };

const others: Readonly<Record<string, (pick: Pick) => string>> = {
  'tensor.cast': (pick) =>
    inFunction(
      'tensor.cast',
      '',
      ['tensor<2x3xf32>'],
      [pick(['tensor<2x3xf32>', 'tensor<?x3xf32>', 'tensor<?x?xf32>'])],
      pick,
    ),
  'builtin.unrealized_conversion_cast': (pick) => {
    const types = pick([['i32'], ['f32', 'tensor<2xi8>']]);
    return inFunction('builtin.unrealized_conversion_cast', '', types, types, pick);
  },
  'arith.addui_extended': extended('arith.addui_extended', 'i1'),
  'arith.mului_extended': extended('arith.mului_extended'),
  'arith.mulsi_extended': extended('arith.mulsi_extended'),
  'affine.apply': application('affine.apply'),
  'affine.min': application('affine.min'),
  'affine.max': application('affine.max'),
  'tensor.dim': dim('tensor'),
  'memref.dim': dim('memref'),
  'tensor.rank': rank('tensor'),
  'memref.rank': rank('memref'),
  'tensor.extract': (pick) => {
    const type = pick(['i8', 'i64', 'index', 'f32']);
    return inFunction('tensor.extract', '', [`tensor<2x${type}>`, 'index'], [type], pick);
  },
  'tensor.extract_slice': (pick) => {
    const shape = pick(sizes);
    const { taken, properties } = slice(shape, pick);
    return inFunction(
      'tensor.extract_slice',
      properties.replace('%', '1'),
      [`tensor<${shape}xf32>`],
      [`tensor<${taken.join('x')}xf32>`],
      pick,
    );
  },
  'tensor.insert_slice': (pick) => {
    const shape = pick(sizes);
    const { taken, properties } = slice(shape, pick);
    const whole = `tensor<${shape}xf32>`;
    return inFunction(
      'tensor.insert_slice',
      properties.replace('%', '1, 1'),
      [`tensor<${taken.join('x')}xf32>`, whole],
      [whole],
      pick,
    );
  },
  'tensor.pad': (pick) => {
    const [low, high] = pick([
      [0, 0],
      [1, -1],
      [-1, 1],
    ] as const);
    return `func.func @f(%t: tensor<4xi32>, %x: i32) -> tensor<4xi32> {
%r = tensor.pad %t ${pick(['', 'nofold '])}low[${low}] high[${high}] {
^bb0(%i: index):
  tensor.yield %x : i32
} : tensor<4xi32> to tensor<4xi32>
return %r : tensor<4xi32>
}`;
  },
  'memref.subview': (pick) => {
    const shape = pick(sizes);
    const { properties } = slice(shape, ([first]) => first!);
    const type = `memref<${shape}xf32>`;
    return inFunction('memref.subview', properties.replace('%', '1'), [type], [type], pick);
  },
  'vector.splat': (pick) => inFunction('vector.splat', '', ['i32'], ['vector<2xi32>'], pick),
  'vector.broadcast': vectorTo('vector.broadcast', '', 'vector<3x2xi32>'),
  'vector.shape_cast': vectorTo('vector.shape_cast', '', 'vector<1x2xi32>'),
  'vector.bitcast': vectorTo('vector.bitcast', '', 'vector<2xf32>'),
  'vector.extract': vectorTo('vector.extract', 'static_position = array<i64>'),
  'vector.transpose': vectorTo('vector.transpose', 'permutation = array<i64: 0>'),
  'vector.extract_strided_slice': vectorTo(
    'vector.extract_strided_slice',
    'offsets = [0], sizes = [2], strides = [1]',
  ),
  'vector.shuffle': (pick) =>
    inFunction(
      'vector.shuffle',
      `mask = [${pick(['0, 1', '2, 3', '1, 2'])}]`,
      ['vector<2xi32>', 'vector<2xi32>'],
      ['vector<2xi32>'],
      pick,
    ),
  'vector.extractelement': (pick) =>
    inFunction('vector.extractelement', '', ['vector<2xi32>', 'index'], ['i32'], pick),
  'vector.insert': (pick) => intoItself('vector.insert', 'static_position = array<i64>', pick),
  'vector.insert_strided_slice': (pick) =>
    intoItself('vector.insert_strided_slice', 'offsets = [0], strides = [1]', pick),
  'vector.step': (pick) => inFunction('vector.step', '', [], ['vector<3xindex>'], pick),
  'vector.transfer_read': (pick) =>
    transfers(
      `%w = vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<2xi32>, tensor<4xi32>
%r = vector.transfer_read %w[%j], %x : tensor<4xi32>, vector<2xi32>`,
      'vector<2xi32>',
      pick,
    ),
  'vector.transfer_write': (pick) =>
    transfers(
      `%w = vector.transfer_read %t[%i], %x : tensor<4xi32>, vector<2xi32>
%r = vector.transfer_write %w, %t[%j] : vector<2xi32>, tensor<4xi32>`,
      'tensor<4xi32>',
      pick,
    ),
  'tensor.collapse_shape': reshape('tensor', 'collapse_shape'),
  'tensor.expand_shape': reshape('tensor', 'expand_shape'),
  'memref.collapse_shape': reshape('memref', 'collapse_shape'),
  'memref.expand_shape': reshape('memref', 'expand_shape'),
};

/** See CONTRIBUTING.md. */
const numRuns = process.env['THOROUGH'] === undefined ? 50 : 100;

describe('what folds computes the same', () => {
  /** What the interpreter cannot execute. */
  const notExecuted: string[] = [];

  it.each(folding)('$name', (definition) => {
    const { name } = definition;
    const other = others[name];
    const signatures = other === undefined ? signaturesOf(definition) : [];
    const seen = { folded: 0, executed: 0 };
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        const pick: Pick = (choices) => choices[gen(fc.nat, { max: choices.length - 1 })]!;
        const textOf = (): string => {
          if (other !== undefined) return other(pick);
          const { operands, result } = pick(signatures);
          const shape = pick(shapes);
          return inFunction(name, propertiesOf(definition, pick), operands.map(shape), [shape(result)], pick);
        };
        const { isFolded, isExecuted } = check(textOf(), name, pick);
        if (isFolded) seen.folded += 1;
        if (isExecuted) seen.executed += 1;
      }),
      { numRuns },
    );
    expect(seen.folded).toBeGreaterThan(0);
    if (seen.executed === 0) notExecuted.push(name);
  });

  it('is looked at for each fold, save those that the interpreter does not execute', () => {
    expect(notExecuted).toEqual(['builtin.unrealized_conversion_cast']);
  });

  it('is asked of all that is elementwise', () => {
    const elementwise = folding.filter(
      ({ name }) => /^(?:arith|math)\./.test(name) && others[name] === undefined,
    );
    expect([...elementwise.map(({ name }) => name), ...Object.keys(others)].sort()).toEqual(
      folding.map(({ name }) => name).sort(),
    );
  });
});
