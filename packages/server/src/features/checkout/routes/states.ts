import { STATES_URL, type StateName } from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance } from 'fastify';
import { parseCountry } from '../../../jsonapi/values/country.ts';
import { regionsOf } from '../../customers/regions.ts';

const CACHE_SECONDS = 86_400;

/** Registers the list of a country's states for the form's address. Empty for countries without a list. */
export function registerStates(fastify: FastifyInstance): void {
  fastify.get<{ Params: { country: string } }>(
    `${STATES_URL}:country`,
    async ({ params }, reply): Promise<StateName[]> => {
      reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`);
      return statesOf(params.country);
    },
  );
}

/** Returns the states of a country (alpha-2 or alpha-3) with the first name of each: some have a second spelling. */
export function statesOf(country: string): StateName[] {
  const nameByCode = new Map<string, string>();
  for (const { code, name } of regionsOf(parseCountry(country) ?? ''))
    if (!nameByCode.has(code)) nameByCode.set(code, name);
  return [...nameByCode];
}
