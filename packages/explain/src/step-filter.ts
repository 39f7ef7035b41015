/** Which steps and which of their changes a person wants to see. */
import type { LineChange } from './changes.ts';
import type { OperationDocument, RunDocument } from './trace-document.ts';

/** Each part narrows what is shown; without any, all is. */
export interface StepFilter {
  /** Numbers of steps, from 1, as the explanation counts them: from, to. */
  readonly steps?: readonly [from: number, to: number];
  /** A name of payload operations, as in `scf.for` or `linalg.*`: steps that change such, and these changes only. */
  readonly op?: string;
  /** The symbol of a function: changes within it. */
  readonly function?: string;
}

/** Whether there is anything to filter by but the number. */
export const narrowsChanges = ({ op, function: symbol }: StepFilter): boolean =>
  op !== undefined || symbol !== undefined;

/** Selects changed lines of a run. */
export const changeFilter = (
  { operations }: Pick<RunDocument, 'operations'>,
  { op, function: symbol }: StepFilter,
): ((change: LineChange) => boolean) => {
  const known = new Map(operations.map((each) => [each.id, each]));
  const isNamed = namePattern(op);
  return ({ line }) => {
    const operation: OperationDocument | undefined = line.op === undefined ? undefined : known.get(line.op);
    if (operation === undefined) return op === undefined && symbol === undefined;
    return isNamed(operation.name) && (symbol === undefined || operation.function === symbol);
  };
};

const namePattern = (name: string | undefined): ((name: string) => boolean) => {
  if (name === undefined) return () => true;
  if (!name.endsWith('*')) return (other) => other === name;
  const start = name.slice(0, -1);
  return (other) => other.startsWith(start);
};
