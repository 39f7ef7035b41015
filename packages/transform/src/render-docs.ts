/** Renders the reference page of a transform op from its declaration. */
import type { AnyAttributeSpec } from '@sconv/ir';
import type { TransformOpDefinition } from './define-transform-op.ts';

/** An example and the resulting payload, as text. */
export interface ShownExample {
  readonly title: string;
  readonly script: string;
  readonly before: string;
  readonly after: string;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(' | ')} |`,
        `|${head.map(() => '---').join('|')}|`,
        ...rows.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
        '',
      ];

const presence = (attribute: AnyAttributeSpec): string =>
  attribute.presence === 'default' ? `default ${JSON.stringify(attribute.default)}` : attribute.presence;

const fenced = (language: string, text: string): readonly string[] => [
  `\`\`\`${language}`,
  text.trimEnd(),
  '```',
  '',
];

/** Markdown: operands with effects, attributes, results, failures with modes, warnings, examples before and after. */
export const renderTransformDocs = (
  definition: TransformOpDefinition,
  examples: readonly ShownExample[],
): string => {
  const { effects, failures, warnings, paper } = definition.transform;
  return [
    `# \`${definition.name}\``,
    '',
    definition.summary,
    '',
    ...(paper.length === 0 ? [] : [`Source: ${paper.join('; ')}.`, '']),
    ...table(
      ['operand', 'effect', ''],
      definition.operandSpecs.map((operand, i) => [`\`${operand.name}\``, effects[i] ?? '', operand.doc]),
    ),
    ...table(
      ['attribute', 'type', ''],
      definition.attributeSpecs.map((attribute) => [
        `\`${attribute.name}\``,
        attribute.description,
        [presence(attribute), attribute.doc].filter((part) => part !== '').join('; '),
      ]),
    ),
    ...table(
      ['result', ''],
      definition.resultSpecs.map((result) => [`\`${result.name}\``, result.doc]),
    ),
    ...table(
      ['failure', 'mode', 'when'],
      Object.entries(failures).map(([code, failure]) => [`\`${code}\``, failure.mode, failure.when]),
    ),
    ...table(
      ['warning', 'when'],
      Object.entries(warnings).map(([code, when]) => [`\`${code}\``, when]),
    ),
    ...examples.flatMap((example) => [
      `## ${example.title}`,
      '',
      ...fenced('mlir fragment', example.script),
      '<details><summary>before and after</summary>',
      '',
      ...fenced('mlir', example.before),
      ...fenced('mlir', example.after),
      '</details>',
      '',
    ]),
  ].join('\n');
};
