import type { Session } from './session.ts';

/**
 * SQL: the words of an expression. PostgreSQL versions print parentheses, spaces and casts
 * differently.
 */
const words = (expression: string): string =>
  `trim(regexp_replace(${expression}, '[^[:alnum:]_'']+', ' ', 'g'))`;

const facts = (schema: string): string => `
  with tables as (
    select oid, relname as name, relkind, relpersistence from pg_class
    where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p', 'v') and relname <> all($1)
  )
  select 'table ' || name || ' ' || relkind::text || relpersistence::text as fact from tables
  union all
  select concat_ws(' ', 'column', t.name || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' end, nullif(a.attidentity::text, ''), nullif(a.attgenerated::text, ''),
    ${words('pg_get_expr(d.adbin, d.adrelid)')})
  from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  union all
  select concat_ws(' ', 'constraint', t.name || '.' || c.conname, ${words('pg_get_constraintdef(c.oid)')})
  from tables t join pg_constraint c on c.conrelid = t.oid and c.contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select concat_ws(' ', 'index', t.name || '.' || i.relname, m.amname, case when x.indisunique then 'unique' end,
    (select string_agg(${words('pg_get_indexdef(x.indexrelid, n, true)')}, ', ' order by n)
      from generate_series(1, x.indnatts) n),
    x.indoption::text, 'where ' || ${words('pg_get_expr(x.indpred, x.indrelid)')}, array_to_string(i.reloptions, ','))
  from tables t join pg_index x on x.indrelid = t.oid and x.indisvalid join pg_class i on i.oid = x.indexrelid
    join pg_am m on m.oid = i.relam
  union all
  select concat_ws(' ', 'trigger', t.name || '.' || g.tgname, g.tgenabled::text, ${words('pg_get_triggerdef(g.oid, true)')})
  from tables t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  union all
  select concat_ws(' ', 'function', proname, ${words('pg_get_function_identity_arguments(oid)')}, provolatile::text, md5(prosrc))
  from pg_proc where pronamespace = ${schema}::regnamespace`;

/**
 * Describes a schema in lines of text, without the excluded tables. Equal schemas have equal lines.
 * `schema` is an SQL expression.
 */
export async function factsOf(
  tx: Session,
  schema: string,
  without: readonly string[],
): Promise<string[]> {
  const rows = await tx.query(facts(schema), [without]);
  return rows.map(({ fact }) => String(fact)).sort();
}
