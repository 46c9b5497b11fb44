import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { appendCommand } from '../audit-log/sql.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { endHold } from '../payments/hold.ts';
import { storePaymentOutcomes } from '../payments/record-outcome.ts';
import { storeWithOutcome } from './follow-ups/store-follow-up.ts';
import { wordsOf } from './found-words.ts';
import type { RestoreFinding, RestoreRequest } from './requests.ts';
import { decideDoubt, findOnItsWay, isDecidable } from './sql/doubts.ts';

/** All that a person found out about an authorisation. */
type DoubtDecision = Extract<RestoreRequest, { findings: readonly RestoreFinding[] }>;

/**
 * Records all changes of an authorisation that a person found, in one transaction with the entry of the audit log.
 * Nothing is sent. Returns a sentence. Throws an `Error` if the payment's state does not allow a finding.
 */
export async function recordDoubtDecision(
  services: Services,
  { attempt: id, findings, user }: DoubtDecision,
  attempt: Row | undefined,
): Promise<string> {
  const restored_to = services.restore_gate.restoredTo();
  if (!attempt || !isDecidable(attempt, restored_to))
    throw new Error(`${id} is no authorisation to decide about, or somebody decided`);
  const words = wordsOf(findings);
  await services.db.transaction(async (tx) => {
    const [payment] = (await lockRows(tx, 'payment_demands', [paymentOf(attempt)])).values();
    const [locked] = (await lockRows(tx, 'attempts', [keyOf(attempt)])).values();
    if (!payment || !locked || !isDecidable(locked, restored_to))
      throw new Error(`somebody decided about ${id}`);
    await requireNoneOnItsWay(tx, payment, findings);
    await storeFindings(services, tx, findings, { payment, attempt: locked });
    await decideDoubt(tx, keyOf(attempt), services.clock.now());
    await appendCommand(tx, { command: `restore decide ${words}`, subject: id, user });
  });
  services.wake.deliver.raise();
  return `Recorded: ${id} is ${words}.`;
}

/** Throws if a found capture or refund may be one that Florin itself will record: it would be in the books twice. */
async function requireNoneOnItsWay(
  tx: Db,
  payment: Row,
  findings: readonly RestoreFinding[],
): Promise<void> {
  const moved = findings.find((finding) => 'amount' in finding);
  const own = moved && (await findOnItsWay(tx, keyOf(payment)));
  if (!own) return;
  throw new Error(
    `payment ${payment.id} has the ${own.kind} ${own.id} without an outcome, which Florin records itself. If Florin is closed, open with --accept-undecided. Wait for the outcome, then decide about other changes. If there are none, decide unchanged`,
  );
}

/** Stores findings in their order. A release after a capture ends the hold with the last capture. */
async function storeFindings(
  services: Services,
  tx: Db,
  findings: readonly RestoreFinding[],
  { payment, attempt }: { readonly payment: Row; readonly attempt: Row },
): Promise<void> {
  const release_at = findings.findIndex(({ outcome }) => outcome === 'released');
  const last_capture = findings.findLastIndex(({ outcome }) => outcome === 'captured');
  if (release_at >= 0 && last_capture > release_at)
    throw new Error('a released hold cannot be captured. Name the captures before the release');
  for (const [at, finding] of findings.entries())
    if ('amount' in finding) {
      const final = release_at >= 0 && at === last_capture;
      await storeFound(services, tx, { ...finding, final }, attempt);
    } else if (finding.outcome === 'released' && last_capture < 0)
      await releaseHold(services, tx, payment, attempt);
}

/** Ends the hold, and its reversal at once: the processor has released it already. */
async function releaseHold(services: Services, tx: Db, payment: Row, attempt: Row): Promise<void> {
  if (payment.status !== 'authorised')
    throw new Error(`the payment is ${payment.status}, and no hold`);
  const now = services.clock.now();
  const change = { before: payment, ...endHold(payment, 'requested', now) };
  await applyDemandDecisions(services, tx, 'payment_demands', now, [change]);
  const result = { result: 'reversed', asked_all: true } as const;
  await storePaymentOutcomes(services, tx, [{ key: keyOf(attempt), result }]);
}

/** Stores a capture or refund with its outcome. */
function storeFound(
  services: Services,
  tx: Db,
  found: Extract<RestoreFinding, { amount: number }> & { readonly final: boolean },
  attempt: Row,
): Promise<void> {
  const { outcome, amount, final } = found;
  const past = {
    kind: outcome === 'captured' ? 'capture' : 'refund',
    reference: uuidv7(services.clock.now()),
    amount,
    currency: attempt.amount_currency as string,
    final,
  } as const;
  const result = { result: 'approved', network_transaction_id: null } as const;
  return storeWithOutcome(services, tx, { past, attempt }, result);
}
