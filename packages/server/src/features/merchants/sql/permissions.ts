import type { Permission } from '@florin/contract/permissions.ts';
import type { Db } from '../../../platform/database/db.ts';
import { type CellDatabases, hasPeopleApart } from '../../../platform/database/in-both.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';

/** Stores missing permissions. Clients see the same ids in every cell. */
export async function storePermissions(
  { db, global, clock }: CellDatabases & { readonly clock: Clock },
  permissions: readonly Permission[],
): Promise<void> {
  await savePermissions(global, clock, permissions);
  if (hasPeopleApart({ db, global })) await copyPermissions(db, global);
}

/**
 * Stores missing permissions and leaves all others unchanged, since a newer version may run beside
 * this one.
 */
async function savePermissions(
  db: Db,
  clock: Clock,
  permissions: readonly Permission[],
): Promise<void> {
  await db.query(
    `insert into permissions as p (id, slug, description, created_at, updated_at)
     select id, slug, description, $4::timestamptz, $4::timestamptz
     from unnest($1::uuid[], $2::text[], $3::text[]) as wanted (id, slug, description)
     on conflict (slug) do update
       set description = excluded.description, updated_at = excluded.updated_at
       where p.description <> excluded.description`,
    [
      permissions.map(() => uuidv7(clock.now())),
      permissions.map(({ slug }) => slug),
      permissions.map(({ description }) => description),
      instantText(clock.now()),
    ],
  );
}

async function copyPermissions(cell: Db, global: Db): Promise<void> {
  const rows = await global.query('select * from permissions', []);
  await cell.query(
    `insert into permissions select * from json_populate_recordset(null::permissions, $1::json)
     on conflict (slug) do update set description = excluded.description, updated_at = excluded.updated_at
       where permissions.id = excluded.id`,
    [JSON.stringify(rows)],
  );
}

/** Slugs of permissions by id. Ignores unknown ids. */
export async function findPermissionSlugs(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(
    'select id, slug from permissions where id = any ($1::uuid[])',
    [ids],
    'permission_slugs',
  );
  return new Map(rows.map(({ id, slug }) => [id as string, slug as string]));
}
