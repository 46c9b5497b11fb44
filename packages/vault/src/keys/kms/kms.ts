/**
 * What keeps the root key: a file, or an HSM over PKCS#11. The root key has versions, numbered from 1; which of them
 * wraps is not the provider's to say.
 */
export interface Kms extends AsyncDisposable {
  describe(): Promise<KmsDescription>;
  /** Where a version is kept, as an operator would look for it. */
  nameOf(version: number): string;
  /** Names the key of a version and tells nothing of it; undefined where the provider gives no key away. */
  fingerprintOf(version: number): Promise<string | undefined>;
  /** Durable when it resolves. A version that exists already stays as it is. */
  createVersion(version: number): Promise<void>;
  /** Beyond recovery when it resolves; a version that does not exist is none to destroy. */
  destroyVersion(version: number): Promise<void>;
  /** `context` is bound to the result: only the same context unwraps it. Throws where there is no such version. */
  wrap(version: number, key: Buffer, context: string): Promise<Buffer>;
  /** Throws where `wrapped` was not made by `wrap` under this version and `context`. */
  unwrap(version: number, wrapped: Buffer, context: string): Promise<Buffer>;
  /** A fresh 256-bit key from the provider's own source of chance, and itself wrapped. */
  generate(version: number, context: string): Promise<GeneratedKey>;
}

export interface KmsDescription {
  readonly provider: KmsProvider;
  /** In ascending order. */
  readonly versions: readonly number[];
}

export interface GeneratedKey {
  readonly key: Buffer;
  readonly wrapped: Buffer;
}

export const kmsProviders = ['file', 'pkcs11'] as const;
export type KmsProvider = (typeof kmsProviders)[number];
