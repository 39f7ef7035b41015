/** Handles of transform scripts that an operation consumes, and what uses them afterwards. */
import type { SourceName, SourceOperation, TextRange } from '@sconv/ir';
import { isTransformOp } from '@sconv/transform';
import type { DocumentPart, MlirDocument } from './document.ts';

/** A handle that is consumed. */
export interface ConsumedHandle {
  readonly name: SourceName;
  readonly consumer: SourceOperation;
  /** Where the consumer names it. */
  readonly use: TextRange;
  /** Its uses by what runs after the consumer. */
  readonly laterUses: readonly TextRange[];
}

/** The handles that operations of a script consume, in the order of the text. */
export const consumedHandles = (
  { registry }: Pick<MlirDocument, 'registry'>,
  { source }: Pick<DocumentPart, 'source'>,
): readonly ConsumedHandle[] => {
  const found: ConsumedHandle[] = [];
  const visit = (operation: SourceOperation): void => {
    const definition = registry.operations.get(operation.name);
    if (operation.operation !== undefined && definition !== undefined && isTransformOp(definition)) {
      const { operands } = operation.operation;
      for (const position of new Set(definition.transform.consumed(operation.operation))) {
        const id = operands[position]?.id;
        const name = source.names.find(({ ids }) => id !== undefined && ids.includes(id));
        const use = name?.uses.find((each) => isIn(each, operation));
        if (name !== undefined && use !== undefined)
          found.push({ name, consumer: operation, use, laterUses: laterUses(name, operation) });
      }
    }
    operation.children.forEach(visit);
  };
  source.operations.forEach(visit);
  return found;
};

const isIn = ({ start }: TextRange, operation: TextRange): boolean =>
  operation.start <= start && start < operation.end;

/** What follows in the same block: alternatives and other regions may not run after it. */
const laterUses = (name: SourceName, consumer: SourceOperation): readonly TextRange[] => {
  const siblings = consumer.parent?.children ?? [];
  const later = siblings.slice(siblings.indexOf(consumer) + 1);
  return name.uses.filter((use) => later.some((operation) => isIn(use, operation)));
};
