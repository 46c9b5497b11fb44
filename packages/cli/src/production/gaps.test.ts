import { describe, expect, it } from 'vitest';
import { transportOf } from './database-gaps.ts';
import type { Facts, LoginFacts, Role } from './gap.ts';
import { gapsOf } from './gaps.ts';
import { notesOf } from './notes.ts';

const LOGIN: LoginFacts = {
  version: 180_004,
  is_superuser: false,
  has_attributes: false,
  member_of: [],
  owns: false,
  creates: false,
  settings: [],
  other_databases: [],
  unlimited: ['statement_timeout'],
  is_open: false,
  lacks_maintenance: false,
  reaches_vault: false,
  reads_server: false,
  has_secrets: false,
  lacks_migration: undefined,
};
const SHARED = {
  FLORIN_ENV: 'production',
  FLORIN_DATA: '/var/lib/florin',
  VAULT_SOCKET: '/run/florin/vault.sock',
};
const SERVER: Facts = {
  env: {
    ...SHARED,
    DATABASE_URL: 'postgresql://florin_server:secret@db.example.com/florin?sslmode=verify-full',
    FLORIN_PUBLIC_URL: 'https://pay.example.com',
    FLORIN_PAY_URL: 'https://form.example.com',
    FLORIN_TRUSTED_PROXIES: '10.0.0.5',
  },
  uid: 991,
  vault_uid: 992,
  data_is_usable: true,
  has_secrets_file: true,
  key_faults: [],
  login: { ...LOGIN, reads_server: true },
};
const VAULT: Facts = {
  env: {
    ...SHARED,
    FLORIN_DATA: '/var/lib/florin-vault',
    VAULT_DATABASE_URL: 'postgresql://florin_vault@localhost/florin?host=/run/postgresql',
    VAULT_EGRESS: 'https://abcd1234.api.checkout.com',
  },
  uid: 992,
  vault_uid: 992,
  data_is_usable: true,
  has_secrets_file: true,
  key_faults: [],
  login: { ...LOGIN, reaches_vault: true },
};

const problemsOf = (role: Role, facts: Facts): string[] =>
  gapsOf(role, facts).map(({ problem }) => problem);

it('a complete installation has no gaps', () => {
  expect(gapsOf('server', SERVER)).toEqual([]);
  expect(gapsOf('vault', VAULT)).toEqual([]);
  expect(gapsOf('api', SERVER)).toEqual([]);
  expect(gapsOf('worker', SERVER)).toEqual([]);
});

const withEnv = (change: Facts['env']): Facts => ({ ...SERVER, env: { ...SERVER.env, ...change } });

describe('a worker', () => {
  it('needs no proxy, which an api does', () => {
    const facts = withEnv({ FLORIN_TRUSTED_PROXIES: '' });
    expect(problemsOf('worker', facts)).toEqual([]);
    expect(problemsOf('api', facts)).toEqual(['FLORIN_TRUSTED_PROXIES is not set.']);
  });

  it.each(['0.0.0.0:4010', '[::]:4010'])('is refused with metrics at %s', (address) => {
    const facts = withEnv({ FLORIN_PRIVATE_LISTEN: address });
    expect(problemsOf('worker', facts)).toEqual([
      'FLORIN_PRIVATE_LISTEN opens health and metrics to every network.',
    ]);
  });
});

describe('a router of cells', () => {
  const FLORIN_CELLS = 'home=http://10.0.0.5:4000';
  const router = withEnv({ FLORIN_CELLS, VAULT_SOCKET: '' });

  it('needs the addresses of the cells, and neither keys nor a vault', () => {
    expect(problemsOf('router', { ...router, has_secrets_file: false })).toEqual([]);
    const env = { ...router.env, FLORIN_CELLS: '', FLORIN_SECRETS_KEY: 'key' };
    expect(problemsOf('router', { ...router, env })).toEqual([
      'FLORIN_CELLS is not set.',
      'FLORIN_SECRETS_KEY is set, which only the server may know.',
    ]);
  });
});

describe('a database of several hosts', () => {
  const address = (query: string) =>
    withEnv({ DATABASE_URL: `postgres://u@h1,h2:5433/f?${query}` });

  it('has no gaps where each host is verified, and none is a standby', () => {
    expect(problemsOf('server', address('sslmode=verify-full'))).toEqual([]);
    const query = 'sslmode=verify-full&target_session_attrs=read-write';
    expect(problemsOf('server', address(query))).toEqual([]);
  });

  it.each([
    ['sslmode=require', 'DATABASE_URL does not verify the certificate of PostgreSQL.'],
    [
      'sslmode=verify-full&target_session_attrs=standby',
      'DATABASE_URL asks for a standby, but Florin writes.',
    ],
  ])('is refused with %s', (query, problem) => {
    expect(problemsOf('server', address(query))).toEqual([problem]);
  });
});

it('a long pause before the stop is noted, since systemd could end the process within it', () => {
  const noteOf = (role: Role, FLORIN_DRAIN_SECONDS: string) =>
    notesOf(role, withEnv({ FLORIN_DRAIN_SECONDS }));
  expect(noteOf('api', '25')).toEqual([]);
  expect(noteOf('api', '120')).toEqual([
    expect.stringContaining('Set TimeoutStopSec=155 in the unit of this process'),
  ]);
  expect(noteOf('worker', '120')).toEqual([]);
});

describe('a database behind PgBouncer', () => {
  const DATABASE_URL = 'postgres://u@pool/f?sslmode=verify-full&pgbouncer=true';
  const LISTEN = { FLORIN_LISTEN_DATABASE_URL: 'postgres://u@db/f?sslmode=verify-full' };
  const limited = (facts: Facts): Facts => ({
    ...facts,
    login: { ...(facts.login as LoginFacts), unlimited: [] },
  });

  it('needs time limits of the login', () => {
    expect(problemsOf('server', withEnv({ DATABASE_URL }))).toEqual([
      'statement_timeout is not set, or too long, for the user of DATABASE_URL, whose sessions PgBouncer shares.',
    ]);
    expect(problemsOf('server', limited(withEnv({ DATABASE_URL })))).toEqual([]);
  });

  it('is noted where workers cannot listen', () => {
    expect(notesOf('worker', withEnv({ DATABASE_URL }))).toEqual([
      expect.stringContaining('Set FLORIN_LISTEN_DATABASE_URL'),
    ]);
    expect(notesOf('api', withEnv({ DATABASE_URL }))).toEqual([]);
    expect(notesOf('worker', withEnv({ DATABASE_URL, ...LISTEN }))).toEqual([]);
    expect(notesOf('worker', SERVER)).toEqual([]);
  });

  it('has a verified address for listening', () => {
    const change = { FLORIN_LISTEN_DATABASE_URL: 'postgres://u@db/f' };
    expect(problemsOf('worker', limited(withEnv({ DATABASE_URL, ...change })))).toEqual([
      'FLORIN_LISTEN_DATABASE_URL does not verify the certificate of PostgreSQL.',
    ]);
  });
});

describe('the server is refused', () => {
  it.each<[string, Facts['env'], string]>([
    ['in development', { FLORIN_ENV: '' }, 'FLORIN_ENV is not production.'],
    ['without a directory', { FLORIN_DATA: '' }, 'FLORIN_DATA is not set to an absolute path.'],
    ['without a vault', { VAULT_SOCKET: '' }, 'VAULT_SOCKET is not set.'],
    ['without a database', { DATABASE_URL: '' }, 'DATABASE_URL is not set.'],
    [
      'with a database over plain TCP',
      { DATABASE_URL: 'postgresql://florin_server@db.example.com/florin?sslmode=require' },
      'DATABASE_URL does not verify the certificate of PostgreSQL.',
    ],
    ['without an address', { FLORIN_PUBLIC_URL: '' }, 'FLORIN_PUBLIC_URL is not set.'],
    [
      'with a form over http',
      { FLORIN_PAY_URL: 'http://form.example.com' },
      'FLORIN_PAY_URL is no public https address.',
    ],
    [
      'at localhost',
      { FLORIN_PUBLIC_URL: 'https://localhost' },
      'FLORIN_PUBLIC_URL is no public https address.',
    ],
    [
      'with one host name for form and dashboard',
      { FLORIN_PAY_URL: 'https://PAY.example.com:8443/' },
      'FLORIN_PAY_URL has the host name of FLORIN_PUBLIC_URL.',
    ],
    ['behind no known proxy', { FLORIN_TRUSTED_PROXIES: '' }, 'FLORIN_TRUSTED_PROXIES is not set.'],
    [
      'trusting everybody as a proxy',
      { FLORIN_TRUSTED_PROXIES: '10.0.0.5, 0.0.0.0/0' },
      'FLORIN_TRUSTED_PROXIES trusts every address.',
    ],
    [
      'with the login of the vault',
      { VAULT_DATABASE_URL: 'postgresql://florin_vault@localhost/florin' },
      'VAULT_DATABASE_URL is set, which only the vault may know.',
    ],
    [
      'with the login of the owner',
      { VAULT_OWNER_DATABASE_URL: 'postgresql://florin_owner@localhost/florin' },
      'VAULT_OWNER_DATABASE_URL is set, which only "florin migrate" may know.',
    ],
    [
      'with the demo shop',
      { FLORIN_DEMO_SHOP: 'true' },
      'FLORIN_DEMO_SHOP is set for a part that production never has.',
    ],
    [
      'with a simulated network',
      { FLORIN_SIMULATOR_URL: 'http://10.0.0.5:4100' },
      'FLORIN_SIMULATOR_URL is set for a part that production never has.',
    ],
    [
      'without checked certificates',
      { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      'NODE_TLS_REJECT_UNAUTHORIZED is set, which can switch the check of certificates off.',
    ],
    [
      'with an authority of somebody else',
      { NODE_EXTRA_CA_CERTS: '/tmp/ca.pem' },
      'NODE_EXTRA_CA_CERTS is set, which lets another authority vouch for processors and the database.',
    ],
    [
      'with a debugger',
      { NODE_OPTIONS: '--inspect' },
      'NODE_OPTIONS is set, which can open a debugger and load code.',
    ],
  ])('%s', (_name, change, problem) => {
    expect(problemsOf('server', { ...SERVER, env: { ...SERVER.env, ...change } })).toEqual([
      problem,
    ]);
  });

  it.each<[string, Partial<Facts>, string]>([
    ['as root', { uid: 0 }, 'This process runs as root.'],
    [
      'with a directory of another user',
      { data_is_usable: false },
      'This user cannot read and write the directory of FLORIN_DATA.',
    ],
    [
      'before the vault',
      { vault_uid: undefined },
      'No socket is at VAULT_SOCKET, or this user may not enter its directory.',
    ],
    [
      'as the user of the vault',
      { uid: 992 },
      'The vault runs as the same user as the server, who can then read its keys.',
    ],
    [
      'without the key of the secrets in its database',
      { has_secrets_file: false, login: { ...LOGIN, has_secrets: true } },
      'The database has sealed secrets, and this machine has no key for them.',
    ],
    [
      'with a key that others may read',
      { key_faults: [{ problem: 'Every user may use the key file.', fix: 'Run chmod.' }] },
      'Every user may use the key file.',
    ],
    [
      'with a superuser of the database',
      { login: { ...LOGIN, is_superuser: true, owns: true } },
      'The user of DATABASE_URL is a superuser.',
    ],
    [
      'with the database user of the vault',
      { login: { ...LOGIN, reaches_vault: true } },
      'The database user of the server can enter the schema of the vault.',
    ],
    [
      'while its database is away',
      { login: { unreadable: 'The database of DATABASE_URL cannot be reached (ECONNREFUSED).' } },
      'The database of DATABASE_URL cannot be reached (ECONNREFUSED).',
    ],
  ])('%s', (_name, change, problem) => {
    expect(problemsOf('server', { ...SERVER, ...change })).toEqual([problem]);
  });

  it.each<[string, Partial<Facts>]>([
    ['without a key before the first start, which makes one', { has_secrets_file: false }],
    [
      'with the key in a variable',
      {
        env: { ...SERVER.env, FLORIN_SECRETS_KEY: 'key' },
        has_secrets_file: false,
        login: { ...LOGIN, has_secrets: true },
      },
    ],
  ])('not %s', (_name, change) => {
    expect(problemsOf('server', { ...SERVER, ...change })).toEqual([]);
  });
});

describe('accounts that wait for an operator', () => {
  const waiting = (account_id: string) => ({ account_id, mode: 'live', count: 3 });
  const login = {
    ...LOGIN,
    reaches_vault: true,
    pending_accounts: [waiting('acme'), waiting('x\nfine')],
  };

  it('are named with the command to run, in one line, and stop no start', () => {
    const gaps = gapsOf('vault', { ...VAULT, login });
    expect(gaps.filter(({ problem }) => problem.includes('accepted'))).toEqual([
      {
        problem:
          '3 processor accounts have addresses, a merchant, rules or secrets that no operator has accepted: acme (live), x?fine (live) and 1 more.',
        fix: 'Run "npm run florin -- vault rules list", compare, then "npm run florin -- vault rules accept ID" for what you know.',
        may_start: true,
      },
    ]);
  });
});

describe('a database login is refused', () => {
  it.each<[string, Partial<LoginFacts>, string]>([
    [
      'that may create roles',
      { has_attributes: true },
      'The user of DATABASE_URL may create roles or databases, replicate or bypass rules.',
    ],
    [
      'with the rights of another role',
      { member_of: ['florin_owner'] },
      'The user of DATABASE_URL is a member of florin_owner.',
    ],
    ['that owns tables', { owns: true }, 'The user of DATABASE_URL owns objects of the database.'],
    [
      'that can create tables',
      { creates: true },
      'The user of DATABASE_URL can create objects in the database or in a schema.',
    ],
    [
      'for which names lead elsewhere',
      { settings: ['role', 'search_path'] },
      "role, search_path is set for DATABASE_URL's user or database.",
    ],
    [
      'that another database lets in',
      { other_databases: ['florin_vault'] },
      'The user of DATABASE_URL has a grant for florin_vault too.',
    ],
    [
      'to a database that lets everybody in',
      { is_open: true },
      'Every user can connect to the database of DATABASE_URL.',
    ],
    [
      'to a database that is not migrated',
      { lacks_migration: '0106-audit-log' },
      'The database of DATABASE_URL lacks migrations up to 0106-audit-log.',
    ],
    [
      'to an old PostgreSQL',
      { version: 160_009 },
      'DATABASE_URL points to a PostgreSQL older than 17.',
    ],
  ])('%s', (_name, change, problem) => {
    expect(problemsOf('server', { ...SERVER, login: { ...LOGIN, ...change } })).toEqual([problem]);
  });

  it('that cannot remove deleted verification values', () => {
    const login = { ...LOGIN, lacks_maintenance: true };
    expect(problemsOf('server', { ...SERVER, login })).toEqual([]);
    expect(problemsOf('vault', { ...VAULT, login })).toEqual([
      'The database user of the vault cannot remove deleted verification values from their file.',
    ]);
  });
});

describe('the vault is refused', () => {
  it.each<[string, Facts['env'], string]>([
    [
      'with the login of the server',
      { DATABASE_URL: 'postgresql://florin_server@localhost/florin' },
      'DATABASE_URL is set, which only the server may know.',
    ],
    [
      'with a processor over http',
      { VAULT_EGRESS: 'https://a.example, HTTP://b.example' },
      'VAULT_EGRESS has an origin without https, to which cards would travel in clear.',
    ],
    [
      'without a processor',
      { VAULT_EGRESS: '' },
      'VAULT_EGRESS is empty, so the vault reaches no processor.',
    ],
  ])('%s', (_name, change, problem) => {
    expect(problemsOf('vault', { ...VAULT, env: { ...VAULT.env, ...change } })).toEqual([problem]);
  });

  it('with a database user that reads tables of the server', () => {
    expect(problemsOf('vault', { ...VAULT, login: { ...LOGIN, reads_server: true } })).toEqual([
      'The database user of the vault can read tables of the server.',
    ]);
  });
});

it('lists every gap of an empty environment, each with a fix, and no secret', () => {
  const url = 'postgresql://florin:verysecret@db.example.com/florin';
  const gaps = gapsOf('server', { ...SERVER, env: { DATABASE_URL: url }, uid: 0 });
  expect(gaps).toHaveLength(8);
  expect(gaps.every(({ fix }) => fix.length > 0)).toBe(true);
  expect(JSON.stringify(gaps)).not.toContain('verysecret');
});

it.each([
  ['postgresql://u@localhost/florin?host=/run/postgresql', 'socket'],
  ['postgresql:///florin', 'socket'],
  ['postgresql://u:p@%2Frun%2Fpostgresql/florin', 'socket'],
  ['postgresql://u:p@db.example.com/florin?sslmode=verify-full', 'verified'],
  ['postgresql://u:p@db.example.com/florin?sslmode=verify-ca', 'unverified'],
  ['postgresql://u:p@127.0.0.1/florin', 'unverified'],
  ['postgresql://u:p@localhost/florin?host=db.example.com', 'unverified'],
] as const)('the connection of %s is %s', (url, transport) => {
  expect(transportOf(new URL(url))).toBe(transport);
});
