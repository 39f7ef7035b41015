import { describe, expect, it } from 'vitest';
import { error, silenceable, success } from '@sconv/diagnostics';
import type { OpAsmPrinter, Operation } from '@sconv/ir';
import { edit, i64Attribute, optionalAttribute, unitAttribute } from '@sconv/ir';
import { defineTransformOp, match, reads } from '../src/index.ts';
import { exampleTester, replacementsOf, scriptPrinter, scriptTester } from '../src/testing.ts';

const payload = 'func.func @f() { return }';
const script = 'transform.test.op %root : !transform.any_op';

const operands = { target: reads('any operation') };
const assembly = { format: '$target attr-dict `:` type($target)' };

const failing = (declared: string, mode: 'silenceable' | 'definite' = 'silenceable') =>
  defineTransformOp({
    name: 'transform.test.op',
    summary: 'Fails.',
    operands,
    failures: { [declared]: { mode, when: 'always' } },
    assembly,
    apply: (_, { target }) => silenceable(error('test/fails', 'it fails', target[0]!.location)),
  });

const marking = defineTransformOp({
  name: 'transform.test.op',
  summary: 'Marks.',
  operands,
  assembly,
  apply: ({ rewriter }, { target }) => {
    for (const operation of target) rewriter.setAttribute(operation, 'marked', unitAttribute);
    return success({});
  },
});

const forgetful = defineTransformOp({
  name: 'transform.test.op',
  summary: 'Does nothing, and does not print its attribute.',
  operands,
  attributes: { size: optionalAttribute(i64Attribute) },
  assembly: {
    parse: (parser) => {
      const target = parser.operand();
      const attributes = parser.optionalAttrDict();
      return { operands: [parser.resolve(target, parser.colonType())], attributes };
    },
    print: (printer: OpAsmPrinter, operation: Operation) => {
      printer.text(' ');
      printer.operands(operation.operands);
      printer.text(' : ');
      printer.type(operation.operands[0]!.type);
    },
  },
  apply: () => success({}),
});

describe('scriptTester', () => {
  it('gives the failure of a script', () => {
    const { status, text, diagnostics } = scriptTester([failing('test/fails')])(payload, script);
    expect([status, text]).toEqual(['definite', '']);
    expect(diagnostics).toContain('it fails [test/fails]');
  });

  it('throws for a failure that is not declared', () => {
    const apply = scriptTester([failing('test/other')]);
    expect(() => apply(payload, script)).toThrow("no transform op declares the failure 'test/fails'");
  });

  it('throws for a failure that is declared with another mode', () => {
    const apply = scriptTester([failing('test/fails', 'definite')]);
    expect(() => apply(payload, script)).toThrow("'test/fails' is declared definite, but is silenceable");
  });

  it.each([
    ['a script that is not read', 'transform.test.op', 'parse/'],
    [
      'a script that is wrong',
      `%x = transform.cast %root : !transform.any_op to !transform.op<"func.func">`,
      'transform/handle-type',
    ],
    [
      'a warning',
      `%x = transform.structured.match ops{["func.funk"]} in %root : (!transform.any_op) -> !transform.any_op`,
      'transform/no-match',
    ],
  ])('gives what the interpreter says, which no op declares: %s', (_, body, code) => {
    expect(scriptTester([marking])(payload, body).diagnostics).toContain(`[${code}`);
  });

  it('throws for a step that fails and has changed the payload', () => {
    const careless = defineTransformOp({
      name: 'transform.test.op',
      summary: 'Marks the payload, and fails.',
      operands,
      failures: { 'test/fails': { mode: 'silenceable', when: 'always' } },
      assembly,
      interpret: (run, operation) => {
        const { module, forward } = edit(run.payload, run.context, (rewriter) => {
          rewriter.setAttribute(rewriter.root, 'marked', unitAttribute);
        });
        run.changed(operation, module, { forward, successors: new Map() });
        return silenceable(error('test/fails', 'it fails', operation.location));
      },
    });
    expect(() => scriptTester([careless])(payload, script)).toThrow(
      'a step that failed has changed the payload',
    );
  });

  it('takes a warning that is declared, and no other', () => {
    const warning = defineTransformOp({
      name: 'transform.test.op',
      summary: 'Warns.',
      operands,
      assembly,
      apply: ({ warn }) => {
        warn('test/odd', 'it is odd');
        return success({});
      },
    });
    expect(() => scriptTester([warning])(payload, script)).toThrow(
      "no transform op declares the warning 'test/odd'",
    );
    const declared = { ...warning.definition.transform, warnings: { 'test/odd': 'always' } };
    const definition = { ...warning.definition, transform: declared };
    const { status, diagnostics } = scriptTester([{ definition }])(payload, script);
    expect(status).toBe('success');
    expect(diagnostics).toContain('it is odd [test/odd]');
  });

  it.each([
    [
      'in a body',
      `transform.sequence %root : !transform.any_op failures(propagate) { ^bb0(%x: !transform.any_op): ${script.replace('%root', '%x')} ${script.replace('%root', '%x').replace('op ', 'fail ')} }`,
    ],
    [
      'in an iteration',
      `transform.foreach %root : !transform.any_op { ^bb0(%x: !transform.any_op): ${script.replace('%root', '%x')} ${script.replace('%root', '%x').replace('op ', 'fail ')} }`,
    ],
  ])('takes steps that failed after others %s', (_, body) => {
    const later = defineTransformOp({
      name: 'transform.test.fail',
      summary: 'Fails.',
      operands,
      failures: { 'test/fails': { mode: 'silenceable', when: 'always' } },
      assembly,
      apply: (_context, { target }) => silenceable(error('test/fails', 'it fails', target[0]!.location)),
    });
    expect(scriptTester([marking, later])(payload, body).diagnostics).toContain('[test/fails]');
  });

  it('throws for a script that is printed as something else', () => {
    const apply = scriptTester([forgetful]);
    expect(() => apply(payload, script.replace(' :', ' {size = 3 : i64} :'))).toThrow(
      'printed as something else',
    );
  });

  it('throws for a payload that computes something else, as it is told', () => {
    const apply = scriptTester([marking], {
      difference: (before, after) => (before === after ? undefined : 'it is marked'),
    });
    expect(apply(payload, '').status).toBe('success');
    expect(() => apply(payload, script)).toThrow('the payload computes something else: it is marked');
  });
});

describe('exampleTester', () => {
  it('gives what text and code make of the payload', () => {
    const { asText, asCode } = exampleTester([marking])({
      title: 'Functions are marked',
      payload,
      script,
      record: ({ root }) => {
        marking({ target: match({ target: root }, { ops: ['func.func'] }).results });
        return undefined;
      },
    });
    expect([asText.status, asCode.status]).toEqual(['success', 'success']);
    expect(asText.text).toContain('module attributes {marked}');
    expect(asCode.text).toContain('func.func @f() attributes {marked}');
  });
});

describe('replacementsOf', () => {
  const names = (rewrite: Parameters<typeof replacementsOf>[2], name = 'func.return') =>
    replacementsOf(payload, name, rewrite).map((operation) => operation.name);

  it('gives what stands for the operation, itself if nothing else does', () => {
    expect(names(() => success(undefined))).toEqual(['func.return']);
    expect(
      names((rewriter, operation) => {
        rewriter.replaceOperation(operation, [], [rewriter.root]);
        return success(undefined);
      }),
    ).toEqual(['builtin.module']);
  });

  it('throws for a failure, and where there is no such operation', () => {
    expect(() =>
      names((_, operation) => silenceable(error('test/fails', 'it fails', operation.location))),
    ).toThrow('it fails');
    expect(() => names(() => success(undefined), 'func.call')).toThrow('the payload has no func.call');
  });
});

describe('scriptPrinter', () => {
  it('gives the lines of the body', () => {
    const lines = [script, script.replace(' :', ' {tag} :')];
    expect(scriptPrinter([marking])(lines.join('\n'))).toEqual(lines);
  });
});
