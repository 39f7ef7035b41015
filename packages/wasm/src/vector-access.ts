/** Loads and stores of up to sixteen bytes that touch none beyond them: a buffer may end where the memory ends. */
import type { Code, Expr } from './instructions.ts';
import { v128 } from './instructions.ts';

const wordBytes = 4;
const vectorBytes = 16;

/** How a piece of a vector is accessed, the first one with or without the rest of the vector. */
interface Piece {
  readonly bytes: number;
  readonly loadFirst: (address: Expr<'i32'>, offset?: number) => Expr<'v128'>;
  readonly splat: (address: Expr<'i32'>, offset?: number) => Expr<'v128'>;
  readonly load: (address: Expr<'i32'>, vector: Expr<'v128'>, lane: number, offset?: number) => Expr<'v128'>;
  readonly store: (address: Expr<'i32'>, value: Expr<'v128'>, lane: number, offset?: number) => Code;
}

/** Largest first: each piece then starts at a multiple of its size. */
const pieces: readonly Piece[] = [
  {
    bytes: 8,
    loadFirst: v128.load64Zero,
    splat: v128.load64Splat,
    load: v128.load64Lane,
    store: v128.store64Lane,
  },
  {
    bytes: 4,
    loadFirst: v128.load32Zero,
    splat: v128.load32Splat,
    load: v128.load32Lane,
    store: v128.store32Lane,
  },
  {
    bytes: 2,
    loadFirst: v128.load16Splat,
    splat: v128.load16Splat,
    load: v128.load16Lane,
    store: v128.store16Lane,
  },
  {
    bytes: 1,
    loadFirst: v128.load8Splat,
    splat: v128.load8Splat,
    load: v128.load8Lane,
    store: v128.store8Lane,
  },
];

/** The pieces of the first `count` bytes, with the position of each. */
const piecesOf = (count: number): readonly (Piece & { readonly at: number })[] => {
  let at = 0;
  return pieces.flatMap((piece) => {
    if ((count & piece.bytes) === 0) return [];
    at += piece.bytes;
    return [{ ...piece, at: at - piece.bytes }];
  });
};

/** The instructions of elements of this size, which are lanes of their own. */
export const pieceOf = (bytes: number): Piece => pieces.find((piece) => piece.bytes === bytes)!;

/** Loads the first `count` (1 … 16) bytes; the others are unspecified. */
export const loadBytes = (address: Expr<'i32'>, offset: number, count: number): Expr<'v128'> => {
  if (count >= vectorBytes) return v128.load(address, offset);
  const [first, ...rest] = piecesOf(count);
  return rest.reduce(
    (vector, { load, bytes, at }) => load(address, vector, at / bytes, offset + at),
    first!.loadFirst(address, offset),
  );
};

/** Stores the first `count` (1 … 16) bytes. */
export const storeBytes = (address: Expr<'i32'>, value: Expr<'v128'>, offset: number, count: number): Code =>
  count >= vectorBytes
    ? v128.store(address, value, offset)
    : piecesOf(count).map(({ store, bytes, at }) => store(address, value, at / bytes, offset + at));

/** Loads the first `count` (1 … 4) words of 32 bits; the others are 0. */
export const loadVector = (address: Expr<'i32'>, offset: number, count: number): Expr<'v128'> =>
  loadBytes(address, offset, count * wordBytes);

/** Stores the first `count` (1 … 4) words of 32 bits. */
export const storeVector = (address: Expr<'i32'>, value: Expr<'v128'>, offset: number, count: number): Code =>
  storeBytes(address, value, offset, count * wordBytes);
