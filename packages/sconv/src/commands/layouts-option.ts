/** The option `--layouts`. */
import type { Option } from 'commander';
import { layoutsNames } from '../check-options.ts';
import { nameOption } from './name-option.ts';

/** In which layouts the convolutions of a network are computed. */
export const layoutsOption = (): Option =>
  nameOption(
    '--layouts <how>',
    'as-given, or chosen: in blocks of channels (NCHWc) where that costs less in all (default: as-given, of models ' +
      'by one thread with AVX2 chosen)',
    'layouts',
    layoutsNames,
  );
