/** `scf.execute_region` and `scf.index_switch`: inlines bodies. */
import { br } from '@sconv/dialects/cf';
import { executeRegion, indexSwitch, yieldOp } from '@sconv/dialects/scf';
import type { RewritePattern } from '@sconv/ir';
import { blockOf, inlineInPlace } from '../bodies.ts';
import { integerConstant, onOp } from '../match.ts';

const singleBlock = onOp(executeRegion, 'execute-region-of-one-block', (rewriter, operation) => {
  const [block, ...more] = operation.regions[0]?.blocks ?? [];
  if (block === undefined || more.length > 0 || block.last === undefined || !yieldOp.is(block.last)) return;
  inlineInPlace(rewriter, operation, block, []);
});

/** Directly in a function, its blocks are spliced into the function. */
const severalBlocks = onOp(executeRegion, 'execute-region-of-blocks', (rewriter, operation) => {
  const { block, parent } = operation;
  const [region] = operation.regions;
  if (block === undefined || region === undefined || parent?.name !== 'func.func') return;
  const [entry, ...more] = region.blocks;
  if (entry === undefined || more.length === 0) return;
  const after = rewriter.splitBlock(operation);
  rewriter.setInsertionPointToEnd(block);
  rewriter.create(br.state({ successors: [entry.id] }), operation.location);
  const blocks = [...region.blocks];
  rewriter.moveRegion(region, block.region, after);
  const values = operation.results.map(({ type }) => rewriter.addArgument(after, type));
  for (const inner of blocks) {
    const { last } = inner;
    if (last === undefined || !yieldOp.is(last)) continue;
    rewriter.setInsertionPointToEnd(inner);
    rewriter.create(
      br.state({ operands: { destOperands: last.operands }, successors: [after.id] }),
      last.location,
    );
    rewriter.eraseOperation(last);
  }
  rewriter.replaceOperation(operation, values, []);
});

const knownCase = onOp(indexSwitch, 'index-switch-of-constant', (rewriter, operation) => {
  const value = integerConstant(rewriter, operation.operands[0]);
  if (value === undefined) return;
  const { cases } = indexSwitch.attributes(operation);
  const block = blockOf(operation, cases.indexOf(value) + 1);
  if (block !== undefined) inlineInPlace(rewriter, operation, block, []);
});

export const scfRegionPatterns: readonly RewritePattern[] = [singleBlock, severalBlocks, knownCase];
