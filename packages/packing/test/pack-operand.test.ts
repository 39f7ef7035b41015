import { describe, expect, it } from 'vitest';
import { dim } from '@sconv/affine';
import { unwrap } from '@sconv/diagnostics';
import { createIndex, payloadDialects } from '@sconv/dialects';
import type { DraftOperation, Rewriter } from '@sconv/ir';
import { createRegistry, edit, parseModule } from '@sconv/ir';
import { packOperand } from '../src/index.ts';
import { invariantPoint } from '../src/pack-operand.ts';
import { changed, replaced, tiled } from './payloads.ts';

const registry = createRegistry(payloadDialects);

/** Runs a query on the first op with this name. */
const inspect = (
  payload: string,
  name: string,
  look: (rewriter: Rewriter, operation: DraftOperation) => void,
) => {
  edit(unwrap(parseModule(payload, { registry })), { registry }, (rewriter) => {
    look(
      rewriter,
      rewriter.walk(rewriter.root).find((operation) => operation.name === name)!,
    );
  });
};

describe('packOperand', () => {
  it('throws where an element depends on a dimension that is not packed', () => {
    inspect(tiled, 'linalg.generic', (rewriter, tile) => {
      const source = { tensor: tile.operands[0]!, indices: [dim(1), dim(3), dim(4), dim(5)], outer: [] };
      expect(() => packOperand(rewriter, tile, source, [3, 4, 5])).toThrow('not packed');
    });
  });

  it('leaves the insertion point where it was', () => {
    inspect(tiled, 'linalg.generic', (rewriter, tile) => {
      const source = { tensor: tile.operands[0]!, indices: [dim(1), dim(3), dim(4), dim(5)], outer: [] };
      rewriter.setInsertionPointToStart(tile.parent!.parent!.regions[0]!.blocks[0]!);
      const packing = packOperand(rewriter, tile, source, [5, 4, 3, 1]);
      expect(packing.results[0]!.type).toMatchObject({ shape: [3, 3, 2, 2] });
      expect(packing.parent).toBe(tile.parent);
      const next = rewriter.definingOperation(createIndex(rewriter, 7));
      expect(next?.parent).toBe(tile.parent!.parent);
    });
  });
});

describe('invariantPoint', () => {
  /** How many loops a value defined outside all of them can be hoisted out of. */
  const loopsLeft = (payload: string): number => {
    let left = -1;
    inspect(payload, 'linalg.generic', (rewriter, tile) => {
      const around = (operation: DraftOperation): number =>
        operation.parent === undefined ? 0 : 1 + around(operation.parent);
      left = around(tile) - around(invariantPoint(rewriter, tile, []));
    });
    return left;
  };

  it.each([
    ['both loops', tiled, 2],
    ['none where the inner loop never runs', changed(['%f = %c0 to %c4', '%f = %c4 to %c4']), 0],
    ['none where the inner loop counts down', changed(['%f = %c0 to %c4', '%f = %c4 to %c2']), 0],
    ['one where the outer loop never runs', changed(['%w = %c0 to %c30', '%w = %c30 to %c30']), 1],
    ['both where they run once', changed(['%f = %c0 to %c4', '%f = %c2 to %c4']), 2],
    [
      'none where the lower bound is no constant',
      changed(['%out: tensor', '%k: index, %out: tensor'], ['%f = %c0 to', '%f = %k to']),
      0,
    ],
    [
      'none where the upper bound is no constant',
      changed(['%out: tensor', '%k: index, %out: tensor'], ['%c0 to %c4', '%c0 to %k']),
      0,
    ],
  ])('leaves %s', (_, payload, loops) => {
    expect(loopsLeft(payload)).toBe(loops);
  });

  it('stays in what is no loop', () => {
    const conditional = replaced(
      tiled,
      [
        '%2 = linalg.generic',
        '%true = arith.constant true\n%2 = scf.if %true -> (tensor<1x2x6xf32>) {\n%inner_tile = linalg.generic',
      ],
      [
        '} -> tensor<1x2x6xf32>',
        '} -> tensor<1x2x6xf32>\nscf.yield %inner_tile : tensor<1x2x6xf32>\n} else {\nscf.yield %tile_o : tensor<1x2x6xf32>\n}',
      ],
    );
    expect(loopsLeft(conditional)).toBe(0);
  });

  it('stays in the loop that a value is of', () => {
    inspect(tiled, 'linalg.generic', (rewriter, tile) => {
      const inner = tile.parent!;
      const [outerVariable, innerVariable] = [inner.parent!, inner].map(
        (loop) => loop.regions[0]!.blocks[0]!.arguments[0]!,
      );
      expect(invariantPoint(rewriter, tile, [outerVariable!])).toBe(inner);
      expect(invariantPoint(rewriter, tile, [outerVariable!, innerVariable!])).toBe(tile);
    });
  });
});
