/** The types of affine expressions: plain data, and the nodes that this package creates. */

/** The kinds of expressions with two operands. */
export type AffineBinaryKind = 'add' | 'mul' | 'mod' | 'floordiv' | 'ceildiv';
/** The kinds of expressions. */
export type AffineExprKind = 'dim' | 'symbol' | 'constant' | AffineBinaryKind;

/** The dimension or symbol at a position, as plain data. */
export interface AffinePositionData<Kind extends 'dim' | 'symbol' = 'dim' | 'symbol'> {
  readonly kind: Kind;
  readonly position: number;
}
/** An integer constant, as plain data. */
export interface AffineConstantData {
  readonly kind: 'constant';
  readonly value: number;
}
/** An operator and its operands, as plain data. */
export interface AffineBinaryData {
  readonly kind: AffineBinaryKind;
  readonly lhs: AffineExprData;
  readonly rhs: AffineExprData;
}
/** An affine expression as plain data: what every function of this package accepts. */
export type AffineExprData =
  AffinePositionData<'dim'> | AffinePositionData<'symbol'> | AffineConstantData | AffineBinaryData;
/** An operand: an expression, or an integer for a constant. */
export type AffineOperand = AffineExprData | number;

/** The methods of every node that this package creates; each is the function of the same name. */
export interface AffineMethods {
  add(rhs: AffineOperand): AffineExpr;
  sub(rhs: AffineOperand): AffineExpr;
  mul(rhs: AffineOperand): AffineExpr;
  mod(rhs: AffineOperand): AffineExpr;
  floorDiv(rhs: AffineOperand): AffineExpr;
  ceilDiv(rhs: AffineOperand): AffineExpr;
  /** `floorDiv` in MLIR's spelling. */
  floordiv(rhs: AffineOperand): AffineExpr;
  /** `ceilDiv` in MLIR's spelling. */
  ceildiv(rhs: AffineOperand): AffineExpr;
  neg(): AffineExpr;
  /** MLIR's text. */
  toString(): string;
}

/** A dimension: `d0` is position 0. */
export interface AffineDimExpr extends AffinePositionData<'dim'>, AffineMethods {}
/** A symbol: `s0` is position 0. */
export interface AffineSymbolExpr extends AffinePositionData<'symbol'>, AffineMethods {}
/** An integer constant. */
export interface AffineConstantExpr extends AffineConstantData, AffineMethods {}
/** An operation on two expressions. */
export interface AffineBinaryExpr extends AffineMethods {
  readonly kind: AffineBinaryKind;
  readonly lhs: AffineExpr;
  readonly rhs: AffineExpr;
}
/** An affine expression: a frozen tree, discriminated by `kind`. */
export type AffineExpr = AffineDimExpr | AffineSymbolExpr | AffineConstantExpr | AffineBinaryExpr;
