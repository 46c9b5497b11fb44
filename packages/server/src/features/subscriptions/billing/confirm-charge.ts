import { requireMatch } from '../../../jsonapi/etag.ts';
import type { Services } from '../../../services.ts';
import { type ConfirmCharge, requireConfirmable } from '../../payments/change.ts';
import { requireBilling } from '../decide.ts';
import { createChargingLimiter } from './charge.ts';
import { decideRetry } from './decide-retry.ts';
import { retryCharge } from './retry.ts';

/** Retries failed charges with their subscriptions' current values. Limits concurrent retries. */
export function createChargeConfirmer(services: Services): ConfirmCharge {
  const chargingLimiter = createChargingLimiter();
  return (ctx, charge) => {
    const retry = async () => {
      const retryResult = await retryCharge(
        services,
        charge,
        charge,
        ctx,
        (lockedCharge, subscription, now) => {
          requireMatch(ctx.if_match, lockedCharge);
          requireConfirmable(ctx, lockedCharge, now);
          requireBilling(subscription);
          return decideRetry(lockedCharge, subscription, now);
        },
      );
      return retryResult.charge;
    };
    return chargingLimiter.run(retry, ctx.scope.merchant_id);
  };
}
