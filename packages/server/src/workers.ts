import { runsWork } from './config/config.ts';
import { startResolveLoop } from './features/attempts/workers/resolve.ts';
import { startAuditCheckLoop } from './features/audit-log/workers/check.ts';
import { startRescheduleLoop } from './features/clocks/workers/reschedule.ts';
import { startTimelinesLoop, type TimelineLoops } from './features/clocks/workers/timelines.ts';
import { startMergeLoop } from './features/customer-merges/workers/merge.ts';
import { startDisputeLoops, startRespondLoop } from './features/disputes/workers/dispute.ts';
import { startDocumentsLoop } from './features/documents/workers/issue.ts';
import {
  startLiveEmailsLoop,
  startSandboxEmailsLoop,
} from './features/emails/workers/send-emails.ts';
import { captures, refunds } from './features/follow-ups/kinds.ts';
import { createFollowUpOutcomeRecorder } from './features/follow-ups/record-outcome.ts';
import { resolveFollowUp } from './features/follow-ups/resolve.ts';
import { startFollowUpLoop } from './features/follow-ups/workers/send.ts';
import { startBalanceLoop } from './features/ledger/workers/balance.ts';
import { startMemberNotificationsLoop } from './features/member-notifications/workers/dispatch.ts';
import { startHeartbeatLoop } from './features/operations/workers/heartbeat.ts';
import { startPruneLoop } from './features/operations/workers/prune.ts';
import { startWatchLoop } from './features/operations/workers/watch.ts';
import { startExpireLoop } from './features/payment-links/workers/expire.ts';
import { startDestroyLoop } from './features/payment-methods/workers/destroy.ts';
import { createPaymentOutcomeRecorder } from './features/payments/record-outcome.ts';
import {
  createPaymentsInFlight,
  startRequestSending,
} from './features/payments/slots/in-flight.ts';
import { startAuthoriseLoop } from './features/payments/workers/authorise.ts';
import {
  startAccountEmailsLoop,
  startGlobalEmailsLoop,
} from './features/people/workers/account-emails.ts';
import { startAccountsLoops } from './features/processor-accounts/workers/refresh.ts';
import { startNotificationsLoop } from './features/processor-notifications/workers/apply.ts';
import { resolveRecoverable } from './features/restore/resolve-recovered.ts';
import { startObeyLoop } from './features/restore/workers/obey.ts';
import { startResetLoop } from './features/sandbox/workers/reset.ts';
import { startSimulatedEffectsLoop } from './features/sandbox/workers/simulated-effects.ts';
import { startSealLoop } from './features/secrets/workers/seal-plain.ts';
import { startReportLoops } from './features/settlement/workers/reports.ts';
import { startSettleDayLoops } from './features/settlement/workers/settle-day.ts';
import { startBillLoop } from './features/subscriptions/workers/bill.ts';
import { startClocksLoop } from './features/timelines/workers/clocks.ts';
import { startDeliverLoop } from './features/webhooks/workers/deliver.ts';
import { startReplayLoop } from './features/webhooks/workers/replay.ts';
import { startStopLoop } from './features/webhooks/workers/stop.ts';
import { hasPeopleApart } from './platform/database/in-both.ts';
import type { RestoreGate } from './platform/database/installation/restore-gate.ts';
import type { Services, Timeline } from './services.ts';

/**
 * Starts the loops of the process's role. Disposal stops all concurrently, each after its current step. A restored
 * installation has no work until an operator opens it.
 */
export const startLoops = (services: Services): AsyncDisposable =>
  disposeTogether([
    ...(runsWork(services.config) ? [startObeyLoop(services)] : []),
    startWhenOpen(services.restore_gate, () =>
      disposeTogether(runsWork(services.config) ? startWork(services) : startRequests(services)),
    ),
    // Other processes change the accounts and clocks that this one keeps in memory.
    ...startAccountsLoops(services),
    startHeartbeatLoop(services),
  ]);

function startWhenOpen(gate: RestoreGate, start: () => AsyncDisposable): AsyncDisposable {
  let loops: AsyncDisposable | undefined;
  let isStopped = false;
  gate.whenOpen(() => {
    if (!isStopped) loops = start();
  });
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      await loops?.[Symbol.asyncDispose]();
    },
  };
}

/** Parts of a process that only serves requests. */
const startRequests = (services: Services): AsyncDisposable[] => [
  startRequestSending(services),
  startClocksLoop(services),
];

const startWork = (services: Services): AsyncDisposable[] => [
  ...startTimed(services),
  startDeliverLoop(services),
  startStopLoop(services),
  startLiveEmailsLoop(services),
  startAccountEmailsLoop(services),
  ...(hasPeopleApart(services) ? [startGlobalEmailsLoop(services)] : []),
  startMemberNotificationsLoop(services),
  startReplayLoop(services),
  ...startDisputeLoops(services),
  startNotificationsLoop(services),
  startBalanceLoop(services),
  startDocumentsLoop(services),
  ...startSettleDayLoops(services),
  ...startReportLoops(services),
  startMergeLoop(services),
  startPruneLoop(services),
  startAuditCheckLoop(services),
  startSealLoop(services),
  startResetLoop(services),
  startTimelinesLoop(services, startTimeline),
  startWatchLoop(services),
];

/** Runs a timeline's due work at the timeline's time. The merchant's timeline also delivers webhooks. */
function startTimeline(timeline: Timeline): TimelineLoops {
  const { services: base } = timeline;
  const services = {
    ...base,
    due_watch: undefined,
    loop_statuses: undefined,
    in_flight: createPaymentsInFlight(base.config.payments_in_flight, () =>
      base.wake.authorise.raise(),
    ),
  };
  const timedLoops = [
    ...startTimed(services),
    startRespondLoop(services),
    startSimulatedEffectsLoop(services),
  ];
  if (timeline.customer_id) {
    const loops = disposeTogether([...timedLoops, startRescheduleLoop({ ...timeline, services })]);
    return Object.assign(loops, { countInFlight: () => 0 });
  }
  const deliver = startDeliverLoop(services);
  const loops = disposeTogether([...timedLoops, deliver, startReplayLoop(services)]);
  return Object.assign(loops, { countInFlight: deliver.held });
}

/** Loops of timed work. Each claims only rows `within` its services, so that timelines stay separate. */
function startTimed(services: Services): AsyncDisposable[] {
  const recordPayment = createPaymentOutcomeRecorder(services);
  const recordRefund = createFollowUpOutcomeRecorder(services, refunds);
  const recordCapture = createFollowUpOutcomeRecorder(services, captures);
  return [
    startAuthoriseLoop(services, recordPayment),
    startFollowUpLoop(services, refunds, recordRefund),
    startFollowUpLoop(services, captures, recordCapture),
    startResolveLoop(services, {
      authorise: (attempt) => resolveRecoverable(services, recordPayment, attempt),
      refund: (attempt) => resolveFollowUp(services, refunds, recordRefund, attempt),
      capture: (attempt) => resolveFollowUp(services, captures, recordCapture, attempt),
    }),
    startBillLoop(services, recordPayment),
    startSandboxEmailsLoop(services),
    startExpireLoop(services),
    startDestroyLoop(services),
  ];
}

const disposeTogether = (loops: readonly AsyncDisposable[]): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()));
  },
});
