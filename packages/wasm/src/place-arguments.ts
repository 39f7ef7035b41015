/**
 * Where the arguments of a call stand in the memory. A buffer stands where its array is, if that is in the memory and
 * nothing else of the call needs the place, and otherwise in the place that the instance keeps for it.
 *
 * Arrays that share memory are fine where they are only read, each as it was before the call; where the function writes
 * one of them, `checkArguments` has refused them.
 */
import type { Elements, ParameterSignature } from '@sconv/backend';
import { byteLengthOf, copyElements } from '@sconv/backend';
import { viewOf } from './elements.ts';

/** An array that is passed for a buffer. */
export interface BufferArgument {
  readonly position: number;
  readonly parameter: Extract<ParameterSignature, { kind: 'buffer' }>;
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
  end: place + byteLengthOf(parameter),
});

/** Whether an array can be used where it is: in the memory `buffer`, but not in that of the allocations. */
export const standsIn = (elements: Elements, buffer: ArrayBufferLike, scratch: Places): boolean =>
  elements.buffer === buffer && !overlap(placesOf(elements), scratch);

/** The arguments that stand where their arrays are. */
const findInPlace = (
  memory: WebAssembly.Memory,
  all: readonly BufferArgument[],
  scratch: Places,
): ReadonlySet<BufferArgument> => {
  const inPlace = new Set(all.filter(({ elements }) => standsIn(elements, memory.buffer, scratch)));
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
 * Puts the arguments into the memory. Throws a RangeError where the function may write one in the scratch memory:
 * a result of an earlier call.
 */
export const placeArguments = (
  memory: WebAssembly.Memory,
  name: string,
  all: readonly BufferArgument[],
  scratch: Places,
): readonly PlacedArgument[] => {
  for (const { elements, parameter, position } of all) {
    const isScratch = elements.buffer === memory.buffer && !standsIn(elements, memory.buffer, scratch);
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
    const view = viewOf(memory, parameter, place, parameter.length);
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
