/** Loads and stores of up to four words of 32 bits that touch no byte beyond them: a buffer may end where the memory ends. */
import type { Code, Expr } from './instructions.ts';
import { v128 } from './instructions.ts';

const wordBytes = 4;

/** Loads the first `count` (1 … 4) words; the others are 0. */
export const loadVector = (address: Expr<'i32'>, offset: number, count: number): Expr<'v128'> => {
  switch (count) {
    case 1:
      return v128.load32Zero(address, offset);
    case 2:
      return v128.load64Zero(address, offset);
    case 3:
      return v128.load32Lane(address, v128.load64Zero(address, offset), 2, offset + 2 * wordBytes);
    default:
      return v128.load(address, offset);
  }
};

/** Stores the first `count` (1 … 4) words. */
export const storeVector = (
  address: Expr<'i32'>,
  value: Expr<'v128'>,
  offset: number,
  count: number,
): Code => {
  switch (count) {
    case 1:
      return v128.store32Lane(address, value, 0, offset);
    case 2:
      return v128.store64Lane(address, value, 0, offset);
    case 3:
      return [
        v128.store64Lane(address, value, 0, offset),
        v128.store32Lane(address, value, 2, offset + 2 * wordBytes),
      ];
    default:
      return v128.store(address, value, offset);
  }
};
