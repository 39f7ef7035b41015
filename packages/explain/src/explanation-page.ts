/** The trace as one page: nothing else is loaded, and equal traces give equal bytes. */
import { pageScript, pageScriptHash, pageStyle, pageStyleHash } from './page-assets.ts';
import type { TraceDocument } from './trace-document.ts';

/** What the page may do: run its own script, and show the pictures that it carries. */
const policy = [
  "default-src 'none'",
  `script-src '${pageScriptHash}'`,
  `style-src '${pageStyleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * A self-contained HTML document that shows the runs of a trace, two beside each other. Texts of payload and schedule
 * are data in it, and never markup.
 */
export const explanationPage = (trace: TraceDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>What the schedule did</title>
<style>${pageStyle}</style>
</head>
<body>
<noscript>This page shows its trace by a script.</noscript>
<script type="application/json" id="trace">${inertJson(trace)}</script>
<script>${pageScript}</script>
</body>
</html>
`;

/** JSON without characters that end a script, or that order or hide others where a person reads the file. */
const inertJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => {
      const unit = character.charCodeAt(i).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
