/** Another value carried by an `scf.for` or `affine.for`. */
import type { DraftOperation, Rewriter, Value } from '@sconv/ir';
import { bodyOf, denseArrayAttribute, i32 } from '@sconv/ir';

/** Adds an iter arg to a loop: `init` at first, replacing its uses in the body, then `yielded`. */
export const carryAlso = (
  rewriter: Rewriter,
  loop: DraftOperation,
  init: Value,
  yielded: Value,
): DraftOperation => {
  const { name, attributes, location } = loop;
  const sizes = attributes['operandSegmentSizes'];
  const segments =
    sizes?.kind === 'dense-array'
      ? {
          operandSegmentSizes: denseArrayAttribute(
            [...sizes.values.slice(0, 2).map(Number), loop.results.length + 1],
            i32,
          ),
        }
      : {};
  rewriter.setInsertionPointBefore(loop);
  const created = rewriter.create({
    name,
    attributes: { ...attributes, ...segments },
    operands: [...loop.operands, init],
    resultTypes: [...loop.results.map(({ type }) => type), init.type],
    bodies: [undefined],
    location,
  });
  rewriter.moveRegion(loop.regions[0]!, created.regions[0]!);
  const body = bodyOf(created);
  const argument = rewriter.addArgument(body, init.type);
  rewriter.replaceUsesIf(init, argument, (user) => user !== created && rewriter.isWithin(user, created));
  const end = body.operations.at(-1)!;
  rewriter.setOperands(end, [...end.operands, yielded.id === init.id ? argument : yielded]);
  rewriter.replaceOperation(loop, created.results.slice(0, -1), [created]);
  return created;
};
