/** Every dialect and transform of the project. */
import { payloadDialects } from '@sconv/dialects';
import { createRegistry, extendRegistry } from '@sconv/ir';
import { delinearizeOp, generalizeOp, linearizeOp } from '@sconv/normalization';
import { formMicrokernelOp, multipackOp, packFiltersOp, packWindowsOp } from '@sconv/packing';
import { sconvOp } from '@sconv/slicing';
import { splitOp } from '@sconv/splitting';
import { gatherOperandOp, swapInductionVarsOp, tileUsingForOp } from '@sconv/tiling';
import { transformDialect, transformDialectOf } from '@sconv/transform';

export const registry = extendRegistry(createRegistry([...payloadDialects, transformDialect]), [
  transformDialectOf([
    generalizeOp,
    linearizeOp,
    delinearizeOp,
    splitOp,
    gatherOperandOp,
    tileUsingForOp,
    swapInductionVarsOp,
    packWindowsOp,
    packFiltersOp,
    formMicrokernelOp,
    multipackOp,
    sconvOp,
  ]),
]);
