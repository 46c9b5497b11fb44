import { alpha2Of } from '../../../jsonapi/values/country.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';
import type {
  AuthoriseInput,
  BillingAddress,
  Payer,
  StoredCredential,
} from '../../../processors/port/processor.ts';
import { findFirstApprovals, firstApprovalKey } from '../../attempts/sql/first-approvals.ts';
import { regionCodeOf } from '../../customers/regions.ts';
import { findPayerRows } from '../sql/payer-rows.ts';

/** Members of a message about the payer. */
export type PayerFacts = Pick<AuthoriseInput, 'payer' | 'stored_credential'>;

/** Loads the facts about the payers of these payments together, by the payment's key. */
export async function findPayerFacts(
  tx: Db,
  payments: readonly { readonly demand: Row; readonly method: Row }[],
): Promise<ReadonlyMap<string, PayerFacts>> {
  const rows = await findPayerRows(
    tx,
    payments.map(({ demand }) => demand),
  );
  const approvals = await findFirstApprovals(
    tx,
    payments.filter(mayBeStoredBefore).map(({ demand }) => demand),
  );
  return new Map(
    payments.map(({ demand, method }) => {
      const row = rows.get(keyText(demand)) ?? {};
      const use = storedCredentialOf(demand, method, approvals.has(firstApprovalKey(demand)));
      const facts = {
        payer: payerFactsOf(row, demand, method),
        ...(use && { stored_credential: use }),
      };
      return [keyText(demand), facts];
    }),
  );
}

const mayBeStoredBefore = ({ demand, method }: { demand: Row; method: Row }): boolean =>
  !!method.customer_id && demand.initiator !== 'merchant' && !demand.payment_subscription_id;

/**
 * Facts about the payer for the processor: `row` has the customer and the billing address. A processor knows the
 * customer only by a card that is stored.
 */
export function payerFactsOf(row: Row, demand: Row, method: Row): Payer {
  const billing_address = billingAddressOf(row);
  const customer_id = method.customer_id ?? (isStoredFor(demand) ? demand.payer_id : undefined);
  return {
    ...(customer_id && { customer_id }),
    ...(row.name && { name: row.name }),
    ...(row.email && { email: row.email }),
    ...(billing_address && { billing_address }),
  };
}

function billingAddressOf({
  line_1,
  line_2,
  city,
  state,
  zip,
  country,
}: Row): BillingAddress | undefined {
  if (!country) return undefined;
  const region = state && regionCodeOf(country, state);
  const alpha2 = alpha2Of(country);
  return {
    ...(line_1 && { line1: line_1 }),
    ...(line_2 && { line2: line_2 }),
    ...(city && { city }),
    ...(zip && { postal_code: zip }),
    ...(region && { state: region }),
    ...(alpha2 && { country: alpha2 }),
  };
}

/** Whether the payer has agreed that the merchant stores the card, also if the card is tied to no customer. */
const isStoredFor = ({ initiator, payment_subscription_id }: Row): boolean =>
  initiator === 'merchant' || !!payment_subscription_id;

/**
 * Use of a customer's card, as card networks classify it; undefined for a card that is used once. The payer agrees to
 * a subscription with its first charge, even if the card was stored before.
 */
export function storedCredentialOf(
  demand: Row,
  method: Row,
  wasApproved: boolean,
): StoredCredential | undefined {
  if (!method.customer_id && !isStoredFor(demand)) return undefined;
  const isByMerchant = demand.initiator === 'merchant';
  if (demand.payment_subscription_id)
    return { use: isByMerchant ? 'later' : 'first', reason: 'recurring' };
  if (isByMerchant) return { use: 'later', reason: 'unscheduled' };
  return { use: wasApproved ? 'later' : 'first', reason: 'checkout' };
}
