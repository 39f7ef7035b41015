/** Measures a payload under one or two schedules, interleaved. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess } from '@sconv/diagnostics';
import type { CompiledModule } from '../compile-module.ts';
import type { SourceFile } from '../console.ts';
import type { Output } from '../run/check-result.ts';
import type { PreparedPayload, RunRequest } from '../run/run-payload.ts';
import { firstOutputs, preparePayload } from '../run/run-payload.ts';
import { untilFailure } from '../run/until-failure.ts';
import type { Row } from './figures.ts';
import type { ReadySide, SideOptions } from './measure-sides.ts';
import { measureSides } from './measure-sides.ts';
import { mixOf, planText } from './ours.ts';
import { mismatches } from './workload.ts';

/** A payload and the schedules to compare; undefined is the target's own. */
export interface PayloadBenchmark {
  readonly request: Omit<RunRequest, 'schedule' | 'check' | 'repeat' | 'inputs'>;
  readonly schedules: readonly [SourceFile | undefined, ...(SourceFile | undefined)[]];
}

/** A payload compiled with a schedule, and the results of its first call. */
interface PreparedSide {
  readonly name: string;
  readonly payload: PreparedPayload;
  readonly outputs: readonly Output[];
}

/** Compiles a side; notes its artifact in `artifacts`, for the caller to dispose of. */
const prepareSide = async (
  request: PayloadBenchmark['request'],
  schedule: SourceFile | undefined,
  artifacts: CompiledModule[],
): Promise<Diagnosed<PreparedSide>> =>
  andThen(await preparePayload({ ...request, schedule, check: false, repeat: 1, inputs: [] }), (payload) => {
    artifacts.push(payload.compiled);
    const { emulator } = payload.compiled;
    if (emulator !== undefined) {
      const message = `${emulator} would run the payload, whose time says nothing`;
      return definite(error('bench/emulated', message, payload.signature.location));
    }
    const name = schedule?.name ?? `plan for ${request.target.name}`;
    return mapSuccess(firstOutputs(payload), (outputs) => ({ name, payload, outputs }));
  });

const elementsOf = ({ outputs }: PreparedSide): readonly unknown[] =>
  outputs.flatMap(({ value }) => (typeof value === 'object' ? [...(value as Iterable<unknown>)] : [value]));

/**
 * The row of a payload; its value is undefined if the signal came before all samples were taken. A schedule whose
 * results differ from the first one's goes to `failed`: arguments are small integers. Fails as the payload does, in any
 * call.
 */
export const measurePayload = async (
  { request, schedules }: PayloadBenchmark,
  options: SideOptions,
): Promise<Diagnosed<Row | undefined>> => {
  const artifacts: CompiledModule[] = [];
  try {
    const prepared = collect(
      await Promise.all(schedules.map((schedule) => prepareSide(request, schedule, artifacts))),
      (side) => side,
    );
    if (prepared.status !== 'success') return prepared;
    const row = await measurePrepared(request, prepared.value, options);
    return andThen(prepared, () => row);
  } finally {
    for (const artifact of artifacts) artifact.dispose();
  }
};

const measurePrepared = async (
  { payload: { name: fileName }, target }: PayloadBenchmark['request'],
  prepared: readonly PreparedSide[],
  options: SideOptions,
): Promise<Diagnosed<Row | undefined>> => {
  const [first] = prepared as readonly [PreparedSide, ...PreparedSide[]];
  const { multiplyAdds, signature } = first.payload;
  const { plans } = first.payload.compiled;
  const flop = multiplyAdds === undefined || multiplyAdds.total === 0 ? null : 2 * multiplyAdds.total;
  const expected = elementsOf(first);
  const compared = prepared.map((side, i) => ({
    // A schedule may be compared with itself.
    side: i > 0 && side.name === first.name ? { ...side, name: `${side.name} again` } : side,
    wrong: mismatches(expected, elementsOf(side)),
  }));
  const right = compared.flatMap(({ side, wrong }) => (wrong === 0 ? [side] : []));
  const measured = await untilFailure((calling) => {
    const ready = right.map(({ name, payload: { compiled, values } }): ReadySide => {
      const how = compiled.plans.map(({ plan }) => planText(plan)).join('; ');
      const call = calling(() => compiled.call(signature.name, ...values));
      return { name, mix: mixOf(target), prepared: { call, how } };
    });
    return measureSides(ready, first.name, flop === null ? undefined : { flop }, options);
  });
  return mapSuccess(measured, (sides) =>
    sides === undefined
      ? undefined
      : {
          name: `${fileName} @${signature.name}`,
          shape: plans.length === 1 ? plans[0]!.plan.shape : null,
          threads: 1,
          flop,
          flopPerByte: null,
          sides,
          failed: compared.flatMap(({ side: { name }, wrong }) =>
            wrong === 0 ? [] : [{ name, reason: `${wrong} elements are not those of ${first.name}` }],
          ),
        },
  );
};
