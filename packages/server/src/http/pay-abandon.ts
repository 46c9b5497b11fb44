import {
  type AbandonRequest,
  isAttempt,
  type VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance } from 'fastify';
import { MOUNT_SECONDS, type Sessions } from '../features/hosted/session.ts';
import { abandonAttempt, abandonChallenge } from '../features/threeds/abandon.ts';
import type { ThreeDSecure } from '../features/threeds/threeds.ts';
import { seconds } from '../kernel/clock.ts';
import { createLimit } from '../kernel/limit.ts';

export const ABANDON_URL = '/frame/v1/abandon';

/** Attempts of one payment that may be abandoned in an hour: each that has not come yet leaves a row. */
const ABANDONS_MAX = 100;

export interface PayAbandonOptions {
  readonly threeds: ThreeDSecure;
  readonly sessions: Sessions;
  /** What a call gets whose session is over, or that names no attempt. */
  readonly sessionOver: VerifyAnswer;
  /** What a call gets beyond the limit. */
  readonly tooMany: VerifyAnswer;
}

/** The form gives an attempt up, and hears what has become of it. */
export function registerPayAbandon(
  fastify: FastifyInstance,
  { threeds, sessions, sessionOver, tooMany }: PayAbandonOptions,
): void {
  const { clock } = threeds.services;
  const payments = createLimit({ clock, max: ABANDONS_MAX, window: seconds(MOUNT_SECONDS) });
  fastify.post<{ Body: Partial<AbandonRequest> | undefined }>(
    ABANDON_URL,
    async ({ body }, reply) => {
      const { session: text, attempt, authentication } = body ?? {};
      const session = typeof text === 'string' ? sessions.read(text, clock.now()) : undefined;
      if (!session) return reply.status(422).send(sessionOver);
      if (!payments.take(session.payment_id)) {
        return reply.status(429).header('retry-after', String(MOUNT_SECONDS)).send(tooMany);
      }
      if (isAttempt(attempt)) return abandonAttempt(threeds, session, attempt);
      const handle = typeof authentication === 'string' ? authentication : '';
      const answer = await abandonChallenge(threeds, session, handle);
      return answer ?? reply.status(422).send(sessionOver);
    },
  );
}
