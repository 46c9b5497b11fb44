/**
 * Provider of the root key: a file, or an HSM over PKCS#11. Versions of root keys are numbered from 1. The
 * caller decides which version wraps keys.
 */
export interface Kms extends AsyncDisposable {
  describe(): Promise<KmsDescription>;
  /** Location of a version, for operators. */
  nameOf(version: number): string;
  /** Identifies a version's key without revealing it; undefined if the provider cannot. */
  fingerprintOf(version: number): Promise<string | undefined>;
  /** Creates a version, stored durably when the promise resolves. Never replaces an existing version. */
  createVersion(version: number): Promise<void>;
  /** Destroys a version, irrecoverably when the promise resolves. Does nothing without such a version. */
  destroyVersion(version: number): Promise<void>;
  /**
   * Encrypts a key. The result is bound to `context`: only the same context unwraps it. Throws if the version
   * does not exist.
   */
  wrap(version: number, key: Buffer, context: string): Promise<Buffer>;
  /** Decrypts a key. Throws unless `wrap` made `wrapped` with this version and `context`. */
  unwrap(version: number, wrapped: Buffer, context: string): Promise<Buffer>;
  /** A new 256-bit key from the provider's random source, plain and wrapped. */
  generate(version: number, context: string): Promise<GeneratedKey>;
}

export interface KmsDescription {
  readonly provider: KmsProvider;
  /** Existing versions in ascending order. */
  readonly versions: readonly number[];
}

export interface GeneratedKey {
  readonly key: Buffer;
  readonly wrapped: Buffer;
}

export const kmsProviders = ['file', 'pkcs11'] as const;
export type KmsProvider = (typeof kmsProviders)[number];
