import { payoutLineSigns } from '@florin/contract/ledger.ts';
import { PAYOUT_LINES_SHOWN } from '@florin/contract/payout-lines.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** Stamps of the transfers that payouts have paid: those below the first, without the others. */
export interface PaidStamps {
  readonly below: string;
  /** Array of PostgreSQL. */
  readonly without: string;
}

/** A payout with the stamps that it and the one before it have paid. */
export interface PayoutRange {
  readonly amount_cents: string;
  readonly currency: string;
  readonly settled_on: string;
  readonly paid: PaidStamps;
  readonly paidBefore: PaidStamps;
  /** First stamp that the payout may have paid. */
  readonly from: string;
  /** Time of the payout before, `-infinity` for a first one. The transfers of this payout are not much older. */
  readonly since: string;
}

/**
 * SQL: stamps of a payout `p`. An earlier version stored none: then all transfers count that have a lower stamp than the
 * payout's own.
 */
const STAMPS = `coalesce(p.paid_below, (select posted_in from ledger_transfers l
    where l.merchant_id = p.merchant_id and l.source_id = p.id and l.kind = 'paid_out'), 0) as below,
  coalesce(p.paid_without, '{}') as without`;

/** Maximum number of a merchant's own transfers that the search of its first stamp reads. */
const OWN_TRANSFERS_MAX = 100_000;

/**
 * SQL: the first stamp of a merchant's mode, 0 beyond `OWN_TRANSFERS_MAX`. Reads all of its transfers, since a sandbox
 * clock may date an early transfer last.
 */
const FIRST_STAMP = `select case when count(*) <= $4 then min(posted_in) end as stamp from (
  select posted_in from ledger_transfers where merchant_id = $1 and mode = $2
  order by merchant_id, mode, created_at desc, id desc limit $4 + 1) own`;

/**
 * Reads a payout and its range of the ledger. Undefined if the scope has none with this id. A first payout begins at the
 * merchant's first stamp, so that its file reads nothing from before the merchant.
 */
export async function findPayoutRange(
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
  own_transfers_max: number = OWN_TRANSFERS_MAX,
): Promise<PayoutRange | undefined> {
  const [row] = await db.query(
    `select o.amount_cents, o.amount_currency, o.settled_on, o.below, o.without,
       coalesce(b.below, 0) as below_before, coalesce(b.without, '{}') as without_before,
       coalesce(b.created_at, '-infinity') as since,
       case when b.below is null then coalesce((${FIRST_STAMP}), 0)
         else least(b.below, (select min(stamp) from unnest(b.without) stamp)) end as from_stamp
     from (select p.*, ${STAMPS} from payouts p where merchant_id = $1 and mode = $2 and id = $3) o
     left join lateral (select ${STAMPS}, p.created_at from payouts p
       where p.merchant_id = $1 and p.mode = $2 and p.amount_currency = o.amount_currency
         and (p.created_at, p.id) < (o.created_at, o.id)
       order by p.created_at desc, p.id desc limit 1) b on true`,
    [merchant_id, mode, id, own_transfers_max],
    'payout_range',
  );
  if (!row) return undefined;
  const text = (name: string): string => row[name] as string;
  return {
    amount_cents: text('amount_cents'),
    currency: text('amount_currency'),
    settled_on: text('settled_on'),
    paid: { below: text('below'), without: text('without') },
    paidBefore: { below: text('below_before'), without: text('without_before') },
    from: text('from_stamp'),
    since: text('since'),
  };
}

/** SQL: the payout has paid this transfer, and the one before has not. */
const isPaid = (transfer: string): string => `
  ${transfer}.posted_in < $6 and ${transfer}.posted_in <> all ($7::bigint[])
  and not (${transfer}.posted_in < $8 and ${transfer}.posted_in <> all ($9::bigint[]))`;

const KINDS = Object.keys(payoutLineSigns)
  .map((kind) => `'${kind}'`)
  .join(', ');

/**
 * SQL: lines of a payout among `transfers`, for `valuesOf`. A settled payment includes its fee if this payout has charged
 * it too. `limit 1` and `offset 0` make the planner look rows up by key, not read the merchant's whole ledger.
 */
const linesAmong = (transfers: string): string => `
  select t.id, t.kind, t.amount_cents, t.created_at, t.payment_demand_id, f.amount_cents as fee_cents,
    p.purchase_reference, c.name as payer_name, m.kind as card_kind, m.last_four
  from (${transfers}) t
  left join lateral (select amount_cents from ledger_transfers f where f.merchant_id = $1
    and f.source_id = t.source_id and f.kind = 'fee' and ${isPaid('f')} limit 1) f on t.kind = 'settled'
  left join lateral (select * from payment_demands p
    where p.merchant_id = $1 and p.id = t.payment_demand_id limit 1) p on true
  left join lateral (select name from customers c where c.merchant_id = $1 and c.id = p.payer_id limit 1) c on true
  left join lateral (select kind, last_four from payment_methods m
    where m.merchant_id = $1 and m.id = p.payment_method_id limit 1) m on true
  where t.merchant_id = $1 and t.mode = $2 and t.amount_currency = $3 and t.kind in (${KINDS}) and ${isPaid('t')}
    and not (t.kind = 'fee' and exists (select from ledger_transfers s where s.merchant_id = $1
      and s.source_id = t.source_id and s.kind = 'settled' and ${isPaid('s')} offset 0))`;

/** Merchant, mode, currency, the two bounds of the transfers ($4 and $5), and the stamps of `isPaid`. */
const valuesOf = (
  { merchant_id, mode }: Scope,
  { currency, paid, paidBefore }: PayoutRange,
  bounds: readonly [unknown, unknown],
): readonly unknown[] => [
  ...[merchant_id, mode, currency, ...bounds],
  ...[paid.below, paid.without, paidBefore.below, paidBefore.without],
];

/** Lines of a payout between two stamps. */
export const readPayoutLines = (
  db: Db,
  scope: Scope,
  range: PayoutRange,
  from: bigint,
  to: bigint,
): Promise<Row[]> =>
  db.query(
    `${linesAmong('select * from ledger_transfers where posted_in >= $4 and posted_in < $5 offset 0')}
     order by t.posted_in, t.id`,
    valuesOf(scope, range, [String(from), String(to)]),
    'payout_lines',
  );

/** SQL: how much older than a time in the ledger a transfer may be: a long transaction, clocks that differ. */
const OLDER_MAX = "interval '1 hour'";

/** The oldest lines of a payout since a time. Reads only the merchant's own transfers, `searched_max` at most. */
export const readOldestLines = (
  db: Db,
  scope: Scope,
  range: PayoutRange,
  { since, searched_max }: { readonly since: string; readonly searched_max: number },
): Promise<Row[]> =>
  db.query(
    `${linesAmong(`select * from ledger_transfers where merchant_id = $1 and mode = $2
       and created_at >= $4::timestamptz - ${OLDER_MAX} order by created_at, id limit $5`)}
     order by t.created_at, t.id limit ${PAYOUT_LINES_SHOWN}`,
    valuesOf(scope, range, [since, searched_max]),
    'payout_first_lines',
  );
