/** The trace of a run beside its schedule, as an editor is told of it. */
import { dirname, join } from 'node:path';
import { utimesSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { hover, openDocument } from '@sconv/language';
import { languageRegistry as registry } from '../src/language-registry.ts';
import { lastRunFiles } from '../src/last-run-file.ts';
import { main } from '../src/sconv.ts';
import { capture, fileWith, payload } from './support/capture.ts';

const schedule = `module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %conv : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
`;

/** What is said of the first place of a name in the schedule. */
const said = (lastRun: ReturnType<typeof lastRunFiles>, uri: string, name: string): string => {
  const document = openDocument(schedule, { registry });
  const at = document.lines.positionAt(schedule.indexOf(name) + 1);
  return hover(document, at, lastRun(uri, schedule))!.markdown;
};

it('a trace beside a schedule says what handles stood for, until the schedule changes', async () => {
  const file = fileWith(schedule, 'mine.mlir');
  const uri = pathToFileURL(file).href;
  const lastRun = lastRunFiles();
  expect(said(lastRun, uri, '%conv')).not.toContain('In the last run');
  const { out } = await capture(main, 'explain', fileWith(payload()), '--schedule', file, '--json');
  const trace = join(dirname(file), 'mine.trace.json');
  writeFileSync(trace, out);
  expect(said(lastRun, uri, '%conv')).toContain(
    '- `%conv`: linalg.conv_2d_nchw_fchw; not valid any more from line 4 on',
  );
  expect(said(lastRun, uri, '%generic')).toMatch(/- `%generic`: linalg\.generic$/);
  expect(lastRun(uri, `${schedule} `)).toBeUndefined();
  expect(lastRun('untitled:mine.mlir', schedule)).toBeUndefined();
  writeFileSync(trace, 'no trace');
  utimesSync(trace, 1, 1);
  expect(lastRun(uri, schedule)).toBeUndefined();
});
