import type { AdyenServices } from '../call.ts';
import { emitAdyenEvent } from '../events/emit.ts';
import { createPspReference } from '../psp-reference.ts';
import type { AdyenPayment } from '../records.ts';
import type { PlannedStage } from './defence-books.ts';
import type { AdyenDispute } from './dispute-books.ts';
import {
  type AdyenDisputeStatus,
  type DisputeEventCode,
  type DisputeStage,
  disputeStages,
} from './dispute-stages.ts';

/** Time to defend a dispute. */
const DEFENCE_MS = 18 * 24 * 60 * 60_000;
/** Reason codes of fraud, by brand. */
const fraudCodes: Readonly<Record<string, string>> = { visa: '10.4', mc: '4837', amex: 'F29' };
const OTHER_FRAUD_CODE = 'UA02';

/** Opens a dispute of a payment: an announcement, then the chargeback. Runs inside a commit. */
export function openAdyenDispute(
  services: AdyenServices,
  payment: AdyenPayment,
  amount: number,
  events: readonly DisputeEventCode[] = ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
): AdyenDispute {
  const dispute: AdyenDispute = {
    psp: createPspReference(),
    payment: payment.psp,
    account: payment.account,
    amount,
    currency: payment.currency,
    reasonCode: fraudCodes[payment.facts.card.brand] ?? OTHER_FRAUD_CODE,
    status: 'Undefended',
    openedAt: services.now(),
  };
  services.books.disputes.insert(dispute);
  services.books.defences.plan({
    dispute: dispute.psp,
    eventCode: 'DISPUTE_DEFENSE_PERIOD_ENDED',
    status: 'Expired',
    dueAt: dispute.openedAt + DEFENCE_MS,
  });
  for (const eventCode of events) advanceAdyenDispute(services, dispute, payment, { eventCode });
  return dispute;
}

/** Takes a dispute to another stage, and reports it. Runs inside a commit. */
export function advanceAdyenDispute(
  services: AdyenServices,
  dispute: AdyenDispute,
  payment: AdyenPayment,
  change: {
    readonly eventCode: DisputeEventCode;
    readonly status?: AdyenDisputeStatus;
  },
): void {
  const { eventCode } = change;
  const stage: DisputeStage = disputeStages[eventCode];
  const status = change.status ?? stage.status;
  services.books.disputes.setStatus(dispute.psp, status);
  const { dispute_references = true } =
    services.books.accounts.find(dispute.account)?.settings ?? {};
  if (stage.movement)
    services.books.movements.add({
      account: dispute.account,
      type: stage.movement,
      payment: payment.psp,
      modification: dispute.psp,
      reference: '',
      amount: dispute.amount,
      currency: dispute.currency,
      at: services.now(),
    });
  const isBare = stage.isBare === true && !dispute_references;
  emitAdyenEvent(services, {
    pspReference: isBare ? payment.psp : dispute.psp,
    ...(!isBare && { originalReference: payment.psp }),
    merchantAccountCode: dispute.account,
    merchantReference: payment.reference,
    amount: { value: dispute.amount, currency: dispute.currency },
    eventCode,
    success: 'true',
    reason: 'Other Fraud-Card Absent Environment',
    paymentMethod: payment.facts.card.brand,
    additionalData: disputeDataOf(dispute, payment, status),
  });
}

/** Additional data of a dispute. The reason code has a leading blank, as in the documentation's example. */
const disputeDataOf = (
  { reasonCode, openedAt }: AdyenDispute,
  { facts }: AdyenPayment,
  status: AdyenDisputeStatus,
): Record<string, string> => ({
  disputeStatus: status,
  chargebackReasonCode: ` ${reasonCode}`,
  chargebackSchemeCode: facts.card.brand,
  defendable: String(status === 'Undefended' || status === 'Unresponded'),
  autoDefended: 'false',
  defensePeriodEndsAt: new Date(openedAt + DEFENCE_MS).toISOString().replace(/\.\d{3}Z$/, '+00:00'),
});

/** Statuses in which a dispute waits for the merchant. */
const WAITING: readonly AdyenDisputeStatus[] = ['Undefended', 'Unresponded'];

/** Takes a dispute to its planned stage. The defence period of a defended or decided dispute does not end. */
export function advanceAsPlanned(
  services: AdyenServices,
  { dispute: psp, eventCode, status }: PlannedStage,
): void {
  const dispute = services.books.disputes.find(psp);
  const payment = dispute && services.books.payments.find(dispute.payment);
  if (!dispute || !payment) return;
  if (status === 'Expired' && !WAITING.includes(dispute.status)) return;
  advanceAdyenDispute(services, dispute, payment, { eventCode, status });
}
