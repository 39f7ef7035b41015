/** Formats values for messages to untyped callers. */

/** Longer texts and lists are elided. */
const longest = 60;

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** What a caller passed, in a few words on one line: `'avx2'`, `[2, 1]`, `target 'avx2'`, `an object`. */
export const describeValue = (value: unknown): string => described(value, deepest);

/** Lists nested deeper, as those that contain themselves, are not listed. */
const deepest = 4;

const described = (value: unknown, depth: number): string => {
  if (typeof value === 'string') return `'${shortened(value)}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) {
    if (depth === 0) return '[…]';
    // Each takes at least two letters.
    const first = Array.from(value.slice(0, longest), (each) => described(each, depth - 1));
    return shortened(`[${first.join(', ')}]`);
  }
  if (!('kind' in value) || typeof value.kind !== 'string') return 'an object';
  return 'name' in value && typeof value.name === 'string'
    ? `${value.kind} '${value.name}'`
    : `a ${value.kind}`;
};
