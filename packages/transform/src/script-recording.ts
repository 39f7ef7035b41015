/** A script while it is recorded: its named sequences. */
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
  /** Of its parameters. */
  readonly types: readonly Type[];
  /** Which of its parameters it consumes. */
  readonly consumes: readonly boolean[];
  readonly form: Yielded['form'];
  readonly resultTypes: readonly Type[];
}

/** A sequence that something includes; not yet recorded while its callback runs. */
interface IncludedSequence {
  readonly source: NamedSequence;
  readonly recorded: RecordedSequence | undefined;
}

/** Appends sequences to the module of a script. */
export class ScriptRecording {
  readonly rewriter: Rewriter;
  /** The entry point, before which the sequences stand that it includes. */
  private main: DraftOperation | undefined;
  /** By name. */
  private readonly sequences = new Map<string, IncludedSequence>();

  constructor(rewriter: Rewriter) {
    this.rewriter = rewriter;
  }

  /** Records a sequence that takes values of these types; `record` gets its recorder, and gives what it yields. */
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
    // Upstream wants to know it of what is included.
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
   * What a sequence is in this script, recorded with the parameters that it is first included with. Throws
   * `DiagnosticError` (`schedule/sequence`) for one that includes itself, for two of one name, and for other parameters.
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
