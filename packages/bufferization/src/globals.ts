/** Constant tensors as global buffers of the module, one for each content. */
import { global } from '@sconv/dialects/memref';
import type { DenseElementsAttribute, DraftBlock, Rewriter } from '@sconv/ir';
import { attributeEquals, memrefType, printType, symbolNameOf } from '@sconv/ir';

export class Globals {
  private readonly rewriter: Rewriter;
  private readonly body: DraftBlock;
  private readonly alignment: number;
  private readonly known: { readonly value: DenseElementsAttribute; readonly name: string }[] = [];
  private readonly names: Set<string>;

  constructor(rewriter: Rewriter, body: DraftBlock, alignment: number) {
    this.rewriter = rewriter;
    this.body = body;
    this.alignment = alignment;
    this.names = new Set(body.operations.flatMap((operation) => symbolNameOf(operation) ?? []));
  }

  /** The name of the buffer with this content, made at its first use. */
  nameFor(value: DenseElementsAttribute): string {
    const old = this.known.find((entry) => attributeEquals(entry.value, value));
    if (old !== undefined) return old.name;
    const { type } = value;
    if (type.kind !== 'tensor') throw new Error('a constant tensor has a tensor type');
    const name = this.freshName(`__constant_${[...type.shape, printType(type.elementType)].join('x')}`);
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

  private freshName(stem: string): string {
    let name = stem;
    for (let i = 0; this.names.has(name); i++) name = `${stem}_${i}`;
    this.names.add(name);
    return name;
  }
}
