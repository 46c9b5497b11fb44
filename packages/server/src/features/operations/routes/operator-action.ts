import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { type MemberParser, text } from '../../../http/body.ts';
import { idempotencyKeyOf } from '../../../http/idempotency-key.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import { personOf } from '../../people/dashboard/api.ts';
import type { OperatorAction } from '../operator-actions.ts';

export const OPERATOR_PATH = '/dashboard/api/operator';
export const OPERATOR_MERCHANT = `${OPERATOR_PATH}/merchants/:merchant`;

/** Operators' writes require a recent authentication. */
export const fresh = { config: { fresh: true } } as const;

const REASON_MAX = 2000;

/** Reason of an action, as its readers see it. */
export const reason: MemberParser<string> = text(REASON_MAX);

/** The operator's action in a request. Throws 422 without an idempotency key. */
export function operatorActionOf(request: FastifyRequest, given: string): OperatorAction {
  const { account } = personOf(request);
  const key = idempotencyKeyOf(request);
  if (key === undefined) throw noKey();
  const merchant_id = idIn(request, 'merchant');
  return { account_id: account.id, merchant_id, request_key: key, reason: given };
}

/** An id in the address. Throws 404 for a malformed one. */
export function idIn({ params }: FastifyRequest, name: string): string {
  const id = (params as Readonly<Record<string, string>>)[name] ?? '';
  if (!isUuid(id)) throw notFound();
  return id;
}

/** Merchant and mode in the address. Throws 404 if malformed. */
export function scopeIn(request: FastifyRequest): Scope {
  const { mode } = request.params as { readonly mode?: string };
  if (mode !== 'live' && mode !== 'sandbox') throw notFound();
  return { merchant_id: idIn(request, 'merchant'), mode };
}

const noKey = () =>
  problem('invalid_value', 'Name the request with the header Idempotency-Key.', {
    header: 'Idempotency-Key',
  });
