import type { Db } from '../store/db.ts';
import { type CountedNumber, dayOf, INSTALLATION } from './counted-number.ts';
import type { NumberLimits } from './new-numbers.ts';

/** Today's counts of new numbers, beside the limits of the merchant. */
export interface NumberCounts extends NumberLimits {
  /** Numbers of the merchant with the same first and last digits. */
  readonly alike_count: number;
  /** Numbers of all merchants in the mode with the same first and last digits. */
  readonly installation_count: number;
  /** Numbers of the merchant. */
  readonly new_count: number;
}

/**
 * Locks the counts of alike numbers until `tx` ends, and reads all of them. One statement for known and new numbers, so
 * that its time tells nothing about a number. In the sandbox, all merchants enter the same numbers, and wait for nobody.
 */
export async function lockNumberCounts(
  tx: Db,
  { merchant_id, mode, alike_mark, installation_mark, now }: CountedNumber,
): Promise<NumberCounts> {
  const [row] = await tx.query<NumberCounts>(
    `with locked as (
       insert into vault.alike_counts as kept (merchant_id, mode, day, mark, count)
       select merchant_id, $2, $3, mark, 0
       from (values ($1, $4), ('${INSTALLATION}', $5)) as named (merchant_id, mark)
       where merchant_id <> '${INSTALLATION}' or $2 = 'live'
       on conflict (merchant_id, mode, day, mark) do update set count = kept.count returning merchant_id, count
     )
     select (select count from locked where merchant_id = $1) as alike_count,
       coalesce((select count from locked where merchant_id = '${INSTALLATION}'), 0) as installation_count,
       coalesce(entered.count, 0) as new_count,
       limits.new_numbers, coalesce(limits.import_numbers, 0) as import_numbers,
       coalesce(limits.import_used, 0) as import_used, limits.import_ends_at
     from (select $1::text as merchant_id, $2::text as mode) as merchant
     left join vault.new_number_counts as entered on entered.merchant_id = merchant.merchant_id
       and entered.mode = merchant.mode and entered.day = $3
     left join vault.number_limits as limits on limits.merchant_id = merchant.merchant_id
       and limits.mode = merchant.mode`,
    [merchant_id, mode, dayOf(now), alike_mark, installation_mark],
    'number-counts',
  );
  return row as NumberCounts;
}
