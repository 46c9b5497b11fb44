import { type Catalog, recordsetOf, type Table } from '../../../platform/database/catalog.ts';
import type { CompanionRows } from '../../../platform/database/create.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/**
 * Stores attempts in the caller's transaction. Each references the `processor_details` record of its merchant and
 * account. Without an account that is the newest record of its merchant, mode and processor, if there is one.
 */
export async function insertAttempts(
  tx: Db,
  catalog: Catalog,
  attempts: readonly Row[],
): Promise<void> {
  if (attempts.length === 0) return;
  const table = catalog('attempts');
  await tx.query(insertSql(table, '$1', 'true'), [recordsetOf(table, attempts)], 'insert_attempts');
}

/** Attempts that the statement which stores their payments stores too. */
export function attemptsOfStored(
  catalog: Catalog,
  attempts: readonly Row[],
): CompanionRows | undefined {
  if (attempts.length === 0) return undefined;
  const table = catalog('attempts');
  return {
    name: 'attempts',
    sqlOf: (rows) => insertSql(table, rows, 'g.payment_demand_id in (select id from stored)'),
    rows: recordsetOf(table, attempts),
  };
}

/** INSERT of the attempts `g` in the parameter `rows` that meet the condition. */
function insertSql(table: Table, rows: string, condition: string): string {
  const columns = table.columns.filter((column) => column !== 'processor_detail_id');
  // One lookup per merchant and processor, regardless of the number of attempts.
  return `with given as (select * from json_populate_recordset(null::attempts, ${rows}::json)),
     owners as (select k.*, case when k.account_id is null
         then (select d.id from processor_details d
           where d.merchant_id = k.merchant_id and d.mode = k.mode and d.kind = k.processor
             and d.processor_account_id is null
           order by d.id desc limit 1)
         else (select d.id from processor_details d
           where d.processor_account_id = k.account_id and d.merchant_id = k.merchant_id) end as detail_id
       from (select distinct merchant_id, mode, processor, processor_account_id as account_id from given) k)
     insert into attempts (${columns.join(', ')}, processor_detail_id)
     select ${columns.map((column) => `g.${column}`).join(', ')}, o.detail_id
     from given g left join owners o on (o.merchant_id, o.mode, o.processor) = (g.merchant_id, g.mode, g.processor)
       and o.account_id is not distinct from g.processor_account_id
     where ${condition}`;
}
