import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { Services } from '../../../services.ts';
import type { Authenticator } from '../../merchants/authenticate.ts';
import { findSettings } from '../../merchants/sql/callers.ts';
import type { Grants } from '../grants.ts';
import type { Mount } from '../session.ts';

/** Who mounts a form: for whom, and on which pages it may be shown. */
export interface FormAccess extends Omit<Mount, 'payment_id'> {
  readonly origins: readonly string[];
  readonly standing: MerchantStatus;
}

interface AccessOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly grants: Grants;
}

/** What a publishable key gives, or the grant of one of our own pages for this payment; undefined where it is neither. */
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
