import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isRegistrationOpen, mailTransportOf } from '../../../config/config.ts';
import { emailMember, oneOf, optional, readBody } from '../../../http/body.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import type { Services } from '../../../services.ts';
import { type AccountEmailKind, accountLocales } from '../emails/kinds.ts';
import { tooManyEmails } from '../emails/limits.ts';
import { writeAccountEmail } from '../emails/write.ts';

/**
 * Routes for registration and password resets. Only the worker that renders the email looks up the
 * account, so the response cannot reveal whether it exists.
 */
export function registerRegistration(fastify: FastifyInstance, services: Services): void {
  const storeEmail = createMail(services);
  const openRoute = { config: { open: true } } as const;
  fastify.post('/dashboard/api/registrations', openRoute, async (request, reply) => {
    if (!isRegistrationOpen(services.config)) throw closedProblem();
    await storeEmail(request, 'registration');
    return reply.status(202).send({});
  });
  fastify.post('/dashboard/api/password_resets', openRoute, async (request, reply) => {
    await storeEmail(request, 'reset_password');
    return reply.status(202).send({});
  });
}

/**
 * Stores an email to a person who is not signed in. Beyond the address's limit it stores nothing;
 * the response is the same.
 */
function createMail({ db, system_clock, config, wake, email_limits }: Services) {
  return async (request: FastifyRequest, kind: AccountEmailKind): Promise<void> => {
    requireMail(config);
    const members = readBody(request.body, {
      email: emailMember,
      locale: optional(oneOf(accountLocales)),
    });
    if (!(await email_limits.countNetwork(networkOf(request.ip)))) throw tooManyEmails();
    const limit = kind === 'reset_password' ? email_limits.countReset : email_limits.countEmailTo;
    if (!(await limit(members.email))) return;
    await writeAccountEmail(db, system_clock.now(), {
      kind,
      to_email: members.email,
      locale: members.locale,
      // IP address for the audit log.
      ...(kind === 'reset_password' && { facts: { ip: request.ip } }),
    });
    wake.account_emails.raise();
  };
}

/** Throws 503 without a mail server. */
export function requireMail(config: Services['config']): void {
  if (mailTransportOf(config) !== 'none') return;
  throw problem(
    'mail_not_configured',
    'This server sends no email. The operator must set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
  );
}

const closedProblem = () =>
  problem(
    'registration_closed',
    'Registration is closed on this server. Ask a member to invite you, or the operator to set FLORIN_REGISTRATION=open.',
  );
