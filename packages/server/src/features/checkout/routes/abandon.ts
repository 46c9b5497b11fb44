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
import { formSession } from './form-session.ts';
import { withinLimits } from './within-limits.ts';

export const ABANDON_URL = '/frame/v1/abandon';

export interface PayAbandonOptions {
  readonly threeds: ThreeDSecure;
  readonly sessions: MountSessions;
  readonly tries: Tries;
  /** Response if the session has expired or the request names no attempt. */
  readonly sessionOver: VerifyAnswer;
}

/** Registers the route that abandons an attempt and returns its outcome. */
export function registerPayAbandon(
  fastify: FastifyInstance,
  { threeds, sessions, tries, sessionOver }: PayAbandonOptions,
): void {
  fastify.post<{ Body: Partial<AbandonRequest> | undefined }>(
    ABANDON_URL,
    async ({ body }, reply) => {
      const { session: text, attempt, authentication } = body ?? {};
      const form =
        typeof text === 'string' ? await formSession(sessions, threeds, text) : undefined;
      if (!form) return reply.status(422).send(sessionOver);
      const { session } = form;
      return withinLimits(reply, async () => {
        await tries.abandon(session);
        if (isAttempt(attempt)) return abandonAttempt(form.threeds, session, attempt);
        const handle = typeof authentication === 'string' ? authentication : '';
        const answer = await abandonChallenge(form.threeds, session, handle);
        return answer ?? reply.status(422).send(sessionOver);
      });
    },
  );
}
