import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isRegistrationOpen, mailWayOf } from '../../../config/config.ts';
import { email, oneOf, optional, readBody } from '../../../http/body.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import type { Services } from '../../../services.ts';
import { type AccountLetterKind, accountLocales } from '../emails/kinds.ts';
import { tooManyLetters } from '../emails/limits.ts';
import { writeAccountLetter } from '../emails/write.ts';

/**
 * Registration and password resets. The response is the same whether the account exists: only the
 * rendering of the email looks it up.
 */
export function registerRegistration(fastify: FastifyInstance, services: Services): void {
  const mail = createMail(services);
  const open = { config: { open: true } } as const;
  fastify.post('/dashboard/api/registrations', open, async (request, reply) => {
    if (!isRegistrationOpen(services.config)) throw closed();
    await mail(request, 'registration');
    return reply.status(202).send({});
  });
  fastify.post('/dashboard/api/password_resets', open, async (request, reply) => {
    await mail(request, 'reset_password');
    return reply.status(202).send({});
  });
}

/** Emails an unknown person. Beyond the limit of an address, silently sends nothing. */
function createMail({ db, machine, config, wake, letter_limits }: Services) {
  return async (request: FastifyRequest, kind: AccountLetterKind): Promise<void> => {
    requireMail(config);
    const sent = readBody(request.body, { email, locale: optional(oneOf(accountLocales)) });
    if (!(await letter_limits.network(networkOf(request.ip)))) throw tooManyLetters();
    const limit = kind === 'reset_password' ? letter_limits.reset : letter_limits.address;
    if (!(await limit(sent.email))) return;
    await writeAccountLetter(db, machine.now(), {
      kind,
      to_email: sent.email,
      locale: sent.locale,
      // The audit log names the network that requested a reset.
      ...(kind === 'reset_password' && { facts: { ip: request.ip } }),
    });
    wake.account_letters.raise();
  };
}

/** Throws 503 without a mail server. */
export function requireMail(config: Services['config']): void {
  if (mailWayOf(config) !== 'none') return;
  throw problem(
    'mail_not_configured',
    'This server sends no mail. Its operator has to set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
  );
}

const closed = () =>
  problem(
    'registration_closed',
    'Accounts are not opened here by anybody. Ask the operator, who can set FLORIN_REGISTRATION=open, or a member to invite you.',
  );
