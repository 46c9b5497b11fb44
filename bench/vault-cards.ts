import { sealRecord } from '@florin/vault/cards/record.ts';
import { createToken } from '@florin/vault/cards/token.ts';
import type { Scope } from '@florin/vault/kernel/scope.ts';
import type { Keks } from '@florin/vault/keys/keks.ts';
import type { Database } from '@florin/vault/store/db.ts';

/** Records per statement. */
const STORE_ROWS = 10_000;

interface CardsToStore {
  readonly count: number;
  /** Number of each card. */
  readonly number: string;
}

/** Stores cards of one number in bulk, each with a token and a data key of its own. Returns the tokens. */
export async function storeCards(
  { db, keks }: { readonly db: Database; readonly keks: Keks },
  scope: Scope,
  { count, number }: CardsToStore,
): Promise<string[]> {
  const kek = await keks.current(scope);
  const tokens = Array.from({ length: count }, () => createToken('pan'));
  for (let at = 0; at < count; at += STORE_ROWS) {
    const batch = tokens.slice(at, at + STORE_ROWS);
    const records = batch.map((token) =>
      sealRecord(kek, { ...scope, token, purpose: 'pan' }, number),
    );
    await db.query(INSERT, [
      scope.merchant_id,
      scope.mode,
      kek.version,
      batch,
      records.map(({ wrapped_dek }) => wrapped_dek),
      records.map(({ ciphertext }) => ciphertext),
      number.slice(0, 6),
      number.slice(-4),
    ]);
  }
  return tokens;
}

const INSERT = `
  insert into vault.cards (merchant_id, mode, token, bin, last_four, brand, expiry_month, expiry_year,
    fingerprint, kek_version, wrapped_dek, ciphertext, created_at, attached_at)
  select $1, $2, token, $7, $8, 'visa', 12, 2031, 'bench', $3, dek, ciphertext, now(), now()
  from unnest($4::text[], $5::bytea[], $6::bytea[]) as record (token, dek, ciphertext)`;
