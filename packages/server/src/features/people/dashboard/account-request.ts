import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyKeyOf } from '../../../http/idempotency-key.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import type { CreatedId } from '../accounts/once.ts';
import type { AccountRequest } from '../sql/account-requests.ts';
import { personOf } from './api.ts';
import { actionOf } from './audit-log.ts';

/**
 * Dependencies of stored requests. A keyed hash protects the contents, which may include account
 * numbers.
 */
export interface RequestServices {
  readonly signer: Signer;
  readonly system_clock: Clock;
}

/** Stored form of a person's request; undefined without an idempotency key. */
export function accountRequestOf(
  { signer, system_clock }: RequestServices,
  request: FastifyRequest,
  content: unknown,
): AccountRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const text = `${actionOf(request)} ${JSON.stringify(content)}`;
  return {
    account_id: personOf(request).account.id,
    key,
    request_hash: signer.sign(text),
    accepted_hashes: signer.signatures(text),
    at: instantText(system_clock.now()),
  };
}

/** Responds 201 for a new record, and for a record that an earlier request created. */
export const sendCreated = (
  reply: FastifyReply,
  { isReplay }: CreatedId,
  location: string,
): FastifyReply =>
  reply
    .status(201)
    .header('location', location)
    .headers(isReplay ? { 'idempotent-replayed': 'true' } : {});
