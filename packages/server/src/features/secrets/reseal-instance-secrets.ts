import { isSealed } from '../../platform/crypto/sealer.ts';
import {
  listSecrets,
  replaceSealedSecret,
  type SecretVersion,
  sealPlainSecret,
  secretLocation,
} from '../../platform/database/installation/secret-versions.ts';
import type { ResealedColumn, ResealOptions } from './reseal.ts';

/** Like `resealColumn`, for the secrets of the installation. */
export async function resealInstanceSecrets({
  db,
  sealer,
  dry_run,
}: ResealOptions): Promise<ResealedColumn> {
  const found = { newest: 0, older: 0, unreadable: 0, plain: 0 };
  let resealed = 0;
  for (const version of await listSecrets(db)) {
    const state = version.sealed
      ? sealer.stateOf(version.sealed, secretLocation(version))
      : ('plain' as const);
    found[state] += 1;
    if (dry_run || state === 'newest' || state === 'unreadable') continue;
    resealed += (await storeAnew({ db, sealer }, version)).length;
  }
  return { found, resealed };
}

function storeAnew({ db, sealer }: Pick<ResealOptions, 'db' | 'sealer'>, version: SecretVersion) {
  const { sealed, plain } = version;
  const location = secretLocation(version);
  if (plain) return sealPlainSecret(db, version, sealer.seal(plain.toString('base64'), location));
  const secret = sealer.open(sealed ?? '', location);
  if (secret === undefined || !isSealed(sealed ?? '')) return Promise.resolve([]);
  return replaceSealedSecret(db, version, sealer.seal(secret, location));
}
