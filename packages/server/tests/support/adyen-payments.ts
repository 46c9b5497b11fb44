import type { Row } from '../../src/platform/database/row.ts';
import type { AdyenStack } from './adyen.ts';
import { eventually, makeRefund } from './make.ts';

/** The second look at an attempt waits for the time of the first cancellation. */
export const waitsForCancellation = ({ inquiries }: Row): boolean => Number(inquiries) === 2;

/** Attempts, refunds and payments at the stand-in, of a payment through Adyen. */
export function adyenPaymentsOf(florin: AdyenStack) {
  /** Waits for a state of the newest attempt of a payment. */
  async function attemptOf(
    id: string,
    isExpected: (attempt: Row) => boolean = () => true,
    operation = 'authorise',
  ): Promise<Row> {
    const [attempt] = await eventually(
      () =>
        florin.db.query(
          'select * from attempts where payment_demand_id = $1 and operation = $2 order by id desc limit 1',
          [id, operation],
        ),
      ([row]) => row !== undefined && isExpected(row),
    );
    return attempt as Row;
  }

  /** The payment at the stand-in of the newest attempt of a payment. */
  const standInPayment = async ({ id }: { readonly id: string }) =>
    florin.readPayment((await attemptOf(id)).processor_reference as string);

  const refundOf = async (payment: Parameters<typeof makeRefund>[1], attributes: object = {}) => {
    const { id } = await makeRefund(florin.client, payment, attributes);
    return eventually(
      () => florin.client.fetch('refund_demands', id),
      ({ attributes: { status } }) => ['succeeded', 'failed'].includes(status),
    );
  };
  return { attemptOf, refundOf, standInPayment };
}
