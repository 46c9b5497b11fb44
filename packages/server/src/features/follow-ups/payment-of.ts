import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/transition.ts';

/** The payment that a refund, or an attempt of one, is made of. */
export const paymentOf = ({ merchant_id, payment_demand_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_demand_id as string,
});
