/** Classifies what ends an execution by the engines' messages: V8, SpiderMonkey and JavaScriptCore. */
import type { FunctionSignature } from '@sconv/backend';
import type { Diagnostic } from '@sconv/diagnostics';
import { error } from '@sconv/diagnostics';

/** The first match applies; the message is prefixed by the function's name. */
const reasons: readonly { readonly pattern: RegExp; readonly code: string; readonly message: string }[] = [
  {
    pattern: /(divi\w*|remainder) by zero/i,
    code: 'wasm/division-by-zero',
    message: 'divides an integer by zero',
  },
  {
    pattern: /divide result unrepresentable/i,
    code: 'wasm/overflow',
    message: 'divides the least integer by -1, which its type does not hold the negative of',
  },
  {
    pattern: /unrepresentable in integer range|invalid conversion to integer|out of bounds trunc/i,
    code: 'wasm/overflow',
    message: 'converts a number to an integer type that does not hold it',
  },
  {
    pattern: /integer overflow/i,
    code: 'wasm/overflow',
    message: 'divides or converts to an integer that its type does not hold',
  },
  { pattern: /out of bounds/i, code: 'wasm/out-of-bounds', message: 'accesses memory out of bounds' },
  { pattern: /call stack|recursion|stack overflow/i, code: 'wasm/call-depth', message: 'runs out of stack' },
];

/** The diagnostic for what a call has thrown; undefined if executing the code cannot throw it. */
export const trapDiagnostic = (
  thrown: unknown,
  { name, location }: Pick<FunctionSignature, 'name' | 'location'>,
): Diagnostic | undefined => {
  if (!(thrown instanceof Error)) return undefined;
  const isTrap = thrown instanceof WebAssembly.RuntimeError;
  const reason = reasons.find(({ pattern }) => pattern.test(thrown.message));
  if (!isTrap && reason?.code !== 'wasm/call-depth') return undefined;
  const { code, message } = reason ?? { code: 'wasm/trap', message: `is ended: ${thrown.message}` };
  return error(code, `@${name} ${message}`, location);
};
