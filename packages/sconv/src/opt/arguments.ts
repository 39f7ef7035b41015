/** The command line of `sconv-opt`, modelled on `mlir-opt`: options start with one dash or two. */
import { didYouMean } from '@sconv/diagnostics';
import { parsePassOptions } from '@sconv/ir';
import { passNames } from './passes.ts';

/** A pass and its options, from a command line or pipeline. */
export interface PassRequest {
  /** Name of an existing pass. */
  readonly name: string;
  /** As text, by name. */
  readonly options: Readonly<Record<string, string>>;
  /** The enclosing nested pipelines: `['func.func']`. */
  readonly anchors?: readonly string[];
}

export interface OptArguments {
  /** A path, or `-`. */
  readonly input: string;
  /** A path, or `-`. */
  readonly output: string;
  /** The passes on the command line, in order. */
  readonly passes: readonly PassRequest[];
  /** The text of `--pass-pipeline`. */
  readonly pipeline: string | undefined;
  /** The file of `-transform=`: a schedule for the whole payload. */
  readonly transform: string | undefined;
  readonly splitInput: boolean;
  readonly verifyDiagnostics: boolean;
  readonly verifyEach: boolean;
  readonly allowUnregisteredDialects: boolean;
  readonly implicitModule: boolean;
  readonly generic: boolean;
  readonly localScope: boolean;
  readonly debugInfo: boolean;
  readonly skipRegions: boolean;
  readonly printBeforeAll: boolean;
  readonly printAfterAll: boolean;
  readonly printAfterChange: boolean;
  readonly treeFolder: string | undefined;
  readonly timing: boolean;
}

/** A parsed command line, or what is wrong with it. */
export type ParsedArguments =
  | { readonly kind: 'run'; readonly values: OptArguments }
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'error'; readonly message: string };

type FlagField = {
  [K in keyof OptArguments]: OptArguments[K] extends boolean ? K : never;
}[keyof OptArguments];
type ValueField = 'output' | 'pipeline' | 'transform' | 'treeFolder';

type Option = { readonly help: string } & (
  | { readonly field: FlagField; readonly negated?: true }
  | { readonly field: ValueField; readonly placeholder: string }
);

const options: Readonly<Record<string, Option>> = {
  o: { field: 'output', placeholder: 'FILE', help: 'write the result to a file' },
  transform: {
    field: 'transform',
    placeholder: 'FILE',
    help: 'apply the schedule of another file to the payload',
  },
  'pass-pipeline': {
    field: 'pipeline',
    placeholder: 'TEXT',
    help: "the passes to run, as in 'builtin.module(transform-interpreter)'",
  },
  'split-input-file': { field: 'splitInput', help: 'process the parts between // ----- separately' },
  'verify-diagnostics': {
    field: 'verifyDiagnostics',
    help: 'compare diagnostics with the expected-* comments of the input',
  },
  'verify-each': { field: 'verifyEach', help: 'verify after each pass (default: true)' },
  'allow-unregistered-dialect': {
    field: 'allowUnregisteredDialects',
    help: 'accept operations of unknown dialects',
  },
  'no-implicit-module': {
    field: 'implicitModule',
    negated: true,
    help: 'do not put a module around the input',
  },
  'mlir-print-op-generic': { field: 'generic', help: 'print the generic form' },
  'mlir-print-local-scope': { field: 'localScope', help: 'print without aliases' },
  'mlir-print-debuginfo': { field: 'debugInfo', help: 'print locations' },
  'mlir-print-skip-regions': { field: 'skipRegions', help: 'print regions as {...}' },
  'mlir-print-ir-before-all': {
    field: 'printBeforeAll',
    help: 'print the IR before each pass, to stderr',
  },
  'mlir-print-ir-after-all': {
    field: 'printAfterAll',
    help: 'print the IR after each pass and each step of a schedule, to stderr',
  },
  'mlir-print-ir-after-change': {
    field: 'printAfterChange',
    help: 'the same, where the IR has changed',
  },
  'mlir-print-ir-tree-dir': {
    field: 'treeFolder',
    placeholder: 'DIR',
    help: 'print that IR to files in a folder',
  },
  'mlir-timing': { field: 'timing', help: 'show how long each part took' },
};

const defaults: OptArguments = {
  input: '-',
  output: '-',
  passes: [],
  pipeline: undefined,
  transform: undefined,
  splitInput: false,
  verifyDiagnostics: false,
  verifyEach: true,
  allowUnregisteredDialects: false,
  implicitModule: true,
  generic: false,
  localScope: false,
  debugInfo: false,
  skipRegions: false,
  printBeforeAll: false,
  printAfterAll: false,
  printAfterChange: false,
  treeFolder: undefined,
  timing: false,
};

const flagValues: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

export const parseArguments = (words: readonly string[]): ParsedArguments => {
  const values: { -readonly [K in keyof OptArguments]: OptArguments[K] } = { ...defaults };
  const inputs: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === '-' || !word.startsWith('-')) {
      inputs.push(word);
      continue;
    }
    const [, name = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === 'help' || name === 'h') return { kind: 'help' };
    if (name === 'version') return { kind: 'version' };
    if (passNames.includes(name)) {
      values.passes = [...values.passes, { name, options: parsePassOptions(value ?? '') }];
      continue;
    }
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) return unknownOption(name);
    if ('placeholder' in option) {
      const given = value ?? words[++i];
      if (given === undefined)
        return { kind: 'error', message: `${name.length === 1 ? '-' : '--'}${name} needs a value` };
      values[option.field] = given;
      continue;
    }
    const flag = flagValues[value ?? 'true'];
    if (flag === undefined) return { kind: 'error', message: `--${name} is true or false, not '${value!}'` };
    values[option.field] = option.negated === true ? !flag : flag;
  }
  if (inputs.length > 1) return { kind: 'error', message: `one input file, not ${inputs.length}` };
  return checked({ ...values, input: inputs[0] ?? '-' });
};

/** Refuses contradictory options. */
const checked = (values: OptArguments): ParsedArguments => {
  const ways = [values.pipeline, values.transform, values.passes[0]].filter((way) => way !== undefined);
  if (ways.length > 1) {
    return { kind: 'error', message: 'give only one of passes, --pass-pipeline and -transform' };
  }
  const { treeFolder, printBeforeAll, printAfterAll, printAfterChange } = values;
  if (treeFolder !== undefined && !printBeforeAll && !printAfterAll && !printAfterChange) {
    const message =
      '--mlir-print-ir-tree-dir requires --mlir-print-ir-before-all, --mlir-print-ir-after-all or ' +
      '--mlir-print-ir-after-change';
    return { kind: 'error', message };
  }
  return { kind: 'run', values };
};

const unknownOption = (name: string): ParsedArguments => {
  const hint = didYouMean(
    `--${name}`,
    [...Object.keys(options), ...passNames].map((each) => `--${each}`),
  );
  return { kind: 'error', message: `unknown option --${name}${hint}` };
};

/** The part of the help that lists the options; `passes` are additional lines. */
export const optionsHelp = (): string => {
  const lines = Object.entries(options).map(([name, option]) => {
    const dashed = name.length === 1 ? `-${name}` : `--${name}`;
    const usage = 'placeholder' in option ? `${dashed}=${option.placeholder}` : dashed;
    return `  ${usage.padEnd(40)}${option.help}`;
  });
  return lines.join('\n');
};
