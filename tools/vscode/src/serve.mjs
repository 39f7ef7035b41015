/** The language server, on a connection to either extension. */
/* global setTimeout */
import { serveLanguage } from '@sconv/language';
import { languageRegistry } from '../../../packages/sconv/dist/language-registry.js';

/** How long to wait for further changes before a text is checked, in milliseconds. */
const pause = 30;

/** Answers the editor; `onExit` is called when it ends the server. */
export const serve = (connection, onExit) => {
  serveLanguage(connection, {
    registry: languageRegistry,
    schedule: (work) => {
      setTimeout(work, pause);
    },
    onExit,
  });
  connection.listen();
};
