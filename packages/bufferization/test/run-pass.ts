/** Runs passes by name. */
import { unwrap } from '@sconv/diagnostics';
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, parseModule, printModule, runPipeline } from '@sconv/ir';
import { bufferizationInterfaces, passes } from '../src/index.ts';

export const registry = createRegistry(payloadDialects, bufferizationInterfaces);

/** Runs a pass on a module. */
export const run = (name: string, text: string, options: Readonly<Record<string, string>> = {}) => {
  const pass = passes.find(({ definition }) => definition.name === name)!;
  const payload = unwrap(parseModule(text, { registry }));
  return runPipeline(payload, [unwrap(pass.definition.fromText(options))], { registry });
};

/** The lines of the module, without the indentation of a function. */
export const made = (name: string, text: string, options?: Readonly<Record<string, string>>): string =>
  printModule(unwrap(run(name, text, options)), { registry })
    .split('\n')
    .slice(1, -2)
    .map((line) => line.slice(2))
    .join('\n');
