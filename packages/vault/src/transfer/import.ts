import type { Audit } from '../audit/audit.ts';
import { type DestroyDeps, destroyCard } from '../cards/destroy.ts';
import { acceptDek } from '../cards/record.ts';
import type { Clock } from '../kernel/clock.ts';
import { badRequest } from '../kernel/errors.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Fingerprints } from '../keys/fingerprints.ts';
import type { Keks } from '../keys/keks.ts';
import type { RootKeys } from '../keys/root-keys.ts';
import type { Database, Db } from '../store/db.ts';
import type { KnownCard, Page, SentCard } from './page.ts';
import { openPage, pageNumberOf } from './page-key.ts';
import { findImport, importContext, type OpenImport } from './receive.ts';

export interface ImportDeps extends DestroyDeps {
  readonly db: Database;
  readonly rootKeys: RootKeys;
  readonly keks: Keks;
  readonly fingerprints: Fingerprints;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Result of a page. */
export interface ImportedPage {
  readonly is_last: boolean;
  readonly merchant_id: string;
}

/**
 * Stores a page from another vault. Pages come in order; a repeated one changes nothing. The last page ends the import and
 * its key.
 */
export async function importPage(
  deps: ImportDeps,
  import_id: string,
  sealed: string,
): Promise<ImportedPage> {
  const { db, audit } = deps;
  const found = await findImport(db, import_id, deps.clock());
  const number = pageNumberOf(sealed);
  if (number > found.pages)
    throw badRequest(`Page ${found.pages} is missing. Import the file again.`);
  const page = await openSealed(deps, found, number, sealed);
  const { merchant_id } = found;
  await requireOnlyArrived(db, merchant_id);
  await requireNoLostMode(db, merchant_id, page);
  await audit.record({
    actor: 'operator',
    verb: 'import_cards',
    merchant_id,
    ...('mode' in page && { mode: page.mode }),
    outcome: `page ${number} of import ${import_id}`,
  });
  await storePage(deps, merchant_id, page);
  const is_last = page.part === 'cards' && page.is_last;
  await db.query(
    is_last
      ? 'delete from vault.card_imports where id = $1 and $2::integer is not null'
      : 'update vault.card_imports set pages = greatest(pages, $2) where id = $1',
    [import_id, number + 1],
  );
  return { is_last, merchant_id };
}

/** The vault that serves the merchant must not lose cards because another one does not have them. */
async function requireOnlyArrived(db: Db, merchant_id: string): Promise<void> {
  const rows = await db.query(
    'select 1 from vault.cards where merchant_id = $1 and not arrived and attached_at is not null limit 1',
    [merchant_id],
  );
  if (rows.length > 0)
    throw badRequest('This vault takes cards of the merchant itself, so it imports none.');
}

/**
 * A mode without any card was probably destroyed at the other vault because the merchant has left it. An empty page would
 * then destroy the only copies.
 */
async function requireNoLostMode(db: Db, merchant_id: string, page: Page): Promise<void> {
  if (page.part !== 'cards' || page.cards.length > 0) return;
  if (page.after !== '' || page.through !== null) return;
  const rows = await db.query(
    'select 1 from vault.cards where merchant_id = $1 and mode = $2 and arrived limit 1',
    [merchant_id, page.mode],
  );
  if (rows.length > 0)
    throw badRequest(
      `The other vault has no ${page.mode} cards of the merchant, and this one has some from it. If they shall go, run "vault destroy merchant ${merchant_id} --mode ${page.mode}" here, then import the file again.`,
    );
}

async function openSealed(
  { rootKeys }: ImportDeps,
  found: OpenImport,
  number: number,
  sealed: string,
): Promise<Page> {
  const private_key = await rootKeys.unwrap(found, importContext(found));
  try {
    const place = { import_id: found.id, merchant_id: found.merchant_id, number };
    return JSON.parse(openPage(place, private_key, sealed).toString()) as Page;
  } catch (cause) {
    throw badRequest('The page is not one of this import, or it was changed.', { cause });
  } finally {
    private_key.fill(0);
  }
}

async function storePage(deps: ImportDeps, merchant_id: string, page: Page): Promise<void> {
  if (page.part === 'keys') return storeKeys(deps, merchant_id, page);
  const scope = { merchant_id, mode: page.mode };
  if (page.part === 'fingerprints') return storeFingerprints(deps.db, scope, page.fingerprints);
  await storeCards(deps, scope, page.cards);
  await destroyOthers(deps, scope, page);
}

async function storeKeys(
  { db, fingerprints }: ImportDeps,
  merchant_id: string,
  { fingerprint_key, new_numbers }: Extract<Page, { part: 'keys' }>,
): Promise<void> {
  if (fingerprint_key !== null) {
    const key = Buffer.from(fingerprint_key, 'base64');
    const isSame = await fingerprints.accept(merchant_id, key);
    key.fill(0);
    if (!isSame)
      throw badRequest(
        'This vault has another key for fingerprints of the merchant, so equal cards would look different. The merchant cannot move here.',
      );
  }
  for (const [mode, limit] of Object.entries(new_numbers))
    await db.query(
      `insert into vault.number_limits (merchant_id, mode, new_numbers) values ($1, $2, $3)
       on conflict (merchant_id, mode) do update set new_numbers = excluded.new_numbers`,
      [merchant_id, mode, limit],
    );
}

const storeFingerprints = async (
  db: Db,
  { merchant_id, mode }: Scope,
  fingerprints: Extract<Page, { part: 'fingerprints' }>['fingerprints'],
): Promise<void> => {
  await db.query(
    `insert into vault.fingerprint_ids (merchant_id, mode, mark, id, used_at)
     select $1, $2, mark, id, used_at from unnest($3::text[], $4::text[], $5::timestamptz[]) f (mark, id, used_at)
     on conflict (merchant_id, mode, mark) do update
       set id = excluded.id, used_at = greatest(fingerprint_ids.used_at, excluded.used_at)`,
    [
      merchant_id,
      mode,
      fingerprints.map(({ mark }) => mark),
      fingerprints.map(({ id }) => id),
      fingerprints.map(({ used_at }) => used_at),
    ],
  );
};

/** Stores the data keys under the merchant's key here. Each number is opened once, so that no unreadable card is stored. */
async function storeCards(
  { db, keks, clock }: ImportDeps,
  scope: Scope,
  cards: readonly (SentCard | KnownCard)[],
): Promise<void> {
  const sent = cards.filter((card): card is SentCard => 'dek' in card);
  const kek = sent.length > 0 ? await keks.current(scope) : undefined;
  const rows = sent.map(({ dek, ciphertext, ...card }) => {
    const record = {
      dek: Buffer.from(dek, 'base64'),
      ciphertext: Buffer.from(ciphertext, 'base64'),
    };
    const ref = { ...scope, token: card.token, purpose: 'pan' } as const;
    const { wrapped_dek, digits_match } = acceptDek(
      kek as NonNullable<typeof kek>,
      ref,
      record,
      card,
    );
    if (!digits_match) throw badRequest(`The number of the card ${card.token} is another one.`);
    // A card that is older than its key looks like one that a rotation brought back, and tombstones would delete it.
    const created_at = new Date(clock());
    const times = { created_at, attached_at: created_at, arrived: true };
    return {
      ...card,
      ...scope,
      ...times,
      kek_version: kek?.version,
      wrapped_dek,
      ciphertext: record.ciphertext,
    };
  });
  await db.transaction(async (tx) => {
    for (const row of rows) await insertArrived(tx, row);
  });
  const known = await db.query<{ token: string }>(
    'select token from vault.cards where merchant_id = $1 and mode = $2 and token = any ($3)',
    [scope.merchant_id, scope.mode, cards.map(({ token }) => token)],
  );
  if (known.length < cards.length)
    throw badRequest(
      'The file leaves out cards that this vault lacks. Send all cards, without --since.',
    );
}

const COLUMNS = [
  'merchant_id',
  'mode',
  'token',
  'bin',
  'last_four',
  'brand',
  'expiry_month',
  'expiry_year',
  'fingerprint',
  'kek_version',
  'wrapped_dek',
  'ciphertext',
  'wallet',
  'authenticated',
  'eci',
  'network_token',
  'created_at',
  'attached_at',
  'arrived',
] as const;

const insertArrived = (
  tx: Db,
  row: Readonly<Record<(typeof COLUMNS)[number], unknown>>,
): Promise<unknown> =>
  tx.query(
    `insert into vault.cards (${COLUMNS.join(', ')}) values (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})
     on conflict (merchant_id, mode, token) do nothing`,
    COLUMNS.map((name) => row[name]),
  );

/** Destroys cards of an earlier transfer that the other vault has destroyed since. */
async function destroyOthers(
  deps: ImportDeps,
  scope: Scope,
  { after, through, cards }: Extract<Page, { part: 'cards' }>,
): Promise<void> {
  const others = await deps.db.query<{ token: string }>(
    `select token from vault.cards where merchant_id = $1 and mode = $2 and token > $3
       and ($4::text is null or token <= $4) and token <> all ($5) and arrived`,
    [scope.merchant_id, scope.mode, after, through, cards.map(({ token }) => token)],
  );
  for (const { token } of others) await destroyCard(deps, scope, token, 'operator');
}
