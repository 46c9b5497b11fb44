import type { Limiter } from '../../../platform/concurrency/limiter.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { DEMANDS_CLAIM_MAX } from '../../attempts/claim-demands.ts';
import { createVerifier } from '../../payment-methods/verify-again.ts';
import { claimDuePayments } from '../claim.ts';
import type { PaymentOutcomeRecorder } from '../record-outcome.ts';
import { createInFlight, startSending } from '../send.ts';
import { createAccountSlots, createTurns } from '../slots/account-slots.ts';

/** A relay ends with the slowest response of its batch, so a slow processor keeps many of them open. */
const RELAYS_MAX = 256;

/**
 * Starts the loop that claims confirmed payments, sends them through the vault and records each
 * outcome when it arrives. `accounts` counts messages of all loops by account.
 */
export function startAuthoriseLoop(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  accounts: Limiter,
): AsyncDisposable {
  const { total, merchant, account } = services.config.payments_in_flight;
  const inFlight = createInFlight({
    max: total,
    merchant_max: merchant,
    accounts,
    relays_max: RELAYS_MAX,
    onMerchantFree: () => services.wake.authorise.raise(),
  });
  const verifier = createVerifier(services);
  const turns = createTurns();
  const loop = startLoop(services, {
    name: 'authorise',
    wake: services.wake.authorise,
    poll_ms: services.config.work_poll_ms,
    due: [{ table: 'payment_demands' }],
    async step() {
      await inFlight.messages.whenFree();
      await inFlight.relays.whenFree();
      const limit = Math.min(inFlight.messages.free(), DEMANDS_CLAIM_MAX);
      const allowance = {
        limit,
        per_merchant: merchant,
        in_flight: inFlight.messages.used,
      };
      const slots = createAccountSlots(accounts, account, turns);
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
      await loop[Symbol.asyncDispose]();
      await inFlight.relays.whenIdle();
      await verifier[Symbol.asyncDispose]();
    },
  };
}
