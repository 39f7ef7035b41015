/** The READMEs: every code block compiles and runs for a user of the packed packages, with the promised output. */
import { codeBlocks, readPages } from '../support/documents.ts';
import { testBlocks } from '../support/test-blocks.ts';

const blocks = readPages().flatMap(({ page, text }) => codeBlocks(page, text));

testBlocks(blocks.filter(({ page }) => !page.startsWith('docs/')));
