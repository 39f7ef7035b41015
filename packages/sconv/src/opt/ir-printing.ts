/** `--mlir-print-ir-after-all` and its kin: the module after each pass, and after each stage of a schedule. */
import { join } from 'node:path';
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, success } from '@sconv/diagnostics';
import type { Module } from '@sconv/ir';
import { makeFolder, writeFile } from '../write-file.ts';

export interface IrPrinting {
  /** Where the changed module is compared with the one before. */
  readonly onlyChanged: boolean;
  /** A folder for files; undefined: `write`. */
  readonly folder: string | undefined;
  readonly write: (text: string) => void;
  readonly print: (module: Module) => string;
}

/** Shows modules as they come out of passes and stages. */
export interface IrPrinter {
  /** `title` heads the dump, `name` becomes part of the file's name. */
  readonly show: (title: string, name: string, module: Module) => void;
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
  return {
    written: () => written,
    show: (title, name, module) => {
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
    },
  };
};
