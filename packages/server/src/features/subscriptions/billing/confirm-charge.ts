import { requireMatch } from '../../../jsonapi/etag.ts';
import type { Services } from '../../../services.ts';
import { type ConfirmCharge, requireConfirmable } from '../../payments/change.ts';
import { requireBilling } from '../decide.ts';
import { createChargingLimiter } from './charge.ts';
import { decideRetry } from './decide-retry.ts';
import { retryCharge } from './retry.ts';

/** Retries failed charges with their subscriptions' current values. Limits concurrent retries. */
export function createChargeConfirmer(services: Services): ConfirmCharge {
  const charging = createChargingLimiter();
  return (ctx, charge) =>
    charging.run(async () => {
      const retried = await retryCharge(
        services,
        charge,
        charge,
        ctx,
        (before, subscription, now) => {
          requireMatch(ctx.if_match, before);
          requireConfirmable(ctx, before, now);
          requireBilling(subscription);
          return decideRetry(before, subscription, now);
        },
      );
      return retried.charge;
    });
}
