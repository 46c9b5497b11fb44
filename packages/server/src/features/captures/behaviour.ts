import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { followUpBehaviour } from '../follow-ups/behaviour.ts';
import { captures } from '../follow-ups/kinds.ts';
import { requireActive } from '../merchants/standing.ts';
import { decideCapture } from './decide.ts';

/** `POST /v2/capture_demands`: collects what is held for a payment, or a part of it; the rest is let go. */
export const captureDemandBehaviour = (services: Services): Behaviour => {
  const { create } = followUpBehaviour(services, captures, decideCapture);
  return {
    create(ctx, input, record) {
      requireActive(ctx);
      return create(ctx, input, record);
    },
  };
};
