import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';

/**
 * Behaviour of alerts. The server creates alerts, and members acknowledge them. Only the first
 * acknowledgement is stored.
 */
export function accountAlertBehaviour(services: Services, model: Model): Behaviour {
  const update = updaterOf(services, model);
  return {
    actions: {
      acknowledge: ({ scope, if_match, idempotency }, id) =>
        update({
          scope,
          id,
          if_match,
          idempotency,
          decide: ({ status }, now) =>
            status === 'acknowledged'
              ? { set: {}, events: [] }
              : {
                  trigger: 'acknowledge',
                  set: { acknowledged_at: instantText(now) },
                  events: [],
                },
        }),
    },
  };
}
