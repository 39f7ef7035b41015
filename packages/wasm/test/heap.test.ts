import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeap } from '../src/heap.ts';

describe('a heap', () => {
  it('gives out addresses that are multiples of 64, until there is no gap', () => {
    const heap = createHeap(128, 128 + 4 * 64);
    expect([heap.allocate(1), heap.allocate(64), heap.allocate(65), heap.allocate(1)]).toEqual([
      128,
      192,
      256,
      undefined,
    ]);
    expect(heap.largest()).toBe(0);
  });
  it('has room for nothing, always', () => {
    const full = createHeap(64, 64);
    expect([full.allocate(0), full.largest()]).toEqual([64, 0]);
    const heap = createHeap(0, 192);
    const [a, none, b] = [64, 0, 64].map((bytes) => heap.allocate(bytes)!) as [number, number, number];
    expect(none).toBe(0);
    heap.release(a, 64);
    heap.release(none, 0);
    heap.release(b, 64);
    expect(heap.allocate(192)).toBe(0);
    expect(heap.largest()).toBe(0);
  });
  it('takes the first gap that is large enough', () => {
    const heap = createHeap(0, 640);
    const [a, b, c] = [128, 64, 64].map((bytes) => heap.allocate(bytes)!) as [number, number, number];
    heap.release(a, 128);
    expect(heap.largest()).toBe(640 - 256);
    expect(heap.allocate(192)).toBe(c + 64);
    expect(heap.allocate(64)).toBe(a);
    heap.release(b, 64);
    expect(heap.allocate(128)).toBe(a + 64);
  });
  it('makes one gap of neighbours, in whatever order they come back', () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [0, 2, 1],
      [1, 0, 2],
    ]) {
      const heap = createHeap(0, 192);
      const places = [10, 64, 1].map((bytes) => ({ address: heap.allocate(bytes)!, bytes }));
      for (const i of order) heap.release(places[i]!.address, places[i]!.bytes);
      expect(heap.largest()).toBe(192);
      expect(heap.allocate(192)).toBe(0);
    }
  });
  it('never gives out what it has given', () => {
    const step = fc.record({ bytes: fc.nat(300), isRelease: fc.boolean(), which: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = createHeap(64, 2048);
        const given: { address: number; bytes: number }[] = [];
        for (const { bytes, isRelease, which } of steps) {
          if (isRelease && given.length > 0) {
            const [{ address, bytes: size }] = given.splice(which % given.length, 1) as [(typeof given)[0]];
            heap.release(address, size);
            continue;
          }
          const free = heap.largest();
          const address = heap.allocate(bytes);
          expect(address === undefined).toBe(Math.ceil(bytes / 64) * 64 > free);
          if (address === undefined || bytes === 0) continue;
          expect(address >= 64 && address + bytes <= 2048).toBe(true);
          const isTaken = given.some(
            (other) => address < other.address + other.bytes && other.address < address + bytes,
          );
          expect(isTaken).toBe(false);
          given.push({ address, bytes });
        }
        for (const { address, bytes } of given) heap.release(address, bytes);
        expect(heap.largest()).toBe(2048 - 64);
      }),
    );
  });
});
