import type { CardBrand } from '@florin/contract/card/networks.ts';
import type { CardDescription, CardWallet, WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import type { SealedRecord } from './record.ts';

/** A stored card: public description and encrypted number. */
export interface CardRow extends Scope, SealedRecord {
  readonly token: string;
  readonly bin: string;
  readonly last_four: string;
  readonly brand: CardBrand;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly fingerprint: string;
  /** Null for typed cards; `authenticated` and the next field are then null as well. */
  readonly wallet: WalletKind | null;
  readonly authenticated: boolean | null;
  readonly eci: string | null;
  readonly network_token: boolean;
}

const COLUMNS = `merchant_id, mode, token, bin, last_four, brand, expiry_month, expiry_year, fingerprint,
  kek_version, wrapped_dek, ciphertext, wallet, authenticated, eci, network_token`;

export async function insertCard(db: Db, card: CardRow, now: Date): Promise<void> {
  await db.query(
    `insert into vault.cards (${COLUMNS}, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
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
      card.wallet,
      card.authenticated,
      card.eci,
      card.network_token,
      now,
    ],
  );
}

/** Card of a token; undefined if this merchant has no such token in this mode. */
export async function findCard(db: Db, scope: Scope, token: string): Promise<CardRow | undefined> {
  const [row] = await db.query<CardRow>(
    `select ${COLUMNS} from vault.cards where merchant_id = $1 and mode = $2 and token = $3`,
    [scope.merchant_id, scope.mode, token],
    'find-card',
  );
  return row;
}

/** Number of cards of a merchant in one mode. Reads all of them. */
export async function countCards(db: Db, { merchant_id, mode }: Scope): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from vault.cards where merchant_id = $1 and mode = $2',
    [merchant_id, mode],
  );
  return row?.count ?? 0;
}

/** Lifetime of cards without a payment method; afterwards they are deleted. */
export const UNATTACHED_LIFE_MS = 60 * 60 * 1000;
const SWEEP_ROWS_MAX = 1_000;

/** Stores a card permanently; safe to repeat. Returns whether this merchant has the card. */
export async function attachCard(
  db: Db,
  scope: Scope,
  token: string,
  now: number,
): Promise<boolean> {
  await attachCards(db, [{ ...scope, token }], now);
  return (await findCard(db, scope, token)) !== undefined;
}

export async function attachCards(
  db: Db,
  cards: readonly (Scope & { readonly token: string })[],
  now: number,
): Promise<void> {
  if (cards.length === 0) return;
  await db.query(
    `update vault.cards card set attached_at = $4
     from unnest($1::text[], $2::text[], $3::text[]) as named (merchant_id, mode, token)
     where card.merchant_id = named.merchant_id and card.mode = named.mode
       and card.token = named.token and card.attached_at is null`,
    [
      cards.map(({ merchant_id }) => merchant_id),
      cards.map(({ mode }) => mode),
      cards.map(({ token }) => token),
      new Date(now),
    ],
    'attach-cards',
  );
}

/** Deletes a card with its data key. */
export async function deleteCard(db: Db, scope: Scope, token: string): Promise<void> {
  await db.query('delete from vault.cards where merchant_id = $1 and mode = $2 and token = $3', [
    scope.merchant_id,
    scope.mode,
    token,
  ]);
}

/** Deletes unattached cards past their lifetime. Returns the number deleted. */
export async function sweepUnattached(db: Db, now: number): Promise<number> {
  const deletedRows = await db.query(
    `delete from vault.cards where (merchant_id, mode, token) in (
       select merchant_id, mode, token from vault.cards
       where attached_at is null and created_at <= $1
       order by created_at limit ${SWEEP_ROWS_MAX} for update skip locked
     ) returning token`,
    [new Date(now - UNATTACHED_LIFE_MS)],
  );
  return deletedRows.length;
}

export const describeCard = (card: CardRow): CardDescription => ({
  card_pan_token: card.token,
  card_bin: card.bin,
  last_four: card.last_four,
  kind: card.brand,
  expiry_month: card.expiry_month,
  expiry_year: card.expiry_year,
  fingerprint: card.fingerprint,
  ...(card.wallet && { wallet: describeWallet(card.wallet, card) }),
  ...(card.network_token && { network_token: true as const }),
});

const describeWallet = (kind: WalletKind, { authenticated, eci }: CardRow): CardWallet => ({
  kind,
  authenticated: authenticated ?? false,
  ...(eci !== null && { eci }),
});
