import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { DEMANDS_CLAIM_MAX } from '../../attempts/claim-demands.ts';
import { createVerifier } from '../../payment-methods/verify-again.ts';
import { claimDuePayments } from '../claim.ts';
import type { PaymentOutcomeRecorder } from '../record-outcome.ts';
import { startSending } from '../send.ts';
import { createAccountSlots, createTurns } from '../slots/account-slots.ts';
import { allowanceOf } from '../slots/in-flight.ts';

/**
 * Starts the loop that claims confirmed payments, sends them through the vault and records each
 * outcome when it arrives. While it runs, requests may send the payments that they create.
 */
export function startAuthoriseLoop(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
): AsyncDisposable {
  const { in_flight: inFlight } = services;
  const { payments_in_flight: maxima } = services.config;
  const verifier = createVerifier(services);
  const turns = createTurns();
  inFlight.open();
  const loop = startLoop(services, {
    name: 'authorise',
    wake: services.wake.authorise,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'payment_demands' }],
    async step() {
      await inFlight.messages.whenFree();
      await inFlight.relays.whenFree();
      const allowance = allowanceOf(inFlight.messages, maxima, DEMANDS_CLAIM_MAX);
      const slots = createAccountSlots(inFlight.accounts, maxima.account, turns);
      try {
        const claimed = await claimDuePayments(services, allowance, verifier, slots);
        startSending(services, inFlight, recordOutcome, claimed.messages);
        return claimed.lockedCount > 0;
      } finally {
        slots.release();
      }
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      inFlight.close();
      await loop[Symbol.asyncDispose]();
      await inFlight.relays.whenIdle();
      await verifier[Symbol.asyncDispose]();
    },
  };
}
