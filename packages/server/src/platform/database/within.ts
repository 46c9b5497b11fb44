import { notStopped } from './installation/stopped.ts';

/**
 * Rows that a claim may take while clocks are advanced, so that each timeline's work runs at its own time.
 * Undefined if no clock is advanced: all rows.
 */
export type ClaimScope =
  /** All rows except those of the listed timelines. */
  | {
      readonly of: 'default';
      readonly merchants: readonly string[];
      readonly customers: readonly string[];
    }
  /** Rows of a merchant's sandbox, except those of customers with clocks of their own. */
  | { readonly of: 'merchant'; readonly merchant_id: string; readonly customers: readonly string[] }
  /** Rows of one customer. */
  | { readonly of: 'customer'; readonly merchant_id: string; readonly customer_id: string };

/** SQL condition on rows `t`, with its parameters. `name` is part of the prepared statement's name. */
export interface ClaimScopeSql {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly name: string;
}

const paymentCustomerSql = `(select p.payer_id from payment_demands p
  where p.merchant_id = t.merchant_id and p.id = t.payment_demand_id)`;

/** SQL for a row's customer by table. Rows of other tables have no customer. */
const customerSqlByTable: Readonly<Record<string, string>> = {
  payment_demands: 't.payer_id',
  payment_subscriptions: 't.payer_id',
  attempts: paymentCustomerSql,
  capture_demands: paymentCustomerSql,
  refund_demands: paymentCustomerSql,
  disputes: paymentCustomerSql,
  letters: 't.customer_id',
  authentications: `coalesce(
    (select p.payer_id from payment_demands p
     where p.merchant_id = t.merchant_id and p.id = t.payment_id),
    (select s.payer_id from payment_subscriptions s
     where s.merchant_id = t.merchant_id and s.id = t.payment_id))`,
};

/** SQL for the customer of a row `t` of the table. */
export const customerOf = (table: string): string => customerSqlByTable[table] ?? 'null::uuid';

/** SQL condition of `within`, for merchants that do not move. `firstNumber` is the number of its first parameter. */
export function withinSql(
  table: string,
  within: ClaimScope | undefined,
  firstNumber: number,
): ClaimScopeSql {
  const { sql, ...scope } = scopeSql(table, within, firstNumber);
  return { ...scope, sql: `${sql} and ${notStopped('t.merchant_id')}` };
}

function scopeSql(
  table: string,
  within: ClaimScope | undefined,
  firstNumber: number,
): ClaimScopeSql {
  const [firstParameter, secondParameter] = [`$${firstNumber}`, `$${firstNumber + 1}`];
  const customer = customerOf(table);
  const isOtherCustomer = `(${customer} = any(${secondParameter}::uuid[])) is not true`;
  switch (within?.of) {
    case undefined:
      return { sql: 'true', values: [], name: '' };
    case 'default':
      return {
        sql: `(t.mode <> 'sandbox' or (t.merchant_id <> all(${firstParameter}::uuid[]) and ${isOtherCustomer}))`,
        values: [within.merchants, within.customers],
        name: '_ordinary',
      };
    case 'merchant':
      return {
        sql: `t.mode = 'sandbox' and t.merchant_id = ${firstParameter} and ${isOtherCustomer}`,
        values: [within.merchant_id, within.customers],
        name: '_of_merchant',
      };
    case 'customer':
      return {
        sql: `t.mode = 'sandbox' and t.merchant_id = ${firstParameter} and ${customer} = ${secondParameter}`,
        values: [within.merchant_id, within.customer_id],
        name: '_of_customer',
      };
  }
}
