/** Chooses the form in which an operation is printed. */
import { printFormat } from './assembly-format-printer.ts';
import type { OpAsmPrinter } from './assembly.ts';
import { regionErrors } from './declaration-verifier.ts';
import type { OpDefinition } from './define-op.ts';
import type { Operation } from './operation.ts';
import type { Registry } from './registry.ts';
import { groupSizes } from './value-groups.ts';

/**
 * Prints what follows the operation's name in its custom form; returns false if it has none, is unregistered, or does
 * not match its declaration, and so must be printed in the generic form.
 */
export const printCustomForm = (printer: OpAsmPrinter, operation: Operation, registry: Registry): boolean => {
  const definition = registry.operations.get(operation.name);
  if (definition?.assembly === undefined || !hasCustomForm(definition, operation)) return false;
  const { assembly } = definition;
  if ('format' in assembly) printFormat(printer, operation, definition, assembly);
  else assembly.print(printer, operation);
  return true;
};

/** Whether `printCustomForm` can print it. */
export const hasCustomForm = (definition: OpDefinition | undefined, operation: Operation): boolean =>
  definition?.assembly !== undefined &&
  groupSizes(
    definition.operandSpecs,
    operation.operands.length,
    operation.attributes['operandSegmentSizes'],
  ) !== undefined &&
  groupSizes(definition.resultSpecs, operation.results.length, operation.attributes['resultSegmentSizes']) !==
    undefined &&
  regionErrors(definition, operation).next().done === true;
