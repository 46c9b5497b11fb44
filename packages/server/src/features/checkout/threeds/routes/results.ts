import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { threedsOf } from '../../routes/form-session.ts';
import { acceptBankResult } from '../challenge.ts';
import { type ThreeDSecure, threedsPaths } from '../threeds.ts';

/**
 * Where directory servers send outcomes of challenges: an address per query that no browser sees.
 * Answers with a receipt, whether or not the result changed anything.
 */
export function registerThreeDSecureResults(fastify: FastifyInstance, threeds: ThreeDSecure): void {
  fastify.post<{ Params: { handle: string } }>(
    `${threedsPaths.results}/:handle`,
    async ({ params, body }) => {
      const key = threeds.signed_references.read('directory', params.handle);
      const receipt = key && (await acceptBankResult(await threedsOf(threeds, key), key, body));
      if (receipt) return receipt;
      throw problem('not_found', 'There is nothing at this address.');
    },
  );
}
