/** Tables of ops that are declared, and whose effects on handles are known, but which do nothing. */
import { parseModule, printModule } from '@sconv/ir';
import { expect, it } from 'vitest';
import { parse, registry } from './support.ts';

/** A line as it is printed, and the numbers of the arguments that it consumes. */
export type Form = readonly [line: string, ...consumed: readonly number[]];

export const any = '!transform.any_op';
export const param = '!transform.test_dialect_param';

/** A sequence of two handles and a parameter, of which it may consume some. */
const around = (line: string, mayConsume: readonly number[]): string => {
  const inputs = [any, any, param].map(
    (type, i) => `%arg${i}: ${type} {transform.${mayConsume.includes(i) ? 'consumed' : 'readonly'}}`,
  );
  return `module attributes {transform.with_named_sequence} {
  transform.named_sequence @step(${inputs.join(', ')}) {
    ${line}
    transform.yield${' '}
  }
}
`;
};

/** What is wrong with a script. */
export const problemsIn = (script: string): string =>
  parseModule(script, { registry })
    .diagnostics.map(({ message }) => message)
    .join('\n');

/** What is wrong with a line of a sequence that may consume all arguments but those `kept`. */
export const problemsOf = (line: string, kept?: number): string =>
  problemsIn(
    around(
      line,
      [0, 1, 2].filter((i) => i !== kept),
    ),
  );

/** Each line is read, printed, and verified. */
export const testForms = (forms: readonly Form[]): void => {
  it.each(forms.map(([line, ...consumed]) => [line, consumed] as const))('%s', (line, consumed) => {
    const text = around(line, consumed);
    const script = parse(text);
    expect(printModule(script, { registry })).toBe(text);
    const generic = printModule(script, { registry, generic: true });
    expect(printModule(parse(generic), { registry })).toBe(text);
    const refused = [0, 1].filter((i) => problemsOf(line, i).includes(`argument #${i} is consumed`));
    expect(refused).toEqual(consumed);
  });
};
