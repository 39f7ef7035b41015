/** Types and attributes that differ slightly from an operation's: another size or element type, one element less. */
import { affineMap, printMap } from '@sconv/affine';
import type { Attribute, Type } from '@sconv/ir';
import {
  affineMapAttribute,
  arrayAttribute,
  denseArrayAttribute,
  DYNAMIC,
  f32,
  f64,
  i1,
  i32,
  i64,
  indexType,
  integerAttribute,
  isShaped,
  memrefType,
  stridedLayoutAttribute,
  symbolRefAttribute,
  typeAttribute,
  typeEquals,
} from '@sconv/ir';

/** The list with the item at `i` replaced by `by`. */
export const replaced = <T>(list: readonly T[], i: number, ...by: readonly T[]): readonly T[] => [
  ...list.slice(0, i),
  ...by,
  ...list.slice(i + 1),
];

const otherElement = (type: Type): Type => (typeEquals(type, f32) ? f64 : typeEquals(type, i32) ? i64 : f32);

/** Types that differ slightly from `type`. */
export const nearTypes = (type: Type): readonly Type[] => {
  if (type.kind === 'unranked-tensor' || type.kind === 'unranked-memref')
    return [{ ...type, elementType: otherElement(type.elementType) }];
  if (!isShaped(type)) {
    if (type.kind === 'index') return [i32];
    if (type.kind === 'integer')
      return [type.width === 1 ? i32 : { ...type, width: type.width * 2 }, indexType];
    return [typeEquals(type, f32) ? f64 : f32, i1];
  }
  const near: Type[] = [];
  const scalable = (shape: readonly number[]) =>
    type.kind === 'vector' ? { scalable: shape.map(() => false) } : {};
  type.shape.forEach((size, i) =>
    near.push({ ...type, shape: replaced(type.shape, i, size === DYNAMIC ? 5 : size + 1) }),
  );
  type.shape.forEach((size, i) => {
    if (size !== DYNAMIC && type.kind !== 'vector')
      near.push({ ...type, shape: replaced(type.shape, i, DYNAMIC) });
  });
  if (type.kind !== 'memref' || type.layout === undefined) {
    near.push({ ...type, shape: [...type.shape, 1], ...scalable([...type.shape, 1]) });
    if (type.shape.length > 0)
      near.push({ ...type, shape: type.shape.slice(0, -1), ...scalable(type.shape.slice(0, -1)) });
  }
  near.push({ ...type, elementType: otherElement(type.elementType) });
  if (type.kind === 'tensor') near.push({ kind: 'unranked-tensor', elementType: type.elementType });
  if (type.kind === 'memref') {
    const strides = type.shape.map(() => DYNAMIC);
    near.push({ kind: 'unranked-memref', elementType: type.elementType });
    near.push(
      memrefType(type.shape, type.elementType, stridedLayoutAttribute(DYNAMIC, strides), type.memorySpace),
    );
    near.push(
      memrefType(
        type.shape,
        type.elementType,
        stridedLayoutAttribute(
          1,
          strides.map(() => 2),
        ),
        type.memorySpace,
      ),
    );
    near.push({ ...type, memorySpace: integerAttribute(2, i64) });
  }
  return near;
};

/** Attributes that differ slightly from `attribute`. */
export const nearAttributes = (attribute: Attribute): readonly Attribute[] => {
  switch (attribute.kind) {
    case 'integer':
      return attribute.type.kind === 'integer' && attribute.type.width === 1
        ? [{ ...attribute, value: 1n - attribute.value }]
        : [1n, -1n].map((by) => ({ ...attribute, value: attribute.value + by }));
    case 'dense-array':
      return [
        ...attribute.values.flatMap((value, i) =>
          typeof value === 'number'
            ? [value === DYNAMIC ? 1 : value + 1, value === DYNAMIC ? 0 : value - 1].map((by) =>
                denseArrayAttribute(replaced(attribute.values, i, by), attribute.elementType),
              )
            : [],
        ),
        denseArrayAttribute(attribute.values.slice(0, -1), attribute.elementType),
        denseArrayAttribute([...attribute.values, ...attribute.values.slice(0, 1)], attribute.elementType),
      ];
    case 'array':
      return [
        arrayAttribute(attribute.elements.slice(0, -1)),
        arrayAttribute([...attribute.elements, ...attribute.elements.slice(0, 1)]),
        ...attribute.elements.flatMap((element, i) =>
          nearAttributes(element).map((near) => arrayAttribute(replaced(attribute.elements, i, near))),
        ),
      ];
    case 'type':
      return nearTypes(attribute.type).map(typeAttribute);
    case 'symbol-ref':
      return [symbolRefAttribute('missing')];
    case 'dense-elements':
      return [
        ...nearTypes(attribute.type)
          .slice(0, 3)
          .map((type) => ({ ...attribute, type })),
        {
          ...attribute,
          values: attribute.values.map((value) => (typeof value === 'bigint' ? value - 1n : value)),
        },
      ];
    case 'affine-map': {
      const text = printMap(attribute.map);
      const [, dims = '', symbols = '', results = ''] = /^\((.*?)\)(\[.*?\])? -> \((.*)\)$/.exec(text) ?? [];
      return [
        `(${dims})${symbols} -> (${results.split(', ').slice(1).join(', ')})`,
        `(${dims})${symbols} -> (${results === '' ? '0' : `${results}, 0`})`,
        `(${dims}${dims === '' ? '' : ', '}e)${symbols} -> (${results})`,
        `(${dims})${symbols} -> (${results.split(', ').reverse().join(', ')})`,
      ].map((near) => affineMapAttribute(affineMap(near)));
    }
    default:
      return [];
  }
};
