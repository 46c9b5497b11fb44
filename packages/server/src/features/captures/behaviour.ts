import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { followUpBehaviour } from '../follow-ups/behaviour.ts';
import { captures } from '../follow-ups/kinds.ts';
import { requireActive } from '../merchants/status-checks.ts';
import { decideCapture } from './decide.ts';

/**
 * `POST /v2/capture_demands`: captures all or part of a payment's authorisation hold and releases
 * the rest.
 */
export const captureDemandBehaviour = (services: Services): Behaviour => {
  const { create } = followUpBehaviour(services, captures, decideCapture);
  return {
    create(ctx, input, record) {
      requireActive(ctx);
      return create(ctx, input, record);
    },
  };
};
