import type { Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import type { NotificationFact } from '../../processors/port/notifications.ts';
import type { Services } from '../../services.ts';
import { type FactReference, findNotifiedPayments } from './sql/notified-payments.ts';

/** A payment of a notification, with the amount of the fact or of the message that it is about. */
interface NotifiedPayment {
  readonly merchant_id: string;
  readonly mode: string;
  readonly payment_demand_id: string;
  /** In minor units of the currency. */
  readonly amount_cents: number;
  readonly amount_currency: string;
}

/** Payments of each notification by its id, for operators. Reads the bodies again, so that old ones have them too. */
export async function paymentsOf(
  { reads, accounts }: Pick<Services, 'reads' | 'accounts'>,
  notifications: readonly Row[],
): Promise<ReadonlyMap<string, readonly NotifiedPayment[]>> {
  const references = notifications.flatMap((row) =>
    factsOf(accounts, row).flatMap((fact) => referenceOf(row, fact)),
  );
  const found = new Map<string, Map<string, NotifiedPayment>>();
  for (const row of await findNotifiedPayments(reads, references)) {
    const payments = found.get(row.notification as string) ?? new Map();
    found.set(row.notification as string, payments.set(row.payment_demand_id, viewOf(row)));
  }
  return new Map([...found].map(([id, payments]) => [id, [...payments.values()]]));
}

function factsOf(
  accounts: Services['accounts'],
  { processor_account_id, body }: Row,
): readonly NotificationFact[] {
  const { notifications } = accounts.find(processor_account_id as string)?.processor ?? {};
  try {
    const facts = notifications?.readFacts({
      headers: {},
      body: Buffer.from(body as string, 'base64'),
    });
    return Array.isArray(facts) ? facts : [];
  } catch {
    return [];
  }
}

/** References of a fact in the order in which they find its message. */
function referenceOf({ id, processor_account_id }: Row, fact: NotificationFact): FactReference[] {
  const attempt_id = 'attempt_id' in fact ? (fact.attempt_id ?? '') : '';
  const reference = 'processor_reference' in fact ? fact.processor_reference : undefined;
  const authorisation =
    'authorisation_reference' in fact ? fact.authorisation_reference : undefined;
  const dispute = fact.kind === 'dispute' ? fact.dispute : undefined;
  if (!isUuid(attempt_id) && !reference && !authorisation) return [];
  return [
    {
      notification: id as string,
      account: processor_account_id as string,
      attempt: isUuid(attempt_id) ? attempt_id : null,
      reference: reference ?? null,
      authorisation: authorisation ?? null,
      amount: dispute ? dispute.amount : null,
      currency: dispute ? dispute.currency : null,
    },
  ];
}

const viewOf = (row: Row): NotifiedPayment => ({
  merchant_id: row.merchant_id as string,
  mode: row.mode as string,
  payment_demand_id: row.payment_demand_id as string,
  amount_cents: Number(row.amount_cents),
  amount_currency: row.amount_currency as string,
});
