import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { type MemberParser, oneOf, readBody, text } from '../../../http/body.ts';
import { idempotencyKeyOf } from '../../../http/idempotency-key.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import { personOf } from '../../people/dashboard/api.ts';
import type { OperatorAction } from '../operator-actions.ts';

export const OPERATOR_PATH = '/dashboard/api/operator';
export const OPERATOR_MERCHANT = `${OPERATOR_PATH}/merchants/:merchant`;

/** Route option: operators' writes require a recent sign-in. */
export const fresh = { config: { fresh: true } } as const;

const REASON_MAX = 2000;

/** Parses an action's reason, a text that the merchant may read. */
export const reason: MemberParser<string> = text(REASON_MAX);

/** Reads an operator's action from a request. Throws 422 without an idempotency key. */
export function operatorActionOf(request: FastifyRequest, reasonText: string): OperatorAction {
  const { account } = personOf(request);
  const key = idempotencyKeyOf(request);
  if (key === undefined) throw noKey();
  const merchant_id = idOfPath(request, 'merchant');
  return { account_id: account.id, merchant_id, request_key: key, reason: reasonText };
}

/** Reads the record, outcome and reason of a case that an operator closes. Throws 422 with all invalid members. */
export function readClosing<const Outcome extends string>(
  request: FastifyRequest,
  outcomes: readonly Outcome[],
) {
  const members = readBody(request.body, { reason, outcome: oneOf(outcomes) });
  const { outcome } = members;
  return {
    action: operatorActionOf(request, members.reason),
    found: { ...scopeOfPath(request), id: idOfPath(request, 'id'), outcome },
  };
}

/** Reads an id from the path. Throws 404 if malformed. */
export function idOfPath({ params }: FastifyRequest, name: string): string {
  const id = (params as Readonly<Record<string, string>>)[name] ?? '';
  if (!isUuid(id)) throw notFound();
  return id;
}

/** Reads merchant and mode from the path. Throws 404 if malformed. */
export function scopeOfPath(request: FastifyRequest): Scope {
  const { mode } = request.params as { readonly mode?: string };
  if (mode !== 'live' && mode !== 'sandbox') throw notFound();
  return { merchant_id: idOfPath(request, 'merchant'), mode };
}

const noKey = () =>
  problem(
    'invalid_value',
    'The header Idempotency-Key is missing. Send a new key with each request.',
    {
      header: 'Idempotency-Key',
    },
  );
