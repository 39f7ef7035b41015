/** Applies a transform script with all transforms of this package; checks that it does not change what the payload computes. */
import { firstDifference } from '@sconv/interpreter/testing';
import { scriptTester } from '@sconv/transform/testing';
import { patternSets, transforms } from '../../src/transforms.ts';

export const apply = scriptTester(transforms, { difference: firstDifference, attachments: patternSets });

/** `apply` for payloads that the interpreter cannot execute, or only with some sizes. */
export const applyUnchecked = scriptTester(transforms, { attachments: patternSets });

/** The handle type of the scripts. */
export const one = '!transform.any_op';

/** Binds `%f` to the functions of the payload. */
export const found = `%f = transform.structured.match ops{["func.func"]} in %root : (${one}) -> ${one}`;
