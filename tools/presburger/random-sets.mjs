// @ts-check
/**
 * Random integer sets and relations in isl's syntax, of the classes that `isl-differential.mjs` draws from. The same
 * seed gives the same sets.
 */

/**
 * Bounds of a class.
 *
 * @typedef {{ readonly dims: number, readonly constraints: number, readonly divisions: number, readonly largest:
 * number }} SetClass
 */

/** @satisfies {Record<string, SetClass>} */
export const classes = {
  A: { dims: 4, constraints: 6, divisions: 2, largest: 100 },
  B: { dims: 6, constraints: 8, divisions: 0, largest: 1_000_000 },
  C: { dims: 6, constraints: 8, divisions: 4, largest: 1_000_000 },
};

/** Two sets of one space, one of them perhaps the other in other words, and the box that bounds what is counted. */
/** @typedef {{ readonly a: string, readonly b: string, readonly counted: string }} Case */

/**
 * Numbers from a seed: `below(n)` is an integer in [0, n).
 *
 * @param {number} seed
 */
export const randomFrom = (seed) => {
  let state = seed >>> 0;
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  return {
    below,
    /** Whether an event of this probability happens. */
    chance: (/** @type {number} */ probability) => next() < probability,
    /** A magnitude in [1, most], each number of digits alike. */
    magnitude: (/** @type {number} */ most) => Math.max(1, Math.round(most ** next())),
  };
};

/** @typedef {ReturnType<typeof randomFrom>} Random */

/**
 * @param {Random} random
 * @param {number} largest
 */
const coefficient = ({ chance, magnitude }, largest) => (chance(0.5) ? 1 : -1) * magnitude(largest);

/**
 * A sum of some of the variables and a constant.
 *
 * @param {Random} random
 * @param {readonly string[]} variables
 * @param {number} largest
 */
const sum = (random, variables, largest) => {
  const terms = variables
    .filter(() => random.chance(0.6))
    .map((name) => `${coefficient(random, largest)}*${name}`);
  return [...terms, String(coefficient(random, largest))].join(' + ');
};

/**
 * A conjunction, and what it says in other words.
 *
 * @param {Random} random
 * @param {readonly string[]} dims
 * @param {SetClass} bounds
 * @returns {{ readonly plain: string, readonly otherwise: string }}
 */
const conjunction = (random, dims, bounds) => {
  const { largest } = bounds;
  const divisions = Array.from({ length: random.below(bounds.divisions + 1) }, (_, i) => ({
    name: `e${i}`,
    dividend: sum(random, dims, largest),
    divisor: 1 + random.magnitude(largest),
  }));
  const variables = [...dims, ...divisions.map(({ name }) => name)];
  const count = 1 + random.below(bounds.constraints);
  /** @type {string[]} */
  const plain = [];
  /** @type {string[]} */
  const otherwise = [];
  for (const dim of dims) {
    if (plain.length + 1 >= count || random.chance(0.5)) continue;
    const lo = coefficient(random, largest);
    const hi = lo + random.magnitude(largest);
    plain.push(`${dim} >= ${lo}`, `${dim} <= ${hi}`);
    otherwise.push(`${lo - 1} < ${dim} < ${hi + 1}`);
  }
  while (plain.length < count) {
    const left = sum(random, variables, largest);
    if (random.chance(0.25)) {
      plain.push(`${left} = 0`);
      otherwise.push(`${left} >= 0 and ${left} <= 0`);
    } else {
      plain.push(`${left} >= 0`);
      otherwise.push(`2*(${left}) + 1 > 0`);
    }
  }
  const defined = divisions.map(({ name, dividend, divisor }) => `${name} = floor((${dividend})/${divisor})`);
  const bounded = divisions.map(
    ({ name, dividend, divisor }) => `0 <= ${dividend} - ${divisor}*${name} < ${divisor}`,
  );
  const exists = (/** @type {readonly string[]} */ names, /** @type {readonly string[]} */ body) =>
    names.length === 0 ? `(${body.join(' and ')})` : `(exists (${names.join(', ')} : ${body.join(' and ')}))`;
  return {
    plain: exists(defined, plain),
    otherwise: exists(
      divisions.map(({ name }) => name),
      [...bounded, ...otherwise],
    ),
  };
};

/**
 * A case of a class.
 *
 * @param {Random} random
 * @param {SetClass} bounds
 * @returns {Case}
 */
export const randomCase = (random, bounds) => {
  const dims = ['i', 'j', 'k', 'l', 'm', 'o'].slice(0, 1 + random.below(bounds.dims));
  const parameters = bounds.divisions > 0 && dims.length < 4 && random.chance(0.15) ? ['n'] : [];
  const inputs = random.chance(0.3) ? random.below(dims.length + 1) : 0;
  const tuple =
    inputs > 0 && inputs < dims.length
      ? `[${dims.slice(0, inputs).join(', ')}] -> [${dims.slice(inputs).join(', ')}]`
      : `[${dims.join(', ')}]`;
  const text = (/** @type {readonly string[]} */ disjuncts) =>
    `${parameters.length > 0 ? '[n] -> ' : ''}{ ${tuple} : ${disjuncts.join(' or ')} }`;
  const names = [...dims, ...parameters];
  const parts = Array.from({ length: 1 + (random.chance(0.3) ? 1 + random.below(2) : 0) }, () =>
    conjunction(random, names, bounds),
  );
  const plain = parts.map(({ plain: each }) => each);
  // One in two is the same set, or a part of it, so that answers of both kinds come up.
  const cut = sum(random, names, bounds.largest);
  const others = random.chance(0.5)
    ? [
        ...parts.slice(random.chance(0.3) ? 1 : 0).map(({ otherwise }) => otherwise),
        ...(random.chance(0.3) ? plain.map((each) => `(${each} and ${cut} >= 0)`) : []),
      ]
    : [conjunction(random, names, bounds).plain];
  const a = text(plain);
  const b = text(others.length > 0 ? others : plain.map((each) => `(${each} and ${cut} >= 0)`));
  // At most 10^6 points, and no parameters.
  const side = Math.floor(10 ** (6 / dims.length));
  const box = names.map((name) => `0 <= ${name} < ${parameters.includes(name) ? 1 : side}`).join(' and ');
  const bound = parameters.length > 0 ? 'n' : 'unused';
  const counted = `{ ${tuple} : exists (${bound} : (${plain.join(' or ')}) and ${box}) }`;
  return { a, b, counted };
};
