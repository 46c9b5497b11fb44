import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { Services } from '../../../services.ts';
import type { Authenticator } from '../../merchants/authenticate.ts';
import { findSettings } from '../../merchants/sql/callers.ts';
import type { Grants } from '../grants.ts';
import type { Mount } from '../session.ts';

/** Scope of a form, and the pages that may frame it. */
export interface FormAccess extends Omit<Mount, 'payment_id'> {
  readonly origins: readonly string[];
  readonly standing: MerchantStatus;
}

interface AccessOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly grants: Grants;
}

/**
 * Access by a publishable key, or by our own pages' form token for this payment; undefined for
 * anything else.
 */
export async function formAccess(
  { services, authenticator, grants }: AccessOptions,
  key: string,
  payment_id: string,
): Promise<FormAccess | undefined> {
  const grant = grants.read(key);
  if (!grant) return keyAccess(authenticator, key);
  const settings = await findSettings(services.db, grant.scope);
  if (!settings || grant.payment_id !== payment_id) return undefined;
  return {
    scope: grant.scope,
    threeds: settings.threeds,
    standing: settings.standing,
    token_id: grant.holder_id,
    ...(grant.customer_links_epoch !== undefined && {
      customer_links_epoch: grant.customer_links_epoch,
    }),
    origins: [new URL(services.config.pay_url).origin],
  };
}

async function keyAccess(
  authenticator: Authenticator,
  key: string,
): Promise<FormAccess | undefined> {
  const caller = await authenticator.byKey(key);
  if (caller?.context !== 'browser') return undefined;
  const { scope, settings, token_id, origins } = caller;
  const { threeds, standing } = settings;
  return { scope, threeds, standing, token_id, origins };
}
