/** Seeded shuffle, identical to LLVM's `shuffle` with `std::mt19937`. */

/** The outputs of MT19937, 32 bits each (Matsumoto and Nishimura, "Mersenne Twister", 1998). */
const numbers = function* (seed: number): Generator<number> {
  const [size, shift] = [624, 397];
  const state = new Uint32Array(size);
  state[0] = seed;
  for (let i = 1; i < size; i++) {
    const last = state[i - 1]!;
    state[i] = Math.imul(1812433253, last ^ (last >>> 30)) + i;
  }
  for (let at = 0; ; at = (at + 1) % size) {
    const mixed = (state[at]! & 0x80000000) | (state[(at + 1) % size]! & 0x7fffffff);
    const next = state[(at + shift) % size]! ^ (mixed >>> 1) ^ ((mixed & 1) === 0 ? 0 : 0x9908b0df);
    state[at] = next;
    let word = next;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    yield word >>> 0;
  }
};

/** A shuffled copy. */
export const shuffle = <T>(items: readonly T[], seed: number): readonly T[] => {
  const shuffled = [...items];
  const random = numbers(seed);
  for (let first = 0; first < shuffled.length - 1; first++) {
    const other = first + ((random.next().value as number) % (shuffled.length - first));
    [shuffled[first], shuffled[other]] = [shuffled[other]!, shuffled[first]!];
  }
  return shuffled;
};
