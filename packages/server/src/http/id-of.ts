import type { FastifyRequest } from 'fastify';
import { notFound } from '../jsonapi/problems.ts';
import { isUuid } from '../platform/ids.ts';

/** The id in the address. Throws 404 for a malformed id. */
export function idFromPath({ params }: Pick<FastifyRequest, 'params'>): string {
  const { id } = params as { readonly id: string };
  if (isUuid(id)) return id;
  throw notFound();
}
