import type { Secret } from '../../../platform/crypto/key-ring.ts';
import { createSigner } from '../../../platform/crypto/signer.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import { payloadTextsOf } from '../payload-texts.ts';

export interface AuthenticationKey extends Scope {
  readonly id: string;
}

/**
 * Holder of a signed reference: the cardholder's browser, or the directory server that sends
 * results.
 */
export type Holder = 'browser' | 'directory';

/** Merchant that a reference names, without a check of its signature. */
export const merchantNamedByReference = (handle: string): string | undefined =>
  payloadTextsOf(handle.split('.')[0] ?? '')[0];

/** Columns that an authentication's key for results depends on. */
const resultFacts = [
  'merchant_id',
  'mode',
  'id',
  'payment_id',
  'amount_cents',
  'amount_currency',
] as const;

/**
 * Signs references to authentications: `<authentication>.<hmac>`. A browser's reference cannot be
 * used to send results.
 */
export function createSignedReferences(key: Secret) {
  const signer = createSigner(key);
  return {
    sign(holder: Holder, { merchant_id, mode, id }: AuthenticationKey): string {
      const body = Buffer.from(`${merchant_id} ${mode} ${id}`).toString('base64url');
      return `${body}.${signer.sign(`${holder} ${body}`)}`;
    },
    /**
     * The key of an authentication. Undefined if the reference is forged, malformed or of another
     * holder.
     */
    read(holder: Holder, handle: string): AuthenticationKey | undefined {
      const [body = '', signature = ''] = handle.split('.');
      if (!signer.isSignatureOf(`${holder} ${body}`, signature)) return undefined;
      const [merchant_id = '', mode = '', id = ''] = payloadTextsOf(body);
      return isUuid(id) ? { merchant_id, mode: mode as Scope['mode'], id } : undefined;
    },
    /**
     * Key with which the directory server signs the results of one authentication. Results for another
     * payment, amount or currency have another key.
     */
    resultsKeyOf: (row: Row): string => signer.sign(resultsTextOf(row)),
    /** Keys that may have signed a result: one per key of the installation that is valid now. */
    resultsKeysOf: (row: Row): readonly string[] => signer.signatures(resultsTextOf(row)),
  };
}

const resultsTextOf = (row: Row): string =>
  `results ${resultFacts.map((column) => row[column] ?? '').join(' ')}`;

export type SignedReferences = ReturnType<typeof createSignedReferences>;
