import type { DocumentKind } from '@florin/contract/resources/documents.ts';
import type { Db } from '../../platform/database/db.ts';
import { notStopped } from '../../platform/database/installation/stopped.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyColumns, type RowKey } from '../../platform/database/row-key.ts';

/** A merchant's sequence of one kind of documents in a mode. */
export interface Sequence {
  readonly merchant_id: string;
  readonly mode: string;
  readonly kind: DocumentKind;
}

/** SQL: sequences from three arrays, in the order in which every transaction locks them. */
const SEQUENCES = `(select distinct * from unnest($1::uuid[], $2::text[], $3::text[])
  as s (merchant_id, mode, kind) order by 1, 2, 3) s`;

const columnsOf = (sequences: readonly Sequence[]): readonly (readonly string[])[] => [
  sequences.map(({ merchant_id }) => merchant_id),
  sequences.map(({ mode }) => mode),
  sequences.map(({ kind }) => kind),
];

/**
 * Locks sequences until the transaction ends, and returns their last numbers. The update without a change is the lock,
 * for sequences that exist and for new ones.
 */
export const lockSequences = (tx: Db, sequences: readonly Sequence[]): Promise<Row[]> =>
  tx.query(
    `insert into document_counters (merchant_id, mode, kind, last_number)
     select merchant_id, mode, kind, 0 from ${SEQUENCES}
     on conflict (merchant_id, mode, kind) do update set last_number = document_counters.last_number
     returning merchant_id, mode, kind, last_number`,
    columnsOf(sequences),
    'lock_document_counters',
  );

/** Stores the last numbers of locked sequences. */
export const saveSequences = (
  tx: Db,
  sequences: readonly (Sequence & { readonly last_number: number })[],
): Promise<Row[]> =>
  tx.query(
    `update document_counters c set last_number = s.last_number
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) as s (merchant_id, mode, kind, last_number)
     where c.merchant_id = s.merchant_id and c.mode = s.mode and c.kind = s.kind`,
    [...columnsOf(sequences), sequences.map(({ last_number }) => String(last_number))],
    'save_document_counters',
  );

/** Documents about these payments or refunds. */
export const findDocuments = (
  db: Db,
  about: 'payments' | 'refunds',
  keys: readonly RowKey[],
): Promise<Row[]> =>
  db.query(
    `select d.* from unnest($1::uuid[], $2::uuid[]) as k (merchant_id, id)
     join documents d on d.merchant_id = k.merchant_id
       and coalesce(d.refund_demand_id, d.payment_demand_id) = k.id
     where d.refund_demand_id is ${about === 'payments' ? '' : 'not '}null`,
    keyColumns(keys),
    `documents_of_${about}`,
  );

/** Stamps of the ledger: documents are issued before the first, and the balances include all transfers before the second. */
export async function readDocumentHorizon(db: Db): Promise<{ from: bigint; to: bigint }> {
  const [row] = await db.query(
    `select d.posted_before as "from", b.posted_before as "to" from document_horizon d, balance_horizon b`,
    [],
    'document_horizon',
    'kept',
  );
  return { from: BigInt(row?.from as string), to: BigInt(row?.to as string) };
}

/**
 * Moves the horizon in the transaction that issues the documents. False if another process has moved it: then that
 * process issues them.
 */
export async function moveDocumentHorizon(tx: Db, from: bigint, to: bigint): Promise<boolean> {
  const moved = await tx.query(
    'update document_horizon set posted_before = $2 where posted_before = $1 returning 1 as moved',
    [String(from), String(to)],
    'move_document_horizon',
  );
  return moved.length > 0;
}

/**
 * Charges of subscriptions and refunds that succeeded between two stamps of the ledger. `offset 0` makes the planner
 * read only the transfers between the stamps, not all of a kind, and look payments up by key.
 */
export const findTransfersToDocument = (db: Db, from: bigint, to: bigint): Promise<Row[]> =>
  db.query(
    `select t.merchant_id, t.mode, t.kind, t.source_id as id
     from (select * from ledger_transfers where posted_in >= $1 and posted_in < $2 offset 0) t
     where (t.kind = 'refunded' or t.kind = 'captured'
       and exists (select from (select payment_subscription_id from payment_demands
         where merchant_id = t.merchant_id and id = t.payment_demand_id offset 0) p
         where p.payment_subscription_id is not null))`,
    [String(from), String(to)],
    'transfers_to_document',
    'kept',
  );

/** SQL: time of the next try after `attempts` tries: doubles from a minute to a day. */
const nextTry = (attempts: string): string =>
  `$1::timestamptz + least(interval '1 day', interval '1 minute' * power(2, least(${attempts}, 12) - 1))`;

/** Stores transfers whose document could not be issued, for `claimFailures`. */
export const storeFailures = (
  tx: Db,
  now: string,
  failures: readonly (Row & { readonly reason: string })[],
): Promise<Row[]> =>
  tx.query(
    `insert into document_failures (merchant_id, mode, kind, subject_id, attempts, reason, due_at)
     select merchant_id, mode, kind, id, 1, reason, ${nextTry('1')}
     from json_to_recordset($2::json) as f (merchant_id uuid, mode text, kind text, id uuid, reason text)
     on conflict (merchant_id, kind, subject_id) do nothing`,
    [now, JSON.stringify(failures)],
    'store_document_failures',
  );

/** Failed transfers that are due for another try, which counts at once: a process that dies repeats none too soon. */
export const claimFailures = (db: Db, now: string, limit: number): Promise<Row[]> =>
  db.query(
    `update document_failures f set attempts = f.attempts + 1, due_at = ${nextTry('f.attempts + 1')}
     where (merchant_id, kind, subject_id) in (select merchant_id, kind, subject_id from document_failures
       where due_at <= $1 and ${notStopped('merchant_id')} order by due_at limit $2 for update skip locked)
     returning merchant_id, mode, kind, subject_id as id`,
    [now, limit],
    'claim_document_failures',
    'kept',
  );

/** Deletes the failure of a transfer whose document now exists. */
export const removeFailure = (db: Db, { merchant_id, kind, id }: Row): Promise<Row[]> =>
  db.query(
    'delete from document_failures where merchant_id = $1 and kind = $2 and subject_id = $3',
    [merchant_id, kind, id],
    'remove_document_failure',
  );
