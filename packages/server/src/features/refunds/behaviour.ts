import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { followUpBehaviour } from '../follow-ups/behaviour.ts';
import { refunds } from '../follow-ups/kinds.ts';
import { decideRefund } from './decide.ts';
import { refundRepeat } from './repeat.ts';

/**
 * `POST /v2/refund_demands`: reserves a part of a succeeded payment. A worker sends the refund soon
 * afterwards.
 */
export const refundDemandBehaviour = (services: Services): Behaviour => ({
  ...followUpBehaviour(services, refunds, decideRefund),
  repeat: refundRepeat,
});
