import type { Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';

/** A third party's service, identified by name. */
export interface Integration {
  readonly name: string;
  readonly url: string;
}

/**
 * Stores missing integrations in one statement and returns all ids by name. Never deletes an
 * integration: merchants may use it.
 */
export async function saveIntegrations(
  db: Db,
  clock: Clock,
  integrations: readonly Integration[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(
    `insert into integrations as i (id, name, url, created_at, updated_at)
     select id, name, url, $4::timestamptz, $4::timestamptz
       from unnest($1::uuid[], $2::text[], $3::text[]) as w (id, name, url) order by name
     on conflict (name) do update set url = excluded.url,
       updated_at = case when i.url is distinct from excluded.url then excluded.updated_at else i.updated_at end
     returning id, name`,
    [
      integrations.map(() => uuidv7(clock.now())),
      integrations.map(({ name }) => name),
      integrations.map(({ url }) => url),
      instantText(clock.now()),
    ],
  );
  return new Map(rows.map(({ id, name }) => [name as string, id as string]));
}
