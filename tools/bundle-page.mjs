/**
 * Bundles the script and the style of `explanationPage` into `packages/explain/src/page-assets.ts`, with the hashes
 * that its content security policy names. `node tools/bundle-page.mjs`; a test of the package compares what is there.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = new URL('../packages/explain/', import.meta.url);
const target = new URL('src/page-assets.ts', folder);

/** A string constant in lines of source of at most 120 columns. */
const constant = (/** @type {string} */ name, /** @type {string} */ doc, /** @type {string} */ text) => {
  const parts = [];
  // Escapes make parts longer: a third of the columns is left for them.
  for (let at = 0; at < text.length; at += 80) parts.push(text.slice(at, at + 80));
  const lines = parts.map((part) => `  ${JSON.stringify(part)},`);
  return `/** ${doc} */\nexport const ${name}: string = [\n${lines.join('\n')}\n].join('');\n`;
};

const hashOf = (/** @type {string} */ text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The text of the module. */
export const pageAssets = async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('page/main.ts', folder)),
    platform: 'browser',
    resolve: { conditionNames: ['@sconv/source', 'import'] },
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  const licence = readFileSync(new URL('../node_modules/diff/LICENSE', import.meta.url), 'utf8').trim();
  const script = `/*! diff\n${licence}\n*/\n${output[0].code.trim()}`;
  const style = readFileSync(new URL('page/style.css', folder), 'utf8').replaceAll(/\s+/g, ' ').trim();
  // Either would end the element that it stands in.
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the page would end early');
  return [
    '/** The script and the style of the page. Made by `tools/bundle-page.mjs` of `page`: not to be edited. */\n',
    constant('pageScript', 'A classic script.', script),
    constant('pageScriptHash', 'For its content security policy.', hashOf(script)),
    constant('pageStyle', 'A style sheet.', style),
    constant('pageStyleHash', 'For its content security policy.', hashOf(style)),
  ].join('\n');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, await pageAssets());
