/** The registry of the language server. */
import { payloadDialects } from '@sconv/dialects';
import type { Registry } from '@sconv/ir';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { transformDialect, transformDialectOf } from '@sconv/transform';
import { transformOps } from './transform-ops.ts';

/**
 * Every operation that `defaultRegistry` has, without passes and the interfaces that they use: a server reads, checks
 * and formats, and runs nothing. So its bundle needs a quarter of the code, and starts in half of the time.
 */
export const languageRegistry: Registry = extendRegistry(
  createRegistry([...payloadDialects, transformDialect]),
  [transformDialectOf(transformOps)],
);
