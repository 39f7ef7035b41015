/** The page: asks for a model, has a worker run it, and shows what that says. */
import type { Answer, Problem, Request } from './messages.ts';
import type { OpenInput } from './open-inputs.ts';
import { resultOf, profileOf } from './results.ts';
import { element } from './element.ts';

const find = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} '${id}'`);
  return found;
};

const drop = find('drop', HTMLLabelElement);
const file = find('file', HTMLInputElement);
const threads = find('threads', HTMLInputElement);
const seed = find('seed', HTMLInputElement);
const image = find('image', HTMLInputElement);
const isolation = find('isolation', HTMLParagraphElement);
const sizes = find('sizes', HTMLFormElement);
const sizeFields = find('size-fields', HTMLDivElement);
const work = find('work', HTMLElement);
const bar = find('progress', HTMLProgressElement);
const status = find('status', HTMLParagraphElement);
const problems = find('problems', HTMLDivElement);
const results = find('results', HTMLElement);

if (crossOriginIsolated) {
  threads.value = String(Math.min(8, navigator.hardwareConcurrency));
  isolation.textContent = 'This page is cross-origin isolated: threads can share memory.';
} else {
  threads.disabled = true;
  isolation.textContent =
    'One thread: this page is not cross-origin isolated, so that threads share no memory.';
}

/** The model that is shown, and the worker that has it. */
let current: { readonly file: File; readonly worker: Worker } | undefined;

const open = (chosen: File): void => {
  end();
  const worker = new Worker('model-worker.js', { type: 'module' });
  current = { file: chosen, worker };
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    show(data);
  });
  worker.addEventListener('error', ({ message }) => {
    showProblems([{ severity: 'error', where: chosen.name, message, code: 'page', notes: [] }]);
    end();
  });
  start();
};

/** Runs the current model, with these sizes. */
const start = (given?: Request['sizes']): void => {
  if (current === undefined) return;
  sizes.hidden = true;
  problems.replaceChildren();
  results.replaceChildren();
  const [chosenImage] = image.files ?? [];
  const request: Request = {
    file: current.file,
    threads: threads.valueAsNumber > 0 ? Math.floor(threads.valueAsNumber) : 1,
    seed: seed.valueAsNumber >= 0 ? seed.valueAsNumber : 1,
    ...(given === undefined ? {} : { sizes: given }),
    ...(chosenImage === undefined ? {} : { image: chosenImage }),
  };
  work.hidden = false;
  current.worker.postMessage(request);
};

/** Ends the worker, and those that it has created. */
const end = (): void => {
  current?.worker.terminate();
  current = undefined;
  work.hidden = true;
  sizes.hidden = true;
};

const show = (answer: Answer): void => {
  switch (answer.kind) {
    case 'progress':
      bar.value = answer.done;
      // What is the same is not said again.
      if (status.textContent !== answer.stage) status.textContent = answer.stage;
      break;
    case 'sizes':
      askFor(answer.inputs);
      break;
    case 'problems':
      showProblems(answer.problems);
      break;
    case 'result':
      results.append(...resultOf(answer, crossOriginIsolated));
      break;
    case 'profile':
      results.append(profileOf(answer.parts));
      break;
    case 'end':
      work.hidden = true;
      status.textContent = problems.hasChildNodes() ? 'The model does not run' : 'Done';
  }
};

/** Errors at once; warnings with the results, for those who ask. */
const showProblems = (given: readonly Problem[]): void => {
  const errors = given.filter(({ severity }) => severity === 'error');
  const others = given.filter(({ severity }) => severity !== 'error');
  if (errors.length > 0) problems.append(listOf(errors));
  if (others.length === 0) return;
  const title = `${others.length} ${others.length === 1 ? 'warning' : 'warnings'} of the compiler`;
  results.append(element('details', {}, element('summary', {}, title), listOf(others)));
};

const listOf = (given: readonly Problem[]): HTMLElement =>
  element(
    'ul',
    {},
    ...given.map(({ severity, where, message, code, notes }) =>
      element(
        'li',
        {},
        `${severity}: ${where === '' ? '' : `${where}: `}${message} [${code}]`,
        element('ul', {}, ...notes.map((note) => element('li', {}, `${note.where}: ${note.message}`))),
      ),
    ),
  );

/** Asks for the sizes of these inputs, one field for each. */
const askFor = (inputs: readonly OpenInput[]): void => {
  sizeFields.replaceChildren(
    ...inputs.map(({ name, sizes: declared, proposal }) =>
      element(
        'label',
        {},
        `${name} (${declared.join(' x ')}) `,
        element('input', { name, required: true, pattern: '\\d+(x\\d+)*', value: proposal.join('x') }),
      ),
    ),
  );
  work.hidden = true;
  sizes.hidden = false;
  status.textContent = 'The model leaves sizes open: say which';
  sizeFields.querySelector('input')?.focus();
};

sizes.addEventListener('submit', (event) => {
  event.preventDefault();
  const fields = [...sizeFields.querySelectorAll('input')];
  start(Object.fromEntries(fields.map(({ name, value }) => [name, value.split('x').map(Number)])));
});

file.addEventListener('change', () => {
  const [chosen] = file.files ?? [];
  if (chosen !== undefined) open(chosen);
  // The same file can be chosen again.
  file.value = '';
});

find('cancel', HTMLButtonElement).addEventListener('click', () => {
  end();
  status.textContent = 'Cancelled';
  file.focus();
});

addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
addEventListener('dragleave', () => {
  drop.classList.remove('over');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  const [dropped] = event.dataTransfer?.files ?? [];
  if (dropped !== undefined) open(dropped);
});
