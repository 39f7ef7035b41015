/** The transform ops of this package: recording functions, and a list for a registry. */
import type { TransformOpDefinition } from '@sconv/transform';
import {
  decompose,
  decomposeInterface,
  decomposeWinograd,
  dropUnitGroup,
  flattenElementwise,
  insertSliceToCopy,
  specialize,
  structuredOps,
  transposeConv2d,
  transposeMatmul,
  winogradConv2d,
} from './transforms/structured-ops.ts';
import { convertConv2dToImg2col } from './transforms/convert-conv2d-to-img2col.ts';
import { generalize } from './transforms/generalize.ts';
import { interchange } from './transforms/interchange.ts';
import { linearize } from './transforms/linearize.ts';
import { delinearize } from './transforms/delinearize.ts';
import { foldPad } from './transforms/fold-pad.ts';
import { normalizeContraction } from './transforms/normalize-contraction.ts';
import { replace } from './transforms/replace.ts';

export {
  generalize,
  interchange,
  linearize,
  delinearize,
  foldPad,
  convertConv2dToImg2col,
  decompose,
  decomposeInterface,
  decomposeWinograd,
  dropUnitGroup,
  flattenElementwise,
  insertSliceToCopy,
  normalizeContraction,
  replace,
  specialize,
  transposeConv2d,
  transposeMatmul,
  winogradConv2d,
};

/** In pipeline order, then upstream's. */
export const transforms: readonly { readonly definition: TransformOpDefinition }[] = [
  generalize,
  normalizeContraction,
  linearize,
  delinearize,
  foldPad,
  interchange,
  convertConv2dToImg2col,
  ...structuredOps,
  replace,
];
