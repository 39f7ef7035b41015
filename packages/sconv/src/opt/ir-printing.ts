/** `--mlir-print-ir-after-all` and related options: the module after each pass, and after each step of a schedule. */
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { IrDump, IrPrinter } from '@sconv/ir';
import type { TraceNode, TraceObserver } from '@sconv/transform';
import { makeFolder, writeFile } from '../write-file.ts';

/** Files of a folder. */
export interface DumpFolder {
  readonly write: (dump: IrDump) => void;
  /** Fails if a file could not be written; no further ones are attempted. */
  readonly written: () => Diagnosed<undefined>;
}

/** Upstream names the folder after the pass manager's anchor. */
const anchorFolder = 'builtin_module_no-symbol-name';

/** Writes to the files of a folder, created with the first one. */
export const createDumpFolder = (path: string): DumpFolder => {
  const folder = join(path, anchorFolder);
  let written: Diagnosed<undefined> = success(undefined);
  return {
    written: () => written,
    write: ({ number, name, text }) => {
      if (written.status !== 'success') return;
      written = andThen(makeFolder(folder), () => writeFile(join(folder, `${number}_${name}.mlir`), text));
    },
  };
};

/** Shows the payload after each op of the user's schedule, and after the stages that it expands to. */
export const stepPrinter = ({ show }: IrPrinter): TraceObserver => ({
  leave: (node, module) => {
    const name = shownName(node);
    if (name !== undefined) show(node.status === 'success' ? name : `${name} Failed`, name, module);
  },
});

/** The title under which the payload is shown after a step or group of steps; undefined if it is not. */
const shownName = (node: TraceNode): string | undefined => {
  if (node.kind === 'group') return node.role === 'stage' ? node.name : undefined;
  return node.expandedFrom === undefined ? node.operation.name : undefined;
};
