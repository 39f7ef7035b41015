/** As much of an editor in a page as the extension needs: `vscode`, and workers that know nothing of Node. */
/* global setTimeout, clearTimeout, queueMicrotask, MessageChannel, TextEncoder, TextDecoder, crypto */
import { runInNewContext } from 'node:vm';

/** What pages and workers have of what the bundles use; no `require`, no `process`. */
const globals = {
  console,
  setTimeout,
  clearTimeout,
  queueMicrotask,
  performance,
  TextEncoder,
  TextDecoder,
  URL,
  crypto,
};

/** Whatever is asked of it: a function, a class, an object with more of the kind. */
const anything = (/** @type {Record<PropertyKey, unknown>} */ known = {}) => {
  /** @type {Map<PropertyKey, unknown>} */
  const made = new Map();
  const base = function () {
    // Called as a function, it gives something that can be disposed of.
    return new.target === undefined ? anything() : this;
  };
  base.prototype.dispose = () => undefined;
  return new Proxy(base, {
    get: (target, key) => {
      if (key in known) return known[key];
      if (key === 'prototype') return target.prototype;
      // Not a promise, and a list without elements.
      if (key === 'then') return undefined;
      if (key === Symbol.iterator) return function* () {};
      if (key === Symbol.toPrimitive) return () => 0;
      if (!made.has(key)) made.set(key, anything());
      return made.get(key);
    },
  });
};

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(a, b, c, d) {
    Object.assign(
      this,
      typeof a === 'number' ? { start: new Position(a, b), end: new Position(c, d) } : { start: a, end: b },
    );
  }
}
class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
  appendMarkdown(value) {
    this.value += value;
    return this;
  }
}
class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents: [contents].flat(), range });
  }
}
class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}
class EventEmitter {
  constructor() {
    const listeners = new Set();
    this.event = (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    };
    this.fire = (what) => {
      for (const listener of listeners) listener(what);
    };
  }
  dispose() {}
}
const never = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
class CancellationTokenSource {
  token = never;
  dispose() {}
}
class Uri {
  constructor(text) {
    this.text = text;
    [, this.scheme, this.path] = /^(\w+):\/\/(.*)$/.exec(text);
  }
  static parse(text) {
    return new Uri(text);
  }
  static joinPath(uri, path) {
    return new Uri(`${uri.text}/${path}`);
  }
  toString() {
    return this.text;
  }
}

/** A worker: its program sees its end of a channel as `self`, and what workers have; messages are copied. */
const workerOf = (/** @type {(path: string) => string} */ read) =>
  function (/** @type {string} */ address) {
    const { port1: worker, port2: self } = new MessageChannel();
    runInNewContext(read(address.slice('stub://extension/'.length)), { ...globals, self });
    return Object.assign(worker, { terminate: () => worker.close() });
  };

/** A host with one open document; `read` gives the text of a file of the extension. */
export const hostOf = (read, { uri, language, text }) => {
  const lines = text.split('\n');
  const document = {
    uri: new Uri(uri),
    languageId: language,
    version: 1,
    isClosed: false,
    lineCount: lines.length,
    getText: () => text,
  };
  const commands = new Set();
  const providers = new Map();
  let onDiagnostics;
  const published = new Promise((resolve) => {
    onDiagnostics = resolve;
  });
  const languages = new Proxy(
    {
      match: () => 10,
      createDiagnosticCollection: () =>
        anything({
          set: (_uri, found) => found?.length > 0 && onDiagnostics(found),
          dispose: () => undefined,
        }),
    },
    {
      get: (known, name) =>
        known[name] ??
        ((...given) => {
          providers.set(name, given[1]);
          return { dispose: () => undefined };
        }),
    },
  );
  const configuration = { get: (_name, otherwise) => otherwise, inspect: () => undefined };
  const vscode = anything({
    Position,
    Range,
    MarkdownString,
    Hover,
    Diagnostic,
    EventEmitter,
    CancellationTokenSource,
    Uri,
    languages,
    version: '1.91.0',
    env: { appName: 'stub', language: 'en' },
    commands: anything({
      registerCommand: (name) => {
        commands.add(name);
        return { dispose: () => undefined };
      },
    }),
    workspace: anything({
      textDocuments: [document],
      workspaceFolders: undefined,
      notebookDocuments: [],
      getConfiguration: () => configuration,
    }),
    window: anything({
      // What goes wrong inside the client ends the check.
      showErrorMessage: (message) => Promise.reject(new Error(message)),
      createOutputChannel: () => anything({ error: console.error }),
      visibleTextEditors: [],
      activeTextEditor: undefined,
      visibleNotebookEditors: [],
    }),
  });
  const module = { exports: {} };
  return {
    read,
    commands,
    activate: async (path) => {
      const context = { ...globals, Worker: workerOf(read), self: {} };
      const load = runInNewContext(`(function (module, exports, require) {${read(path)}\n})`, context);
      load(module, module.exports, (name) => {
        if (name !== 'vscode') throw new Error(`a page has no ${name}`);
        return vscode;
      });
      await module.exports.activate({ subscriptions: [], extensionUri: new Uri('stub://extension') });
    },
    diagnostics: () => published,
    ask: (provider, method, position) =>
      providers.get(`register${provider}`)[method](document, position, never),
    deactivate: () => module.exports.deactivate(),
  };
};
