import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { removeTransfers } from '../../ledger/sql/balances.ts';
import { removeHours } from '../../ledger/sql/ledger-hours.ts';

/** Limits of one removal. */
export interface Removal {
  readonly merchant_id: string;
  readonly limit: number;
}

/** SQL condition: the row `t` belongs to the sandbox of the merchant `$1`. */
export const SANDBOX = `t.merchant_id = $1 and t.mode = 'sandbox'`;
/** Order of an index that begins with merchant and mode, so that no statement reads live records. */
const OLDEST_FIRST = 't.created_at, t.id';

/** Allows the transaction to delete append-only rows of this merchant's sandbox. */
export const allowRemoval = (tx: Db, merchant_id: string): Promise<unknown> =>
  tx.query(`select set_config('florin.emptied_sandbox', $1, true)`, [merchant_id], 'allow_removal');

/** SQL condition: the payment, an attempt, a refund or a capture has no outcome yet. */
const OPEN = `t.status in ('pending', 'processing')
  or exists (select from attempts a where a.merchant_id = t.merchant_id
    and a.payment_demand_id = t.id and a.status in ('sending', 'unknown', 'reversing'))
  or exists (select from refund_demands r where r.merchant_id = t.merchant_id
    and r.payment_demand_id = t.id and r.status in ('pending', 'processing'))
  or exists (select from capture_demands c where c.merchant_id = t.merchant_id
    and c.payment_demand_id = t.id and c.status in ('pending', 'processing'))`;

/** Tables whose rows are deleted with their payment. Referencing tables come first. */
const OF_PAYMENTS = [
  'disputes',
  'documents',
  'payment_notes',
  'settlement_exceptions',
  'letters',
  'subscription_changes',
  'subscription_periods',
] as const;
const FOLLOW_UPS = ['refund_demands', 'capture_demands'] as const;

/**
 * Deletes payments with all dependent rows; with `mayRemoveOpen`, also payments without an outcome.
 * Returns the number of removed payments.
 */
export async function removePayments(
  tx: Db,
  { merchant_id, limit }: Removal,
  mayRemoveOpen: boolean,
): Promise<number> {
  const payments = await tx.query(
    `select t.id from payment_demands t where ${SANDBOX} ${mayRemoveOpen ? '' : `and not (${OPEN})`}
     order by ${OLDEST_FIRST} limit $2 for update skip locked`,
    [merchant_id, limit],
    `removable_payments_${mayRemoveOpen}`,
  );
  const ids = payments.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await removeTransfers(tx, 't.merchant_id = $1 and t.payment_demand_id = any ($2::uuid[])', [
    merchant_id,
    ids,
  ]);
  await removeAttempts(tx, merchant_id, ids);
  await removeDisputeFiles(tx, merchant_id, ids);
  for (const table of [...OF_PAYMENTS, ...FOLLOW_UPS]) {
    await removeOf(tx, table, 'payment_demand_id', merchant_id, ids);
  }
  return removeOf(tx, 'payment_demands', 'id', merchant_id, ids);
}

type Ids = readonly (string | null | undefined)[];

const removeAttempts = (tx: Db, merchant_id: string, payments: Ids): Promise<unknown> =>
  tx.query(`delete from attempts t where ${OF_THESE}`, [merchant_id, payments], 'remove_attempts');

/** Files of disputes, with their contents. */
const removeDisputeFiles = (tx: Db, merchant_id: string, payments: Ids): Promise<unknown> =>
  tx.query(
    `delete from dispute_files t where ${SANDBOX} and t.dispute_id in (select d.id from disputes d
       where d.merchant_id = $1 and d.payment_demand_id = any ($2::uuid[]))`,
    [merchant_id, payments],
    'remove_dispute_files',
  );

const ofFollowUps = (table: string, column: string): string =>
  `t.${column} in (select f.id from ${table} f
     where f.merchant_id = $1 and f.payment_demand_id = any ($2::uuid[]))`;

const OF_THESE = `t.merchant_id = $1 and (t.payment_demand_id = any ($2::uuid[])
  or ${ofFollowUps('refund_demands', 'refund_demand_id')}
  or ${ofFollowUps('capture_demands', 'capture_demand_id')})`;

async function removeOf(
  tx: Db,
  table: string,
  column: string,
  merchant_id: string,
  ids: Ids,
): Promise<number> {
  const removedRows = await tx.query(
    `delete from ${table} t where ${SANDBOX} and t.${column} = any ($2::uuid[]) returning 1`,
    [merchant_id, ids],
    `remove_${table}_by_${column}`,
  );
  return removedRows.length;
}

/** Columns that may reference a row. */
type References = readonly (readonly [table: string, column: string])[];

const unreferencedBy = (pointers: References): string =>
  pointers
    .map(
      ([table, column]) =>
        `and not exists (select from ${table} p where p.merchant_id = t.merchant_id and p.${column} = t.id)`,
    )
    .join(' ');

/**
 * Deletes rows that no other table references, with their dependent rows. Returns the number of
 * deleted rows.
 */
async function removeUnreferenced(
  tx: Db,
  { merchant_id, limit }: Removal,
  { table, pointers = [], parts = [] }: Kind,
): Promise<number> {
  const rows = await tx.query(
    `select t.id from ${table} t where ${SANDBOX} ${unreferencedBy(pointers)}
     order by ${OLDEST_FIRST} limit $2 for update skip locked`,
    [merchant_id, limit],
    `removable_${table}`,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const [part, column] of parts) await removeOf(tx, part, column, merchant_id, ids);
  return removeOf(tx, table, 'id', merchant_id, ids);
}

/** A kind of records: table, references that prevent the deletion, and dependent tables. */
interface Kind {
  readonly table: string;
  readonly pointers?: References;
  readonly parts?: References;
}

/** Kinds of records in the order of deletion, after payments. */
const KINDS: readonly Kind[] = [
  {
    table: 'payment_subscriptions',
    pointers: [['payment_demands', 'payment_subscription_id']],
    parts: [
      ['letters', 'payment_subscription_id'],
      ['documents', 'payment_subscription_id'],
      ['subscription_changes', 'payment_subscription_id'],
      ['subscription_periods', 'payment_subscription_id'],
    ],
  },
  { table: 'payment_links', pointers: referencesBy('payment_link_id') },
  {
    table: 'consumer_addresses',
    pointers: [
      ...referencesBy('billing_address_id', 'shipping_address_id'),
      ['payment_methods', 'address_id'],
    ],
  },
  {
    table: 'customers',
    pointers: [
      ...referencesBy('payer_id', 'buyer_id', 'receiver_id'),
      ['payment_methods', 'customer_id'],
      ['consumer_addresses', 'customer_id'],
      ['payment_links', 'customer_id'],
      ['sandbox_clocks', 'customer_id'],
      ['customers', 'merged_into_id'],
    ],
    parts: [
      ['letters', 'customer_id'],
      ['documents', 'customer_id'],
      ['customer_merges', 'source_id'],
      ['customer_merges', 'target_id'],
    ],
  },
];

const METHOD_PARTS: References = [
  ['authentications', 'payment_method_id'],
  ['risk_list_entries', 'payment_method_id'],
];
const METHOD_REFERENCES: References = [
  ...referencesBy('payment_method_id'),
  ['subscription_changes', 'payment_method_id'],
];

/** The given columns as references of both tables, payments and subscriptions. */
function referencesBy(...columns: readonly string[]): References {
  return columns.flatMap((column) => [
    ['payment_demands', column] as const,
    ['payment_subscriptions', column] as const,
  ]);
}

/**
 * References to records that a reset deletes. The reset deletes the referencing rows too, or waits
 * until they are deleted. The database refuses to delete records with other references.
 */
export const resetReferences: Readonly<Record<string, References>> = {
  payment_demands: [...OF_PAYMENTS, ...FOLLOW_UPS, 'attempts', 'ledger_transfers'].map(
    (table) => [table, 'payment_demand_id'] as const,
  ),
  disputes: [['dispute_files', 'dispute_id']],
  dispute_files: [['dispute_file_contents', 'id']],
  payment_methods: [...METHOD_REFERENCES, ...METHOD_PARTS, ['discarded_cards', 'id']],
  ...Object.fromEntries(
    KINDS.map(({ table, pointers = [], parts = [] }) => [table, [...pointers, ...parts]]),
  ),
};

/**
 * Deletes unreferenced records of the first kind that has a full batch, and of the kinds before it. Later kinds wait,
 * since looking for their unreferenced rows would read all rows that these records reference. Returns the number of
 * deleted rows.
 */
export async function removeRecords(tx: Db, removal: Removal): Promise<number> {
  let removedCount = 0;
  for (const kind of KINDS) {
    const count = await removeUnreferenced(tx, removal, kind);
    removedCount += count;
    if (count === removal.limit) break;
  }
  return removedCount;
}

/**
 * Deletes payouts with their transfers. Once no transfer is left, deletes balances and hours too, so that a wrong sum
 * ends with the reset. Returns the number of deleted rows.
 */
export async function removePayouts(tx: Db, { merchant_id, limit }: Removal): Promise<number> {
  const payouts = await tx.query(
    `select t.id from payouts t where ${SANDBOX} order by ${OLDEST_FIRST} limit $2 for update skip locked`,
    [merchant_id, limit],
    'removable_payouts',
  );
  const ids = payouts.map(({ id }) => id);
  if (ids.length > 0)
    await removeTransfers(
      tx,
      `t.merchant_id = $1 and t.mode = 'sandbox' and t.payment_demand_id is null and t.source_id = any ($2::uuid[])`,
      [merchant_id, ids],
    );
  const removedCount = ids.length === 0 ? 0 : await removeOf(tx, 'payouts', 'id', merchant_id, ids);
  const balances = await tx.query(
    `delete from balances t where ${SANDBOX} and not exists
       (select from ledger_transfers l where l.merchant_id = t.merchant_id and l.mode = t.mode)
     returning 1`,
    [merchant_id],
    'remove_balances',
  );
  await removeHours(tx, merchant_id);
  return removedCount + balances.length;
}

/** Deletes events with their deliveries. Returns the number of deleted rows. */
export async function removeEvents(tx: Db, { merchant_id, limit }: Removal): Promise<number> {
  const events = await tx.query(
    `select t.id from events t where ${SANDBOX} order by t.created_at limit $2`,
    [merchant_id, limit],
    'removable_events',
  );
  const ids = events.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.query(
    `delete from webhook_delivery_attempts t using webhook_deliveries d
     where ${SANDBOX} and d.merchant_id = t.merchant_id and d.id = t.webhook_delivery_id
       and d.event_id = any ($2::uuid[])`,
    [merchant_id, ids],
    'remove_delivery_attempts',
  );
  await removeOf(tx, 'webhook_deliveries', 'event_id', merchant_id, ids);
  return removeOf(tx, 'events', 'id', merchant_id, ids);
}

/**
 * Tables with data about records, such as logged requests. No other table references their rows.
 */
const METADATA_TABLES = [
  'api_requests',
  'idempotency_keys',
  'pruned_sequences',
  'webhook_replays',
  'settlement_exceptions',
  'letters',
  'document_failures',
  'notifiable_changes',
  'member_notifications',
];

/** Deletes rows of `METADATA_TABLES`. Returns the number of deleted rows. */
export async function removeMetadata(tx: Db, { merchant_id, limit }: Removal): Promise<number> {
  let removedCount = 0;
  for (const table of METADATA_TABLES) {
    const deletedRows = await tx.query(
      `delete from ${table} t where ${SANDBOX} and ctid = any (array
         (select ctid from ${table} t where ${SANDBOX} limit $2)) returning 1`,
      [merchant_id, limit],
      `remove_noted_${table}`,
    );
    removedCount += deletedRows.length;
  }
  return removedCount;
}

/** A payment method in the order of a round. */
export interface CardPosition {
  readonly created_at: string;
  readonly id: string;
}

/** Before every payment method. */
const FIRST_CARD: CardPosition = {
  created_at: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

/** Payment methods after `after` that no payment or subscription uses, with their cards, oldest first. */
export const removableMethods = (
  db: Db,
  { merchant_id, limit }: Removal,
  after: CardPosition | null,
): Promise<Row[]> => {
  const { created_at, id } = after ?? FIRST_CARD;
  return db.query(
    `select t.id, t.merchant_id, t.mode, t.card_pan_token, t.created_at from payment_methods t
     where ${SANDBOX} ${unreferencedBy(METHOD_REFERENCES)} and (t.created_at, t.id) > ($3, $4)
     order by ${OLDEST_FIRST} limit $2`,
    [merchant_id, limit, created_at, id],
    'removable_methods',
  );
};

/** Deletes payment methods whose cards are destroyed. Returns the number of deleted rows. */
export async function removeMethods(tx: Db, merchant_id: string, ids: Ids): Promise<number> {
  await tx.query(
    'delete from discarded_cards where merchant_id = $1 and id = any ($2::uuid[])',
    [merchant_id, ids],
    'remove_discarded_cards',
  );
  for (const [table, column] of METHOD_PARTS) await removeOf(tx, table, column, merchant_id, ids);
  return removeOf(tx, 'payment_methods', 'id', merchant_id, ids);
}

/**
 * Locks clocks of a sandbox that has no payments, subscriptions and payment methods left. Removing
 * the clock of existing records would move them back in time.
 */
export const emptyClocks = (tx: Db, { merchant_id, limit }: Removal): Promise<Row[]> =>
  tx.query(
    `select t.* from sandbox_clocks t where ${SANDBOX} and t.status = 'ready'
       and not exists (select from payment_demands p where p.merchant_id = t.merchant_id and p.mode = t.mode)
       and not exists (select from payment_subscriptions s where s.merchant_id = t.merchant_id and s.mode = t.mode)
       and not exists (select from payment_methods m where m.merchant_id = t.merchant_id and m.mode = t.mode)
     order by t.id limit $2 for no key update skip locked`,
    [merchant_id, limit],
    'empty_clocks',
  );

/**
 * Deletes rows of clocks that were removed by `until`, when every process knows. Returns the number
 * of deleted rows.
 */
export async function removeOldClocks(tx: Db, merchant_id: string, until: string): Promise<number> {
  const removedRows = await tx.query(
    `delete from sandbox_clocks t where ${SANDBOX} and t.status = 'removed' and t.removed_at <= $2 returning 1`,
    [merchant_id, until],
    'remove_clocks',
  );
  return removedRows.length;
}

/** Whether nothing remains for a reset to remove. */
export async function isSandboxEmpty(db: Db, merchant_id: string): Promise<boolean> {
  const tables = ['payment_demands', 'payment_methods', 'customers', 'events', 'sandbox_clocks'];
  const [row] = await db.query(
    `select ${tables
      .map((table) => `exists (select from ${table} t where ${SANDBOX})`)
      .join(' or ')} as something`,
    [merchant_id],
    'is_sandbox_empty',
  );
  return row?.something !== 't';
}
