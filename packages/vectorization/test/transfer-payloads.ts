/** Transfers as text: `%a` is the buffer or tensor, `%v` a vector that is written, `%i` an index. */

/** `{in_bounds = […], permutation_map = affine_map<(d0, d1) -> (…)>}`, of what is given. */
const attributes = (source: string, inBounds: string, map?: string): string => {
  const rank = source.split('x').length - 1;
  const dims = Array.from({ length: rank }, (_, i) => `d${i}`).join(', ');
  const bounds = Array.from(inBounds, (each) => String(each === 't')).join(', ');
  return `{in_bounds = [${bounds}]${map === undefined ? '' : `, permutation_map = affine_map<(${dims}) -> (${map})>`}}`;
};

/** How a transfer is done. */
export interface Transfer {
  readonly inBounds: string;
  readonly map?: string;
  readonly at?: string;
  readonly mask?: string;
  /** Of a `vector.mask` around it. */
  readonly around?: string;
}

const masksOf = ({ mask, around }: Transfer): string =>
  (mask === undefined ? '' : `, %mask: vector<${mask}xi1>`) +
  (around === undefined ? '' : `, %m: vector<${around}xi1>`);
const within = ({ around }: Transfer, op: string, result: string): string =>
  around === undefined ? op : `vector.mask %m { ${op} } : vector<${around}xi1>${result}`;
const indicesOf = (source: string, at?: string): string =>
  at ??
  source
    .split('x')
    .slice(1)
    .map(() => '%c0')
    .join(', ');

/** A read of `memref<4x5xi32>` or the like, whose padding is 7. */
export const read = (source: string, vector: string, transfer: Transfer): readonly [string, string] => {
  const { inBounds, map, at, mask } = transfer;
  const type = `vector<${vector}>`;
  const padding = /f32>?$/.test(vector) ? '%f7' : '%i7';
  const op = `vector.transfer_read %a[${indicesOf(source, at)}], ${padding}${mask === undefined ? '' : ', %mask'} ${attributes(source, inBounds, map)} : ${source}, ${type}`;
  return [
    `(%a: ${source}${masksOf(transfer)}, %i: index) -> ${type}`,
    `%r = ${within(transfer, op, ` -> ${type}`)}`,
  ];
};

/** A write of `%v`. */
export const write = (dest: string, vector: string, transfer: Transfer): readonly [string, string] => {
  const { inBounds, map, at, mask } = transfer;
  const type = `vector<${vector}>`;
  const isTensor = dest.startsWith('tensor');
  const op = `vector.transfer_write %v, %a[${indicesOf(dest, at)}]${mask === undefined ? '' : ', %mask'} ${attributes(dest, inBounds, map)} : ${type}, ${dest}`;
  return [
    `(%v: ${type}, %a: ${dest}${masksOf(transfer)}, %i: index)${isTensor ? ` -> ${dest}` : ''}`,
    `${isTensor ? '%r = ' : ''}${within(transfer, op, isTensor ? ` -> ${dest}` : '')}`,
  ];
};

/** The same on `%a` as a view of a larger buffer. */
export const viewed = (
  base: string,
  sizes: string,
  [signature, body]: readonly [string, string],
): readonly [string, string] => {
  const [type] = /memref<[^>]*strided<[^>]*>>/.exec(signature)!;
  const [offsets, ...rest] = sizes.split('; ');
  return [
    signature.replace(type, base).replace('%a', '%base'),
    `%a = memref.subview %base[${offsets!}] [${rest[0]!}] [${rest[1]!}] : ${base} to ${type}\n  ${body}`,
  ];
};
/** A line whose elements are two apart. */
export const apart = (
  row: (source: string, vector: string, transfer: Transfer) => readonly [string, string],
) =>
  viewed(
    'memref<4x10xi32>',
    '0, 0; 4, 5; 1, 2',
    row('memref<4x5xi32, strided<[10, 2]>>', '3xi32', { inBounds: 't' }),
  );

export const [matrix, tensor, box] = ['memref<4x5xi32>', 'tensor<4x5xi32>', 'memref<2x4x5xi32>'] as const;
