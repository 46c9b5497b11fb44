import type { MerchantStatus } from '@florin/contract/merchant-status.ts';
import type { Services } from '../../../services.ts';
import type { Authenticator } from '../../merchants/authenticate.ts';
import { findSettings } from '../../merchants/sql/callers.ts';
import type { FormTokens } from '../form-tokens.ts';
import type { Mount } from '../session.ts';

/** Scope of a form and the pages that may frame it. */
export interface FormAccess extends Omit<Mount, 'payment_id'> {
  readonly origins: readonly string[];
  readonly merchant_status: MerchantStatus;
}

interface AccessOptions {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly form_tokens: FormTokens;
}

/** Checks a publishable key, or a form token for this payment. Undefined if neither is valid. */
export async function checkFormAccess(
  { services, authenticator, form_tokens }: AccessOptions,
  key: string,
  payment_id: string,
): Promise<FormAccess | undefined> {
  const grant = form_tokens.read(key);
  if (!grant) return checkKeyAccess(authenticator, key);
  const settings = await findSettings(services.db, grant.scope);
  if (!settings || grant.payment_id !== payment_id) return undefined;
  const { pay_url, public_url } = services.config;
  // An absent payer cannot authenticate at the member's browser.
  const isUnauthenticated = grant.by_member && settings.threeds !== 'required';
  return {
    scope: grant.scope,
    threeds: isUnauthenticated ? 'off' : settings.threeds,
    merchant_status: settings.merchant_status,
    token_id: grant.holder_id,
    ...(grant.customer_links_epoch !== undefined && {
      customer_links_epoch: grant.customer_links_epoch,
    }),
    ...(grant.by_member && { by_member: true }),
    origins: [new URL(grant.by_member ? public_url : pay_url).origin],
  };
}

async function checkKeyAccess(
  authenticator: Authenticator,
  key: string,
): Promise<FormAccess | undefined> {
  const caller = await authenticator.byKey(key);
  if (caller?.context !== 'browser') return undefined;
  const { scope, settings, token_id, origins } = caller;
  const { threeds, merchant_status } = settings;
  return { scope, threeds, merchant_status, token_id, origins };
}
