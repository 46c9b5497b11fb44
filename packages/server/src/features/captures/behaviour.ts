import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { followUpBehaviour } from '../follow-ups/behaviour.ts';
import { captures } from '../follow-ups/kinds.ts';
import { requireActive } from '../merchants/status-checks.ts';
import { decideCapture } from './decide.ts';

/**
 * `POST /v2/capture_demands`: captures all or part of a payment's authorisation hold. Releases the
 * rest, unless more captures follow.
 */
export const captureDemandBehaviour = (services: Services): Behaviour => {
  const { create } = followUpBehaviour(services, captures, (record, payment, authorisation, now) =>
    decideCapture(record, payment, () => takesSeveral(services, authorisation), now),
  );
  return {
    create(ctx, input, record) {
      requireActive(ctx);
      return create(ctx, input, record);
    },
  };
};

/** Whether the account of an authorisation takes several captures of it. */
const takesSeveral = (services: Services, authorisation: Row | undefined): boolean =>
  authorisation !== undefined &&
  processorOfRow(services, authorisation)?.metadata.capabilities.several_captures === true;
