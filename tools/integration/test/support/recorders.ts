/** The functions that record transform ops, by the entry point that exports them. */
import * as blas from '@sconv/blas/transforms';
import * as bufferization from '@sconv/bufferization/transforms';
import * as canonicalization from '@sconv/canonicalization/transforms';
import * as loops from '@sconv/loops/transforms';
import * as normalization from '@sconv/normalization/transforms';
import * as packing from '@sconv/packing/transforms';
import * as slicing from '@sconv/slicing/transforms';
import * as splitting from '@sconv/splitting/transforms';
import * as tiling from '@sconv/tiling/transforms';
import * as transform from '@sconv/transform';
import * as vectorization from '@sconv/vectorization/transforms';

/** In the order of the default registry. */
const entryPoints: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '@sconv/transform': transform,
  '@sconv/canonicalization/transforms': canonicalization,
  '@sconv/normalization/transforms': normalization,
  '@sconv/splitting/transforms': splitting,
  '@sconv/loops/transforms': loops,
  '@sconv/tiling/transforms': tiling,
  '@sconv/packing/transforms': packing,
  '@sconv/slicing/transforms': slicing,
  '@sconv/bufferization/transforms': bufferization,
  '@sconv/vectorization/transforms': vectorization,
  '@sconv/blas/transforms': blas,
};

/** Where a transform op comes from. */
export interface OpSource {
  readonly entryPoint: string;
  /** The function that records it; undefined if it can only be written as text. */
  readonly recorder: string | undefined;
}

const definitionName = (value: unknown): string | undefined =>
  (value as { readonly definition?: { readonly name: string } } | null)?.definition?.name;

const camelCase = (text: string): string =>
  text.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The source of the op called `name`. */
export const sourceOf = (name: string): OpSource => {
  for (const [entryPoint, exported] of Object.entries(entryPoints)) {
    const recorder = Object.keys(exported).find((key) => definitionName(exported[key]) === name);
    if (recorder !== undefined) return { entryPoint, recorder };
    const ops = exported['transforms'] as readonly unknown[] | undefined;
    if (ops?.some((op) => definitionName(op) === name)) return { entryPoint, recorder: undefined };
  }
  // Ops with regions are recorded by functions of their own, under the op's name.
  const shortName = camelCase(name.slice(name.lastIndexOf('.') + 1));
  const recorder =
    typeof (transform as Record<string, unknown>)[shortName] === 'function' ? shortName : undefined;
  return { entryPoint: '@sconv/transform', recorder };
};
