import type { Row } from '../../platform/database/row.ts';
import { epochOf } from './customer-links/customer-link.ts';
import { acceptsCard, isConfirmed } from './decide.ts';

/**
 * Whether a new card is accepted now. From the customer's own page, it may replace another until
 * the subscription ends, while links of its epoch are valid.
 */
export const acceptsCardFrom = (row: Row, customer_links_epoch: number | undefined): boolean =>
  acceptsCard(row) ||
  (customer_links_epoch === epochOf(row) && isConfirmed(row) && row.status !== 'cancelled');
