import type { Sealer, SealLocation } from '../../../platform/crypto/sealer.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { makeWebhookSecret, type SigningKey, signingKeyOf } from './sign.ts';

/** Hours in which the previous secret signs too. */
export const OVERLAP_HOURS = 24;

/** Keys that sign a subscription's webhook messages. */
interface SigningKeys {
  readonly current: SigningKey;
  /** Key of the previous secret; present during a rotation. */
  readonly previous?: SigningKey;
}

/** No key of this server decrypts a subscription's secret. */
export class SecretUnreadableError extends Error {
  override name = 'SecretUnreadableError';
  readonly code = 'secret_unreadable';
}

/** Reads the keys of a subscription at a time. Decrypts each secret of a row once. */
type KeyReader = (subscription: Row, now: Micros) => SigningKeys;

/**
 * Creates a reader that throws a `SecretUnreadableError`: messages must not be sent unsigned. Keys go with their row.
 */
export function createKeyReader(sealer: Sealer): KeyReader {
  const keysByRow = {
    secret_key: new WeakMap<Row, SigningKey>(),
    previous_secret_key: new WeakMap<Row, SigningKey>(),
  };
  const keyOf = (row: Row, column: SecretColumn): SigningKey | undefined => {
    const knownKey = keysByRow[column].get(row);
    if (knownKey) return knownKey;
    const secret = openSecret(sealer, row, column);
    if (secret === undefined) return undefined;
    const key = signingKeyOf(secret);
    keysByRow[column].set(row, key);
    return key;
  };
  return (row, now) => {
    const current = keyOf(row, 'secret_key');
    if (!current) {
      throw new SecretUnreadableError('no key of this server opens the secret of the subscription');
    }
    const previous = isRotating(row, now) ? keyOf(row, 'previous_secret_key') : undefined;
    return { current, ...(previous && { previous }) };
  };
}

const isRotating = ({ previous_secret_expires_at: expiresAt }: Row, now: Micros): boolean =>
  expiresAt != null && now < microsOf(expiresAt);

type SecretColumn = 'secret_key' | 'previous_secret_key';

const locationOf = (row: Row, column: SecretColumn): SealLocation => ({
  merchant_id: row.merchant_id as string,
  id: row.id as string,
  column,
});

const openSecret = (sealer: Sealer, row: Row, column: SecretColumn): string | undefined => {
  const sealedText = row[column];
  return sealedText == null ? undefined : sealer.open(sealedText, locationOf(row, column));
};

/** Whether a key of this server decrypts the secret. */
export const opensSecret = (sealer: Sealer, row: Row): boolean =>
  openSecret(sealer, row, 'secret_key') !== undefined;

/** Columns of a new secret, sealed for the row of this merchant and id. */
export const newSecret = (sealer: Sealer, row: Row): Row => ({
  secret_key: sealer.seal(makeWebhookSecret(), locationOf(row, 'secret_key')),
});

/**
 * Columns of a rotation: the current secret becomes the previous one, and the former previous one
 * is deleted.
 */
export function rotatedSecret(sealer: Sealer, row: Row, now: Micros): Row {
  const currentSecret = openSecret(sealer, row, 'secret_key');
  const previousColumns =
    currentSecret === undefined
      ? endedRotationColumns
      : previousSecretOf(sealer, row, currentSecret, now);
  return { ...newSecret(sealer, row), ...previousColumns };
}

const previousSecretOf = (sealer: Sealer, row: Row, secret: string, now: Micros): Row => ({
  previous_secret_key: sealer.seal(secret, locationOf(row, 'previous_secret_key')),
  previous_secret_expires_at: instantText(now + seconds(OVERLAP_HOURS * 3_600)),
});

/** Columns that end the previous secret. */
export const endedRotationColumns: Row = {
  previous_secret_key: null,
  previous_secret_expires_at: null,
};
