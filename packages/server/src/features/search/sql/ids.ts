import type { Model } from '../../../jsonapi/model.ts';

const NO_FACTS = 'null as status, null as amount_cents, null as amount_currency, null as last_four';

/**
 * SQL of events by their id, or by the id of their record. Parameters: $1 merchant, $2 mode, $3 and $4 range of ids, $5 limit.
 */
export const eventsSql = `
  with found as (
    (select id from events where merchant_id = $1 and mode = $2 and id between $3::uuid and $4::uuid
      order by id desc limit $5)
    union
    (select id from events where merchant_id = $1 and mode = $2 and resource_id = $3::uuid and $3::uuid = $4::uuid
      order by sequence desc limit $5))
  select 'events' as type, e.id, e.resource_type || '.' || e.slug as title, null as detail, ${NO_FACTS}, e.created_at
  from found join events e on e.merchant_id = $1 and e.id = found.id
  order by e.created_at desc, e.id desc limit $5`;

/** SQL of records of any type by their id. Parameters: $1 merchant, $2 mode, $3 id, $4 types. */
export const anyTypeSql = (models: readonly Model[]): string =>
  models
    .map(
      ({
        type,
        table,
      }) => `select '${type}' as type, id, null as title, null as detail, ${NO_FACTS}, null as created_at
        from ${table} where merchant_id = $1 and mode = $2 and id = $3::uuid and '${type}' = any($4::text[])`,
    )
    .join(' union all ');
