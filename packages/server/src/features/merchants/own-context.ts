import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { findSettings } from './sql/callers.ts';

/**
 * Request context of our own pages: without a key, with all permissions. Throws 404 for an unknown
 * merchant.
 */
export async function createOwnContext(
  { db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>,
  scope: Scope,
  request_id: string,
): Promise<RequestContext> {
  const settings = await findSettings(db, scope);
  if (!settings) throw notFound();
  return {
    scope,
    now: () => clock.now(),
    request_id,
    base_url: config.public_url,
    permissions: 'all',
    settings,
  };
}
