import { problem } from '@florin/contract/errors.ts';
import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import type { RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import { hasPermission } from '../../jsonapi/permissions.ts';
import type { Db } from '../../platform/database/db.ts';
import { findPermissionSlugs } from './sql/permissions.ts';

const source = { pointer: '/data/relationships/permissions' };

/**
 * Permissions to store for a new key: the requested ones that its creator has, by default all of
 * the creator's. JSON list of slugs; null for all present and future permissions.
 */
export async function decidePermissions(
  db: Db,
  ctx: RequestContext,
  { attributes, relationships }: WriteInput,
): Promise<string | null> {
  const ids = relationships.permissions;
  if (!Array.isArray(ids)) return inheritedPermissions(ctx);
  if (attributes.context === 'browser' && ids.length > 0) throw publishableProblem();
  return JSON.stringify(await grantableSlugs(db, ctx, ids));
}

/** Slugs of permissions to grant. Throws if a permission is unknown or the caller lacks it. */
export async function grantableSlugs(
  db: Db,
  ctx: RequestContext,
  ids: readonly string[],
): Promise<readonly string[]> {
  const slugsById = await findPermissionSlugs(db, ids);
  if (slugsById.size < ids.length) throw unknownPermissionProblem();
  const slugs = [...slugsById.values()].sort();
  for (const slug of slugs) if (!hasPermission(ctx, slug)) throw lacksPermissionProblem(slug);
  return slugs;
}

const inheritedPermissions = ({ permissions }: RequestContext): string | null =>
  permissions === 'all' ? null : JSON.stringify([...permissions]);

const publishableProblem = () =>
  problem(
    'invalid',
    'A publishable key is public and cannot have permissions. Leave permissions out.',
    source,
  );

const unknownPermissionProblem = () =>
  problem(
    'relationship_not_found',
    'permissions names a record that does not exist. GET /v2/permissions lists the ids.',
    source,
    { meta: { slugs: permissionsOf(resources).map(({ slug }) => slug) } },
  );

const lacksPermissionProblem = (required_permission: string) =>
  problem(
    'forbidden',
    `Only a key or member with the permission ${required_permission} can grant it. Leave it out.`,
    source,
    { meta: { required_permission } },
  );
