import { existsSync, readFileSync } from 'node:fs';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import { alignedMemory } from '../src/aligned-memory.ts';

const pageBytes = 2 ** 21;

describe('aligned memory', () => {
  it.each([[0], [1], [64], [100], [4096], [1_000_000]])('of %i bytes begins at a multiple of 64', (bytes) => {
    const memory = alignedMemory(koffi);
    for (let i = 0; i < 20; i++) {
      const zeros = memory(bytes);
      expect([zeros.length, Number(koffi.address(zeros) % 64n)]).toEqual([bytes, 0]);
    }
  });

  it.each([[pageBytes / 2], [pageBytes], [2 * pageBytes + 1]])('of %i bytes is zero', (bytes) => {
    const zeros = alignedMemory(koffi)(bytes);
    expect([zeros.length, zeros.every((each) => each === 0)]).toEqual([bytes, true]);
  });

  it.runIf(existsSync('/sys/kernel/mm/transparent_hugepage'))(
    'is in large pages from half of one on, where it may be',
    () => {
      const zeros = alignedMemory(koffi)(pageBytes / 2);
      const start = koffi.address(zeros);
      expect(start % BigInt(pageBytes)).toBe(0n);
      // The mapping that holds it says so: `hg` among its flags.
      const [, flags] =
        readFileSync('/proc/self/smaps', 'utf8')
          .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
          .map((each): readonly [readonly bigint[], string] => [
            each
              .split(' ', 1)[0]!
              .split('-')
              .map((text) => BigInt(`0x${text}`)),
            /^VmFlags:(.*)$/m.exec(each)?.[1] ?? '',
          ])
          .find(([[from, to]]) => from! <= start && start < to!) ?? [];
      expect(flags?.split(' ')).toContain('hg');
    },
  );
});
