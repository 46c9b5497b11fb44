import type { Row } from '../../../platform/database/row.ts';
import { scopeOf } from '../../../platform/database/scope.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { type CustomerLink, packLink, unpackLink } from './link-body.ts';

/** Path of the customer's own page, on the origin of the payment form. */
export const CUSTOMER_PAGE_PATH = '/s/';

const TOKEN = /^[\w-]{1,100}\.[\w-]{1,64}$/;

type Signers = Pick<Services, 'customer_links'>;

/**
 * Address of the customer's page of a subscription, valid for `ttl` microseconds from `now`,
 * rounded to seconds. Only the customer may get it, because its holder can act for the customer.
 */
export function customerLink(
  services: Services,
  subscription: Row,
  now: Micros,
  ttl: Micros,
): string {
  const token = customerToken(services, {
    scope: scopeOf(subscription),
    subscription_id: subscription.id as string,
    expires: now + ttl,
    epoch: epochOf(subscription),
  });
  return `${services.config.pay_url}${CUSTOMER_PAGE_PATH}${token}`;
}

/** Epoch of a subscription's links: the number of revocations. */
export const epochOf = ({ customer_links_epoch }: Row): number => Number(customer_links_epoch ?? 0);

/** Signed token that is not stored: `<body>.<hmac>`. */
export function customerToken({ customer_links }: Signers, link: CustomerLink): string {
  const body = packLink(link).toString('base64url');
  return `${body}.${customer_links.sign(body)}`;
}

/** Merchant that a token names, without a check of its signature. */
export const merchantNamedByCustomerToken = (token: string): string | undefined =>
  unpackLink(Buffer.from(token.split('.')[0] ?? '', 'base64url'))?.scope.merchant_id;

/**
 * Parses a token; undefined unless this installation signed it. Does not check expiry and
 * revocation.
 */
export function readCustomerToken(
  { customer_links }: Signers,
  token: string,
): CustomerLink | undefined {
  if (!TOKEN.test(token)) return undefined;
  const [body = '', signature = ''] = token.split('.');
  if (!customer_links.isSignatureOf(body, signature)) return undefined;
  return unpackLink(Buffer.from(body, 'base64url'));
}
