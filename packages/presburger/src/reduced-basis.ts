/** Bases in which a polytope is thin: lattice reduction by the scatter of its vertices. */
import { spend } from './budget.ts';
import type { Int } from './int.ts';
import { addInt, floorDivInt, mulInt, negInt } from './int.ts';
import type { Lattice } from './lattice.ts';
import { addScaled, fullLattice } from './lattice.ts';

/** A vertex as numerators over one denominator. */
export interface Vertex {
  readonly numerators: readonly Int[];
  readonly denominator: Int;
}

/**
 * New coordinates, the thinnest first, as the lattice of their points; undefined if the old ones are as good. A
 * coordinate is a vector of its values at the vertices: short vectors are thin directions, which the algorithm of A.
 * K. Lenstra, H. W. Lenstra and L. Lovász (1982) finds.
 */
export function reducedBasis(vertices: readonly Vertex[], size: number): Lattice | undefined {
  const vectors = valuesAtVertices(vertices, size);
  if (!vectors.every((vector) => vector.every(Number.isFinite))) return undefined;
  // Row operations on the forms are inverse column operations on the points: `columns` is the basis of the points.
  const columns = [...fullLattice(size).columns];
  const subtract = (target: number, source: number, factor: Int): void => {
    vectors[target] = vectors[target]!.map((value, i) => value - Number(factor) * vectors[source]![i]!);
    columns[source] = addScaled(columns[source]!, columns[target]!, factor);
  };
  const swap = (i: number, j: number): void => {
    [vectors[i], vectors[j]] = [vectors[j]!, vectors[i]!];
    [columns[i], columns[j]] = [columns[j]!, columns[i]!];
  };
  if (!reduce(vectors, subtract, swap)) return undefined;
  // Near the polytope, coordinates are small.
  const { numerators, denominator } = vertices[0]!;
  return { columns, offset: numerators.map((value) => floorDivInt(value, denominator)) };
}

/**
 * Each coordinate's part of its own: a few vertices may lie in a plane, across which the polytope looks thinner than
 * it is. It bounds the factors of one reduction; the next one knows more vertices.
 */
const ownPart = 0.05;

/** The coordinates at each vertex relative to the first one, with a small part of their own. */
function valuesAtVertices(vertices: readonly Vertex[], size: number): number[][] {
  const [origin, ...others] = vertices;
  const vectors = Array.from({ length: size }, (_, i) =>
    others.map(({ numerators, denominator }) => {
      const difference = addInt(
        mulInt(numerators[i]!, origin!.denominator),
        negInt(mulInt(origin!.numerators[i]!, denominator)),
      );
      return Number(difference) / Number(mulInt(denominator, origin!.denominator));
    }),
  );
  return vectors.map((vector, i) => {
    const mean = vector.reduce((sum, value) => sum + value, 0) / vertices.length;
    const centred = [-mean, ...vector.map((value) => value - mean)];
    const length = Math.hypot(...centred);
    return [...centred, ...Array.from({ length: size }, (_, j) => (i === j ? length * ownPart : 0))];
  });
}

/** Sweeps at most: rounding errors could make it swap forth and back. */
const mostSwaps = 400;

/** Makes the vectors short and nearly orthogonal, by integer operations that it reports; whether there were any. */
function reduce(
  vectors: readonly number[][],
  subtract: (target: number, source: number, factor: Int) => void,
  swap: (i: number, j: number) => void,
): boolean {
  let [swaps, isChanged] = [0, false];
  for (let k = 1; k < vectors.length;) {
    for (let j = k - 1; j >= 0; j--) {
      const { projections } = orthogonalized(vectors, k);
      const factor = Math.round(projections[j]!);
      // Squares beyond the range of numbers: what was done so far is of use.
      if (!Number.isFinite(factor)) return isChanged;
      if (factor === 0) continue;
      subtract(k, j, exactInt(factor));
      isChanged = true;
    }
    const { projections, lengths } = orthogonalized(vectors, k);
    const ratio = lengths[k]! + projections[k - 1]! ** 2 * lengths[k - 1]!;
    if (ratio >= 0.75 * lengths[k - 1]! || swaps >= mostSwaps) k += 1;
    else {
      swaps += 1;
      isChanged = true;
      swap(k, k - 1);
      k = Math.max(k - 1, 1);
    }
  }
  return isChanged;
}

const exactInt = (value: number): Int => (Number.isSafeInteger(value) ? value : BigInt(value));

/** Squares of the lengths of the first `k + 1` vectors without what they share with earlier ones; the shares of `k`. */
function orthogonalized(
  vectors: readonly number[][],
  k: number,
): { projections: number[]; lengths: number[] } {
  spend(((k + 1) * (k + 2) * vectors[0]!.length) / 2);
  const orthogonal: number[][] = [];
  const lengths: number[] = [];
  let projections: number[] = [];
  for (let i = 0; i <= k; i++) {
    let rest = vectors[i]!;
    projections = [];
    for (let j = 0; j < i; j++) {
      const share = lengths[j]! > 0 ? dot(rest, orthogonal[j]!) / lengths[j]! : 0;
      projections.push(share);
      rest = rest.map((value, at) => value - share * orthogonal[j]![at]!);
    }
    orthogonal.push(rest);
    lengths.push(dot(rest, rest));
  }
  return { projections, lengths };
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);
