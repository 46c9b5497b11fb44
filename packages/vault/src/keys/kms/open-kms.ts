import { createFileKms } from './file-kms.ts';
import type { Kms } from './kms.ts';
import { openPkcs11Kms, type Pkcs11Config } from './pkcs11-kms.ts';

export type KmsConfig = { readonly provider: 'file' } | Pkcs11Config;

/** Opens the configured provider. Throws `StartupError` if it cannot be reached. */
export const openKms = async (config: KmsConfig, dataDir: string): Promise<Kms> =>
  config.provider === 'file' ? createFileKms(dataDir) : openPkcs11Kms(config);
