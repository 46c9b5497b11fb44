import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import { hashKey, makeKey } from '../../kernel/api-key.ts';
import type { KeyContext } from '../../kernel/caller.ts';
import type { Row } from '../../store/row.ts';
import { createCreator } from '../records/creator.ts';
import type { Services } from '../services.ts';

/** `POST /v2/merchant_tokens`: the answer is the only place where the key itself is ever shown. */
export function merchantTokenBehaviour(services: Services): Behaviour {
  const create = createCreator(services, 'merchant_tokens');
  return {
    async create(ctx, input, record) {
      refuseOtherMode(ctx, input.attributes.schema);
      const permissions = inherited(ctx);
      const { key, row } = newToken({ ...record, mode: ctx.scope.mode, permissions });
      await create({ record: { row, events: [] }, references: [] });
      return { ...row, token: key };
    },
  };
}

/** A key makes keys that may do what it may do itself. */
const inherited = ({ permissions }: RequestContext): string | null =>
  permissions === 'all' ? null : JSON.stringify([...permissions]);

/** A key makes keys of its own mode alone. */
function refuseOtherMode(ctx: RequestContext, schema: unknown): void {
  if (schema === undefined || schema === ctx.scope.mode) return;
  throw problem(
    'mode_mismatch',
    `This key is of ${ctx.scope.mode} mode and makes keys of that mode.`,
    {
      pointer: '/data/attributes/schema',
    },
  );
}

/** A new key and the row that is stored of it, which holds its hash alone. */
export function newToken(record: Row): { key: string; row: Row } {
  const key = makeKey(record.mode as 'live' | 'sandbox', record.context as KeyContext);
  return { key, row: { ...record, token_hash: `\\x${hashKey(key)}` } };
}
