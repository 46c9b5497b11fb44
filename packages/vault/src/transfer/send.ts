import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { CardRow } from '../cards/card-store.ts';
import { releaseDek } from '../cards/record.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Kek, Keks, WrappedKek } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import {
  type Page,
  type Position,
  positionAfter,
  type SentCard,
  type SentFingerprint,
} from './page.ts';
import { sealPage } from './page-key.ts';
import type { Ticket } from './ticket.ts';

/** Maximum number of cards, or of fingerprints, of a page. */
export const PAGE_ROWS = 500;

/** SQL: cards with the key that opens them. */
const SENDABLE_CARDS = `vault.cards card join vault.keks kek on kek.merchant_id = card.merchant_id
  and kek.mode = card.mode and kek.version = card.kek_version and kek.destroyed_at is null`;

export interface SendDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly fingerprints: Fingerprints;
  readonly audit: Audit;
  readonly clock: Clock;
}

export interface SendInput {
  readonly ticket: Ticket;
  readonly position: Position;
  /** Number of the page. */
  readonly number: number;
  /** Cards that were stored before are named only: an earlier transfer has sent them. */
  readonly since: Date | undefined;
}

/** A sealed page, and where the next one begins; undefined after the last. */
export interface SentPage {
  readonly sealed: string;
  readonly next: Position | undefined;
}

/** Seals the next page for the vault of the ticket. Decrypts no number. The audit has an entry before the page leaves. */
export async function sendPage(deps: SendDeps, input: SendInput): Promise<SentPage> {
  const { ticket, position, number } = input;
  await requireCards(deps.db, ticket.merchant_id);
  const { page, last } = await readPage(deps, input);
  const next = positionAfter(position, last);
  await deps.audit.record({
    actor: 'operator',
    verb: 'send_cards',
    merchant_id: ticket.merchant_id,
    ...('mode' in page && { mode: page.mode }),
    outcome: `${describe(page)} to vault ${ticket.vault_id}`,
  });
  const place = { import_id: ticket.import_id, merchant_id: ticket.merchant_id, number };
  const bytes = Buffer.from(JSON.stringify(page));
  const sealed = sealPage(place, ticket.public_key, bytes);
  bytes.fill(0);
  return { sealed, next };
}

/**
 * A vault with rows of cards that it cannot read has just destroyed them, and would look like one without cards. A merchant
 * who never stored a card has fingerprints alone, which block lists name.
 */
async function requireCards(db: Db, merchant_id: string): Promise<void> {
  const rows = await db.query(
    `select 1 from ${SENDABLE_CARDS} where card.merchant_id = $1 and card.attached_at is not null
     union all
     select 1 from vault.fingerprint_keys where merchant_id = $1
       and not exists (select from vault.cards where merchant_id = $1 and attached_at is not null)
     limit 1`,
    [merchant_id],
  );
  if (rows.length === 0)
    throw badRequest('This vault has no cards of the merchant, and no fingerprints.');
}

function describe(page: Page): string {
  if (page.part === 'keys') return 'the key of fingerprints';
  return page.part === 'cards'
    ? `${page.cards.length} cards`
    : `${page.fingerprints.length} fingerprints`;
}

interface ReadPage {
  readonly page: Page;
  /** Last key of a full page. */
  readonly last: string | undefined;
}

async function readPage(deps: SendDeps, { ticket, position, since }: SendInput): Promise<ReadPage> {
  const { merchant_id } = ticket;
  if (position.part === 'keys') return { page: await readKeys(deps, merchant_id), last: undefined };
  const { mode, after } = position;
  const scope = { merchant_id, mode };
  if (position.part === 'fingerprints') {
    const fingerprints = await readFingerprints(deps.db, scope, after);
    const last = lastOf(fingerprints)?.mark;
    return { page: { part: 'fingerprints', mode, fingerprints }, last };
  }
  const rows = await readCards(deps.db, scope, after);
  const cards = await releaseCards(deps, scope, rows, since);
  const last = lastOf(rows)?.token;
  const is_last = positionAfter(position, last) === undefined;
  return { page: { part: 'cards', mode, after, through: last ?? null, cards, is_last }, last };
}

const lastOf = <T>(rows: readonly T[]): T | undefined =>
  rows.length === PAGE_ROWS ? rows.at(-1) : undefined;

async function readKeys({ db, fingerprints }: SendDeps, merchant_id: string): Promise<Page> {
  const key = await fingerprints.release(merchant_id);
  const rows = await db.query<{ mode: Mode; new_numbers: number }>(
    'select mode, new_numbers from vault.number_limits where merchant_id = $1 and new_numbers is not null',
    [merchant_id],
  );
  const new_numbers = Object.fromEntries(rows.map((row) => [row.mode, row.new_numbers]));
  return { part: 'keys', fingerprint_key: key?.toString('base64') ?? null, new_numbers };
}

async function readFingerprints(
  db: Db,
  { merchant_id, mode }: Scope,
  after: string,
): Promise<SentFingerprint[]> {
  const rows = await db.query<{ mark: string; id: string; used_at: Date }>(
    `select mark, id, used_at from vault.fingerprint_ids
     where merchant_id = $1 and mode = $2 and mark > $3 order by mark limit ${PAGE_ROWS}`,
    [merchant_id, mode, after],
  );
  return rows.map(({ used_at, ...row }) => ({ ...row, used_at: used_at.toISOString() }));
}

interface StoredCard extends CardRow {
  readonly attached_at: Date;
}

/** Cards of payment methods. Others belong to a form that is open, and are deleted within an hour. */
const readCards = (db: Db, { merchant_id, mode }: Scope, after: string): Promise<StoredCard[]> =>
  db.query<StoredCard>(
    `select card.* from ${SENDABLE_CARDS}
     where card.merchant_id = $1 and card.mode = $2 and card.token > $3 and card.attached_at is not null
     order by card.token limit ${PAGE_ROWS}`,
    [merchant_id, mode, after],
  );

async function releaseCards(
  { db, keks }: SendDeps,
  scope: Scope,
  rows: readonly StoredCard[],
  since: Date | undefined,
): Promise<(SentCard | { token: string })[]> {
  const byVersion = await loadKeks(db, keks, scope);
  return rows.map((row) => {
    if (since && row.attached_at < since) return { token: row.token };
    const { kek_version, wrapped_dek, ciphertext } = row;
    const dek = releaseDek(
      byVersion.get(kek_version) as Kek,
      { ...scope, token: row.token, purpose: 'pan' },
      wrapped_dek,
    );
    const sent = {
      ...descriptionOf(row),
      dek: dek.toString('base64'),
      ciphertext: ciphertext.toString('base64'),
    };
    dek.fill(0);
    return sent;
  });
}

const descriptionOf = ({
  token,
  bin,
  last_four,
  brand,
  expiry_month,
  expiry_year,
  fingerprint,
  wallet,
  authenticated,
  eci,
  network_token,
}: CardRow): Omit<SentCard, 'dek' | 'ciphertext'> => ({
  token,
  bin,
  last_four,
  brand,
  expiry_month,
  expiry_year,
  fingerprint,
  wallet,
  authenticated,
  eci,
  network_token,
});

async function loadKeks(db: Db, keks: Keks, scope: Scope): Promise<ReadonlyMap<number, Kek>> {
  const rows = await db.query<WrappedKek>(
    `select version, root_version, wrapped from vault.keks
     where merchant_id = $1 and mode = $2 and destroyed_at is null`,
    [scope.merchant_id, scope.mode],
  );
  const opened = await Promise.all(rows.map((row) => keks.unwrap(scope, row)));
  return new Map(opened.map((kek) => [kek.version, kek]));
}
