import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../services.ts';
import { createRefunder } from './create.ts';
import { refundRepeat } from './repeat.ts';

/** `POST /v2/refund_demands`: reserves a part of a payment that has succeeded, and gives it back soon after. */
export function refundDemandBehaviour(services: Services): Behaviour {
  const refund = createRefunder(services);
  return {
    async create({ idempotency }, _input, record) {
      const row = await refund({ record, idempotency });
      services.wake.refund.raise();
      services.wake.deliver.raise();
      return row;
    },
    repeat: refundRepeat,
  };
}
