/** SQL condition: the merchant does not move to another cell. `merchant_id` is an SQL expression. */
export const notStopped = (merchant_id: string): string =>
  `${merchant_id} <> all (array(select s.merchant_id from stopped_merchants s))`;

/** SQL condition: the merchant moves to another cell. Null without a merchant. */
export const isStopped = (merchant_id: string): string =>
  `${merchant_id} = any (array(select s.merchant_id from stopped_merchants s))`;

/** Whether a trigger refused a write because the merchant moves to another cell. */
export const isRefusedByFence = (error: unknown): boolean =>
  error instanceof Error && /^merchant \S+ moves to another cell$/.test(error.message);

/** SQL condition: no other cell serves the merchant. */
export const servedHere = (merchant_id: string): string =>
  `${merchant_id} <> all (array(select s.merchant_id from stopped_merchants s
     where s.state in ('arriving', 'moved')))`;
