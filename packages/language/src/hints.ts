/** What is shown between the characters of a transform script: where handles are consumed; and what can be run. */
import { entryPoint, promisedName } from '@sconv/transform';
import { consumedHandles } from './consumed-handles.ts';
import type { MlirDocument } from './document.ts';
import { rangeOf } from './document.ts';
import type { Position, Range } from './position.ts';

/** A text that is shown at a position, without being part of the document. */
export interface InlayHint {
  readonly position: Position;
  readonly label: string;
  readonly tooltip: string;
}

/** For each handle what it stands for, where its type does not say so; and where it is consumed. */
export const inlayHints = (document: MlirDocument): readonly InlayHint[] =>
  document.parts.flatMap((part) => {
    const endOf = (range: { readonly start: number; readonly end: number }): Position =>
      rangeOf(document, part, range).end;
    const matched = part.source.names.flatMap(({ definition, operation, types: [type] }) => {
      if (definition === undefined || operation?.operation === undefined || type === undefined) return [];
      if (!isHandle(type) || promisedName(type) !== undefined) return [];
      const names = operation.operation.attributes['ops'];
      if (names?.kind !== 'array') return [];
      const listed = names.elements.flatMap((name) => (name.kind === 'string' ? [name.value] : []));
      if (listed.length === 0) return [];
      return [
        {
          position: endOf(definition),
          label: `: ${listed.join(' | ')}`,
          tooltip: 'What the handle stands for',
        },
      ];
    });
    const consumed = consumedHandles(document, part).map(({ use, consumer }) => ({
      position: endOf(use),
      label: 'consumed',
      tooltip: `'${consumer.name}' replaces or erases what it stands for: it must not be used afterwards`,
    }));
    return [...matched, ...consumed];
  });

const isHandle = (type: { readonly kind: string; readonly dialect?: string }): boolean =>
  type.kind === 'dialect' && type.dialect === 'transform';

/** An action that is offered above a line. */
export interface CodeLens {
  readonly range: Range;
  readonly title: string;
  /** `sconv.run` or `sconv.step`; the client runs it. */
  readonly command: string;
  /** The symbol of the schedule. */
  readonly symbol: string;
}

/** "Run" and "step" above the named sequence that running a schedule begins with. */
export const codeLenses = (document: MlirDocument): readonly CodeLens[] =>
  document.parts.flatMap((part) =>
    part.symbols.names.flatMap(({ name, definition, operation }) => {
      if (definition === undefined || operation?.name !== 'transform.named_sequence') return [];
      if (name !== `@${entryPoint}`) return [];
      const range = rangeOf(document, part, operation.nameRange);
      return [
        { range, title: 'Run this schedule', command: 'sconv.run', symbol: name },
        { range, title: 'Step through this schedule', command: 'sconv.step', symbol: name },
      ];
    }),
  );
