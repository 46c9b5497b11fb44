import type { FastifyInstance, FastifyRequest } from 'fastify';
import { optional, readBody, secret, text } from '../../../http/body.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { accountLinkOf } from '../accounts/links.ts';
import { type LinkDeps, unusableLink, useLink } from '../accounts/use-link.ts';
import { withSession } from '../dashboard/api.ts';
import type { AuditLog } from '../dashboard/audit-log.ts';
import { type DeviceDeps, rememberDevice } from '../dashboard/device-cookie.ts';
import { browserOf, PASSWORD_CHARACTERS_MAX } from './session.ts';

const TOKEN_MAX = 100;
const NAME_MAX = 200;

/** Routes for links in emails. Clients send the token in the body, because addresses are logged. */
export function registerAccountLinks(
  fastify: FastifyInstance,
  deps: LinkDeps & {
    readonly services: Services;
    readonly audit: AuditLog;
    readonly known: DeviceDeps;
  },
): void {
  const { services, sessions, audit, known } = deps;
  const { system_clock, config } = services;
  const findLink = async (token: string): Promise<Row> => {
    const link = await accountLinkOf(services, system_clock, token);
    if (!link) throw unusableLink();
    return link;
  };
  fastify.post('/dashboard/api/links/look', { config: { open: true } }, async (request) => {
    const { token } = readBody(request.body, { token: text(TOKEN_MAX) });
    return linkView(await findLink(token), request);
  });
  fastify.post('/dashboard/api/links/use', { config: { open: true } }, async (request, reply) => {
    const { token, ...chosen } = readBody(request.body, {
      token: text(TOKEN_MAX),
      name: optional(text(NAME_MAX)),
      password: optional(secret(PASSWORD_CHARACTERS_MAX * 2)),
    });
    const signed_in = request.person?.account.id;
    const link = await findLink(token);
    // The link's user has no session yet, so the audit log gets the account from here.
    await audit.begin(request, link.account_id as string);
    const usedLink = await useLink(deps, link, { ...chosen, signed_in });
    if (usedLink.enters) {
      withSession(
        reply,
        config.public_url,
        await sessions.open(usedLink.account_id, browserOf(request)),
      );
    }
    // The link came from the mailbox, so guesses of strangers do not keep this browser out.
    if (usedLink.enters || link.purpose === 'reset_password') {
      const proof = usedLink.enters ? 'sign_in' : 'link';
      rememberDevice(known, request, reply, { email: link.email as string, proof });
    }
    return { signed_in: usedLink.enters, merchant: usedLink.merchant_id ?? null };
  });
}

/** Data of a link for its page. */
const linkView = (link: Row, { person }: FastifyRequest) => ({
  purpose: link.purpose,
  email: link.new_email ?? link.email,
  business_name: link.business_name,
  /** Whether the person must choose a name and a password. */
  is_new: link.account_status === 'pending',
  is_signed_in: person?.account.id === link.account_id,
});
