import type { Micros } from '../../kernel/clock.ts';
import { lockOldest } from '../../store/claim.ts';
import type { Db } from '../../store/db.ts';
import { originalKey, originalsOf } from '../../store/originals.ts';
import type { Row } from '../../store/row.ts';
import { rowsByKey } from '../../store/rows.ts';
import { chargingOf, markUnpaid } from '../../store/subscription-periods.ts';
import { keyOf, keyText, lockFreeRows, type RowKey } from '../../store/transition.ts';
import { applyDecisions } from '../attempts/apply.ts';
import { applyChanges } from '../attempts/apply-changes.ts';
import { takeUpDue } from '../attempts/take-up.ts';
import { writeLetters } from '../letters/write.ts';
import { methodOf } from '../payments/card.ts';
import type { Services } from '../services.ts';
import { makeCharges } from './charge.ts';
import { decideRetry, newCard } from './charged.ts';
import { decideStep, type Step } from './cycle.ts';
import { lettersOfStep } from './notices.ts';
import { insertPeriods, skippedPeriod } from './periods.ts';
import { policiesOf } from './policies.ts';

/** Subscriptions of one transaction. */
const BILL_MAX = 200;

/** A subscription that is due, and what it is due for. */
interface Due {
  readonly before: Row;
  readonly step: Step;
}

/** Does what up to `limit` subscriptions are due for; returns for how many something was done. */
export async function billDue(services: Services, limit = BILL_MAX): Promise<number> {
  const submit = (tx: Db, rows: readonly Row[], now: Micros) => billLocked(services, tx, rows, now);
  const intake = {
    table: 'payment_subscriptions',
    aside: 'put_aside_until',
    lock: lockOldest,
    submit,
  } as const;
  const { messages } = await takeUpDue(services, intake, { limit, each: limit, taken: new Map() });
  return messages.length;
}

/** The subscriptions are locked, and so nobody else bills them. */
async function billLocked(
  services: Services,
  tx: Db,
  rows: readonly Row[],
  now: Micros,
): Promise<readonly Due[]> {
  const policyOf = await policiesOf(tx, rows);
  const failing = await lockFreeRows(tx, 'payment_demands', rows.flatMap(failingOf));
  const charging = await chargingOf(tx, rows.map(keyOf));
  const due = rows.flatMap((before): Due[] => {
    const charge = chargeIn(failing, before);
    const given = {
      policy: policyOf(before),
      failing: charge?.status ?? undefined,
      isCharging: charging.has(keyText(before)),
    };
    const step = decideStep(before, given, now);
    return step ? [{ before, step }] : [];
  });
  const changing = due.flatMap(({ before, step }) =>
    step.decision ? [{ before, step, ...step.decision }] : [],
  );
  const after = await applyDecisions(services, tx, 'payment_subscriptions', now, changing);
  const skipped = due.flatMap(({ before, step }) =>
    step.periods.map((period) => skippedPeriod(before, period, now)),
  );
  await insertPeriods(services, tx, skipped);
  await markUnpaid(
    tx,
    due.flatMap(({ before, step }) => (step.givesUp ? failingOf(before) : [])),
    true,
  );
  await renew(services, tx, due, now);
  await tryAgain(services, tx, due, failing, now);
  await tell(services, tx, changing, after, now);
  return due;
}

const failingOf = ({ merchant_id, past_due_charge_id }: Row): RowKey[] =>
  past_due_charge_id ? [{ merchant_id: merchant_id as string, id: past_due_charge_id }] : [];

const chargeIn = (charges: ReadonlyMap<string, Row>, subscription: Row): Row | undefined => {
  const [key] = failingOf(subscription);
  return key && charges.get(keyText(key));
};

/** The first charge of a card has no payment before it that it could refer to. */
async function renew(services: Services, tx: Db, due: readonly Due[], now: Micros): Promise<void> {
  const billed = due.flatMap(({ before, step }) =>
    step.charge ? [{ subscription: before, plan: step.charge }] : [],
  );
  const originals = await originalsOf(
    tx,
    billed.map(({ subscription }) => subscription),
  );
  const charges = billed.map((charge) => ({
    ...charge,
    by_merchant: originals.has(originalKey(charge.subscription)),
  }));
  await makeCharges(services, tx, charges, now);
}

async function tryAgain(
  services: Services,
  tx: Db,
  due: readonly Due[],
  failing: ReadonlyMap<string, Row>,
  now: Micros,
): Promise<void> {
  const changes = due.flatMap(({ before: subscription, step }) => {
    const charge = step.tries && chargeIn(failing, subscription);
    if (!charge) return [];
    const retry = decideRetry(charge, subscription, now, newCard(charge, subscription));
    return [{ before: charge, ...retry }];
  });
  if (changes.length > 0) await applyChanges(services, tx, 'payment_demands', now, changes);
}

async function tell(
  services: Services,
  tx: Db,
  due: readonly Due[],
  after: readonly Row[],
  now: Micros,
): Promise<void> {
  const told = due.flatMap(({ step }, at) =>
    step.occasion ? [{ step, row: after[at] as Row }] : [],
  );
  if (told.length === 0) return;
  const cards = await rowsByKey(
    tx,
    'payment_methods',
    told.map(({ row }) => methodOf(row)),
  );
  const byKey = new Map(cards.map((card) => [keyText(card), card]));
  const letters = told.flatMap(({ step, row }) =>
    lettersOfStep(services, step, row, byKey.get(keyText(methodOf(row))), now),
  );
  await writeLetters(services, tx, letters, now);
}
