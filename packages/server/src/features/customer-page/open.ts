import type { CustomerRight } from '@florin/contract/customer-rights.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { hasProcessor } from '../merchants/processor.ts';
import { findMerchant } from '../merchants/sql/merchants.ts';
import { epochOf, readCustomerToken } from '../subscriptions/customer-links/customer-link.ts';
import type { CustomerLink } from '../subscriptions/customer-links/link-body.ts';
import { withSameCard } from '../subscriptions/same-card.ts';
import { timelineOfRow } from '../timelines/timeline-of.ts';
import type { CustomerFacts } from './decide.ts';

/** A customer's request with a valid link, and the link's subscription. */
export interface Visit extends CustomerFacts {
  readonly link: CustomerLink;
  readonly merchant: Row;
  /** Services at the time of the subscription's timeline. */
  readonly services: Services;
}

/** Why a link fails. `unknown`: not a link of this server. `over`: expired or revoked. */
export type LinkFault = 'unknown' | 'over';

const TABLE = 'payment_subscriptions';

export async function openVisit(services: Services, token: string): Promise<Visit | LinkFault> {
  const link = readCustomerToken(services, token);
  if (!link) return 'unknown';
  const { scope, subscription_id, epoch } = link;
  const [subscription, merchant] = await Promise.all([
    findRow(services.db, TABLE, scope, subscription_id),
    findMerchant(services.db, scope.merchant_id),
  ]);
  if (!subscription || !merchant) return 'unknown';
  const timeline = await timelineOfRow(services, scope, TABLE, subscription);
  const now = timeline.clock.now();
  if (link.expires <= now || epochOf(subscription) !== epoch) return 'over';
  const acceptsCards = hasProcessor(services, scope);
  const rights = rightsOf(merchant, scope, acceptsCards);
  const has_other_card = await hasOtherCard(services.db, subscription);
  return { link, subscription, merchant, rights, has_other_card, services: timeline, now };
}

/**
 * Rights of the merchant's customers. Excludes `change_card` if the merchant takes no cards now.
 */
function rightsOf(
  { customers_may, sandbox_customers_may }: Row,
  { mode }: Scope,
  acceptsCards: boolean,
): Set<CustomerRight> {
  const stored = mode === 'sandbox' ? sandbox_customers_may : customers_may;
  const rights = JSON.parse(stored as string) as CustomerRight[];
  return new Set(rights.filter((right) => acceptsCards || right !== 'change_card'));
}

async function hasOtherCard(db: Db, subscription: Row): Promise<boolean> {
  const { refused_method_id, payment_method_id } = subscription;
  if (!refused_method_id || payment_method_id === refused_method_id) return false;
  const charge = { ...subscription, payment_method_id: refused_method_id };
  return (await withSameCard(db, [{ charge, payment_method_id }])).size === 0;
}
