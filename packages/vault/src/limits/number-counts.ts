import type { Db } from '../store/db.ts';
import { type AlikeNumber, dayOf } from './alike-counts.ts';
import type { NumberLimits } from './new-numbers.ts';

/** Today's counts of a merchant, beside its limits. */
interface NumberCounts extends NumberLimits {
  /** New numbers with the same first and last digits. */
  readonly alike_count: number;
  readonly new_count: number;
}

/** Counts nothing, and is one statement for known and new numbers, so that its time tells nothing about a number. */
export async function findNumberCounts(
  db: Db,
  { merchant_id, mode, mark, now }: AlikeNumber,
): Promise<NumberCounts> {
  const [row] = await db.query<NumberCounts>(
    `select coalesce(alike.count, 0) as alike_count, coalesce(entered.count, 0) as new_count,
       limits.new_numbers, coalesce(limits.import_numbers, 0) as import_numbers,
       coalesce(limits.import_used, 0) as import_used, limits.import_ends_at
     from (select $1::text as merchant_id, $2::text as mode) as merchant
     left join vault.alike_counts as alike on alike.merchant_id = merchant.merchant_id
       and alike.mode = merchant.mode and alike.day = $3 and alike.mark = $4
     left join vault.new_number_counts as entered on entered.merchant_id = merchant.merchant_id
       and entered.mode = merchant.mode and entered.day = $3
     left join vault.number_limits as limits on limits.merchant_id = merchant.merchant_id
       and limits.mode = merchant.mode`,
    [merchant_id, mode, dayOf(now), mark],
    'number-counts',
  );
  return row as NumberCounts;
}
