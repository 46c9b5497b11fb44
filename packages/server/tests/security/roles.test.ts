import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { permissionSlug } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { type RoleName, roleNames, roleSlugs } from '@florin/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/features/people/accounts/sessions.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Browser, type BrowserAnswer, openBrowser } from '../support/browser.ts';
import { UNKNOWN_ID } from '../support/client.ts';
import { type Route, routes } from '../support/routes.ts';
import { requiredAccess } from './dashboard-access.ts';

/** Dashboard addresses of the running server, as registered with Fastify. */
const registeredRoutes = new Map<string, { readonly fresh: boolean }>();
const CHANNEL = 'fastify.initialization';
const recordRoutes = (message: unknown): void => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (!url.startsWith('/dashboard/api/') || url.endsWith('*')) return;
    for (const verb of [method].flat())
      if (verb !== 'HEAD')
        registeredRoutes.set(`${verb} ${url}`, { fresh: config?.fresh === true });
  });
};
subscribe(CHANNEL, recordRoutes);
afterAll(() => unsubscribe(CHANNEL, recordRoutes));

const api = useOwnStack();
const clock = systemClock();
const CONCURRENCY = 16;
let shopId: string;
let foreignMerchantId: string;

/** Creates an account without a membership. Returns its id. */
async function makeAccount(operator = false): Promise<string> {
  const id = randomUUID();
  await api.fixtures.db.query(
    `insert into accounts (id, email, account_status, operator, email_verified_at, created_at, updated_at)
     values ($1, $2, 'active', $3, $4, $4, $4)`,
    [id, `${id}@example.com`, operator, instantText(clock.now())],
  );
  return id;
}

async function makeMember(merchantId: string, permissions: readonly string[], opener = false) {
  const accountId = await makeAccount();
  await api.fixtures.db.query(
    `insert into memberships (merchant_id, id, account_id, email, opener, permissions, accepted_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7, $7)`,
    [
      merchantId,
      randomUUID(),
      accountId,
      `${accountId}@example.com`,
      opener,
      JSON.stringify(permissions),
      instantText(clock.now()),
    ],
  );
  return accountId;
}

/** Opens a session of an account. */
async function openSession(accountId: string): Promise<Browser> {
  const sessions = createSessions({ db: api.fixtures.db, clock });
  const token = await sessions.open(accountId, { ip: '127.0.0.1', user_agent: 'tests' });
  return openBrowser(api.stack.baseUrl, `florin_session=${token}`);
}

beforeAll(async () => {
  shopId = (await api.fixtures.makeMerchant()).id;
  foreignMerchantId = (await api.fixtures.makeMerchant()).id;
});

const scopeHeaders = () => ({ 'florin-merchant': shopId, 'florin-mode': 'sandbox' });
const readPermissions: readonly string[] = Object.values(resources).map((resource) =>
  permissionSlug(resource, 'read'),
);

/** Result of a request with regard to permissions. */
function outcomeOf({ status, body, headers }: BrowserAnswer): string {
  if (status === 403) return body.errors[0].code === 'forbidden' ? 'refused' : body.errors[0].code;
  if (status === 401 || status === 429 || status >= 500) return String(status);
  return headers.get('cache-control') === 'no-store' ? 'let in' : 'kept by the browser';
}

/** All kinds of people with a session. Without `heldPermissions` they hold all permissions. */
const people: readonly {
  readonly name: string;
  readonly makeAccount: () => Promise<string>;
  readonly heldPermissions?: readonly string[];
  /** False for people who are no members of the shop. */
  readonly isMember?: false;
}[] = [
  ...roleNames.map((role: RoleName) => ({
    name: `the role ${role}`,
    makeAccount: () => makeMember(shopId, roleSlugs(role)),
    heldPermissions: roleSlugs(role),
  })),
  { name: 'the opener of the merchant', makeAccount: () => makeMember(shopId, [], true) },
  {
    name: 'a member without a permission',
    makeAccount: () => makeMember(shopId, []),
    heldPermissions: [],
  },
  {
    name: 'an operator',
    makeAccount: () => makeAccount(true),
    heldPermissions: readPermissions,
    isMember: false,
  },
  {
    name: 'the opener of another merchant',
    makeAccount: () => makeMember(foreignMerchantId, [], true),
    heldPermissions: [],
    isMember: false,
  },
  {
    name: 'an account without a membership',
    makeAccount: () => makeAccount(),
    heldPermissions: [],
    isMember: false,
  },
];

/** Row counts of the shop's tables, without the audit log. */
async function countRows(): Promise<unknown> {
  const { db } = api.fixtures;
  const tables = await db.query(
    `select table_name as name from information_schema.tables natural join information_schema.columns
     where table_schema = current_schema() and table_type = 'BASE TABLE' and column_name = 'merchant_id'
       and table_name not in ('audit_entries', 'api_requests') order by 1`,
    [],
  );
  const counts = tables.map(
    ({ name }) => `(select count(*) from "${name}" where merchant_id = $1) as "${name}"`,
  );
  return (await db.query(`select ${counts.join(', ')}`, [shopId]))[0];
}

type Person = (typeof people)[number];
type AccessCase<Item> = readonly [item: Item, person: Person, admitted: boolean];

/**
 * Two cases per item: a person who is admitted, and a person who is not. People take turns, so that everyone is
 * tested.
 */
function accessCasesOf<Item>(
  items: readonly Item[],
  isAllowed: (item: Item, person: Person) => boolean,
): AccessCase<Item>[] {
  const peopleByAdmission = new Map([true, false].map((isAdmitted) => [isAdmitted, [...people]]));
  const takeNext = (item: Item, isAdmitted: boolean): AccessCase<Item>[] => {
    const queue = peopleByAdmission.get(isAdmitted) ?? [];
    const index = queue.findIndex((person) => isAllowed(item, person) === isAdmitted);
    if (index < 0) return [];
    const [person] = queue.splice(index, 1) as [Person];
    queue.push(person);
    return [[item, person, isAdmitted]];
  };
  return items.flatMap((item) => [...takeNext(item, true), ...takeNext(item, false)]);
}

/** Sends requests, a few at a time. Returns their outcomes in order. */
async function sendAll<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<readonly [string, string]>,
  concurrency = CONCURRENCY,
): Promise<(readonly [string, string])[]> {
  const outcomes: (readonly [string, string])[] = [];
  for (let start = 0; start < items.length; start += concurrency)
    outcomes.push(...(await Promise.all(items.slice(start, start + concurrency).map(send))));
  return outcomes;
}

describe('over the interface', () => {
  const nameOf = ({ method, template }: Route): string => `${method} ${template}`;
  /** The body is no document: a permitted caller gets that error, or an unknown record. */
  const sendTo = (browser: Browser, { method, template }: Route) =>
    browser.send(
      method,
      template.replace('{id}', UNKNOWN_ID),
      method === 'GET' ? undefined : '{',
      method === 'GET' ? scopeHeaders() : { ...scopeHeaders(), 'idempotency-key': randomUUID() },
    );

  /** A route per required permission. matrix.test.ts tests every route with keys. */
  const testedRoutes = Object.values(
    Object.groupBy(routes, ({ permissions: [permission] }) => permission!),
  ).map((group, index) => group![index % group!.length] as Route);
  const cases = accessCasesOf(testedRoutes, ({ permissions }, { heldPermissions }) =>
    permissions.every((slug) => heldPermissions?.includes(slug) ?? true),
  );

  it('admits people exactly where their permissions allow it, and stores nothing', async () => {
    const browsers = new Map<Person, Browser>();
    for (const person of people)
      browsers.set(person, await openSession(await person.makeAccount()));
    const countsBefore = await countRows();
    const outcomes = await sendAll(cases, async ([route, person]) => [
      `${person.name}: ${nameOf(route)}`,
      outcomeOf(await sendTo(browsers.get(person)!, route)),
    ]);
    expect(outcomes).toEqual(
      cases.map(([route, { name }, isAdmitted]) => [
        `${name}: ${nameOf(route)}`,
        isAdmitted ? 'let in' : 'refused',
      ]),
    );
    expect(new Set(cases.map(([, person]) => person))).toEqual(new Set(people));
    expect(await countRows()).toEqual(countsBefore);
  });
});

const PARAMETERS: Readonly<Record<string, string>> = { mode: 'sandbox', file: 'customers.csv' };

describe('below /dashboard/api', () => {
  const addresses = Object.entries(requiredAccess).map(([key, access]) => {
    const [method = '', url = '', star] = key.split(' ');
    return { key, method, url, access, fresh: star === '*' };
  });
  type Address = (typeof addresses)[number];
  const sendTo = (browser: Browser, { method, url }: { method: string; url: string }) => {
    const fill = (_all: string, name: string) =>
      PARAMETERS[name] ?? (name === 'merchant' ? shopId : UNKNOWN_ID);
    const path = url.replace(/:(\w+)/g, fill);
    return browser.send(method, path, method === 'GET' ? undefined : {}, {
      ...scopeHeaders(),
      'idempotency-key': randomUUID(),
    });
  };
  /** Sends each request with a new session, one after another: some requests end sessions. */
  const sendAs = (cases: readonly (readonly [Address, Person?, boolean?])[]) =>
    sendAll(
      cases,
      async ([address, person]) => {
        const account = await person?.makeAccount();
        const browser = account ? await openSession(account) : openBrowser(api.stack.baseUrl);
        return [
          `${person?.name ?? 'nobody'}: ${address.key}`,
          outcomeOf(await sendTo(browser, address)),
        ];
      },
      1,
    );

  it('every address has its required permissions, or none', () => {
    const routeKeys = [...registeredRoutes].map(([key, { fresh }]) => (fresh ? `${key} *` : key));
    expect(routeKeys.sort()).toEqual(Object.keys(requiredAccess).sort());
  });

  it('requires a sign-in, except at open addresses', async () => {
    expect(await sendAs(addresses.map((address) => [address]))).toEqual(
      addresses.map(({ key, access }) => [`nobody: ${key}`, access === 'open' ? 'let in' : '401']),
    );
  });

  it('admits people exactly where the rights allow it', async () => {
    const cases = accessCasesOf(addresses, ({ access }, { heldPermissions, isMember = true }) => {
      if (access === 'member') return isMember;
      return typeof access === 'string'
        ? access !== 'operator' || heldPermissions === readPermissions
        : access.every((slug) => heldPermissions?.includes(slug) ?? true);
    });
    expect(await sendAs(cases)).toEqual(
      cases.map(([{ key }, { name }, isAdmitted]) => [
        `${name}: ${key}`,
        isAdmitted ? 'let in' : 'refused',
      ]),
    );
    expect(new Set(cases.map(([, person]) => person))).toEqual(new Set(people));
  });

  it('allows no one to direct live payouts with permissions from a sandbox key', async () => {
    const accountId = await makeMember(shopId, roleSlugs('administrator'));
    await api.fixtures.db.query(
      `update memberships set invited_mode = 'sandbox' where account_id = $1`,
      [accountId],
    );
    const liveAddresses = addresses.filter(
      ({ url, method }) => /application|financial/.test(url) && method !== 'GET',
    );
    const outcomes = await sendAll(liveAddresses, async (address) => [
      address.key,
      outcomeOf(await sendTo(await openSession(accountId), address)),
    ]);
    expect(outcomes).toEqual(liveAddresses.map(({ key }) => [key, 'refused']));
    expect(liveAddresses).toHaveLength(3);
  });

  it('requires a new sign-in if the last one was some time ago', async () => {
    const openStaleSession = async (accountId: string): Promise<Browser> => {
      const browser = await openSession(accountId);
      await api.fixtures.db.query(
        'update sessions set fresh_until = created_at where account_id = $1',
        [accountId],
      );
      return browser;
    };
    const [openerId, operatorId] = [await makeMember(shopId, [], true), await makeAccount(true)];
    const guardedAddresses = addresses.filter(({ fresh }) => fresh);
    const outcomes = await sendAll(guardedAddresses, async (address) => {
      const browser = await openStaleSession(address.access === 'operator' ? operatorId : openerId);
      return [address.key, outcomeOf(await sendTo(browser, address))];
    });
    expect(outcomes).toEqual(guardedAddresses.map(({ key }) => [key, 'sign_in_again']));
  });

  it('exports no type that a member may not read', async () => {
    const listedTypes = Object.values(resources).filter(({ operations }) =>
      (operations as readonly string[]).includes('list'),
    );
    const outcomes = await sendAll(listedTypes, async (resource) => {
      const permissions = roleSlugs('administrator').filter(
        (slug) => slug !== permissionSlug(resource, 'read'),
      );
      const browser = await openSession(await makeMember(shopId, permissions));
      const path = `/dashboard/api/exports/${resource.type}.csv`;
      return [resource.type, outcomeOf(await browser.get(path, scopeHeaders()))];
    });
    expect(outcomes).toEqual(listedTypes.map(({ type }) => [type, 'refused']));
  });
});
