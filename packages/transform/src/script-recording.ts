/** A script during recording: its named sequences. */
import type { Location } from '@sconv/diagnostics';
import { DiagnosticError, error } from '@sconv/diagnostics';
import type { DraftOperation, Rewriter, Type } from '@sconv/ir';
import {
  arrayAttribute,
  dictionaryAttribute,
  functionType,
  typeAttribute,
  typeEquals,
  unitAttribute,
} from '@sconv/ir';
import { callSite } from './call-site.ts';
import type { ScriptValue } from './handle.ts';
import type { NamedSequence } from './named-sequence.ts';
import { namedSequence } from './named-sequence.ts';
import { ScheduleRecorder } from './recorder.ts';
import { entryPoint } from './script.ts';
import type { Yielded } from './yields.ts';

/** A sequence in a script. */
export interface RecordedSequence {
  /** The types of its parameters. */
  readonly types: readonly Type[];
  /** Which parameters it consumes. */
  readonly consumes: readonly boolean[];
  readonly form: Yielded['form'];
  readonly resultTypes: readonly Type[];
}

/** An included sequence; not yet recorded while its callback runs. */
interface IncludedSequence {
  readonly source: NamedSequence;
  readonly recorded: RecordedSequence | undefined;
}

/** Appends sequences to a script's module. */
export class ScriptRecording {
  readonly rewriter: Rewriter;
  /** The entry point; included sequences are inserted before it. */
  private main: DraftOperation | undefined;
  /** By name. */
  private readonly sequences = new Map<string, IncludedSequence>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /** Records a sequence with parameters of these types; `record` receives its recorder, and returns what it yields. */
  sequence<Root extends string>(
    name: string,
    types: readonly Type[],
    location: Location,
    record: (recorder: ScheduleRecorder<Root>, values: readonly ScriptValue[]) => unknown,
    place: string,
  ): RecordedSequence {
    const { rewriter } = this;
    if (this.main === undefined) rewriter.setInsertionPointToEnd(rewriter.root.regions[0]!.blocks[0]!);
    else rewriter.setInsertionPointBefore(this.main);
    const state = namedSequence.definition.state<Rewriter>({
      attributes: { symName: name, functionType: functionType(types, []) },
      location,
    });
    const operation = rewriter.create(state);
    const isMain = this.main === undefined;
    this.main ??= operation;
    const block = rewriter.createBlock(rewriter.createRegion(operation), types);
    const recorder = new ScheduleRecorder<Root>(this, block);
    const { form, values } = recorder.yielded(
      record(
        recorder,
        block.arguments.map((value) => recorder.handle(value)),
      ),
      place,
    );
    recorder.terminate(values, location);
    const resultTypes = values.map(({ value }) => value.type);
    rewriter.setAttribute(operation, 'function_type', typeAttribute(functionType(types, resultTypes)));
    const consumes = recorder.consumedArguments;
    // Upstream requires it for included sequences.
    if (!isMain && types.length > 0) {
      const effects = consumes.map((each) => `transform.${each ? 'consumed' : 'readonly'}`);
      rewriter.setAttribute(
        operation,
        'arg_attrs',
        arrayAttribute(effects.map((effect) => dictionaryAttribute({ [effect]: unitAttribute }))),
      );
    }
    return { types, consumes, form, resultTypes };
  }

  /**
   * The sequence as recorded in this script, with the parameter types of its first include. Throws `DiagnosticError`
   * (`schedule/sequence`) if it includes itself, for two sequences with one name, and for other parameter types.
   */
  include(source: NamedSequence, types: readonly Type[]): RecordedSequence {
    const { name, location } = source;
    const known = this.sequences.get(name);
    if (name === entryPoint || (known !== undefined && known.source !== source)) {
      throw refused(`there are two sequences of the name '${name}'`, known?.source);
    }
    if (known === undefined) {
      this.sequences.set(name, { source, recorded: undefined });
      const recorded = this.sequence(
        name,
        types,
        location,
        (_, values) => source.record(...values),
        `the sequence '${name}'`,
      );
      this.sequences.set(name, { source, recorded });
      return recorded;
    }
    const { recorded } = known;
    if (recorded === undefined) throw refused(`the sequence '${name}' includes itself`, source);
    const isSame =
      types.length === recorded.types.length &&
      types.every((type, i) => typeEquals(type, recorded.types[i]!));
    if (isSame) return recorded;
    throw refused(`the sequence '${name}' was included with parameters of other types before`, source);
  }
}

const refused = (message: string, known: NamedSequence | undefined): DiagnosticError => {
  const notes = known === undefined ? [] : [{ message: 'declared here', location: known.location }];
  return new DiagnosticError([error('schedule/sequence', message, callSite(), notes)]);
};
