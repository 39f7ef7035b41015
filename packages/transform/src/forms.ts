/** Assembly formats shared by many transform ops. */
import type { Assembly } from '@sconv/ir';
import { directives } from './directives.ts';

/** `%handle : (type) -> types`. */
export const functional = (operand = 'target'): Assembly => ({
  format: `$${operand} attr-dict \`:\` functional-type(operands, results)`,
});

/** `%handle : type`. */
export const typed = (operand = 'target'): Assembly => ({
  format: `$${operand} attr-dict \`:\` type($${operand})`,
});

/** `to %handle : type`. */
export const typedTo: Assembly = { format: '`to` $target attr-dict `:` type($target)' };

/** `%handle : type`, or `%handle : (type) -> types` with results. */
export const semiFunctional = (operand: string, result: string): Assembly => ({
  format: `$${operand} attr-dict \`:\` custom<SemiFunctionType>(type($${operand}), type($${result}))`,
  directives,
});

/** `%handle : (type) -> type`, with a single type for all results. */
export const oneResultType = (...results: readonly string[]): Assembly => {
  const types = ['target', ...results].map((name) => `type($${name})`).join(', ');
  return { format: `$target attr-dict \`:\` custom<OneResultType>(${types})`, directives };
};
