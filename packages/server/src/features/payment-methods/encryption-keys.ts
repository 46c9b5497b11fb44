import type { SealingKey } from '@florin/contract/protocol/vault.ts';
import type { FastifyInstance } from 'fastify';
import type { Authenticate, Handler } from '../../jsonapi/answer.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { registerAddress } from '../../jsonapi/routes.ts';
import type { Services } from '../../services.ts';

const PATH = '/v2/encryption_keys';

/**
 * `GET /v2/encryption_keys`: the mode's public keys of the vault, for which merchants encrypt network tokens. Not a
 * table: the keys are the vault's.
 */
export function registerEncryptionKeys(
  fastify: FastifyInstance,
  { models, relay }: Services,
  authenticate: Authenticate,
): void {
  const list: Handler = async (ctx) => {
    requirePermission(ctx, models.get('payment_methods'), 'create');
    const keys = (await relay.keys()).filter(({ mode }) => mode === ctx.scope.mode);
    const document = { data: keys.map(resourceOf), links: { self: ctx.base_url + PATH } };
    return { status: 200, body: Buffer.from(JSON.stringify(document)) };
  };
  registerAddress(fastify, authenticate, { url: PATH, handlers: { GET: list } });
}

/** The vault sends the current key of a mode first, then the next one. */
const resourceOf = ({ kid, kty, crv, x, y }: SealingKey, at: number) => ({
  type: 'encryption_keys',
  id: kid,
  attributes: {
    status: at === 0 ? 'current' : 'next',
    enc: 'A256GCM',
    jwk: { kid, kty, crv, x, y, alg: 'ECDH-ES', use: 'enc' },
  },
});
