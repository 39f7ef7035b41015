import { describe, expect, it } from 'vitest';
import { parseCsv, printShape, shapeFromConvbench } from '../src/index.ts';

/** ConvBench, regular.csv row 0 and grouped.csv row 1. */
const table = `ID,NI,CI,HI,WI,NO,DO,HO,WO,HK,WK,HPTOP,HPBOTTOM,WPLEFT,WPRIGHT,HS,WS,HD,WD,GROUP,BIAS
0,1,3,224,224,1,2048,16,16,14,14,0,0,0,0,14,14,1,1,1,2048
1,1,128,64,64,1,128,32,32,3,3,1,1,1,1,2,2,1,1,4,0
`;

describe('ConvBench rows', () => {
  it('become shapes', () => {
    expect(parseCsv(table).map((row) => printShape(shapeFromConvbench(row)))).toEqual([
      '1x3x224x224,2048x3x14x14,s14',
      '1x128x64x64,128x32x3x3,s2,p1,g4',
    ]);
  });

  it.each([
    ['WO', '31', 'WO', /31, but the other columns give 32/],
    ['HK', 'three', 'HK', /'three' is not a number/],
    ['GROUP', '0', 'groups', /must be a positive integer/],
  ])('with %s = %s are refused', (column, value, field, message) => {
    const row = { ...parseCsv(table)[1], [column]: value };
    expect(() => shapeFromConvbench(row)).toThrow(expect.objectContaining({ field }));
    expect(() => shapeFromConvbench(row)).toThrow(message);
  });

  it('without a column are refused by its name', () => {
    expect(() => shapeFromConvbench({ NI: '1' })).toThrow(expect.objectContaining({ field: 'CI' }));
  });
});
