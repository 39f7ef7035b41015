/**
 * Placement of a call's arguments. A buffer stays where its array is, if that is in the memory and nothing else in the
 * call needs the place; otherwise it goes to the place that the instance reserves for it.
 *
 * Arrays that are only read may overlap; each has its contents from before the call. `checkArguments` has refused
 * overlap with written arrays.
 */
import type { Elements, ParameterSignature } from '@sconv/backend';
import { byteLengthOf, copyElements } from '@sconv/backend/runtime';
import { viewOf } from './elements.ts';
import type { EngineMemory } from './engine-types.ts';

/** An array passed for a buffer. */
export interface BufferArgument {
  readonly position: number;
  readonly parameter: Extract<ParameterSignature, { kind: 'buffer' }>;
  readonly elements: Elements;
  /** The address that the instance reserves for the parameter. */
  readonly place: number;
}

/** Addresses from `start` up to `end`. */
export interface Places {
  readonly start: number;
  readonly end: number;
}

/** An argument that is in memory. */
export interface PlacedArgument extends BufferArgument {
  readonly address: number;
  /** The elements at that address; `elements` itself if used in place. */
  readonly view: Elements;
}

const overlap = (a: Places, b: Places): boolean =>
  a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;

/** Address range within its buffer. */
const placesOf = ({ byteOffset, byteLength }: Elements): Places => ({
  start: byteOffset,
  end: byteOffset + byteLength,
});

const placeOf = ({ place, parameter }: BufferArgument): Places => ({
  start: place,
  end: place + byteLengthOf(parameter),
});

/** Whether an array can be used in place: it is in the memory `buffer`, but not among the allocations. */
export const standsIn = (elements: Elements, buffer: ArrayBufferLike, scratch: Places): boolean =>
  elements.buffer === buffer && !overlap(placesOf(elements), scratch);

/** The arguments to use in place. */
const findInPlace = (
  memory: EngineMemory,
  all: readonly BufferArgument[],
  scratch: Places,
): ReadonlySet<BufferArgument> => {
  const inPlace = new Set(all.filter(({ elements }) => standsIn(elements, memory.buffer, scratch)));
  // Copying an argument to its place may overwrite another argument, which then has to be copied as well.
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
 * Puts the arguments into memory. Throws a RangeError if the function may write one in the scratch memory, i.e. a
 * result of an earlier call.
 */
export const placeArguments = (
  memory: EngineMemory,
  name: string,
  all: readonly BufferArgument[],
  scratch: Places,
): readonly PlacedArgument[] => {
  for (const { elements, parameter, position } of all) {
    const isScratch = elements.buffer === memory.buffer && !standsIn(elements, memory.buffer, scratch);
    if (parameter.written && isScratch) {
      throw new RangeError(
        `argument ${position} of '${name}', which the function may write, stands in the memory of ` +
          'its allocations; pass a copy',
      );
    }
  }
  const inPlace = findInPlace(memory, all, scratch);
  // An array in the memory may be at another one's destination, so all are read before any is written.
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

/** Copies what the function has written back to the caller's arrays. */
export const copyBack = (placed: readonly PlacedArgument[]): void => {
  const written = placed.filter(({ parameter, view, elements }) => parameter.written && view !== elements);
  // An array in the memory may be in another one's place.
  const isMoved = written.some(({ elements, view }) => elements.buffer === view.buffer);
  const results = written.map(({ view }) => (isMoved ? view.slice() : view));
  written.forEach(({ elements }, i) => {
    copyElements(elements, results[i]!);
  });
};
