import type { Scenario } from '../plan.ts';
import type { Resource } from './merchant.ts';
import {
  GOOD_CARD,
  isPaid,
  makeAddress,
  makeCard,
  type ScenarioContext,
  waitForCreated,
} from './scenario-context.ts';
import { chargesOf, makeSubscription } from './subscription-scenario.ts';

type RenewalScenario = Extract<Scenario, { kind: 'renewals' }>;

const DAY_SECONDS = 86_400;
/** Days after which all retries of a charge that failed by a fault have ended. */
const RETRY_DAYS = 8;

/** A subscription that renews while its customer's clock advances. At the end, its debt is paid. */
export async function runRenewals(
  scenario: RenewalScenario,
  context: ScenarioContext,
): Promise<void> {
  const { amount: amount_cents, period: billing_period, days } = scenario;
  const parties = await makePayer(context);
  const clock = await waitForCreated(
    context.merchant.make(
      `${context.name} clock`,
      'sandbox_clocks',
      {},
      { customer: parties.payer },
    ),
  );
  const attributes = { amount_cents, billing_period, confirmed: true };
  const { id } = await makeSubscription(context, attributes, parties);
  const [firstCharge] = await chargesOf(context, id);
  // The scenario ends if the first charge was not paid.
  if (!firstCharge || !isPaid(firstCharge)) return;
  for (const [at, count] of days.entries()) await advanceClock(context, clock, count, `${at}`);
  for (let day = 1; !(await chargesOf(context, id)).every(isPaid); day++) {
    if (day > RETRY_DAYS) throw new Error(`a renewal is not paid after ${RETRY_DAYS} days`);
    await advanceClock(context, clock, 1, `again ${day}`);
  }
}

/** Creates the scenario's own customer, so that its clock moves no other scenario. */
async function makePayer({ merchant, name }: ScenarioContext) {
  const customerAttributes = { email: 'grace@example.com', name: 'Grace' };
  const payer = await waitForCreated(
    merchant.make(`${name} payer`, 'customers', customerAttributes),
  );
  const billing_address = await makeAddress(merchant, `${name} address`, payer);
  const payment_method = await makeCard(merchant, `${name} card`, GOOD_CARD, payer);
  return { payer, billing_address, payment_method };
}

/** Advances the clock and waits until the advance is complete. */
async function advanceClock(
  { merchant, name }: ScenarioContext,
  { type, id }: Resource,
  days: number,
  label: string,
): Promise<void> {
  const attributes = { by_seconds: days * DAY_SECONDS };
  const path = `/v2/${type}/${id}/advance`;
  const document = { data: { type, id, attributes } };
  const { status, data } = await merchant.write(`${name} pass ${label}`, 'PATCH', path, document);
  if (!data) throw new Error(`a clock that is to go on was answered with ${status}`);
  await merchant.waitUntil(data, (clock) => clock.attributes.status === 'ready');
}
