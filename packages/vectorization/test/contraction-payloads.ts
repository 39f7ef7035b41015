/** Contractions as text, with named dimensions. */
import type { Row } from './support.ts';

const sizes: Readonly<Record<string, number>> = { b: 2, m: 2, n: 3, k: 4, l: 2, u: 1 };

/** Of which kind a contraction is. */
export interface Kind {
  readonly iterators?: string;
  readonly kind?: string;
  readonly elements?: string;
  readonly sums?: string;
}

/** The type of a vector whose dimensions have these names; `K` is a scalable `k`. */
const vector = (names: string, element: string): string => {
  const shape = Array.from(names, (name) =>
    name in sizes ? String(sizes[name]) : `[${sizes[name.toLowerCase()]}]`,
  );
  return names === '_' ? element : `vector<${[...shape, element].join('x')}>`;
};

/**
 * A contraction with named dimensions, those of `mk kn mn`: those that the result lacks are reduced. They are iterated over
 * in the order of `iterators`.
 */
export const contraction = (
  layout: string,
  { iterators = 'mnk', kind = 'add', elements = 'i32', sums = elements }: Kind = {},
) => {
  const [lhs, rhs, own] = layout.split(' ') as [string, string, string];
  const order = Array.from(iterators);
  const dims = order.map((_, i) => `d${i}`).join(', ');
  const maps = [lhs, rhs, own].map((names) => {
    const results = Array.from(names.toLowerCase()).flatMap((name) =>
      name === '_' ? [] : [`d${order.indexOf(name)}`],
    );
    return `affine_map<(${dims}) -> (${results.join(', ')})>`;
  });
  const types = order.map((name) => (own.toLowerCase().includes(name) ? '"parallel"' : '"reduction"'));
  const attributes = `{indexing_maps = [${maps.join(', ')}], iterator_types = [${types.join(', ')}], kind = #vector.kind<${kind}>}`;
  const [a, b, c] = [vector(lhs, elements), vector(rhs, elements), vector(own, sums)];
  return {
    signature: `(%a: ${a}, %b: ${b}, %c: ${c}) -> ${c}`,
    body: `%r = vector.contract ${attributes} %a, %b, %c : ${a}, ${b} into ${c}`,
    mask: vector(iterators, 'i1'),
    result: c,
  };
};

/** A row of a contraction. */
export const row = (layout: string, operations: string, kind: Kind = {}, title = layout): Row => {
  const { signature, body } = contraction(layout, kind);
  return [title, signature, body, operations];
};

/** A row of a contraction under a mask. */
export const masked = (layout: string, operations: string, kind: Kind = {}): Row => {
  const { signature, body, mask, result } = contraction(layout, kind);
  return [
    `${layout}, masked`,
    signature.replace(')', `, %mask: ${mask})`),
    `%r = vector.mask %mask { ${body.replace('%r = ', '')} } : ${mask} -> ${result}`,
    operations,
  ];
};
