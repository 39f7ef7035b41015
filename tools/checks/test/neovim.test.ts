/** The language server in Neovim, set up as `docs/editor.md` says, without a screen. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { output } from '../support/command.ts';
import { codeBlocks } from '../support/documents.ts';
import { emptyFolder } from '../support/folder.ts';
import { root } from '../support/packages.ts';

/** Whether it is installed, by `tools/setup-neovim.sh`. */
const hasNeovim = spawnSync('nvim', ['--version']).status === 0;

const file = `func.func @f(%a: i32) -> i32 {
  %twice = arith.addi %a, %a : i32
  return %twice : i32
}
func.func @g() {
  arith.adi
  return
}
`;

/** What a user does, in Neovim's language; it writes what Neovim shows as JSON. */
const script = `
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local shown = { fileType = vim.bo.filetype, diagnostics = {}, hovers = {} }
for _, found in ipairs(vim.diagnostic.get(0)) do
  table.insert(shown.diagnostics, { line = found.lnum, column = found.col, code = found.code })
end
local place = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 1, character = 12 } }
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 20000) or {}) do
  table.insert(shown.hovers, answer.result.contents.value)
end
vim.api.nvim_win_set_cursor(0, { 3, 10 })
vim.lsp.buf.rename('double')
vim.wait(20000, function() return vim.fn.getline(3):find('double') ~= nil end, 20)
shown.lines = vim.fn.getline(1, 4)
io.stdout:write(vim.json.encode(shown))
vim.cmd('qa!')
`;

it.skipIf(!hasNeovim)('attaches, shows errors, tells what an operation is, renames', async () => {
  const [setUp] = codeBlocks('docs/editor.md', readFileSync(join(root, 'docs/editor.md'), 'utf8')).filter(
    ({ language }) => language === 'lua',
  );
  const folder = emptyFolder(onTestFinished);
  const files = { 'init.lua': setUp?.code ?? '', 'script.lua': script, 'f.mlir': file };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const path = (name: string): string => join(folder, name);
  // The user's own configuration and state stay out of it.
  const flags = ['--headless', '-n', '-i', 'NONE', '--noplugin', '-u', path('init.lua')];
  // From the repository, where `npx` finds the server.
  const shown = JSON.parse(
    await output(root, 'nvim', ...flags, path('f.mlir'), '-c', `luafile ${path('script.lua')}`),
  ) as unknown;
  expect(shown).toMatchObject({
    fileType: 'mlir',
    diagnostics: [{ line: 5, column: 2, code: 'parse/unknown-operation' }],
    hovers: [expect.stringContaining('arith.addi')],
    lines: [
      'func.func @f(%a: i32) -> i32 {',
      '  %double = arith.addi %a, %a : i32',
      '  return %double : i32',
      '}',
    ],
  });
});
