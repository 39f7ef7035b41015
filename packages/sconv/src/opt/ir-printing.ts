/** `--mlir-print-ir-after-all` and its kin: the module after each pass, and after each step of a schedule. */
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import type { TraceNode, TraceObserver } from '@sconv/transform';
import { makeFolder, writeFile } from '../write-file.ts';

export interface IrPrinting {
  /** Where the changed module is compared with the one before. */
  readonly onlyChanged: boolean;
  /** A folder for files; undefined: `write`. */
  readonly folder: string | undefined;
  readonly write: (text: string) => void;
  readonly print: (module: Module) => string;
}

/** Shows modules as they come out of passes and of the steps of schedules. */
export interface IrPrinter {
  /** `title` heads the dump, `name` becomes part of the file's name. */
  readonly show: (title: string, name: string, module: Module) => void;
  /** Shows the payload after each op that a person's schedule runs, and after the stages of what it is expanded to. */
  readonly trace: TraceObserver;
  /** Fails where a file could not be written; after that, no more are. */
  readonly written: () => Diagnosed<undefined>;
}

/** Upstream names the folder after the anchor of the pass manager. */
const anchorFolder = 'builtin_module_no-symbol-name';

/** A printer that starts from `initial`. */
export const createIrPrinter = (initial: Module, options: IrPrinting): IrPrinter => {
  let before = initial;
  let count = 0;
  let written: Diagnosed<undefined> = success(undefined);
  const show: IrPrinter['show'] = (title, name, module) => {
    // A module is a value: one that did not change is the same object.
    const isSame = module === before;
    before = module;
    if (options.onlyChanged && isSame) return;
    const text = `// -----// IR Dump After ${title} //----- //\n${options.print(module)}\n\n`;
    if (options.folder === undefined) {
      options.write(text);
      return;
    }
    if (written.status !== 'success') return;
    const folder = join(options.folder, anchorFolder);
    written = andThen(makeFolder(folder), () => writeFile(join(folder, `${count}_${name}.mlir`), text));
    count += 1;
  };
  const leave: NonNullable<TraceObserver['leave']> = (node, module) => {
    const name = shownName(node);
    if (name !== undefined) show(node.status === 'success' ? name : `${name} Failed`, name, module);
  };
  return { written: () => written, show, trace: { leave } };
};

/** Under which name the payload is shown after a step or a group of steps; undefined if it is not. */
const shownName = (node: TraceNode): string | undefined => {
  if (node.kind === 'group') return node.role === 'stage' ? node.name : undefined;
  return node.expandedFrom === undefined ? node.operation.name : undefined;
};
