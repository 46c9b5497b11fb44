import { readFileSync } from 'node:fs';
import { amountText } from '@florin/contract/money.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasDemoShop } from '../config/config.ts';
import { SESSION_SECONDS, type SignIn } from '../features/accounts/sign-in.ts';
import type { Services } from '../features/services.ts';
import { type AccountView, accountPage, homePage } from '../hosted/home-page.ts';
import type { Page } from '../hosted/page.ts';
import type { RequestContext } from '../jsonapi/behaviour.ts';
import type { Reader } from '../jsonapi/read.ts';
import { instantText } from '../kernel/clock.ts';
import { merchantOfAccount } from '../store/accounts.ts';

export interface HomeOptions {
  readonly services: Services;
  readonly signIn: SignIn;
  readonly reader: Reader;
}

const COOKIE = 'florin_session';
const PAYMENTS_SHOWN = 20;

/** The front door: a page that says what runs here, sign-in, and a first look at the merchant's own records. */
export function registerHome(
  fastify: FastifyInstance,
  { services, signIn, reader }: HomeOptions,
): void {
  const { public_url } = services.config;
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const home = { base_url: public_url, has_shop: hasDemoShop(services.config) };
  const style = ['shop.css', 'home.css'].map(asset).join('\n');
  fastify.get('/home.css', (_request, reply) => reply.type('text/css').send(style));
  fastify.get('/', async (request, reply) => {
    const signedIn = await signIn.accountOf(sessionOf(request));
    return signedIn ? reply.redirect('/account', 303) : send(reply, homePage(home));
  });
  fastify.post('/session', async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const session = await signIn.open(form.get('email') ?? '', form.get('password') ?? '');
    if (!session) return send(reply, homePage({ ...home, refused: true }));
    return reply
      .header('set-cookie', cookie(public_url, session, SESSION_SECONDS))
      .redirect('/account', 303);
  });
  fastify.post('/session/end', (_request, reply) =>
    reply.header('set-cookie', cookie(public_url, '', 0)).redirect('/', 303),
  );
  fastify.get('/account', async (request, reply) => {
    const account = await signIn.accountOf(sessionOf(request));
    const view = account && (await viewOf(services, reader, account, request.id));
    return view ? send(reply, accountPage(view)) : reply.redirect('/', 303);
  });
}

const asset = (name: string): string =>
  readFileSync(new URL(`../hosted/assets/${name}`, import.meta.url), 'utf8');

const send = (reply: FastifyReply, { status, headers, html }: Page): FastifyReply =>
  reply.status(status).headers(headers).send(html);

const cookie = (public_url: string, value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${public_url.startsWith('https:') ? '; Secure' : ''}`;

const sessionOf = ({ headers }: FastifyRequest): string =>
  new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(headers.cookie ?? '')?.[1] ?? '';

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** Reads through the same reader as the interface, so that people and programs see the same. */
async function viewOf(
  services: Services,
  reader: Reader,
  account: string,
  request_id: string,
): Promise<AccountView | undefined> {
  const merchant = await merchantOfAccount(services.db, account);
  if (!merchant) return undefined;
  const ctx: RequestContext = {
    scope: { merchant_id: merchant.id as string, mode: 'sandbox' },
    now: () => services.clock.now(),
    request_id,
    base_url: services.config.public_url,
    permissions: 'all',
    settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off' },
  };
  const list = async (type: string, query: string): Promise<Listed['data']> => {
    const { body } = await reader.listRecords(ctx, services.models.get(type), query);
    return (JSON.parse(body.toString()) as Listed).data;
  };
  const [keys, payments] = await Promise.all([
    list('merchant_tokens', ''),
    list('payment_demands', `page[size]=${PAYMENTS_SHOWN}`),
  ]);
  return {
    business_name: merchant.business_name ?? 'Your business',
    keys: keys
      .map(({ attributes }) => keyView(attributes, instantText(ctx.now())))
      .toSorted((one, other) => Number(one.over) - Number(other.over)),
    payments: payments.map(({ id, attributes }) => ({
      id,
      amount: amountText(String(attributes.amount_cents), String(attributes.amount_currency), 'en'),
      status: [attributes.status, attributes.failure_reason].filter(Boolean).join(': '),
      created: dayOf(attributes.created_at),
    })),
  };
}

const keyView = (
  key: Listed['data'][number]['attributes'],
  now: string,
): AccountView['keys'][number] => ({
  name: String(key.name),
  context: key.context === 'browser' ? 'browser (publishable)' : 'server (secret)',
  mode: String(key.schema),
  created: dayOf(key.created_at),
  expiry: key.expiry === null ? undefined : dayOf(key.expiry),
  over: key.expiry !== null && String(key.expiry) <= now,
});

const dayOf = (instant: unknown): string => String(instant).slice(0, 16).replace('T', ' ');
