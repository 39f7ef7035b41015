/** Elements of the page. Text is only ever text: what a payload or a schedule says is no markup. */
import { visibleText } from '../src/visible-text.ts';

type Child = Node | string;

/** An element with attributes and children; strings become text in which nothing is hidden. */
export const element = <N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[N] => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)));
  return made;
};

/** A button with a text, and what it does. */
export const button = (text: string, act: () => void): HTMLButtonElement => {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', act);
  return made;
};

/** A part of the details, with a heading. */
export const part = (title: string, ...children: readonly Child[]): HTMLElement =>
  element('section', {}, element('h3', {}, title), ...children);

/** A text of several lines, which scrolls: reachable by keyboard. */
export const textBox = (label: string, className: string, ...lines: readonly Node[]): HTMLElement =>
  element('div', { class: `text ${className}`, role: 'group', tabindex: '0', 'aria-label': label }, ...lines);
