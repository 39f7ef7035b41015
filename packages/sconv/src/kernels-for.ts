/** The microkernels that a convolution is planned with. */
import type { KernelChoice, MicrokernelShape } from '@sconv/csa';
import { isProductForm } from '@sconv/normalization';
import type { ConvolutionForm } from '@sconv/normalization';
import type { Target } from '@sconv/targets';

/**
 * The microkernels that suit a form. The rows of a product are packed in every call: no column is left to a microkernel
 * with lanes along them, which would pack all of them again.
 */
export const kernelsFor = (form: ConvolutionForm, target: Target): KernelChoice => {
  // Filters have unit stride in the output.
  if (form.output.endsWith('f')) return withRolesSwapped(target);
  if (!isProductForm(form)) return target;
  const { machine, microkernel, speeds } = target;
  const otherMicrokernels = target.otherMicrokernels.filter(({ vectorized }) => vectorized !== 'filters');
  if (speeds === undefined) return { machine, microkernel, otherMicrokernels };
  const { transposed: _, ...passCycles } = speeds.passCycles;
  return { machine, microkernel, otherMicrokernels, speeds: { ...speeds, passCycles } };
};

/** Microkernels vectorized along filters, whose speeds are not measured. */
const withRolesSwapped = ({ machine, microkernel, otherMicrokernels }: Target): KernelChoice => {
  const swapped = ({ windows, filters }: MicrokernelShape): MicrokernelShape => ({
    windows: filters,
    filters: windows,
  });
  const others = otherMicrokernels.filter(({ vectorized }) => vectorized !== 'filters');
  return { machine, microkernel: swapped(microkernel), otherMicrokernels: others.map(swapped) };
};

/** The microkernel that a plan has, without alternatives. */
export const only = (
  kernels: KernelChoice,
  { windows, filters, vectorized }: MicrokernelShape,
): KernelChoice => {
  const isPlanned = (each: MicrokernelShape): boolean =>
    each.windows === windows &&
    each.filters === filters &&
    (each.vectorized === 'filters') === (vectorized === 'filters');
  const microkernel = kernels.otherMicrokernels.find(isPlanned) ?? kernels.microkernel;
  return { ...kernels, microkernel, otherMicrokernels: [] };
};
