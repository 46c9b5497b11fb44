import type { Sealer, SealLocation } from '../../../platform/crypto/sealer.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { makeWebhookSecret } from './sign.ts';

/** Hours in which the previous secret signs too. */
export const OVERLAP_HOURS = 24;

/** Secrets that sign a subscription's webhook messages. */
export interface WebhookSecrets {
  readonly current: string;
  /** Previous secret; present during a rotation. */
  readonly previous?: string;
}

/** No key of this server decrypts a subscription's secret. */
export class SecretUnreadableError extends Error {
  override name = 'SecretUnreadableError';
  readonly code = 'secret_unreadable';
}

/**
 * Decrypts the secrets of a subscription. Throws a `SecretUnreadableError`, because messages must
 * not be sent unsigned.
 */
export function secretsOf(sealer: Sealer, row: Row, now: Micros): WebhookSecrets {
  const currentSecret = openSecret(sealer, row, 'secret_key');
  if (currentSecret === undefined) {
    throw new SecretUnreadableError('no key of this server opens the secret of the subscription');
  }
  const previousSecret = isRotating(row, now)
    ? openSecret(sealer, row, 'previous_secret_key')
    : undefined;
  return {
    current: currentSecret,
    ...(previousSecret !== undefined && { previous: previousSecret }),
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

/** Seals a secret for the row of this merchant and id. */
export const sealedSecret = (sealer: Sealer, row: Row, secret: string): string =>
  sealer.seal(secret, locationOf(row, 'secret_key'));

/** Columns of a new secret, sealed for the row of this merchant and id. */
export const newSecret = (sealer: Sealer, row: Row): Row => ({
  secret_key: sealedSecret(sealer, row, makeWebhookSecret()),
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
