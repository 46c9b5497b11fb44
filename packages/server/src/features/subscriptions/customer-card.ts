import type { Row } from '../../platform/database/row.ts';
import { epochOf } from './customer-links/customer-link.ts';
import { isConfirmed, takesCard } from './decide.ts';

/**
 * Whether a card may be put on a subscription now. One that comes from the customer's own page may replace another
 * while the subscription has not ended, as long as links of its epoch are good.
 */
export const takesCardFrom = (row: Row, customer_links_epoch: number | undefined): boolean =>
  takesCard(row) ||
  (customer_links_epoch === epochOf(row) && isConfirmed(row) && row.status !== 'cancelled');
