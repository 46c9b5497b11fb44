import { networkPaths } from '@florin/contract/protocol/network.ts';
import type { Db } from '../../src/platform/database/db.ts';

/** Disputes a payment, or a part of it, at the network, which identifies it by its authorisation. */
export async function disputeNow(
  simulatorUrl: string,
  db: Db,
  payment_id: string,
  amount?: number,
): Promise<void> {
  const [attempt] = await db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise'`,
    [payment_id],
  );
  const answer = await fetch(simulatorUrl + networkPaths.disputeOf(attempt?.id ?? ''), {
    method: 'POST',
    body: JSON.stringify({ reason: 'fraudulent', amount }),
  });
  if (!answer.ok) throw new Error(`the network answered ${answer.status}`);
}
