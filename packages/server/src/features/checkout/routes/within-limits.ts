import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { FastifyReply } from 'fastify';
import { TooManyTriesError } from '../tries.ts';

/** Response to a form that exceeds a limit. */
const tooManyTries: VerifyAnswer = {
  result: 'error',
  detail: {
    code: 'too_many_tries',
    message: 'There were too many attempts for this payment. Ask the shop for another way to pay.',
  },
};

/**
 * Runs `work` and responds to `TooManyTriesError`. All limits have the same response, so that card
 * testers cannot learn which limit they hit.
 */
export async function withinLimits<T>(
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T | FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TooManyTriesError)) throw error;
    return reply
      .status(429)
      .header('retry-after', String(error.retry_after_seconds))
      .send(tooManyTries);
  }
}
