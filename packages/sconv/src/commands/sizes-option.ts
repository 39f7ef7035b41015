/** Options whose values are the sizes of named inputs. */
import type { InputSizes } from '@sconv/onnx';
import { InvalidArgumentError } from 'commander';

/** Parses `x=1x3x224x224`, in addition to those before; anything else is a usage error. */
export const parseSizes = (text: string, before: InputSizes = {}): InputSizes => {
  const [, name, sizes] = /^(.+)=(\d+(?:x\d+)*)$/s.exec(text) ?? [];
  if (name === undefined || sizes === undefined)
    throw new InvalidArgumentError('expected a name and sizes, as in x=1x3x224x224');
  return { ...before, [name]: sizes.split('x').map(Number) };
};
