import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explanationPage, recordRun, traceVersion } from '../src/index.ts';
import { convolution, recorded, registry, script, tiled } from './support/runs.ts';

describe('the page', () => {
  it('has the script and the style of `page`', async () => {
    const script = new URL('../../../tools/bundle-page.mjs', import.meta.url);
    const tool: unknown = await import(script.href);
    const { pageAssets } = tool as { readonly pageAssets: () => Promise<string> };
    const file = new URL('../src/page-assets.ts', import.meta.url);
    expect(readFileSync(file, 'utf8'), 'run node tools/bundle-page.mjs').toBe(await pageAssets());
  });

  it('carries the trace as data that ends no element', () => {
    const run = { ...recorded(tiled), schedule: { name: '</script>\u2028\u202e', text: '<!--' } };
    const html = explanationPage({ version: traceVersion, runs: [run] });
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toMatch(/<!--|\u2028|\u202e/);
    const [, data = ''] = /id="trace">(.*)<\/script>\n/.exec(html) ?? [];
    expect(JSON.parse(data)).toEqual({ version: traceVersion, runs: [run] });
  });

  it('may neither load nor send anything', () => {
    const html = explanationPage({ version: traceVersion, runs: [] });
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const allowed = new Map(policy.split('; ').map((rule) => rule.split(' ', 2) as [string, string]));
    expect([...allowed.keys()]).toEqual([
      'default-src',
      'script-src',
      'style-src',
      'img-src',
      'base-uri',
      'form-action',
    ]);
    for (const each of ['default-src', 'base-uri', 'form-action']) expect(allowed.get(each)).toBe("'none'");
  });

  it('has runs whose files are not given', () => {
    const { payload, schedule } = recordRun(script(tiled), convolution, { registry }).document;
    expect([payload, schedule]).toEqual([
      { name: '', text: '' },
      { name: '', text: '' },
    ]);
  });
});
