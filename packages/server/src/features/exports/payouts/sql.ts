import { payoutLineSigns } from '@florin/contract/ledger.ts';
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
}

/**
 * SQL: stamps of a payout `p`. An earlier version stored none: then all transfers count that have a lower stamp than the
 * payout's own.
 */
const STAMPS = `coalesce(p.paid_below, (select posted_in from ledger_transfers l
    where l.merchant_id = p.merchant_id and l.source_id = p.id and l.kind = 'paid_out'), 0) as below,
  coalesce(p.paid_without, '{}') as without`;

/** Reads a payout and its range of the ledger. Undefined if the scope has none with this id. */
export async function findPayoutRange(
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<PayoutRange | undefined> {
  const [row] = await db.query(
    `select o.amount_cents, o.amount_currency, o.settled_on, o.below, o.without,
       coalesce(b.below, 0) as below_before, coalesce(b.without, '{}') as without_before,
       least(coalesce(b.below, 0), (select min(stamp) from unnest(b.without) stamp)) as from_stamp
     from (select p.*, ${STAMPS} from payouts p where merchant_id = $1 and mode = $2 and id = $3) o
     left join lateral (select ${STAMPS} from payouts p
       where p.merchant_id = $1 and p.mode = $2 and p.amount_currency = o.amount_currency
         and (p.created_at, p.id) < (o.created_at, o.id)
       order by p.created_at desc, p.id desc limit 1) b on true`,
    [merchant_id, mode, id],
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
 * Lines of a payout between two stamps. A settled payment includes its fee if this payout has charged it too. `offset 0`
 * keeps the planner from reading the merchant's whole ledger.
 */
export const readPayoutLines = (
  db: Db,
  { merchant_id, mode }: Scope,
  { currency, paid, paidBefore }: PayoutRange,
  from: bigint,
  to: bigint,
): Promise<Row[]> =>
  db.query(
    `select t.kind, t.amount_cents, t.created_at, t.payment_demand_id, f.amount_cents as fee_cents,
       p.purchase_reference, c.name as payer_name, m.kind as card_kind, m.last_four
     from (select * from ledger_transfers where posted_in >= $4 and posted_in < $5 offset 0) t
     left join ledger_transfers f on t.kind = 'settled' and f.kind = 'fee' and f.merchant_id = $1
       and f.source_id = t.source_id and ${isPaid('f')}
     left join payment_demands p on p.merchant_id = $1 and p.id = t.payment_demand_id
     left join customers c on c.merchant_id = $1 and c.id = p.payer_id
     left join payment_methods m on m.merchant_id = $1 and m.id = p.payment_method_id
     where t.merchant_id = $1 and t.mode = $2 and t.amount_currency = $3 and t.kind in (${KINDS}) and ${isPaid('t')}
       and not (t.kind = 'fee' and exists (select from ledger_transfers s where s.merchant_id = $1
         and s.source_id = t.source_id and s.kind = 'settled' and ${isPaid('s')}))
     order by t.posted_in, t.id`,
    [
      ...[merchant_id, mode, currency, String(from), String(to)],
      ...[paid.below, paid.without, paidBefore.below, paidBefore.without],
    ],
    'payout_lines',
  );
