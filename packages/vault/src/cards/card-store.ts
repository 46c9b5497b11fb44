import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { CardDescription } from '@florin/contract/protocol/vault.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import type { SealedRecord } from './record.ts';

/** A stored card: what may be known of it, and its sealed number. */
export interface CardRow extends Scope, SealedRecord {
  readonly token: string;
  readonly bin: string;
  readonly last_four: string;
  readonly brand: CardBrand;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly fingerprint: string;
}

const COLUMNS = `merchant_id, mode, token, bin, last_four, brand, expiry_month, expiry_year, fingerprint,
  kek_version, wrapped_dek, ciphertext`;

export async function insertCard(db: Db, card: CardRow, now: Date): Promise<void> {
  await db.query(
    `insert into vault.cards (${COLUMNS}, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      card.merchant_id,
      card.mode,
      card.token,
      card.bin,
      card.last_four,
      card.brand,
      card.expiry_month,
      card.expiry_year,
      card.fingerprint,
      card.kek_version,
      card.wrapped_dek,
      card.ciphertext,
      now,
    ],
  );
}

/** The card of a token; undefined where this merchant has none of that name in this mode. */
export async function findCard(db: Db, scope: Scope, token: string): Promise<CardRow | undefined> {
  const [row] = await db.query<CardRow>(
    `select ${COLUMNS} from vault.cards where merchant_id = $1 and mode = $2 and token = $3`,
    [scope.merchant_id, scope.mode, token],
    'find-card',
  );
  return row;
}

export const describeCard = (card: CardRow): CardDescription => ({
  card_pan_token: card.token,
  card_bin: card.bin,
  last_four: card.last_four,
  kind: card.brand,
  expiry_month: card.expiry_month,
  expiry_year: card.expiry_year,
  fingerprint: card.fingerprint,
});
