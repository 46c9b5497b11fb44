import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Scope } from '../kernel/scope.ts';
import { aadOf, openBytes, sealBytes } from '../keys/aead.ts';
import { CVV_LIFE_MS, type Epoch } from '../keys/cvv-epochs.ts';
import type { Db } from '../store/db.ts';
import type { Purpose } from './record.ts';

const SWEEP_ROWS_MAX = 5_000;

/** Values that are used once: a verification value, or a wallet's cryptogram. */
export type SingleUsePurpose = Exclude<Purpose, 'pan'>;

/** Reference to a single-use value of a merchant, in one mode, with the token of the card that it was entered with. */
export interface CvvRef extends Scope {
  readonly token: string;
  readonly card_token: string;
}

/** An encrypted value with the wrapped key of its epoch. */
export interface CvvRow extends Omit<CvvRef, 'card_token'> {
  /** Null for a value that an earlier release stored. */
  readonly card_token: string | null;
  readonly epoch_id: string;
  readonly ciphertext: Buffer;
  readonly expires_at: Date;
  readonly root_version: number;
  readonly wrapped: Buffer;
}

const bindingOf = (
  { merchant_id, mode, token }: Omit<CvvRef, 'card_token'>,
  purpose: SingleUsePurpose,
): Buffer => aadOf(merchant_id, mode, token, purpose);

/** An unencrypted value that the vault is about to store. */
export interface ClearSingleUseValue {
  readonly purpose: SingleUsePurpose;
  readonly text: string;
  readonly now: number;
}

export async function insertCvv(
  db: Db,
  ref: CvvRef,
  epoch: Epoch,
  { purpose, text, now }: ClearSingleUseValue,
): Promise<void> {
  const plaintext = Buffer.from(text);
  const ciphertext = sealBytes(epoch.key, plaintext, bindingOf(ref, purpose));
  plaintext.fill(0);
  const expires_at = new Date(now + CVV_LIFE_MS);
  await insertRow(db, { ...ref, epoch_id: epoch.id, ciphertext, expires_at });
}

/** Decrypts a value. Throws if row, key or purpose differ from those of the encryption. */
export function openCvv(epochKey: Buffer, row: CvvRow, purpose: SingleUsePurpose): string {
  const plaintext = openBytes(epochKey, row.ciphertext, bindingOf(row, purpose));
  const text = plaintext.toString('latin1');
  plaintext.fill(0);
  return text;
}

/** Stores an unused value again, with its original expiry. */
export const restoreCvv = (db: Db, row: CvvRow): Promise<void> => insertRow(db, row);

/** Stores a value, unless its epoch has ended in the meantime. */
async function insertRow(db: Db, row: Omit<CvvRow, 'root_version' | 'wrapped'>): Promise<void> {
  await db.query(
    `insert into vault.cvvs (merchant_id, mode, token, epoch_id, ciphertext, expires_at, card_token)
     select $1, $2, $3, id, $5, $6, $7 from vault.cvv_epochs where id = $4 on conflict do nothing`,
    [
      row.merchant_id,
      row.mode,
      row.token,
      row.epoch_id,
      row.ciphertext,
      row.expires_at,
      row.card_token,
    ],
    'insert-cvv',
  );
}

const NAMED_REFS = `unnest($1::text[], $2::text[], $3::text[], $4::text[])
  as named (merchant_id, mode, token, card_token)`;
/** A code with another card would be a guess of the server at that card's code. */
const IS_OF_CARD = '(cvv.card_token is null or cvv.card_token = named.card_token)';
const COLUMNS = `cvv.merchant_id, cvv.mode, cvv.token, cvv.epoch_id, cvv.ciphertext, cvv.expires_at,
  cvv.card_token`;

/**
 * Deletes and returns values in one statement: only one of several requests gets a value, and a crash leaves
 * no value behind. Also deletes expired values, without returning them.
 */
export async function consumeCvvs(db: Db, refs: readonly CvvRef[], now: number): Promise<CvvRow[]> {
  if (refs.length === 0) return [];
  const rows = await db.query<CvvRow>(
    `with taken as (
       delete from vault.cvvs cvv using ${NAMED_REFS}
       where cvv.merchant_id = named.merchant_id and cvv.mode = named.mode and cvv.token = named.token
         and ${IS_OF_CARD}
       returning ${COLUMNS}
     )
     select taken.*, epoch.root_version, epoch.wrapped
     from taken join vault.cvv_epochs epoch on epoch.id = taken.epoch_id`,
    columnsOf(refs),
    'take-cvvs',
  );
  return rows.filter(({ expires_at }) => expires_at.getTime() > now);
}

/** Reads values without deleting them, for requests that do not consume them. */
export async function peekCvvs(db: Db, refs: readonly CvvRef[], now: number): Promise<CvvRow[]> {
  if (refs.length === 0) return [];
  return db.query<CvvRow>(
    `select ${COLUMNS}, epoch.root_version, epoch.wrapped
     from ${NAMED_REFS}
     join vault.cvvs cvv using (merchant_id, mode, token)
     join vault.cvv_epochs epoch on epoch.id = cvv.epoch_id
     where cvv.expires_at > $5 and ${IS_OF_CARD}`,
    [...columnsOf(refs), new Date(now)],
    'peek-cvvs',
  );
}

const columnsOf = (refs: readonly CvvRef[]): (string | Mode)[][] => [
  refs.map(({ merchant_id }) => merchant_id),
  refs.map(({ mode }) => mode),
  refs.map(({ token }) => token),
  refs.map(({ card_token }) => card_token),
];

/** Deletes expired values. Returns the number deleted. */
export async function sweepCvvs(db: Db, now: number): Promise<number> {
  const deletedRows = await db.query(
    `delete from vault.cvvs where (merchant_id, mode, token) in (
       select merchant_id, mode, token from vault.cvvs
       where expires_at <= $1 order by expires_at limit ${SWEEP_ROWS_MAX} for update skip locked
     ) returning token`,
    [new Date(now)],
  );
  return deletedRows.length;
}

/**
 * Removes deleted values and keys from the table files. A plain vacuum returns empty pages, but deleted bytes in other
 * pages remain until they are overwritten.
 *
 * With `mustRewrite`, writes new files. Skips locked tables until the next sweep, and keeps rows that open transactions may see.
 */
export async function wipeCvvs(
  db: Db,
  { mustRewrite }: { readonly mustRewrite: boolean },
): Promise<void> {
  for (const table of ['cvvs', 'cvv_epochs']) {
    await db.query(`vacuum (skip_locked, ${mustRewrite ? 'full' : 'truncate'}) vault.${table}`);
  }
}
