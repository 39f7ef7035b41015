import { describe, expect, it } from 'vitest';
import { parseModule, verify } from '@sconv/ir';
import { defaultRegistry as registry } from 'sconv';
import { mapFeatures } from '../src/draw-maps.ts';
import { namedOps } from '../src/draw-named.ts';
import { drawPayload } from '../src/draw-payload.ts';
import { payloadFeatures } from '../src/payload-features.ts';
import { payloadText } from '../src/payload-text.ts';
import { randomOf } from '../src/random.ts';
import { smallerPayloads } from '../src/smaller-payloads.ts';

const payloads = Array.from({ length: 6000 }, (_, index) => drawPayload(randomOf(7, index)));

/** The complaints of the parser and the verifier about a payload. */
const problems = (text: string): readonly string[] => {
  const parsed = parseModule(text, { registry });
  const found = parsed.status === 'success' ? verify(parsed.value, registry) : parsed.diagnostics;
  return found.map(({ message }) => message);
};

describe('drawPayload', () => {
  const drawn = new Set(payloads.flatMap(payloadFeatures));

  it.each([
    'several inputs',
    'several results',
    'reduction',
    'zero extent',
    'unit extent',
    'no loops',
    'permuted output',
    'projected output',
    'output off its place',
    'scalar input',
    'dynamic size',
    'chain',
    'same tensor twice',
    'from result',
    'from cast',
    'from empty',
    'from fill',
    'from constant',
    'linalg.index',
    'captured number',
    'tensor.extract',
    'select',
    'linalg.generic',
    'linalg.map',
    'linalg.reduce',
    'linalg.transpose',
    'linalg.broadcast',
    ...['f32', 'f64', 'i32', 'i64', 'i1', 'index'].map((element) => `element ${element}`),
    ...mapFeatures.map((feature) => `map: ${feature}`),
  ])('draws %s', (feature) => {
    expect(drawn).toContain(feature);
  });

  it('draws every named op that the dialect declares', () => {
    const declared = [...registry.operations.values()].filter((definition) => 'structure' in definition);
    expect(declared.map(({ name }) => name).filter((name) => !namedOps.includes(name))).toEqual([
      'linalg.round',
      'linalg.erf',
    ]);
    expect(namedOps.filter((name) => !drawn.has(name))).toEqual([]);
  });

  it('draws the same payload again', () => {
    const again = payloadText(drawPayload(randomOf(7, 3)));
    expect(again).toEqual(payloadText(payloads[3]!));
  });

  it('draws valid payloads', () => {
    const wrong = payloads.slice(0, 200).flatMap((payload) => problems(payloadText(payload).payload));
    expect(wrong).toEqual([]);
  });
});

describe('smallerPayloads', () => {
  it('gives valid payloads, too', () => {
    const wrong = payloads
      .slice(0, 25)
      .flatMap((payload) =>
        [...smallerPayloads(payload)].flatMap((smaller) => problems(payloadText(smaller).payload)),
      );
    expect(wrong).toEqual([]);
  });

  it('comes to an end', () => {
    let payload = payloads[0]!;
    for (let i = 0; i < 200; i++) {
      const [next] = smallerPayloads(payload);
      if (next === undefined) break;
      payload = next;
    }
    expect([...smallerPayloads(payload)]).toEqual([]);
    expect(payload.ops).toHaveLength(1);
  });
});
