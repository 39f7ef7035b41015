/** Constant tensors as global buffers of the module, deduplicated by contents. */
import { global } from '@sconv/dialects/memref';
import type { DenseElementsAttribute, DenseResourceAttribute, DraftBlock, Rewriter } from '@sconv/ir';
import { attributeEquals, memrefType, printType, symbolNameOf } from '@sconv/ir';

/** The symbol names defined in a block. */
export const symbolsIn = ({ operations }: DraftBlock): Set<string> =>
  new Set(operations.flatMap((operation) => symbolNameOf(operation) ?? []));

/** An unused name: `stem`, with a numeric suffix if needed. */
export const freshSymbol = (taken: ReadonlySet<string>, stem: string): string => {
  let name = stem;
  for (let i = 0; taken.has(name); i++) name = `${stem}_${i}`;
  return name;
};

/** Elements that a global begins with; bytes stay those of the attribute. */
export type ConstantElements = DenseElementsAttribute | DenseResourceAttribute;

export class Globals {
  private readonly rewriter: Rewriter;
  private readonly body: DraftBlock;
  private readonly alignment: number;
  private readonly known: { readonly value: ConstantElements; readonly name: string }[] = [];
  private readonly names: Set<string>;

  constructor(rewriter: Rewriter, body: DraftBlock, alignment: number) {
    this.rewriter = rewriter;
    this.body = body;
    this.alignment = alignment;
    this.names = symbolsIn(body);
  }

  /** The name of the global with these contents, created on first use. */
  nameFor(value: ConstantElements): string {
    const old = this.known.find((entry) => attributeEquals(entry.value, value));
    if (old !== undefined) return old.name;
    const { type } = value;
    if (type.kind !== 'tensor') throw new Error('a constant tensor has a tensor type');
    const stem = `__constant_${[...type.shape, printType(type.elementType)].join('x')}`;
    const name = freshSymbol(this.names, stem);
    this.names.add(name);
    this.rewriter.scoped(() => {
      this.rewriter.setInsertionPointToStart(this.body);
      this.rewriter.create(
        global.state({
          attributes: {
            symName: name,
            symVisibility: 'private',
            type: memrefType(type.shape, type.elementType),
            initialValue: value,
            constant: true,
            ...(this.alignment === 0 ? {} : { alignment: this.alignment }),
          },
        }),
      );
    });
    this.known.push({ value, name });
    return name;
  }
}
