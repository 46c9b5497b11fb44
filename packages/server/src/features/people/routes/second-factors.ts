import type { FastifyInstance } from 'fastify';
import { object, readBody, text } from '../../../http/body.ts';
import { idFromPath } from '../../../http/id-of.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import { personOf, withSession } from '../dashboard/api.ts';
import { listPasskeys, renamePasskey } from '../sql/passkeys.ts';
import { findFactors } from '../sql/second-factors.ts';
import type { AccountDeps } from './session.ts';

const NAME_MAX = 100;
const CODE_MAX = 64;
const FRESH = { config: { fresh: true } } as const;

/**
 * Routes of a person's second factors. A change requires a recent sign-in, and gives the session a
 * new token.
 */
export function registerSecondFactors(fastify: FastifyInstance, deps: AccountDeps): void {
  const { db } = deps.services;
  fastify.get('/dashboard/api/account/factors', async (request) => {
    const { id } = personOf(request).account;
    const { totp, codes_left } = await findFactors(db, id);
    const passkeys = await listPasskeys(db, id);
    return { totp, recovery_codes_left: codes_left, passkeys: passkeys.map(passkeyView) };
  });
  registerTotp(fastify, deps);
  registerPasskeys(fastify, deps);
}

function registerTotp(
  fastify: FastifyInstance,
  { services, sessions, factors }: AccountDeps,
): void {
  const { public_url } = services.config;
  fastify.post('/dashboard/api/account/totp', FRESH, (request) =>
    factors.begin(personOf(request).account),
  );
  fastify.post('/dashboard/api/account/totp/confirm', FRESH, async (request, reply) => {
    const { account, session } = personOf(request);
    const { code } = readBody(request.body, { code: text(CODE_MAX) });
    const recovery_codes = await factors.confirm(account, code);
    withSession(reply, public_url, await sessions.renew(session));
    return { recovery_codes };
  });
  fastify.delete('/dashboard/api/account/totp', FRESH, async (request, reply) => {
    const { account, session } = personOf(request);
    await factors.remove(account);
    return withSession(reply, public_url, await sessions.renew(session))
      .status(204)
      .send();
  });
  fastify.post('/dashboard/api/account/recovery_codes', FRESH, async (request) => ({
    recovery_codes: await factors.renewCodes(personOf(request).account),
  }));
}

function registerPasskeys(
  fastify: FastifyInstance,
  { services, sessions, passkeys }: AccountDeps,
): void {
  const { public_url } = services.config;
  fastify.post('/dashboard/api/account/passkeys/options', FRESH, (request) =>
    passkeys.additionOptions(personOf(request).account),
  );
  fastify.post('/dashboard/api/account/passkeys', FRESH, async (request, reply) => {
    const { account, session } = personOf(request);
    const members = readBody(request.body, { name: text(NAME_MAX), response: object });
    const recovery_codes = await passkeys.add(account, members.name, members.response);
    withSession(reply, public_url, await sessions.renew(session));
    return reply.status(201).send({ recovery_codes });
  });
  fastify.patch('/dashboard/api/account/passkeys/:id', async (request, reply) => {
    const { name } = readBody(request.body, { name: text(NAME_MAX) });
    const account_id = personOf(request).account.id;
    const renamed = await renamePasskey(services.db, { id: idFromPath(request), account_id, name });
    if (!renamed) throw notFound();
    return reply.status(204).send();
  });
  fastify.delete('/dashboard/api/account/passkeys/:id', FRESH, async (request, reply) => {
    const { account, session } = personOf(request);
    if (!(await passkeys.remove(account, idFromPath(request)))) throw notFound();
    return withSession(reply, public_url, await sessions.renew(session))
      .status(204)
      .send();
  });
}

const passkeyView = ({ id, name, used_at, created_at }: Row) => ({
  id,
  name,
  used_at: used_at == null ? null : instantText(microsOf(used_at)),
  created_at: instantText(microsOf(created_at as string)),
});
