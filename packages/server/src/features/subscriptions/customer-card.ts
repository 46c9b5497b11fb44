import type { Row } from '../../platform/database/row.ts';
import { epochOf } from './customer-links/customer-link.ts';
import { acceptsCard, isConfirmed } from './decide.ts';

/**
 * Whether the subscription accepts a new card now. A customer's page accepts a card until the
 * subscription ends, unless the epoch of its link is revoked.
 */
export const acceptsCardFrom = (row: Row, customer_links_epoch: number | undefined): boolean =>
  acceptsCard(row) ||
  (customer_links_epoch === epochOf(row) && isConfirmed(row) && row.status !== 'cancelled');
