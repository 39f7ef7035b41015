/**
 * Where the arguments of a call stand in the memory. A buffer stands where its array is, if that is in the memory and
 * nothing else of the call needs the place, and otherwise in the place that the instance keeps for it.
 *
 * The code takes different buffers for different memory. So arrays that share memory are fine where they are only read,
 * each as it was before the call, and an error where the function writes one of them: neither order of reading and
 * writing could be promised.
 */
import type { Elements } from './elements.ts';
import { copyElements, viewOf } from './elements.ts';
import type { ParameterDescription } from './wasm-module.ts';

/** An array that is passed for a buffer. */
export interface BufferArgument {
  readonly position: number;
  readonly parameter: Extract<ParameterDescription, { kind: 'buffer' }>;
  readonly elements: Elements;
  /** The address that the instance keeps for the parameter. */
  readonly place: number;
}

/** Addresses from `start` up to `end`. */
export interface Places {
  readonly start: number;
  readonly end: number;
}

/** An argument in the memory. */
export interface PlacedArgument extends BufferArgument {
  readonly address: number;
  /** The elements at that address; `elements` itself where it stands there. */
  readonly view: Elements;
}

const overlap = (a: Places, b: Places): boolean =>
  a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;

/** Within its buffer. */
const placesOf = ({ byteOffset, byteLength }: Elements): Places => ({
  start: byteOffset,
  end: byteOffset + byteLength,
});

const placeOf = ({ place, parameter }: BufferArgument): Places => ({
  start: place,
  end: place + parameter.bytes,
});

const shareMemory = (a: Elements, b: Elements): boolean =>
  a.buffer === b.buffer && overlap(placesOf(a), placesOf(b));

const checkSharing = (name: string, all: readonly BufferArgument[]): void => {
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      const written = [a, b].filter(({ parameter }) => parameter.written);
      if (written.length === 0 || !shareMemory(a.elements, b.elements)) continue;
      const which = written.map(({ position }) => position).join(' and ');
      const message = `arguments ${a.position} and ${b.position} of '${name}' share memory, and the function may write ${which}`;
      throw new RangeError(`${message}; pass a copy of one of them`);
    }
  }
};

/** The arguments that stand where their arrays are. */
const findInPlace = (
  memory: WebAssembly.Memory,
  all: readonly BufferArgument[],
  scratch: Places,
): ReadonlySet<BufferArgument> => {
  const inPlace = new Set(
    all.filter(({ elements }) => elements.buffer === memory.buffer && !overlap(placesOf(elements), scratch)),
  );
  // What is copied to its place may take that of another argument, which is then to be copied too.
  for (let before = -1; before !== inPlace.size;) {
    before = inPlace.size;
    for (const argument of inPlace) {
      const isTaken = all.some(
        (other) =>
          other !== argument && !inPlace.has(other) && overlap(placesOf(argument.elements), placeOf(other)),
      );
      if (isTaken) inPlace.delete(argument);
    }
  }
  return inPlace;
};

/**
 * Puts the arguments into the memory. Throws a RangeError where two of them share memory that the function may write, or
 * where it may write an array in the scratch memory: a result of an earlier call.
 */
export const placeArguments = (
  memory: WebAssembly.Memory,
  name: string,
  all: readonly BufferArgument[],
  scratch: Places,
): readonly PlacedArgument[] => {
  checkSharing(name, all);
  for (const { elements, parameter, position } of all) {
    const isScratch = elements.buffer === memory.buffer && overlap(placesOf(elements), scratch);
    if (parameter.written && isScratch) {
      throw new RangeError(
        `argument ${position} of '${name}', which the function may write, stands in the memory of its allocations; pass a copy`,
      );
    }
  }
  const inPlace = findInPlace(memory, all, scratch);
  // An array in the memory may stand where another one is copied to, so all are read before any is written.
  const sources = all.map((argument) => {
    const { elements } = argument;
    const isMoved = elements.buffer === memory.buffer && !inPlace.has(argument);
    return isMoved ? elements.slice() : elements;
  });
  return all.map((argument, i): PlacedArgument => {
    const { elements, parameter, place } = argument;
    if (inPlace.has(argument)) return { ...argument, address: elements.byteOffset, view: elements };
    const view = viewOf(memory, parameter.element, place, parameter.length);
    copyElements(view, sources[i]!);
    return { ...argument, address: place, view };
  });
};

/** Copies what the function has written to the arrays that it was given. */
export const copyBack = (placed: readonly PlacedArgument[]): void => {
  const written = placed.filter(({ parameter, view, elements }) => parameter.written && view !== elements);
  // An array may stand in the place of another one.
  const results = written.map(({ view }) => view.slice());
  written.forEach(({ elements }, i) => {
    copyElements(elements, results[i]!);
  });
};
