import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { threedsOf } from '../../routes/form-session.ts';
import { acceptBankResult } from '../challenge.ts';
import { type ThreeDSecure, threedsPaths } from '../threeds.ts';

/**
 * Registers the route to which directory servers send results of challenges. Each query has its own
 * URL, which no browser sees. Responds with a receipt even if the result changes nothing.
 */
export function registerThreeDSecureResults(fastify: FastifyInstance, threeds: ThreeDSecure): void {
  fastify.post<{ Params: { handle: string } }>(
    `${threedsPaths.results}/:handle`,
    async ({ params, body }) => {
      const key = threeds.signed_references.read('directory', params.handle);
      const receipt = key && (await acceptBankResult(await threedsOf(threeds, key), key, body));
      if (receipt) return receipt;
      throw problem('not_found', 'No resource has this address. Check the path.');
    },
  );
}
