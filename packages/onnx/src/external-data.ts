/** The files beside a model that its weights lie in. */

/** The bytes of files beside a model, by the names that the model has for them. */
export type ExternalData = Readonly<Record<string, Uint8Array>>;
