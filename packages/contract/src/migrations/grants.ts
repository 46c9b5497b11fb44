/** Rights of a program's login: the use of rows, and nothing of their definition. */
export interface Grants {
  readonly schema: string;
  readonly role: string;
  /** Rights for tables that need other ones than all four of rows, by name. */
  readonly exceptions: Readonly<Record<string, string>>;
}

/** In place of rights: none at all. */
export const NO_RIGHTS = 'none';

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * SQL that the owner of a schema runs: gives a role the grants, and takes everything else from that role and from
 * PUBLIC. Repeatable. Objects of other owners stay as they are.
 */
export const grantsSql = ({ schema, role, exceptions }: Grants): string => `
do $grants$
declare
  object record;
  login constant text := quote_ident(${quote(role)});
  others constant jsonb := ${quote(JSON.stringify(exceptions))};
  rights text;
begin
  if to_regrole(login) is null then
    raise exception 'the role % does not exist', login using errcode = 'undefined_object';
  end if;
  if to_regrole(login) = to_regrole(quote_ident(current_user)) then return; end if;
  for object in select 'schema' as kind, quote_ident(nspname) as name, nspname as key, 'usage' as given
      from pg_namespace where nspname = ${quote(schema)} and pg_has_role(nspowner, 'usage')
    union all select case relkind when 'S' then 'sequence' else 'table' end, oid::regclass::text, relname,
        case relkind when 'S' then 'usage, select' else 'select, insert, update, delete' end
      from pg_class where relnamespace = ${quote(schema)}::regnamespace and relkind in ('r', 'p', 'v', 'S')
        and pg_has_role(relowner, 'usage')
    union all select 'function', oid::regprocedure::text, proname, 'execute'
      from pg_proc where pronamespace = ${quote(schema)}::regnamespace and prokind = 'f' and pg_has_role(proowner, 'usage')
  loop
    rights := coalesce(others ->> object.key, object.given);
    execute format('revoke all on %s %s from public, %s', object.kind, object.name, login);
    if current_setting('server_version_num')::integer < 170000 then
      rights := replace(rights, ', maintain', '');
    end if;
    continue when rights = ${quote(NO_RIGHTS)};
    execute format('grant %s on %s %s to %s', rights, object.kind, object.name, login);
  end loop;
end $grants$`;
