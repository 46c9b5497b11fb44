import type { FastifyInstance } from 'fastify';
import { emailMember, oneOf, optional, readBody, secret, text } from '../../../http/body.ts';
import { idFromPath } from '../../../http/id-of.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf, seconds } from '../../../platform/time/clock.ts';
import { requireValidPassword } from '../accounts/password-rules.ts';
import { personOf, withSession } from '../dashboard/api.ts';
import { accountLocales } from '../emails/kinds.ts';
import { tooManyEmails } from '../emails/limits.ts';
import { writeAccountEmail } from '../emails/write.ts';
import { endLinks } from '../sql/account-links.ts';
import { changePassword, updateAccount } from '../sql/accounts.ts';
import { listSessions } from '../sql/sessions.ts';
import { requireMail } from './registration.ts';
import { type AccountDeps, PASSWORD_CHARACTERS_MAX, wrongPassword } from './session.ts';

const NAME_MAX = 200;
const SESSIONS_MAX = 100;
const FRESH = { config: { fresh: true } } as const;

/** Routes of a person's own account: name, address, password and open sessions. */
export function registerAccount(fastify: FastifyInstance, deps: AccountDeps): void {
  registerProfile(fastify, deps);
  registerPasswordChange(fastify, deps);
  registerSessions(fastify, deps);
}

function registerProfile(
  fastify: FastifyInstance,
  { services: { db, system_clock, config, wake, email_limits } }: AccountDeps,
): void {
  fastify.patch('/dashboard/api/account', async (request, reply) => {
    const members = readBody(request.body, {
      name: optional(text(NAME_MAX)),
      locale: optional(oneOf(accountLocales)),
    });
    const change = Object.fromEntries(Object.entries(members).filter(([, value]) => value));
    await updateAccount(db, personOf(request).account.id, change, instantText(system_clock.now()));
    return reply.status(204).send();
  });
  fastify.post('/dashboard/api/account/email', FRESH, async (request, reply) => {
    requireMail(config);
    const { account } = personOf(request);
    const members = readBody(request.body, { email: emailMember });
    if (!(await email_limits.countAccount(account.id))) throw tooManyEmails();
    // Whether the address has an account is private, so the response is always the same.
    if (!(await email_limits.countEmailTo(members.email))) return reply.status(202).send({});
    await writeAccountEmail(db, system_clock.now(), {
      kind: 'change_email',
      to_email: members.email,
      facts: { account_id: account.id },
    });
    wake.account_emails.raise();
    return reply.status(202).send({});
  });
}

/**
 * Changes the password. Requires the old password, even in an open session; ends the other
 * sessions.
 */
function registerPasswordChange(fastify: FastifyInstance, deps: AccountDeps): void {
  const { services, passwords, sessions } = deps;
  const { db, system_clock, config, wake } = services;
  fastify.post('/dashboard/api/account/password', async (request, reply) => {
    const { account, session } = personOf(request);
    const members = readBody(request.body, {
      old_password: secret(PASSWORD_CHARACTERS_MAX),
      password: secret(PASSWORD_CHARACTERS_MAX * 2),
    });
    requireValidPassword(members.password, account.email);
    const source = { ip: request.ip, session_id: session.id };
    const checkedAccount = await passwords.check(account.email, members.old_password, source);
    if (!checkedAccount) throw wrongPassword('/old_password');
    const password_hash = await passwords.hash(members.password);
    const checkedHash = checkedAccount.password_hash as string;
    const token = await db.transaction(async (tx) => {
      const change = { checkedHash, password_hash, at: instantText(system_clock.now()) };
      const isChanged = await changePassword(tx, account.id, change);
      const renewedToken = isChanged ? await sessions.renew(session, tx) : undefined;
      // A concurrent request has changed the password or ended the session.
      if (!renewedToken) throw wrongPassword('/old_password');
      for (const purpose of ['reset_password', 'change_email'] as const)
        await endLinks(tx, account.id, purpose);
      await sessions.endAll(tx, account.id, session.id);
      const to_email = account.email;
      await writeAccountEmail(tx, system_clock.now(), { kind: 'password_changed', to_email });
      return renewedToken;
    });
    wake.account_emails.raise();
    return withSession(reply, config.public_url, token).status(204).send();
  });
}

function registerSessions(
  fastify: FastifyInstance,
  { services: { db, system_clock }, sessions }: AccountDeps,
): void {
  fastify.get('/dashboard/api/sessions', async (request) => {
    const { account, session } = personOf(request);
    const now = system_clock.now();
    const rows = await listSessions(db, {
      account_id: account.id,
      now: instantText(now),
      seen_after: instantText(now - seconds(sessions.idle_seconds)),
      limit: SESSIONS_MAX,
    });
    return { data: rows.map((row) => ({ ...sessionView(row), current: row.id === session.id })) };
  });
  fastify.delete('/dashboard/api/sessions/:id', async (request, reply) => {
    const account_id = personOf(request).account.id;
    await sessions.end({ id: idFromPath(request), account_id });
    return reply.status(204).send();
  });
  fastify.post('/dashboard/api/sessions/end_others', async (request) => ({
    ended: await sessions.endOthers(personOf(request).session),
  }));
}

const sessionView = ({ id, ip, user_agent, created_at, seen_at }: Row) => ({
  id,
  ip,
  user_agent,
  created_at: instantText(microsOf(created_at as string)),
  seen_at: instantText(microsOf(seen_at as string)),
});
