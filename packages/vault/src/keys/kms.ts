import { aadOf, openBytes, sealBytes } from './aead.ts';

/** What keeps the root key: a file here, a key management service or HSM where there is one. */
export interface Kms {
  /** `context` is bound to the result: only the same context unwraps it. */
  wrap(key: Buffer, context: string): Promise<Buffer>;
  /** Throws where `wrapped` was not made by `wrap` under this root key and `context`. */
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>;
}

export const localKms = (rootKey: Buffer): Kms => ({
  wrap: async (key, context) => sealBytes(rootKey, key, aadOf(context)),
  unwrap: async (wrapped, context) => openBytes(rootKey, wrapped, aadOf(context)),
});
