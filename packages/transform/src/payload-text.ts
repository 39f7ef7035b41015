/** For tests of transforms: small payloads, and what they consist of. */

/** Types of constants by the first letter of names that bodies need not define: `%c3`, `%i7`, `%f2`. */
const constants = { c: 'index', i: 'i32', f: 'f32' } as const;

const defined = (body: string): string =>
  [...new Set(body.match(/%[cif]\d+\b/g))]
    .map((name) => {
      const kind = name[1] as keyof typeof constants;
      return `  ${name} = arith.constant ${name.slice(2)}${kind === 'f' ? '.0' : ''} : ${constants[kind]}\n`;
    })
    .join('');

/**
 * A function `@f` of a signature and a body, as text. Its result is `%r`, unless the body has a `return`; constants are
 * defined where the body uses them.
 */
export const functionOf = (signature: string, body: string): string => {
  const [, result] = signature.split(/\) -> /);
  const end = /^\s*return\b/m.test(body)
    ? ''
    : result === undefined
      ? '\n  return'
      : `\n  return %r : ${result}`;
  return `func.func @f${signature} {\n${defined(body)}  ${body.trim()}${end}\n}`;
};

/** How often each operation stands in a text, but for constants and terminators: `2 extract, insert`. */
export const operationsIn = (text: string): string => {
  const counts = new Map<string, number>();
  for (const [, name] of text.matchAll(
    /(?<![#\w."])((?:affine|arith|bufferization|linalg|memref|scf|tensor|vector)\.[\w.]+)/g,
  )) {
    const short = name!.replace('vector.', '');
    if (!/constant$|yield$/.test(short)) counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(', ');
};
