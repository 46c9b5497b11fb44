import type { FastifyReply } from 'fastify';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Db } from '../../../platform/database/db.ts';
import { findLogo } from './sql.ts';

const HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=300',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Sends the logo of a merchant's documents, which the upload has checked, to a page for payers. Throws 404 without one. */
export async function sendLogo(
  db: Db,
  merchant_id: string,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const logo = await findLogo(db, merchant_id);
  if (!logo) throw notFound();
  return reply.headers({ ...HEADERS, 'content-type': logo.content_type }).send(logo.content);
}
