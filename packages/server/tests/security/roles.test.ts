import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { type RoleName, roleNames, roleSlugs } from '@florin/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/features/people/accounts/sessions.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, type BrowserAnswer, openBrowser } from '../support/browser.ts';
import { NOBODY } from '../support/client.ts';
import { type Route, routes } from '../support/routes.ts';

/** Dashboard addresses of the running server, as registered with Fastify. */
const registered = new Map<string, { readonly fresh: boolean }>();
const CREATED = 'fastify.initialization';
const listen = (message: unknown): void => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (!url.startsWith('/dashboard/api/') || url.endsWith('*')) return;
    for (const each of [method].flat())
      if (each !== 'HEAD') registered.set(`${each} ${url}`, { fresh: config?.fresh === true });
  });
};
subscribe(CREATED, listen);
afterAll(() => unsubscribe(CREATED, listen));

const api = useOwnStack();
const clock = systemClock();
const AT_ONCE = 16;
let shop: string;
let foreign: string;

/** A test account with a role in the shop. */
async function makeAccount(operator = false): Promise<string> {
  const id = randomUUID();
  await api.fixtures.db.query(
    `insert into accounts (id, email, account_status, operator, email_verified_at, created_at, updated_at)
     values ($1, $2, 'active', $3, $4, $4, $4)`,
    [id, `${id}@example.com`, operator, instantText(clock.now())],
  );
  return id;
}

async function makeMember(merchant: string, permissions: readonly string[], opener = false) {
  const account = await makeAccount();
  await api.fixtures.db.query(
    `insert into memberships (merchant_id, id, account_id, email, opener, permissions, accepted_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $7)`,
    [
      merchant,
      randomUUID(),
      account,
      `${account}@example.com`,
      opener,
      JSON.stringify(permissions),
      instantText(clock.now()),
    ],
  );
  return account;
}

/** A newly opened session. */
async function enter(account: string): Promise<Browser> {
  const sessions = createSessions({ db: api.fixtures.db, clock });
  const token = await sessions.open(account, { ip: '127.0.0.1', user_agent: 'tests' });
  return openBrowser(api.stack.baseUrl, `florin_session=${token}`);
}

beforeAll(async () => {
  shop = (await api.fixtures.makeMerchant()).id;
  foreign = (await api.fixtures.makeMerchant()).id;
});

const scopeHeaders = () => ({ 'florin-merchant': shop, 'florin-mode': 'sandbox' });
const reads: readonly string[] = Object.values(resources).map((each) =>
  permissionSlug(each, 'read'),
);

/** Result of a request with regard to permissions. */
function outcomeOf({ status, body, headers }: BrowserAnswer): string {
  if (status === 403) return body.errors[0].code === 'forbidden' ? 'refused' : body.errors[0].code;
  if (status === 401 || status === 429 || status >= 500) return String(status);
  return headers.get('cache-control') === 'no-store' ? 'let in' : 'kept by the browser';
}

/** All kinds of people with a session; `holds` is undefined for unlimited permissions. */
const people: readonly {
  readonly who: string;
  readonly account: () => Promise<string>;
  readonly holds?: readonly string[];
}[] = [
  ...roleNames.map((role: RoleName) => ({
    who: `the role ${role}`,
    account: () => makeMember(shop, roleSlugs(role)),
    holds: roleSlugs(role),
  })),
  { who: 'who opened the merchant', account: () => makeMember(shop, [], true) },
  { who: 'a member without a right', account: () => makeMember(shop, []), holds: [] },
  { who: 'an operator', account: () => makeAccount(true), holds: reads },
  {
    who: 'who opened another merchant',
    account: () => makeMember(foreign, [], true),
    holds: [],
  },
  { who: 'who is a member of nothing', account: () => makeAccount(), holds: [] },
];

/** Row counts of the shop's tables, without the audit log. */
async function rowsStored(): Promise<unknown> {
  const { db } = api.fixtures;
  const tables = await db.query(
    `select table_name as name from information_schema.tables natural join information_schema.columns
     where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'merchant_id'
       and table_name not in ('audit_entries', 'api_requests') order by 1`,
    [],
  );
  const counts = tables.map(
    ({ name }) => `(select count(*) from "${name}" where merchant_id = $1) as "${name}"`,
  );
  return (await db.query(`select ${counts.join(', ')}`, [shop]))[0];
}

type Person = (typeof people)[number];
type Asked<Item> = readonly [item: Item, person: Person, admitted: boolean];

/**
 * Each item twice: asked by somebody who is admitted, and by somebody who is not. Each item takes the next of these
 * people, so that all of them ask.
 */
function pairsOf<Item>(
  items: readonly Item[],
  may: (item: Item, person: Person) => boolean,
): Asked<Item>[] {
  const turns = new Map([true, false].map((admitted) => [admitted, [...people]]));
  const next = (item: Item, admitted: boolean): Asked<Item>[] => {
    const waiting = turns.get(admitted) ?? [];
    const at = waiting.findIndex((person) => may(item, person) === admitted);
    if (at < 0) return [];
    const [person] = waiting.splice(at, 1) as [Person];
    waiting.push(person);
    return [[item, person, admitted]];
  };
  return items.flatMap((item) => [...next(item, true), ...next(item, false)]);
}

/** Responses in order, to a few concurrent requests at a time. */
async function askAll<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<readonly [string, string]>,
  at_once = AT_ONCE,
): Promise<(readonly [string, string])[]> {
  const outcomes: (readonly [string, string])[] = [];
  for (let from = 0; from < items.length; from += at_once)
    outcomes.push(...(await Promise.all(items.slice(from, from + at_once).map(send))));
  return outcomes;
}

describe('over the interface', () => {
  const nameOf = ({ method, template }: Route): string => `${method} ${template}`;
  /** The body is no document: a permitted caller gets that error, or an unknown record. */
  const sendTo = (browser: Browser, { method, template }: Route) =>
    browser.send(
      method,
      template.replace('{id}', NOBODY),
      method === 'GET' ? undefined : '{',
      method === 'GET' ? scopeHeaders() : { ...scopeHeaders(), 'idempotency-key': randomUUID() },
    );

  /** A route per required permission. matrix.test.ts asks every route with keys. */
  const byPermission = Object.values(
    Object.groupBy(routes, ({ permissions: [first] }) => first!),
  ).map((group, at) => group![at % group!.length] as Route);
  const pairs = pairsOf(byPermission, ({ permissions }, { holds }) =>
    permissions.every((slug) => holds?.includes(slug) ?? true),
  );

  it('admits people exactly where their permissions allow it, and stores nothing', async () => {
    const browsers = new Map<Person, Browser>();
    for (const person of people) browsers.set(person, await enter(await person.account()));
    const before = await rowsStored();
    const outcomes = await askAll(pairs, async ([route, person]) => [
      `${person.who}: ${nameOf(route)}`,
      outcomeOf(await sendTo(browsers.get(person)!, route)),
    ]);
    expect(outcomes).toEqual(
      pairs.map(([route, { who }, admitted]) => [
        `${who}: ${nameOf(route)}`,
        admitted ? 'let in' : 'refused',
      ]),
    );
    expect(new Set(pairs.map(([, person]) => person))).toEqual(new Set(people));
    expect(await rowsStored()).toEqual(before);
  });
});

const slugOf = (type: ResourceType, access: 'read' | 'update') =>
  permissionSlug(resources[type], access);

/**
 * Required permissions of each dashboard address: none, any signed-in person, people of the platform, or members with
 * these permissions. A star marks addresses that need a recent sign-in.
 */
const decisions: Readonly<Record<string, 'open' | 'person' | 'operator' | readonly string[]>> = {
  'GET /dashboard/api/instance': 'open',
  'GET /dashboard/api/mailbox': 'open',
  'POST /dashboard/api/session': 'open',
  'POST /dashboard/api/session/code': 'open',
  'POST /dashboard/api/session/passkey': 'open',
  'POST /dashboard/api/session/passkey/options': 'open',
  'POST /dashboard/api/links/look': 'open',
  'POST /dashboard/api/links/use': 'open',
  'POST /dashboard/api/registrations': 'open',
  'POST /dashboard/api/password_resets': 'open',

  'GET /dashboard/api/me': 'person',
  'DELETE /dashboard/api/session': 'person',
  'POST /dashboard/api/session/fresh': 'person',
  'GET /dashboard/api/sessions': 'person',
  'DELETE /dashboard/api/sessions/:id': 'person',
  'POST /dashboard/api/sessions/end_others': 'person',
  'PATCH /dashboard/api/account': 'person',
  'POST /dashboard/api/account/email *': 'person',
  'POST /dashboard/api/account/password': 'person',
  'GET /dashboard/api/account/factors': 'person',
  'POST /dashboard/api/account/totp *': 'person',
  'POST /dashboard/api/account/totp/confirm *': 'person',
  'DELETE /dashboard/api/account/totp *': 'person',
  'POST /dashboard/api/account/recovery_codes *': 'person',
  'POST /dashboard/api/account/passkeys/options *': 'person',
  'POST /dashboard/api/account/passkeys *': 'person',
  'PATCH /dashboard/api/account/passkeys/:id': 'person',
  'DELETE /dashboard/api/account/passkeys/:id *': 'person',
  'POST /dashboard/api/merchants': 'person',
  'GET /dashboard/api/invitations': 'person',
  'POST /dashboard/api/invitations/:merchant/:id/accept': 'person',
  'GET /dashboard/api/sdk': 'person',

  'GET /dashboard/api/application': [slugOf('merchants', 'read')],
  'PATCH /dashboard/api/application': [slugOf('merchants', 'update')],
  'POST /dashboard/api/application/submit': [slugOf('merchants', 'update')],
  'POST /dashboard/api/financial_institutions *': [slugOf('merchants', 'update')],
  'GET /dashboard/api/audit_entries': [slugOf('memberships', 'read')],
  'GET /dashboard/api/exports/:file': [slugOf('customers', 'read')],
  'GET /dashboard/api/letters/:id/page': [slugOf('letters', 'read')],
  'GET /dashboard/api/overview': [
    slugOf('payment_demands', 'read'),
    slugOf('refund_demands', 'read'),
  ],
  'GET /dashboard/api/payments/:id/authentications': [slugOf('payment_demands', 'read')],
  'GET /dashboard/api/sandbox/reset': [slugOf('merchants', 'update')],
  'POST /dashboard/api/sandbox/reset *': [slugOf('merchants', 'update')],

  'GET /dashboard/api/operator/health': 'operator',
  'POST /dashboard/api/operator/queues/:name/run *': 'operator',
  'GET /dashboard/api/operator/merchants': 'operator',
  'GET /dashboard/api/operator/merchants/:merchant': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/approval *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/review *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/review/finish *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/notes *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/red_flags *': 'operator',
  'PATCH /dashboard/api/operator/merchants/:merchant/red_flags/:id *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/measures *': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/measures/lift *': 'operator',
  'PATCH /dashboard/api/operator/merchants/:merchant/:mode/processor_details/:id *': 'operator',
  'GET /dashboard/api/operator/unknown_outcomes': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/:mode/unknown_outcomes/:id/ask *': 'operator',
  'GET /dashboard/api/operator/settlement_exceptions': 'operator',
  'POST /dashboard/api/operator/merchants/:merchant/:mode/settlement_exceptions/:id/resolve *':
    'operator',
};
const PARAMETERS: Readonly<Record<string, string>> = { mode: 'sandbox', file: 'customers.csv' };

describe('below /dashboard/api', () => {
  const addresses = Object.entries(decisions).map(([key, who]) => {
    const [method = '', url = '', star] = key.split(' ');
    return { key, method, url, who, fresh: star === '*' };
  });
  type Address = (typeof addresses)[number];
  const sendTo = (browser: Browser, { method, url }: { method: string; url: string }) => {
    const fill = (_all: string, name: string) =>
      PARAMETERS[name] ?? (name === 'merchant' ? shop : NOBODY);
    const path = url.replace(/:(\w+)/g, fill);
    return browser.send(method, path, method === 'GET' ? undefined : {}, {
      ...scopeHeaders(),
      'idempotency-key': randomUUID(),
    });
  };
  /** Asks with a new session each time, one after another: some requests end sessions. */
  const askAs = (pairs: readonly (readonly [Address, Person?, boolean?])[]) =>
    askAll(
      pairs,
      async ([address, person]) => {
        const account = await person?.account();
        const browser = account ? await enter(account) : openBrowser(api.stack.baseUrl);
        return [
          `${person?.who ?? 'nobody'}: ${address.key}`,
          outcomeOf(await sendTo(browser, address)),
        ];
      },
      1,
    );

  it('every address has its required permissions, or none', () => {
    const there = [...registered].map(([key, { fresh }]) => (fresh ? `${key} *` : key));
    expect(there.sort()).toEqual(Object.keys(decisions).sort());
  });

  it('requires a sign-in, except at open addresses', async () => {
    expect(await askAs(addresses.map((address) => [address]))).toEqual(
      addresses.map(({ key, who }) => [`nobody: ${key}`, who === 'open' ? 'let in' : '401']),
    );
  });

  it('admits people exactly where the rights allow it', async () => {
    const pairs = pairsOf(addresses, ({ who }, { holds }) =>
      typeof who === 'string'
        ? who !== 'operator' || holds === reads
        : who.every((each) => holds?.includes(each) ?? true),
    );
    expect(await askAs(pairs)).toEqual(
      pairs.map(([{ key }, { who }, admitted]) => [
        `${who}: ${key}`,
        admitted ? 'let in' : 'refused',
      ]),
    );
    expect(new Set(pairs.map(([, person]) => person))).toEqual(new Set(people));
  });

  it('allows no one to direct live payouts with permissions from a sandbox key', async () => {
    const account = await makeMember(shop, roleSlugs('administrator'));
    await api.fixtures.db.query(
      `update memberships set invited_mode = 'sandbox' where account_id = $1`,
      [account],
    );
    const real = addresses.filter(
      ({ url, method }) => /application|financial/.test(url) && method !== 'GET',
    );
    const outcomes = await askAll(real, async (address) => [
      address.key,
      outcomeOf(await sendTo(await enter(account), address)),
    ]);
    expect(outcomes).toEqual(real.map(({ key }) => [key, 'refused']));
    expect(real).toHaveLength(3);
  });

  it('requires a new sign-in if the last one was some time ago', async () => {
    const openStale = async (account: string): Promise<Browser> => {
      const browser = await enter(account);
      await api.fixtures.db.query(
        'update sessions set fresh_until = created_at where account_id = $1',
        [account],
      );
      return browser;
    };
    const [opener, operator] = [await makeMember(shop, [], true), await makeAccount(true)];
    const dangerous = addresses.filter(({ fresh }) => fresh);
    const outcomes = await askAll(dangerous, async (address) => {
      const browser = await openStale(address.who === 'operator' ? operator : opener);
      return [address.key, outcomeOf(await sendTo(browser, address))];
    });
    expect(outcomes).toEqual(dangerous.map(({ key }) => [key, 'sign_in_again']));
  });

  it('exports no type that a member may not read', async () => {
    const listed = Object.values(resources).filter(({ operations }) =>
      (operations as readonly string[]).includes('list'),
    );
    const outcomes = await askAll(listed, async (resource) => {
      const without = roleSlugs('administrator').filter(
        (each) => each !== permissionSlug(resource, 'read'),
      );
      const browser = await enter(await makeMember(shop, without));
      const address = `/dashboard/api/exports/${resource.type}.csv`;
      return [resource.type, outcomeOf(await browser.get(address, scopeHeaders()))];
    });
    expect(outcomes).toEqual(listed.map(({ type }) => [type, 'refused']));
  });
});
