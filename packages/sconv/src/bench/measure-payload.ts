/** Measures a payload under one or two schedules, interleaved. */
import type { Diagnosed } from '@sconv/diagnostics';
import { andThen, collect, definite, error, mapSuccess } from '@sconv/diagnostics';
import type { SourceFile } from '../console.ts';
import type { Output } from '../run/check-result.ts';
import type { PreparedPayload, RunRequest } from '../run/run-payload.ts';
import { firstOutputs, preparePayload } from '../run/run-payload.ts';
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
interface PreparedSide extends ReadySide {
  readonly payload: PreparedPayload;
  readonly outputs: readonly Output[];
}

const prepareSide = async (
  request: PayloadBenchmark['request'],
  schedule: SourceFile | undefined,
): Promise<Diagnosed<PreparedSide>> =>
  andThen(await preparePayload({ ...request, schedule, check: false, repeat: 1, inputs: [] }), (payload) => {
    const { emulator } = payload.compiled;
    if (emulator !== undefined) {
      payload.compiled.dispose();
      const message = `${emulator} would run the payload, whose time says nothing`;
      return definite(error('bench/emulated', message, payload.signature.location));
    }
    return mapSuccess(firstOutputs(payload), (outputs) => {
      const { compiled, signature, values } = payload;
      return {
        name: schedule?.name ?? `plan for ${request.target.name}`,
        mix: mixOf(request.target),
        prepared: {
          call: () => compiled.run(signature.name, ...values),
          how: compiled.plans.map(({ plan }) => planText(plan)).join('; '),
        },
        payload,
        outputs,
      };
    });
  });

const elementsOf = ({ outputs }: PreparedSide): readonly unknown[] =>
  outputs.flatMap(({ value }) => (typeof value === 'object' ? [...(value as Iterable<unknown>)] : [value]));

/**
 * The row of a payload; its value is undefined if the signal came before all samples were taken. A schedule whose
 * results differ from the first one's goes to `failed`: arguments are small integers.
 */
export const measurePayload = async (
  { request, schedules }: PayloadBenchmark,
  options: SideOptions,
): Promise<Diagnosed<Row | undefined>> => {
  const prepared = collect(
    await Promise.all(schedules.map((schedule) => prepareSide(request, schedule))),
    (side) => side,
  );
  if (prepared.status !== 'success') return prepared;
  const [first] = prepared.value as readonly [PreparedSide, ...PreparedSide[]];
  const { multiplyAdds, signature } = first.payload;
  const { plans } = first.payload.compiled;
  const flop = multiplyAdds === undefined || multiplyAdds.total === 0 ? null : 2 * multiplyAdds.total;
  const expected = elementsOf(first);
  const compared = prepared.value.map((side, i) => ({
    // A schedule may be compared with itself.
    side: i > 0 && side.name === first.name ? { ...side, name: `${side.name} again` } : side,
    wrong: mismatches(expected, elementsOf(side)),
  }));
  const ready = compared.flatMap(({ side, wrong }) => (wrong === 0 ? [side] : []));
  const sides = await measureSides(ready, first.name, flop === null ? undefined : { flop }, options);
  for (const { payload } of prepared.value) payload.compiled.dispose();
  return mapSuccess(prepared, () =>
    sides === undefined
      ? undefined
      : {
          name: `${request.payload.name} @${signature.name}`,
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
