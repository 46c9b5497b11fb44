import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { UUID_MIN } from '../../../platform/database/slices/key-slices.ts';
import { EMAIL_RETRY_WAITS_SECONDS } from '../../emails/decide.ts';

/** Why a merchant cannot move now, with the number of rows. */
interface Blocker {
  /** Follows the number, such as `attempts without an outcome`. */
  readonly what: string;
  /** SQL: condition of `from`, for the merchant `$1`. */
  readonly count: string;
}

/** Maximum that one count reads. */
const COUNT_MAX = 1_000;
/** Seconds after which no lease of an email ends. */
const EMAIL_LEASE_S = 300;

/** SQL: email `t` is due when its last try said, so that nobody has claimed it since. */
const WAITS_FOR_RETRY = `t.tries_count > 0 and t.due_at < t.updated_at + interval '1 second'
  * (1 + (array[${EMAIL_RETRY_WAITS_SECONDS.join(', ')}])[t.tries_count])`;

const rowsOf = (table: string, condition: string): string =>
  `from ${table} t where t.merchant_id = $1 and ${condition}`;

/**
 * Work that may be on its way to somebody else, or waits for an operator. All of it ends, since nothing new begins while
 * the merchant is stopped.
 */
const BLOCKERS: readonly Blocker[] = [
  {
    what: 'messages to processors without an outcome: wait, or close them in the operator console',
    count: rowsOf('attempts', `t.status in ('sending', 'unknown', 'reversing')`),
  },
  {
    what: 'payments that are being processed',
    count: rowsOf('payment_demands', `t.status = 'processing'`),
  },
  {
    what: 'refunds that are being processed',
    count: rowsOf('refund_demands', `t.status = 'processing'`),
  },
  {
    what: 'captures that are being processed',
    count: rowsOf('capture_demands', `t.status = 'processing'`),
  },
  {
    what: 'attempts in doubt after a restore: decide them in the operator console',
    count: rowsOf('attempts', 't.doubted_at is not null and t.doubt_decided_at is null'),
  },
  {
    what: 'emails that are being sent',
    count: rowsOf(
      'letters',
      `t.status = 'pending' and t.due_at > statement_timestamp()
       and t.due_at <= statement_timestamp() + interval '${EMAIL_LEASE_S} seconds' and not (${WAITS_FOR_RETRY})`,
    ),
  },
  {
    what: 'answers to disputes that are being sent',
    count: rowsOf('disputes', 't.response_steps is not null and t.due_at is not null'),
  },
  {
    what: 'notifications of disputes that wait: decide them in the operator console',
    count: `from waiting_disputes w join attempts t on t.id::text = w.attempt_id and t.merchant_id = $1`,
  },
  {
    what: 'resets of the sandbox that run',
    count: rowsOf('sandbox_resets', 't.finished_at is null'),
  },
  {
    what: 'sandbox clocks that advance or are at work',
    count: rowsOf(
      'sandbox_clocks',
      `(t.status = 'advancing' or t.held_until >= statement_timestamp())`,
    ),
  },
  {
    what: 'entries of the ledger that balances and documents lack: wait for the work loops',
    count: `from ledger_transfers t, document_horizon d, balance_horizon b
      where t.merchant_id = $1 and t.posted_in >= least(d.posted_before, b.posted_before)`,
  },
];

const NAMED = BLOCKERS.map(
  ({ count }, at) =>
    `(select count(*) from (select ${count} limit ${COUNT_MAX}) r) as blocker_${at}`,
).join(', ');

/** Describes what keeps a merchant in its cell now, a line each. */
export async function findBlockers(cell: Db, merchant_id: string): Promise<string[]> {
  const [row = {}] = await cell.query(`select ${NAMED}`, [merchant_id]);
  return BLOCKERS.flatMap(({ what }, at) => {
    const count = Number(row[`blocker_${at}`]);
    return count === 0 ? [] : [`${count === COUNT_MAX ? `${COUNT_MAX} or more` : count} ${what}`];
  });
}

/** Days that each cell has settled, of the processors and modes that the merchant uses. */
export const readSettledDays = (cell: Db): Promise<Row[]> =>
  cell.query('select processor, mode, day, part from settlement_progress order by 1, 2', []);

/** Whether the merchant has payments at the simulated network. */
export async function usesNetwork(cell: Db, merchant_id: string): Promise<boolean> {
  const rows = await cell.query(
    'select 1 from attempts where merchant_id = $1 and processor_account_id is null limit 1',
    [merchant_id],
  );
  return rows.length > 0;
}

/** SQL: entries of block and allow lists that name a card of the merchant `$1`. */
const LISTED_CARDS = `from risk_list_entries where merchant_id = $1 and kind = 'card' and removed_at is null`;

/** Whether records of the merchant need the vault of the cell: stored cards, or entries that name a fingerprint. */
export async function needsVault(cell: Db, merchant_id: string): Promise<boolean> {
  const [row] = await cell.query(
    `select exists (select from payment_methods where merchant_id = $1 and discarded_at is null)
       or exists (select ${LISTED_CARDS}) as needed`,
    [merchant_id],
  );
  return row?.needed === 't';
}

/** Maximum number of cards that one statement reads. */
const CARDS_MAX = 5_000;

/** Number of a merchant's cards whose digests are not among these. */
export async function countCardsWithout(
  cell: Db,
  merchant_id: string,
  digests: ReadonlySet<string>,
): Promise<number> {
  let missing = 0;
  for (let after = UUID_MIN; ; ) {
    const rows = await cell.query(
      `select id, encode(sha256(convert_to(card_pan_token, 'UTF8')), 'hex') as digest from payment_methods
       where merchant_id = $1 and id > $2 and discarded_at is null order by id limit $3`,
      [merchant_id, after, CARDS_MAX],
    );
    missing += rows.filter(({ digest }) => !digests.has(digest as string)).length;
    if (rows.length < CARDS_MAX) return missing;
    after = rows.at(-1)?.id as string;
  }
}

/** Number of entries of lists whose fingerprints have digests that are not among these. */
export async function countEntriesWithout(
  cell: Db,
  merchant_id: string,
  digests: ReadonlySet<string>,
): Promise<number> {
  const rows = await cell.query(
    `select encode(sha256(convert_to(subject, 'UTF8')), 'hex') as digest ${LISTED_CARDS}`,
    [merchant_id],
  );
  return rows.filter(({ digest }) => !digests.has(digest as string)).length;
}

export async function isMerchantThere(cell: Db, merchant_id: string): Promise<boolean> {
  const rows = await cell.query('select 1 from merchants where id = $1', [merchant_id]);
  return rows.length > 0;
}
