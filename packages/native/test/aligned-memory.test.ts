import koffi from 'koffi';
import { expect, it } from 'vitest';
import { alignedMemory } from '../src/aligned-memory.ts';

it.each([[1], [64], [100], [4096], [1_000_000]])('%i bytes begin at a multiple of 64', (bytes) => {
  for (let i = 0; i < 20; i++) {
    const memory = alignedMemory(bytes, koffi.address);
    expect([memory.length, Number(koffi.address(memory) % 64n)]).toEqual([bytes, 0]);
  }
});
