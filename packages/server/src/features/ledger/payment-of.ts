import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';

/** Key of the payment of a record: of a transfer, a refund, or a refund's attempt. */
export const paymentOf = ({ merchant_id, payment_demand_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_demand_id as string,
});
