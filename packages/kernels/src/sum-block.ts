/**
 * The block of sums that stays in registers across a reduction: several vectors along one dimension of the output, the
 * lanes, by several points of another, the rows. An operand that is the same for all rows, or all vectors, is loaded
 * once for them.
 *
 *     for each block:  sums = output
 *       for each step:  sums = body(inputs, sums)
 *       output = sums
 */

/** An input that the sums are made of. */
export interface SumInput {
  /** What loading it for a vector of sums costs, in instructions; or its element, if that is the same for all lanes. */
  readonly cost: number;
  /** Whether it differs from vector to vector. */
  readonly alongLanes: boolean;
  /** Whether it differs from row to row, by dimension. */
  readonly along: readonly boolean[];
}

/** Sums to divide into blocks. */
export interface SumSpace {
  /** Results along the lanes. */
  readonly lanes: number;
  /** Instructions on a vector in each step, apart from loads. */
  readonly arithmetic: number;
  readonly inputs: readonly SumInput[];
  /** The extents of the dimensions that rows may be of, by dimension. */
  readonly rows: ReadonlyMap<number, number>;
}

/** What computes them. */
export interface SumUnit {
  /** Elements of a vector. */
  readonly lanes: number;
  /** How many sums fit into the registers beside what a step loads, in blocks of so many vectors. */
  readonly sumsBeside: (vectors: number) => number;
  /** How many vectors a block has at most; absent: as many as fit. */
  readonly mostVectors?: number;
  /** What each row costs in a step besides: its addresses, if they are no part of loads. */
  readonly rowCost: number;
  /** The instructions that it takes in the time from one addition to a sum to the next. */
  readonly latency: number;
}

/** A block of sums: `vectors` by `rows` of a dimension, which is undefined for a single row. */
export interface SumBlock {
  readonly dimension: number | undefined;
  readonly vectors: number;
  readonly rows: number;
}

/** `count` blocks of `points` points of a dimension, from `first` on. */
export interface BlockPart {
  readonly first: number;
  readonly points: number;
  readonly count: number;
}

/** Cost of a step besides loads and arithmetic: pointers and the branch. */
const overhead = 3;

/** Whole blocks of a dimension, then the rest as a smaller one. */
export const blockParts = (extent: number, points: number): readonly BlockPart[] => {
  const [count, rest] = [Math.floor(extent / points), extent % points];
  return [
    ...(count === 0 ? [] : [{ first: 0, points, count }]),
    ...(rest === 0 ? [] : [{ first: count * points, points: rest, count: 1 }]),
  ];
};

/** The block with the fewest instructions for all sums; the first of equal ones, a single row before others. */
export const sumBlock = (space: SumSpace, unit: SumUnit): SumBlock => {
  let best: SumBlock = { dimension: undefined, vectors: 1, rows: 1 };
  let least = Infinity;
  const most = Math.min(unit.mostVectors ?? unit.sumsBeside(1), Math.ceil(space.lanes / unit.lanes));
  for (const [dimension, extent] of [[undefined, 1] as const, ...space.rows]) {
    for (let vectors = 1; vectors <= most; vectors++) {
      const rows = Math.min(Math.floor(unit.sumsBeside(vectors) / vectors), extent);
      if (rows < 1) break;
      const block = { dimension, vectors, rows };
      const cost = costOf(space, unit, block, extent) / extent;
      if (cost < least) [best, least] = [block, cost];
    }
  }
  return best;
};

/** Instructions of one step of all blocks. */
const costOf = (
  { lanes, arithmetic, inputs }: SumSpace,
  unit: SumUnit,
  { dimension, vectors, rows }: SumBlock,
  extent: number,
): number => {
  let cost = 0;
  for (const ofLanes of blockParts(lanes, vectors * unit.lanes)) {
    const width = Math.ceil(ofLanes.points / unit.lanes);
    for (const ofRows of blockParts(extent, rows)) {
      let step = (arithmetic * width + unit.rowCost) * ofRows.points;
      for (const input of inputs) {
        const isMoving = dimension !== undefined && input.along[dimension] === true;
        step += input.cost * (input.alongLanes ? width : 1) * (isMoving ? ofRows.points : 1);
      }
      cost += ofLanes.count * ofRows.count * (Math.max(step, unit.latency) + overhead);
    }
  }
  return cost;
};
