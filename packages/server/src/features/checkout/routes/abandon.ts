import {
  type AbandonRequest,
  isAttempt,
  type VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance } from 'fastify';
import type { MountSessions } from '../session.ts';
import { abandonAttempt, abandonChallenge } from '../threeds/abandon.ts';
import type { ThreeDSecure } from '../threeds/threeds.ts';
import type { Tries } from '../tries.ts';
import { readFormSession } from './form-session.ts';
import { withinLimits } from './within-limits.ts';

export const ABANDON_URL = '/frame/v1/abandon';

export interface PayAbandonOptions {
  readonly threeds: ThreeDSecure;
  readonly sessions: MountSessions;
  readonly tries: Tries;
  /** Response if the session has expired or the request names no attempt. */
  readonly sessionOverAnswer: VerifyAnswer;
}

/** Registers the route that abandons an attempt and returns its outcome. */
export function registerPayAbandon(
  fastify: FastifyInstance,
  { threeds, sessions, tries, sessionOverAnswer }: PayAbandonOptions,
): void {
  fastify.post<{ Body: Partial<AbandonRequest> | undefined }>(
    ABANDON_URL,
    async ({ body }, reply) => {
      const { session: text, attempt, authentication } = body ?? {};
      const mountedForm =
        typeof text === 'string' ? await readFormSession(sessions, threeds, text) : undefined;
      if (!mountedForm) return reply.status(422).send(sessionOverAnswer);
      const { session } = mountedForm;
      return withinLimits(reply, async () => {
        await tries.abandon(session);
        if (isAttempt(attempt)) return abandonAttempt(mountedForm.threeds, session, attempt);
        const handle = typeof authentication === 'string' ? authentication : '';
        const answer = await abandonChallenge(mountedForm.threeds, session, handle);
        return answer ?? reply.status(422).send(sessionOverAnswer);
      });
    },
  );
}
