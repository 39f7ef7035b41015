/** Bytes of one vector access of the microkernel: the narrowest vectors of any target. */
const vectorBytes = 16;

/** Elements that the microkernel loads with one access. */
export const elementsOfVector = (elementBytes: number): number =>
  Math.max(1, Math.floor(vectorBytes / elementBytes));
