/** The work of `sconv-opt`: parse, run passes, verify, print. */
import type { Diagnosed, Diagnostic } from '@sconv/diagnostics';
import { andThen, collect, definite, error, fileLocation, mapSuccess, success } from '@sconv/diagnostics';
import type { IrPrinter, Module, PrintOptions, Timing } from '@sconv/ir';
import {
  children,
  createIrPrinter,
  createTiming,
  nestPass,
  parseModule,
  runPipeline,
  tryPrintModule,
  verify,
} from '@sconv/ir';
import { runSchedule } from '@sconv/transform';
import type { Console, SourceFile } from '../console.ts';
import { failed, readSource, reportAll } from '../console.ts';
import { writeFile } from '../write-file.ts';
import type { OptArguments, PassRequest } from './arguments.ts';
import { compareDiagnostics } from './expected-diagnostics.ts';
import type { DumpFolder } from './ir-printing.ts';
import { createDumpFolder, stepPrinter } from './ir-printing.ts';
import type { PassSession } from './passes.ts';
import { optRegistry, passesOf, readSchedule } from './passes.ts';
import { parsePipeline, pipelineFile } from './pipeline-text.ts';
import { separator, splitInput } from './split-input.ts';

/**
 * Warnings that `mlir-opt` does not give: a schedule embedded in its payload matches nothing on purpose. Those of a
 * schedule of another file are shown.
 */
const ownWarnings: ReadonlySet<string> = new Set([
  'transform/no-match',
  'vectorize-children/left',
  'split/beyond-extent',
  'tile/beyond-extent',
  'tile/idle-threads',
  'unroll/beyond-trip-count',
]);

/** Runs a parsed command line; returns the exit code. */
export const runOpt = (values: OptArguments, output: Console): number => new OptRun(values, output).run();

/** One run of the command, over all parts of its input. */
class OptRun {
  private readonly values: OptArguments;
  private readonly output: Console;
  private readonly timing: Timing = createTiming(() => performance.now());
  /** Everything that diagnostics can quote. */
  private readonly sources: SourceFile[] = [];

  constructor(values: OptArguments, output: Console) {
    this.values = values;
    this.output = output;
  }

  run(): number {
    const source = this.read(this.values.input);
    if (source.status !== 'success') return this.fail(source.diagnostics);
    const requests = this.requests();
    if (requests.status !== 'success') return this.fail(requests.diagnostics);
    const texts: string[] = [];
    let isGood = true;
    const { name, text } = source.value;
    for (const part of this.values.splitInput ? splitInput(text) : [text]) {
      const result = this.processPart({ name, text: part }, requests.value);
      if (result.status === 'success') texts.push(result.value);
      isGood = this.judge({ name, text: part }, result) && isGood;
    }
    if (this.values.timing) this.output.err(this.timing.report());
    const written = this.write(texts.join(`\n${separator}\n`), isGood);
    return isGood && written ? 0 : failed;
  }

  private fail(diagnostics: readonly Diagnostic[]): number {
    reportAll(this.output, diagnostics, this.sources);
    return failed;
  }

  private readonly read = (path: string): Diagnosed<SourceFile> =>
    andThen(readSource(path), (file) => {
      this.sources.push(file);
      return success(file);
    });

  private requests(): Diagnosed<readonly PassRequest[]> {
    const { pipeline, passes: named } = this.values;
    if (pipeline !== undefined) this.sources.push({ name: pipelineFile, text: pipeline });
    return pipeline === undefined ? success(named) : parsePipeline(pipeline);
  }

  /** Whether a part succeeded; reports it otherwise. */
  private judge(part: SourceFile, result: Diagnosed<string>): boolean {
    const said = result.diagnostics.filter(
      ({ code }) => this.values.transform !== undefined || !ownWarnings.has(code),
    );
    if (!this.values.verifyDiagnostics) {
      reportAll(this.output, said, this.sources);
      return result.status === 'success';
    }
    const problems = compareDiagnostics(part.text, part.name, said);
    reportAll(this.output, problems, this.sources);
    return problems.length === 0;
  }

  /** Writes no `-o` file if a part failed. */
  private write(text: string, isGood: boolean): boolean {
    if (this.values.output === '-') {
      this.output.out(text);
      return true;
    }
    if (!isGood) return false;
    const written = writeFile(this.values.output, text);
    reportAll(this.output, written.diagnostics, []);
    return written.status === 'success';
  }

  /** The text of one part after all passes. */
  private processPart(part: SourceFile, requests: readonly PassRequest[]): Diagnosed<string> {
    const { allowUnregisteredDialects, implicitModule, transform } = this.values;
    const parsed = this.timing.time('Parser', () =>
      parseModule(part.text, {
        registry: optRegistry,
        fileName: part.name,
        allowUnregisteredDialects,
        implicitModule,
      }),
    );
    return andThen(parsed, (module) => {
      const folder =
        this.values.treeFolder === undefined ? undefined : createDumpFolder(this.values.treeFolder);
      const printer = this.createPrinter(module, folder);
      const session: PassSession = {
        readFile: this.read,
        trace: this.printsAfter ? printer && stepPrinter(printer) : undefined,
        print: this.output.out,
        library: undefined,
      };
      const result =
        transform === undefined
          ? this.runPasses(module, requests, session, printer)
          : this.runTransform(part, module, transform, session);
      return andThen(result, (transformed) =>
        andThen(folder?.written() ?? success(undefined), () =>
          this.timing.time('Output', () => this.print(transformed, 'hexadecimal')),
        ),
      );
    });
  }

  /** A result is whole; what is only looked at lacks the bytes of resources. */
  private print(module: Module, resources: PrintOptions['resources'] = 'elided'): Diagnosed<string> {
    const { generic, localScope, debugInfo, skipRegions } = this.values;
    const registry = optRegistry;
    return tryPrintModule(module, { registry, generic, localScope, debugInfo, skipRegions, resources });
  }

  private createPrinter(module: Module, folder: DumpFolder | undefined): IrPrinter | undefined {
    const { printBeforeAll, printAfterAll, printAfterChange } = this.values;
    if (!printBeforeAll && !printAfterAll && !printAfterChange) return undefined;
    return createIrPrinter(module, {
      onlyChanges: printAfterChange,
      print: (each) => textOrReason(this.print(each)),
      write: (dump) => {
        if (folder === undefined) this.output.err(dump.text);
        else folder.write(dump);
      },
    });
  }

  private get printsAfter(): boolean {
    return this.values.printAfterAll || this.values.printAfterChange;
  }

  private runPasses(
    module: Module,
    requests: readonly PassRequest[],
    session: PassSession,
    printer: IrPrinter | undefined,
  ): Diagnosed<Module> {
    const { verifyEach, allowUnregisteredDialects, printBeforeAll } = this.values;
    const known = passesOf(session);
    const created = collect(requests, ({ name, options, anchors = [] }) =>
      // The pipeline's parser has refused passes that cannot be nested.
      mapSuccess(known.get(name)!.fromText(options), (pass) => nestPass(pass, anchors) ?? pass),
    );
    return andThen(created, (list) =>
      runPipeline(module, list, {
        registry: optRegistry,
        verifyEach,
        allowUnregisteredDialects,
        now: () => performance.now(),
        onBeforePass: (pass, before) => {
          if (printBeforeAll) printer?.beforePass(pass, before);
        },
        onAfterPass: (run) => {
          this.timing.afterPass(run);
          if (this.printsAfter) printer?.afterPass(run);
        },
      }),
    );
  }

  /** `-transform=FILE`: the reference tool's form, with schedule and payload in separate files. */
  private runTransform(
    part: SourceFile,
    module: Module,
    path: string,
    session: PassSession,
  ): Diagnosed<Module> {
    if (children(module.root).length === 0) {
      const message = 'the payload is empty: there is nothing to transform';
      return definite(error('sconv-opt/empty-payload', message, fileLocation(part.name, 1, 1)));
    }
    const script = this.timing.time('Parser', () => readSchedule(path, optRegistry, session));
    return andThen(script, (schedule) => {
      const { trace } = session;
      const options = { registry: optRegistry, ...(trace === undefined ? {} : { trace }) };
      const result = this.timing.time('Schedule', () => runSchedule(schedule, module, options));
      return andThen(result, ({ module: transformed }) => {
        const errors = this.verify(transformed);
        return errors.length > 0 ? definite(...errors) : success(transformed);
      });
    });
  }

  private verify(module: Module): readonly Diagnostic[] {
    if (!this.values.verifyEach) return [];
    const { allowUnregisteredDialects } = this.values;
    return this.timing.time('Verifier', () => verify(module, optRegistry, { allowUnregisteredDialects }));
  }
}

/** The text to show of a module: the reason where there is none, as a comment. */
const textOrReason = (text: Diagnosed<string>): string =>
  text.status === 'success' ? text.value : text.diagnostics.map(({ message }) => `// ${message}`).join('\n');
