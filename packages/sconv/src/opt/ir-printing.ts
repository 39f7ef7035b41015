/** `--mlir-print-ir-after-all` and its kin: the module after each pass, and after each step of a schedule. */
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { IrDump, IrPrinter } from '@sconv/ir';
import type { TraceNode, TraceObserver } from '@sconv/transform';
import { makeFolder, writeFile } from '../write-file.ts';

/** Files of a folder. */
export interface DumpFolder {
  readonly write: (dump: IrDump) => void;
  /** Fails where a file could not be written; after that, no more are. */
  readonly written: () => Diagnosed<undefined>;
}

/** Upstream names the folder after the anchor of the pass manager. */
const anchorFolder = 'builtin_module_no-symbol-name';

/** Writes to the files of a folder, which is made with the first one. */
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

/** Shows the payload after each op that a person's schedule runs, and after the stages of what it is expanded to. */
export const stepPrinter = ({ show }: IrPrinter): TraceObserver => ({
  leave: (node, module) => {
    const name = shownName(node);
    if (name !== undefined) show(node.status === 'success' ? name : `${name} Failed`, name, module);
  },
});

/** Under which name the payload is shown after a step or a group of steps; undefined if it is not. */
const shownName = (node: TraceNode): string | undefined => {
  if (node.kind === 'group') return node.role === 'stage' ? node.name : undefined;
  return node.expandedFrom === undefined ? node.operation.name : undefined;
};
