/** What is shown of a step: changes, handles, what was said, pictures, and where operations come from. */
import type { DiagnosticDocument, LocationDocument } from '@sconv/diagnostics';
import { handleText } from '../src/handle-text.ts';
import { printLocationDocument } from '../src/location-document.ts';
import { outcome } from '../src/outcome.ts';
import type { HandleDocument } from '../src/trace-document.ts';
import { changeLines } from './change-lines.ts';
import { button, element, part, textBox } from './dom.ts';
import { loopNest } from './loop-nest.ts';
import type { RunView } from './run-view.ts';

export interface DetailOptions {
  /** Whether the whole payload is shown, and not only what is around changes. */
  readonly whole: boolean;
  /** The operation to tell about. */
  readonly operation: number | undefined;
  readonly onOperation: (operation: number) => void;
  readonly onStep: (node: number) => void;
}

/** The parts of the details of a node. */
export const stepDetail = (view: RunView, node: number, options: DetailOptions): readonly HTMLElement[] => {
  const document = view.run.nodes[node]!;
  const { title, text = '', location, diagnostics, picture, seconds } = document;
  const said = outcome(document);
  const lines = changeLines(view, node, options.whole, options.onOperation);
  const nest = loopNest(view, view.states[node]!.after);
  const facts = [
    ...(said === '' ? [] : [said]),
    ...(location === undefined ? [] : [printLocationDocument(location)]),
    ...(seconds === undefined ? [] : [`${(seconds * 1000).toFixed(1)} ms`]),
  ];
  return [
    element('h2', {}, `${node + 1} ${title}`),
    ...(text === '' ? [] : [element('p', { class: 'op' }, text)]),
    element('p', { class: 'facts' }, facts.join(' · ')),
    ...(diagnostics.length === 0 ? [] : [part('Said', ...diagnostics.map(diagnosticElement))]),
    part(
      'Payload',
      lines.length === 0
        ? element('p', {}, 'Nothing changed.')
        : textBox('payload, changed lines marked', 'changes', ...lines),
    ),
    ...(options.operation === undefined ? [] : [operationPart(view, options.operation, options)]),
    part('Handles', handleTable(view, node)),
    ...(nest === undefined ? [] : [part('Loops', nest)]),
    ...(picture === undefined ? [] : [part('Plan', planImage(picture))]),
    sourcePart('Schedule', view.run.schedule, location),
    sourcePart('Payload as it was', view.run.payload, locationOf(view, options.operation)),
  ];
};

const diagnosticElement = ({ severity, code, message, notes }: DiagnosticDocument): HTMLElement =>
  element(
    'div',
    { class: severity },
    element('p', {}, `${severity}: ${message} [${code}]`),
    ...notes.map((note) =>
      element(
        'p',
        { class: 'note' },
        `${note.location === null ? '' : `${printLocationDocument(note.location)}: `}${note.message}`,
      ),
    ),
  );

const handleTable = (view: RunView, node: number): HTMLElement => {
  const { handles } = view.states[node]!.after;
  const { before } = view.states[node]!;
  const row = (handle: HandleDocument): HTMLElement => {
    const { name, invalid, key } = handle;
    const isNew = before.handles.get(key) !== handle;
    const state = invalid === undefined ? 'valid' : 'invalid';
    const location = invalid?.location ?? null;
    const place = location === null ? '' : ` (${printLocationDocument(location)})`;
    return element(
      'tr',
      { class: state },
      element('td', {}, isNew ? `* ${name}` : name),
      element(
        'td',
        {},
        invalid === undefined
          ? handleText(handle, (id) => view.operations.get(id)?.name)
          : `invalid: ${invalid.message}${place}`,
      ),
    );
  };
  return element(
    'table',
    {},
    element('caption', {}, '* changed by this step'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'handle'),
        element('th', { scope: 'col' }, 'stands for'),
      ),
    ),
    element('tbody', {}, ...[...handles.values()].map(row)),
  );
};

const operationPart = (
  view: RunView,
  operation: number,
  { onStep }: Pick<DetailOptions, 'onStep'>,
): HTMLElement => {
  const describe = (id: number): string => {
    const known = view.operations.get(id);
    const place = known?.location === undefined ? '' : `, ${printLocationDocument(known.location)}`;
    return `${known?.name ?? 'an operation'}${place}`;
  };
  const ancestors = view.ancestorsOf(operation).map(({ id, node }) =>
    element(
      'li',
      {},
      `${describe(id)}, replaced by step `,
      button(String(node + 1), () => {
        onStep(node);
      }),
    ),
  );
  return part(
    'Operation',
    element('p', {}, describe(operation)),
    ...(ancestors.length === 0 ? [] : [element('p', {}, 'It came from:'), element('ol', {}, ...ancestors)]),
  );
};

/** As an image, in which no script runs. */
const planImage = (svg: string): HTMLElement =>
  element('img', { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: 'the plan as a loop nest' });

const locationOf = (view: RunView, operation: number | undefined): LocationDocument | undefined =>
  operation === undefined ? undefined : view.operations.get(operation)?.location;

const sourcePart = (
  title: string,
  { name, text }: { readonly name: string; readonly text: string },
  location: LocationDocument | undefined,
): HTMLElement => {
  const here =
    location !== undefined && 'file' in location && location.file === name ? location.line : undefined;
  const lines = text.split('\n').map((line, i) => {
    const isHere = i + 1 === here;
    return element(
      'div',
      isHere ? { class: 'line here', 'aria-current': 'true' } : { class: 'line' },
      element('span', { class: 'sign' }, isHere ? '→' : ' '),
      line === '' ? ' ' : line,
    );
  });
  return element(
    'details',
    here === undefined ? {} : { open: '' },
    element('summary', {}, `${title}: ${name}`),
    textBox(name, 'source', ...lines),
  );
};
