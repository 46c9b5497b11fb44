import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { NETWORK } from '../../../processors/route.ts';

/** Table of the routing rules of a cell. The rules for a merchant alone move with it, so the fence is there too. */
export const RULES = { name: 'routing_rules' };

/** Routing rules for a merchant alone, in order, with the accounts that are not removed. */
export const readOwnRules = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select r.id, r.merchant_id, r.mode, r.name, r.conditions, r.fallback, r.created_at,
       (select coalesce(jsonb_agg(n.id order by n.at), '[]')
        from jsonb_array_elements_text(r.accounts) with ordinality n (id, at)
        where n.id = '${NETWORK}' or exists (select from processor_accounts a
          where a.id::text = n.id and a.status <> 'removed')) as accounts
     from routing_rules r where r.merchant_id = $1 order by r.mode, r.position`,
    [merchant_id],
  );

/** Rules for a merchant alone that come after a rule for all merchants, with the name of the first such rule. */
export const readLateRules = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select r.mode, r.name, o.name as earlier from routing_rules r
     join lateral (select name from routing_rules o where o.mode = r.mode and o.merchant_id is null
       and o.position < r.position order by o.position limit 1) o on true
     where r.merchant_id = $1 order by r.mode, r.position`,
    [merchant_id],
  );

/** Numbers of rules by mode: all of the cell, and those for a merchant alone. */
export const countRules = (cell: Db, merchant_id: string): Promise<Row[]> =>
  cell.query(
    `select mode, count(*) as count, count(*) filter (where merchant_id = $1) as own
     from routing_rules group by mode`,
    [merchant_id],
  );

/** Stores a rule before all rules of its mode. Concurrent changes of rules must be shut out. */
export const insertFirst = (cell: Db, rule: Row, accounts: readonly string[]): Promise<unknown> =>
  cell.query(
    `with before as materialized (
       select coalesce(min(position), 0) - 1 as position from routing_rules where mode = $3)
     insert into routing_rules (id, merchant_id, mode, position, name, conditions, accounts, fallback, created_at)
     select $1, $2, $3, b.position, $4, $5, $6, $7, $8 from before b`,
    [
      rule.id,
      rule.merchant_id,
      rule.mode,
      rule.name,
      rule.conditions,
      JSON.stringify(accounts),
      rule.fallback,
      rule.created_at,
    ],
  );

/** Deletes the rules for a merchant alone. Returns their number. */
export async function removeRules(cell: Db, merchant_id: string): Promise<number> {
  const rows = await cell.query('delete from routing_rules where merchant_id = $1 returning 1', [
    merchant_id,
  ]);
  return rows.length;
}
