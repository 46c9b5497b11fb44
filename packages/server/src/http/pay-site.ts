import type { FrameConfig, VerifyAnswer, VerifyRequest } from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findMounted } from '../features/hosted/mounted.ts';
import type { Sessions } from '../features/hosted/session.ts';
import { paymentStatus } from '../features/hosted/status.ts';
import { createTries } from '../features/hosted/tries.ts';
import { type MountUpdaters, verifyCard } from '../features/hosted/verify.ts';
import type { Services } from '../features/services.ts';
import { formErrorPage } from '../hosted/form-error-page.ts';
import { formPage } from '../hosted/form-page.ts';
import type { Page } from '../hosted/page.ts';
import { isTimezone } from '../jsonapi/values/timezone.ts';
import { isUuid } from '../kernel/ids.ts';
import { type Assets, registerAssets } from './assets.ts';
import type { Authenticator } from './authenticate.ts';
import { registerRawCardChecks } from './entry-checks.ts';

export interface PaySiteOptions {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly authenticator: Authenticator;
  readonly assets: Assets;
  readonly updaters: MountUpdaters;
}

/** The origin of the hosted form: its page, its script, and the calls the form makes. */
export function registerPaySite(fastify: FastifyInstance, options: PaySiteOptions): void {
  const { services, sessions, updaters, assets } = options;
  const mayTry = createTries(services.clock);
  registerRawCardChecks(fastify);
  registerAssets(fastify, assets);
  fastify.get<{ Params: { id: string }; Querystring: { key?: unknown } }>(
    '/pay/:id',
    async (request, reply) => {
      const config = await openForm(options, request.params.id, textOf(request.query.key));
      return sendPage(
        reply,
        config ? formPage(config, assets.form) : formErrorPage(assets.form.style),
      );
    },
  );
  fastify.post('/frame/v1/verify', async (request, reply) => {
    const body = verifyRequest(request.body);
    const session = body && sessions.read(body.session, services.clock.now());
    if (!body || !session) return reply.status(422).send(sessionOver);
    if (!isTimezone(body.timezone)) return reply.status(422).send(unknownTimezone);
    if (!mayTry(session)) return reply.status(429).send(tooManyTries);
    return verifyCard(services, updaters, session, body);
  });
  fastify.get<{ Querystring: { session?: unknown } }>(
    '/frame/v1/status',
    async (request, reply) => {
      const session = sessions.read(textOf(request.query.session), services.clock.now());
      if (!session) return reply.status(422).send(sessionOver);
      return paymentStatus(services, session);
    },
  );
}

/** A parameter that is there once; one that is repeated is a list, and counts as missing. */
const textOf = (parameter: unknown): string => (typeof parameter === 'string' ? parameter : '');

const refusal = (code: string, message: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message },
});

const sessionOver = refusal('session_over', 'The form was open for too long. Reload the page.');
const unknownTimezone = refusal(
  'unknown_timezone',
  'The time zone of this device is not known. Check its settings and try again.',
);
const tooManyTries = refusal(
  'too_many_tries',
  'Too many cards were tried for this payment. Ask the shop for another way to pay.',
);

const sendPage = (reply: FastifyReply, { status, headers, html }: Page): FastifyReply =>
  reply.status(status).headers(headers).send(html);

/** What the form needs to know, or undefined where the key or the payment is not known. */
async function openForm(
  { services, sessions, authenticator }: PaySiteOptions,
  payment_id: string,
  key: string,
): Promise<FrameConfig | undefined> {
  const caller = await authenticator.byKey(key);
  if (caller?.context !== 'browser' || !isUuid(payment_id)) return undefined;
  const now = services.clock.now();
  const { scope, settings } = caller;
  const token = sessions.open({ scope, payment_id, threeds: settings.threeds }, now);
  const mounted = await findMounted(services.db, caller.scope, payment_id);
  const keys = await services.relay.keys();
  const sealing_key = keys.find(({ mode }) => mode === caller.scope.mode);
  if (!mounted || !sealing_key) return undefined;
  return {
    session: token,
    payment_id,
    issued_at: Math.floor(now / 1_000_000),
    amount: mounted.row.amount_cents as string,
    currency: mounted.row.amount_currency as string,
    mode: caller.scope.mode,
    origins: [],
    sealing_key,
    verify_url: '/frame/v1/verify',
    status_url: '/frame/v1/status',
  };
}

const TEXT_MAX = 8_192;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= TEXT_MAX;

/** The body of a verify call, if it is one. */
function verifyRequest(body: unknown): VerifyRequest | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { session, pan_jwe, cvv_jwe, timezone } = body as Record<string, unknown>;
  if (![session, pan_jwe, cvv_jwe, timezone].every(isText)) return undefined;
  return { session, pan_jwe, cvv_jwe, timezone } as VerifyRequest;
}
