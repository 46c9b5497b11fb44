import fs from 'node:fs';
import { resolve } from 'node:path';
import { findRootKeyFaults } from '@florin/contract/key-files.ts';
import type { VaultConfig } from '../../config/config.ts';
import { StartupError } from '../../kernel/errors.ts';
import type { Log } from '../../kernel/logger.ts';

/**
 * Looks for root keys that another user could read or replace. Throws `StartupError` with the first fault where the
 * configuration requires private keys, and warns otherwise.
 */
export function checkKeyFiles(
  { dataDir, requires_private_keys }: Pick<VaultConfig, 'dataDir' | 'requires_private_keys'>,
  log: Log,
  uid: number | undefined = process.getuid?.(),
): void {
  if (uid === undefined) return;
  for (const { problem, fix } of findRootKeyFaults(fs, resolve(dataDir), uid)) {
    if (requires_private_keys) throw new StartupError(`${problem} ${fix}`);
    log({ event: 'key_file_exposed', problem, fix });
  }
}
