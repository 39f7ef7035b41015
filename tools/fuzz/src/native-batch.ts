/** Builds many functions as one native library, and compares what they do. */
import type { Artifact } from '@sconv/backend';
import { printLocation, render } from '@sconv/diagnostics';
import type { Diagnostic, Location } from '@sconv/diagnostics';
import { parseModule } from '@sconv/ir';
import { nativeBackend } from '@sconv/native';
import type { Target } from '@sconv/targets';
import { defaultRegistry as registry } from 'sconv';
import type { Fault } from './fault.ts';
import { rendered, thrownText } from './run-text.ts';

/** A module whose function `@f` is built natively. */
export interface NativeSubject {
  readonly text: string;
  /** Calls the function of this name; how its results differ from what they must be, undefined if they do not. */
  readonly differs: (artifact: Artifact, name: string) => string | undefined;
}

/** What is wrong with a subject. */
export interface NativeProblem<S> {
  readonly subject: S;
  readonly kind: Fault['kind'];
  readonly message: string;
}

/** The subjects as one module, each with symbols of its own. */
const together = (subjects: readonly NativeSubject[]): string =>
  subjects
    .map(({ text }, i) => text.replaceAll(/@([A-Za-z]\w*)/g, (_, name: string) => `@${name}_${i}`))
    .join('\n');

/** What differs of subjects that are built as one library; a library that cannot be built is built in halves. */
export const compareNatively = async <S extends NativeSubject>(
  subjects: readonly S[],
  target: Target,
): Promise<readonly NativeProblem<S>[]> => {
  if (subjects.length === 0) return [];
  const halves = async (): Promise<readonly NativeProblem<S>[]> => {
    const middle = subjects.length >> 1;
    return [
      ...(await compareNatively(subjects.slice(0, middle), target)),
      ...(await compareNatively(subjects.slice(middle), target)),
    ];
  };
  try {
    const parsed = parseModule(together(subjects), { registry });
    if (parsed.status !== 'success') throw new Error(rendered(parsed.diagnostics));
    const emitted = nativeBackend.emit(parsed.value, { target, registry });
    if (emitted.status !== 'success')
      return subjects.map((subject) => ({ subject, kind: 'native', message: rendered(emitted.diagnostics) }));
    const loaded = await nativeBackend.load(emitted.value);
    if (loaded.status !== 'success') {
      const [failure] = loaded.diagnostics;
      const at = functionAt(failure!, emitted.value.functions);
      if (subjects.length > 1 && at === undefined) return await halves();
      const bad = subjects[at ?? 0]!;
      const rest = subjects.filter((each) => each !== bad);
      return [
        { subject: bad, kind: 'native', message: render(failure!, undefined, { details: true }) },
        ...(await compareNatively(rest, target)),
      ];
    }
    const artifact = loaded.value;
    const problems = subjects.flatMap((subject, i): readonly NativeProblem<S>[] => {
      const message = subject.differs(artifact, `f_${i}`);
      return message === undefined ? [] : [{ subject, kind: 'result', message }];
    });
    artifact.dispose();
    return problems;
  } catch (thrown) {
    if (subjects.length > 1) return halves();
    return [{ subject: subjects[0]!, kind: 'throw', message: thrownText(thrown) }];
  }
};

/** The number of the function that a diagnostic is at; undefined for the first one, whose place any failure may have. */
const functionAt = (
  { location, message }: Diagnostic,
  functions: readonly { readonly name: string; readonly location: Location }[],
): number | undefined => {
  const found = functions.find((each) => printLocation(each.location) === printLocation(location));
  const at = found === undefined ? undefined : Number(/\d+$/.exec(found.name)?.[0]);
  return at === 0 && !message.includes(' on ') ? undefined : at;
};
