/** Schemes as text. */
import type { Scheme, Specifier } from './scheme.ts';

/**
 * The canonical text, outermost first: `[T(k,16), lambda(h; b; [(2,11),(1,12)]), T(c,256), U(h,b), U(k,2), V(k,16)]`.
 * `parseScheme` reads it; schemes of the same text are equal.
 */
export const printScheme = (scheme: Scheme): string => `[${scheme.map(specifierText).join(', ')}]`;

const specifierText = (specifier: Specifier): string => {
  switch (specifier.kind) {
    case 'R':
      return `R(${specifier.dimension})`;
    case 'T':
    case 'U':
    case 'V':
      return `${specifier.kind}(${specifier.dimension},${specifier.count})`;
    case 'lambda': {
      const parts = specifier.parts.map(({ count, size }) => `(${count},${size})`);
      return `lambda(${specifier.dimension}; ${specifier.variable}; [${parts.join(',')}])`;
    }
    case 'Seq': {
      const parts = specifier.parts.map(({ count, scheme }) => `(${count}, ${printScheme(scheme)})`);
      return `Seq(${specifier.dimension}; [${parts.join(', ')}])`;
    }
    case 'P':
      return `P(${specifier.operand})`;
  }
};
