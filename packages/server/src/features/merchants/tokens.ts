import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { KeyContext } from '../../platform/caller.ts';
import type { Services } from '../../services.ts';
import { createCreator } from '../records/creator.ts';
import { referencesOf } from '../records/plain.ts';
import { hashKey } from './api-key.ts';
import { decidePermissions } from './granting.ts';
import { createToken } from './new-token.ts';
import { checkOrigins } from './origins.ts';
import { expiryOf, revokeToken } from './token-life.ts';
import { rotateToken } from './token-rotate.ts';
import { createTokenUpdater, hashOf } from './token-update.ts';

/** Behaviour of API keys. Only the response to a create contains the key itself. */
export function merchantTokenBehaviour(services: Services, model: Model): Behaviour {
  const create = createCreator(services, 'merchant_tokens');
  const update = createTokenUpdater(services);
  return {
    async create(ctx, input, record) {
      refuseOtherMode(ctx, input.attributes.schema);
      checkOrigins(ctx.scope.mode, record.context as KeyContext, input.attributes);
      const expiry = expiryOf(ctx, record.expiry);
      const permissions = await decidePermissions(services.db, ctx, input);
      const { key, row } = createToken({
        ...record,
        mode: ctx.scope.mode,
        creator_id: ctx.membership_id ?? null,
        permissions,
        expiry,
      });
      const { merchant_id } = ctx.scope;
      await services.directory?.enterKey({ value: hashKey(key), merchant_id });
      const { idempotency } = ctx;
      await create({
        record: { row, events: [], idempotency },
        references: referencesOf(model, row),
      });
      return { ...row, token: key };
    },
    update: (ctx, id, input, columns) =>
      update(
        ctx,
        id,
        (token, _now, changes) => {
          checkOrigins(ctx.scope.mode, token.context as KeyContext, input.attributes);
          return { set: changes, events: [] };
        },
        columns,
      ),
    wasShown: (row, field, value) =>
      field === 'token' && typeof value === 'string' && hashKey(value) === hashOf(row),
    actions: {
      revoke: (ctx, id) => revokeToken(update, ctx, id),
      rotate: (ctx, id, input) => rotateToken(services, model, ctx, id, input),
    },
  };
}

/** Refuses to create a key of the other mode. */
function refuseOtherMode(ctx: RequestContext, schema: unknown): void {
  if (schema === undefined || schema === ctx.scope.mode) return;
  throw problem(
    'mode_mismatch',
    `This key has ${ctx.scope.mode} mode and can only create keys of that mode. Leave schema out.`,
    {
      pointer: '/data/attributes/schema',
    },
  );
}
