/** The scalar bodies of all named operations on operands of many types, listed in `linalg-bodies.txt`. */
import { expect, it } from 'vitest';
import type { Attributes, Value } from '@sconv/ir';
import { dialectAttribute, parseType, printAttribute, printType } from '@sconv/ir';
import { unwrap } from '@sconv/diagnostics';
import { contractions } from '../src/linalg-contractions.ts';
import { convolutions, poolings } from '../src/linalg-conv.ts';
import { elementwiseOps } from '../src/linalg-elementwise.ts';
import { buildNamedBody } from '../src/linalg-named.ts';
import type { NamedStructure } from '../src/linalg-named.ts';
import { registry } from './support.ts';

const type = (text: string) => unwrap(parseType(text, { registry }));

/** The operations of a body, with numbered operands: block arguments first, then results in order. */
const bodyOf = (structure: NamedStructure, types: readonly string[], attributes: Attributes): string => {
  const lines: string[] = [];
  let next = types.length;
  buildNamedBody(
    structure,
    ({ name, operands, resultTypes, attributes: { value, dim } }) => {
      const constants = [value, dim].flatMap((each) => (each === undefined ? [] : [printAttribute(each)]));
      const parts = [name, ...operands.map(({ id }) => `%${id}`), ...constants];
      lines.push([...parts, ...resultTypes.map((each) => `: ${printType(each)}`)].join(' '));
      return resultTypes.map((each): Value => ({ id: next++, type: each }));
    },
    types.map((each, id) => ({ id, type: type(each) })),
    attributes,
  );
  return lines.join(', ').replaceAll(/(arith|math|linalg)\./g, '');
};

const enumeration = (kind: string, name: string) => dialectAttribute('linalg', `${kind}<${name}>`);
const functions = {
  'linalg.elemwise_unary': [
    'exp',
    'log',
    'abs',
    'ceil',
    'floor',
    'negf',
    'reciprocal',
    'round',
    'sqrt',
    'rsqrt',
    'square',
    'tanh',
    'erf',
  ].map((name) => enumeration('unary_fn', name)),
  'linalg.elemwise_binary': [
    'add',
    'sub',
    'mul',
    'div',
    'div_unsigned',
    'max_signed',
    'min_signed',
    'max_unsigned',
    'min_unsigned',
    'powf',
  ].map((name) => enumeration('binary_fn', name)),
};

/** Input and output types, with the conversion where one is specified. */
const conversions = [
  'f32 f32',
  'i32 i32',
  'i1 i1',
  'index index',
  'i8 i32',
  'i32 i8',
  'f16 f32',
  'f64 f32',
  'i8 f32',
  'f32 i8',
  'index i32',
  'i32 index',
  'i8 i32 cast_unsigned',
  'i8 f32 cast_unsigned',
  'f32 i8 cast_unsigned',
];

it('bodies of named operations', async () => {
  const named = new Map<string, string[]>();
  for (const { name, structure } of [...elementwiseOps, ...contractions, ...convolutions, ...poolings]) {
    const chosen = Object.entries(functions).find(([key]) => key === name)?.[1];
    const lines = conversions.map((conversion) => {
      const [input = '', output = '', cast = 'cast_signed'] = conversion.split(' ');
      const types = [...Array.from({ length: structure.inputs }, () => input), output];
      const attributes = { cast: enumeration('type_fn', cast) };
      const bodies = chosen?.map((fun) => bodyOf(structure, types, { ...attributes, fun }));
      return `  ${conversion}: ${bodies?.join('\n    ') ?? bodyOf(structure, types, attributes)}\n`;
    });
    named.set(lines.join(''), [...(named.get(lines.join('')) ?? []), name]);
  }
  const listed = [...named].map(([lines, names]) => `${names.join(' ')}\n${lines}`);
  await expect(listed.join('\n')).toMatchFileSnapshot('linalg-bodies.txt');
});
