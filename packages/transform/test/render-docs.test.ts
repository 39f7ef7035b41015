import { expect, it } from 'vitest';
import { success } from '@sconv/diagnostics';
import { i64Attribute, optionalAttribute, withDefault } from '@sconv/ir';
import { consumes, defineTransformOp, produces, renderTransformDocs } from '../src/index.ts';
import { erase } from './support.ts';

const documented = defineTransformOp({
  name: 'transform.test.documented',
  summary: 'Does nothing.',
  paper: ['ST §1', 'SC §2'],
  operands: { target: consumes('a | b') },
  attributes: { at: i64Attribute, more: optionalAttribute(i64Attribute), size: withDefault(i64Attribute, 3) },
  results: { made: produces('what it made') },
  failures: { 'test/no': { mode: 'silenceable', when: 'it does not want to' } },
  apply: () => success({ made: [] }),
});

it('renders operands with effects, attributes, results, failures and examples', () => {
  const example = { title: 'An example', script: 'script\n', before: 'before', after: 'after\n\n' };
  expect(renderTransformDocs(documented.definition, [example])).toMatchInlineSnapshot(`
    "# \`transform.test.documented\`

    Does nothing.

    Source: ST §1; SC §2.

    | operand | effect |  |
    |---|---|---|
    | \`target\` | consumes | a \\| b |

    | attribute | type |  |
    |---|---|---|
    | \`at\` | 64-bit signless integer attribute | required |
    | \`more\` | 64-bit signless integer attribute | optional |
    | \`size\` | 64-bit signless integer attribute | default 3 |

    | result |  |
    |---|---|
    | \`made\` | what it made |

    | failure | mode | when |
    |---|---|---|
    | \`test/no\` | silenceable | it does not want to |

    ## An example

    \`\`\`mlir fragment
    script
    \`\`\`

    <details><summary>before and after</summary>

    \`\`\`mlir
    before
    \`\`\`

    \`\`\`mlir
    after
    \`\`\`

    </details>
    "
  `);
});

it('leaves out the tables that would be empty', () => {
  expect(renderTransformDocs(erase.definition, [])).toMatchInlineSnapshot(`
    "# \`transform.test.erase\`

    Erases.

    | operand | effect |  |
    |---|---|---|
    | \`target\` | reads | ops without users, or whose users go with them |
    "
  `);
});
