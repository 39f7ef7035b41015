/** The script of the page: reads the trace that the page carries, and shows each of its runs. */
import type { TraceDocument } from '../src/trace-document.ts';
import { element } from './dom.ts';
import { Explorer } from './explorer.ts';

const trace = JSON.parse(document.getElementById('trace')?.textContent ?? '') as TraceDocument;
const explorers = trace.runs.map((run) => new Explorer(run));
const main = element('main', {}, ...explorers.map(({ root }) => root));
main.classList.toggle('two', explorers.length > 1);
document.body.replaceChildren(main);

/** The run that keys are for: the one that has the focus, or had it last. */
let active = explorers[0];
document.addEventListener('focusin', ({ target }) => {
  active = explorers.find(({ root }) => target instanceof Node && root.contains(target)) ?? active;
});
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof HTMLInputElement && target.type === 'search') {
    if (key === 'Escape' || key === 'Enter') active?.focus();
    return;
  }
  if (key === '/') active?.focusSearch();
  else {
    // Arrows scroll a text that has the focus.
    const isText = target instanceof Element && target.closest('.detail') !== null;
    if ((isText && key !== 'j' && key !== 'k') || active?.key(key) !== true) return;
  }
  event.preventDefault();
});
active?.focus();
