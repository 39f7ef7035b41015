/** Instruments pipelines: prints the IR after passes, and measures their time. */
import { expectModule } from './check-module.ts';
import { expectFunction } from '@sconv/diagnostics';
import type { Module } from './operation.ts';
import type { Pass, PassRun } from './pass.ts';

/** A module after a pass, after a part of one, or before the first. */
export interface IrDump {
  /** From 0. */
  readonly number: number;
  /** Of the pass. */
  readonly name: string;
  /** Under a header line that names the pass, as `mlir-opt` prints it. */
  readonly text: string;
}

/** When IR is printed around passes, as by the `--mlir-print-ir-…` options. */
export interface IrPrinting {
  /** Skips modules equal to the previous one; false by default. */
  readonly onlyChanges?: boolean;
  readonly print: (module: Module) => string;
  readonly write: (dump: IrDump) => void;
}

/** Prints modules after passes. */
export interface IrPrinter {
  /** `title` is the header of the text. */
  readonly show: (title: string, name: string, module: Module) => void;
  /** For `PipelineOptions.onBeforePass`: keeps the module, whatever happens to it. */
  readonly beforePass: (pass: Pass, module: Module) => void;
  /** For `PipelineOptions.onAfterPass`. */
  readonly afterPass: (run: PassRun) => void;
}

/** A printer for the pipeline that starts with `initial`. */
export const createIrPrinter = (
  initial: Module,
  { onlyChanges = false, print, write }: IrPrinting,
): IrPrinter => {
  expectModule('what is printed first', initial);
  let before = initial.root;
  let number = 0;
  const dump = (when: string, name: string, module: Module): void => {
    write({
      number: number++,
      name,
      text: `// -----// IR Dump ${when} //----- //\n${print(module)}\n\n`,
    });
  };
  const show: IrPrinter['show'] = (title, name, module) => {
    // A module is a value: an unchanged one has the same root.
    const isSame = module.root === before;
    before = module.root;
    if (onlyChanges && isSame) return;
    dump(`After ${title}`, name, module);
  };
  return {
    show,
    beforePass: (pass, module) => {
      dump(`Before ${fullName(pass)}`, pass.name, module);
    },
    afterPass: ({ pass, before: given, after }) => {
      const full = fullName(pass);
      if (after !== undefined) show(full, pass.name, after);
      else if (!onlyChanges) show(`${full} Failed`, pass.name, given);
    },
  };
};

const fullName = ({ name, title = name }: Pass): string => (title === name ? name : `${title} (${name})`);

/** Sums wall time by name, in order of first occurrence. */
export interface Timing {
  readonly time: <T>(name: string, work: () => T) => T;
  /** For `PipelineOptions.onAfterPass`. */
  readonly afterPass: (run: PassRun) => void;
  /** The report, in upstream's format. */
  readonly report: () => string;
}

const rule = `===-${'-'.repeat(73)}-===`;
const heading = '... Execution time report ...';

/** Starts measuring, with a clock in milliseconds. */
export const createTiming = (now: () => number = Date.now): Timing => {
  expectFunction('a clock as a function', now);
  const start = now();
  const spent = new Map<string, number>();
  const add = (name: string, milliseconds: number): void => {
    spent.set(name, (spent.get(name) ?? 0) + milliseconds);
  };
  return {
    time: (name, work) => {
      const from = now();
      try {
        return work();
      } finally {
        add(name, now() - from);
      }
    },
    afterPass: ({ pass: { name, title = name }, milliseconds }) => {
      add(title, milliseconds);
    },
    report: () => {
      const total = now() - start;
      const rest = total - [...spent.values()].reduce((sum, each) => sum + each, 0);
      const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(4);
      const line = ([name, each]: readonly [string, number]) => {
        const share = total === 0 ? 100 : (100 * each) / total;
        return `  ${seconds(each).padStart(8)} (${share.toFixed(1).padStart(5)}%)  ${name}`;
      };
      return [
        rule,
        `${' '.repeat((rule.length - heading.length) / 2)}${heading}`,
        rule,
        `  Total Execution Time: ${seconds(total)} seconds`,
        '',
        '  ----Wall Time----  ----Name----',
        ...[...spent].map(line),
        line(['Rest', rest]),
        line(['Total', total]),
        '',
      ].join('\n');
    },
  };
};
