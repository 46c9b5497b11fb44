import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import {
  createAuthority,
  type TlsFileVariables,
  writeTlsFiles,
} from '@florin/dev-env/certificates.ts';
import { bareEnv, testPostgresUrl } from '@florin/dev-env/config/env.ts';
import {
  cloneDatabase,
  DATABASE_PASSWORDS,
  type EmptyDatabase,
  emptyDatabase,
} from '@florin/dev-env/databases.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../src/database/client.ts';

/** Two users and the group that they share, none with an entry in the list of users. */
const SERVER = { uid: 64_101, gid: 64_100 };
const VAULT = { uid: 64_102, gid: 64_100 };
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const THIEF = join(import.meta.dirname, 'fixtures', 'steal-cards.ts');
/** Other users cannot enter the temporary directory of the run. */
const PARENT = '/tmp';

/** Directory of PostgreSQL's socket. A PostgreSQL over TCP would need a certificate. */
const SOCKETS = new URL(testPostgresUrl()).searchParams.get('host') ?? '';

const canSwitchUsers =
  process.getuid?.() === 0 &&
  SOCKETS.startsWith('/') &&
  spawnSync(process.execPath, [MAIN, 'help'], { ...SERVER, env: bareEnv({}) }).status === 0;

type Role = 'server' | 'vault';

let directory: string;
/** The server's database, and that of the vault. */
let databases: Record<Role, EmptyDatabase>;
let port: number;
let environments: Record<'server' | 'vault', Record<string, string>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  if (!canSwitchUsers) return;
  directory = mkdtempSync(join(PARENT, 'florin-serve-'));
  chmodSync(directory, 0o755);
  for (const [name, owner, mode] of [
    ['run', VAULT, 0o2750],
    ['server', SERVER, 0o700],
    ['vault', VAULT, 0o700],
  ] as const) {
    mkdirSync(join(directory, name));
    chownSync(join(directory, name), owner.uid, owner.gid);
    chmodSync(join(directory, name), mode);
  }
  // Both users must reach the PostgreSQL of the test run.
  chmodSync(SOCKETS, 0o711);
  for (const name of readdirSync(SOCKETS).filter((it) => !it.endsWith('.lock')))
    chmodSync(join(SOCKETS, name), 0o777);
  databases = { server: await createDatabase('server'), vault: await createDatabase('vault') };
  port = await freePort();
  const shared = { FLORIN_ENV: 'production', VAULT_SOCKET: join(directory, 'run', 'vault.sock') };
  environments = {
    server: {
      ...shared,
      FLORIN_DATA: join(directory, 'server'),
      DATABASE_URL: urlOf('server'),
      FLORIN_PUBLIC_URL: 'https://pay.example.com',
      FLORIN_PAY_URL: 'https://form.example.com',
      FLORIN_TRUSTED_PROXIES: '127.0.0.1',
      PORT: String(port),
      FLORIN_PRIVATE_LISTEN: `127.0.0.1:${await freePort()}`,
      FLORIN_DRAIN_SECONDS: '0',
      FLORIN_ACCESS_LOG: 'separate',
    },
    vault: {
      ...shared,
      FLORIN_DATA: join(directory, 'vault'),
      VAULT_DATABASE_URL: urlOf('vault'),
      VAULT_EGRESS: 'https://processor.example',
    },
  };
});

afterAll(async () => {
  for (const child of running.toReversed()) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  for (const role of ['server', 'vault'] as const) await databases?.[role][Symbol.asyncDispose]();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

const authority = createAuthority();
const VAULT_HOST = '127.0.0.1';

/** Writes certificate, key and authority of a role, and returns the variables that name them. */
function writeIdentity(role: Role, name: string, variables: TlsFileVariables) {
  const folder = join(directory, `tls-${role}`);
  const files = Object.values(writeTlsFiles(folder, authority.issue([name]), authority, variables));
  for (const { path } of files) chownSync(path, USERS[role].uid, USERS[role].gid);
  return Object.fromEntries(files.map(({ variable, path }) => [variable, path]));
}

const tlsOfVault = (vaultPort: number): Record<string, string> => ({
  VAULT_LISTEN: `${VAULT_HOST}:${vaultPort}`,
  VAULT_TLS_CLIENT_NAMES: 'florin-server',
  ...writeIdentity('vault', VAULT_HOST, [
    'VAULT_TLS_CERT_FILE',
    'VAULT_TLS_KEY_FILE',
    'VAULT_TLS_CA_FILE',
  ]),
});

const tlsOfServer = (vaultPort: number, name: string): Record<string, string> => ({
  FLORIN_VAULT_ADDRESSES: `https://${VAULT_HOST}:${vaultPort}`,
  ...writeIdentity('server', name, [
    'FLORIN_VAULT_CERT_FILE',
    'FLORIN_VAULT_KEY_FILE',
    'FLORIN_VAULT_CA_FILE',
  ]),
});

/** Creates a database as the page on production mode does: its login may connect, the owner has the rest. */
async function createDatabase(role: Role): Promise<EmptyDatabase> {
  // Creates the three users in the PostgreSQL of the test run.
  await using _users = await cloneDatabase();
  const database = await emptyDatabase();
  const name = nameOf(database);
  await withClient(database.url, (client) =>
    client.query(`alter database ${name} owner to florin_owner;
      revoke all on database ${name} from public;
      grant connect on database ${name} to florin_${role}`),
  );
  return database;
}

const nameOf = (database: EmptyDatabase): string => new URL(database.url).pathname.slice(1);

/** Address of a role's database, for its own login by default. */
function urlOf(role: Role, login: keyof typeof DATABASE_PASSWORDS = `florin_${role}`): string {
  const url = new URL(databases[role].url);
  url.username = login;
  url.password = DATABASE_PASSWORDS[login];
  return url.href;
}

/** Addresses that a proxy does not reach, some of them in other encodings. */
const HIDDEN = [
  ...['/shop', '/dashboard/api/mailbox', '/metrics', '/healthz', '/docs/', '/docs/operate/keys'],
  ...[
    '/%6detrics',
    '/%68ealthz',
    '/%64ocs/',
    '/metrics/',
    '/metrics?x',
    'http://x.example/metrics',
  ],
  ...['/docs', '/llms.txt', '/docs/llms.txt'],
];

/** Answers to the attempts of fixtures/steal-cards.ts. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'describe every card': /^got 200 \{"card_pan_token":"pan_[^}]*"last_four":"\d{4}"/,
  'relay a card home': /"outcome":"not_sent","why":"egress_not_allowed"/,
  'relay a card to the loopback': /"outcome":"not_sent","why":"egress_not_allowed"/,
  'relay a card to a listed origin without TLS': /"outcome":"not_sent","why":"egress_not_allowed"/,
  'relay a card with a login of my own to a listed origin':
    /"why":"card_without_rules","detail":"The message names no account\."/,
  'relay a card with an account of my own, without rules': /"why":"account_not_accepted"/,
  'relay a card with an account, a rule and a login of my own': /"why":"account_not_accepted"/,
  'accept a rule of my own over the socket of the server': /^got 404 /,
  'use the card as another merchant': /^got 422 .*unknown_token/,
  'read the root key': /^failed EACCES$/,
  'list the directory of the vault': /^failed EACCES$/,
  'command the vault as operator': /^failed EACCES$/,
  'command the vault over the socket of the server': /^got 404 /,
  'replace the socket of the vault': /^failed EACCES$/,
  'plant a file beside the socket': /^failed EACCES$/,
  'plant a directory beside the socket': /^failed EACCES$/,
  'log in to the database of the vault': /^failed (42501|permission denied)/,
  'read a schema of the vault': /^failed 42P01$/,
  'read files of the database': /^failed 42501$/,
  'read a key over the database': /^failed 42501$/,
  'read what the system shows of processes': /^got /,
};

const USERS = { server: SERVER, vault: VAULT };

/** Runs a command as the user of a role until it ends. */
async function run(
  role: Role,
  words: string[],
  change: Record<string, string> = {},
  user = USERS[role],
) {
  const env = bareEnv({ ...environments[role], ...change });
  const child = spawn(process.execPath, [MAIN, ...words], { ...user, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code as number | null, output };
}

/** Output of each started role until now. */
const outputs: Record<string, string> = {};

/** Starts a role, and resolves when it is ready. Rejects with its output if it ends before. */
async function serve(
  role: Role | 'worker' | 'router',
  change: Record<string, string> = {},
): Promise<string> {
  const part = role === 'vault' ? role : 'server';
  const env = bareEnv({ ...environments[part], ...change });
  const child = spawn(process.execPath, [MAIN, 'serve', role], { ...USERS[part], env });
  running.push(child);
  let output = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk: Buffer) => {
      outputs[`${role} ${name}`] = `${outputs[`${role} ${name}`] ?? ''}${chunk}`;
      output += chunk;
      outputs[role] = output;
      if (output.includes(`The ${role} is ready.`)) resolve(output);
    });
  }
  child.once('exit', () => reject(new Error(output)));
  return promise;
}

interface Reply {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends a request as the proxy does that terminates TLS. */
async function send(method: string, path: string, body?: object, cookie = ''): Promise<Reply> {
  const headers = {
    host: 'pay.example.com',
    'user-agent': 'serve-test/1.0',
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    origin: 'https://pay.example.com',
    'florin-dashboard': '1',
    'sec-fetch-site': 'same-origin',
    ...(cookie && { cookie }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const sent = request({ host: '127.0.0.1', port, method, path, headers });
  sent.end(body && JSON.stringify(body));
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, body: text };
}

const tokenIn = (output: string): string | undefined =>
  /https:\/\/pay\.example\.com\/dashboard\/link#(\S+)/.exec(output)?.[1];

const count = (table: string): Promise<number> =>
  withClient(databases.server.url, async (client) => {
    const { rows } = await client.query<{ count: string }>(`select count(*) from ${table}`);
    return Number(rows[0]?.count);
  });

describe.runIf(canSwitchUsers)('a production installation', { timeout: 240_000 }, () => {
  it('starts nothing while there is a gap, and names each with its fix', async () => {
    const change = { FLORIN_PAY_URL: 'http://form.example.com', FLORIN_DEMO_SHOP: 'true' };
    const { code, output } = await run('server', ['serve', 'server'], change);
    expect(code).toBe(1);
    expect(
      output.replace(/up to \S+\. Run/, 'up to the newest. Run'),
    ).toBe(`The server cannot run in production, because of 4 gaps:
  - FLORIN_PAY_URL is no public https address. Set it to the https address that browsers use, such as https://form.example.com.
  - The database of DATABASE_URL lacks migrations up to the newest. Run "npm run florin -- migrate" as the owner.
  - No socket is at VAULT_SOCKET, or this user may not enter its directory. Start "florin serve vault" first, and give both users the group of the directory.
  - FLORIN_DEMO_SHOP is set for a part that production never has. Remove it.
`);
    expect(existsSync(join(directory, 'server', 'florin.lock'))).toBe(false);
    const data = { FLORIN_DATA: join(directory, 'vault') };
    expect((await run('server', ['check', 'server'], data)).output).toContain(
      'This user cannot read and write the directory of FLORIN_DATA.',
    );
    const root = await run('vault', ['serve', 'vault'], {}, { uid: 0, gid: 0 });
    expect(root.output).toContain('This process runs as root.');
    const start = await run('server', ['start']);
    expect(start).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm start is for development'),
    });
  });

  it('starts no vault before the owner has migrated its database', async () => {
    const { code, output } = await run('vault', ['serve', 'vault']);
    expect(code).toBe(1);
    expect(output).toMatch(
      /VAULT_DATABASE_URL lacks migrations up to \S+\. Run "npm run florin -- migrate" as the owner/,
    );
  });

  it('is migrated by the owner, in two databases', async () => {
    const owner = {
      FLORIN_OWNER_DATABASE_URL: urlOf('server', 'florin_owner'),
      VAULT_OWNER_DATABASE_URL: urlOf('vault', 'florin_owner'),
    };
    const missing = await run('server', ['migrate']);
    expect([missing.code, missing.output]).toEqual([
      1,
      'FLORIN_OWNER_DATABASE_URL is not set. Set it to the login that owns the tables.\n',
    ]);
    const plan = await run('server', ['migrate', 'apply', '--dry-run'], owner);
    expect(plan).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^The server's tables lack \d+ migrations\. Nothing was changed\.\n0001-payments \(expand\)\n/,
      ),
    });
    expect(await run('server', ['migrate', 'plan'], owner)).toEqual(plan);
    expect((await run('server', ['migrate', 'verify', 'vault'], owner)).output).toMatch(
      /^Migrations are left to apply: 0001-vault, /,
    );
    const first = await run('server', ['migrate'], owner);
    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(/^0001-payments\n/) });
    expect(await run('server', ['migrate'], owner)).toEqual({
      code: 0,
      output: `The server's tables are up to date (0 migrations applied).
The vault's tables are up to date (0 migrations applied).
`,
    });
    expect(await run('server', ['migrate', 'verify'], owner)).toEqual({
      code: 0,
      output: `The server's tables are as this release made them.
The vault's tables are as this release made them.
`,
    });
    expect(await run('server', ['migrate', 'plan', '--attempts', '3'], owner)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^Usage:/),
    });
    const check = await run('server', ['check', 'server'], owner);
    expect(check.output).toContain('FLORIN_OWNER_DATABASE_URL is set, which only "florin migrate"');
  });

  it('refuses logins with rights that production does not need', async () => {
    const DATABASE_URL = urlOf('server', 'florin_owner');
    const { output } = await run('server', ['check', 'server'], { DATABASE_URL });
    expect(output).toContain('The user of DATABASE_URL owns objects of the database.');
    expect(output).toContain('The user of DATABASE_URL can create objects');
  });

  it.each<[Role, string]>([
    ['server', 'secrets.key'],
    ['vault', 'vault/root.key'],
  ])('starts no %s whose key another user could read', async (role, name) => {
    const path = join(directory, role, name);
    mkdirSync(dirname(path), { recursive: true });
    chownSync(dirname(path), USERS[role].uid, USERS[role].gid);
    writeFileSync(path, 'key', { mode: 0o640 });
    const { code, output } = await run(role, ['serve', role]);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('belongs to another user (0). Run'),
    ]);
    chownSync(path, USERS[role].uid, USERS[role].gid);
    expect((await run(role, ['check', role])).output).toContain(
      `  - The group of the key file ${path} may use it. Run as root: chown ${USERS[role].uid} ${path} && chmod 600 ${path}.`,
    );
    rmSync(path);
  });

  it('runs vault and server as two users, over mutual TLS, without secrets in the output', async () => {
    const vaultPort = await freePort();
    environments.vault = { ...environments.vault, ...tlsOfVault(vaultPort) };
    expect(await serve('vault')).toBe('Starting the vault.\nThe vault is ready.\n');
    const { VAULT_SOCKET: _, ...server } = environments.server;
    const stranger = await run('server', ['check', 'server'], {
      VAULT_SOCKET: '',
      ...tlsOfServer(vaultPort, 'florin-shop'),
    });
    expect(stranger.output).toMatch(
      /cannot be used \(ECONNRESET\)\. The vault refused the certificate/,
    );
    // An operator who starts both parts as one user gives the server the keys of the vault.
    const { VAULT_SOCKET = '' } = environments.vault;
    const sameUser = { VAULT_SOCKET, FLORIN_DATA: join(directory, 'vault') };
    expect(await run('server', ['serve', 'server'], sameUser, VAULT)).toMatchObject({
      code: 1,
      output: expect.stringContaining('The vault runs as the same user as the server'),
    });
    environments.server = { ...server, ...tlsOfServer(vaultPort, 'florin-server') };
    expect(await run('server', ['check', 'server'])).toEqual({
      code: 0,
      output: 'No gaps: the server can run in production.\n',
    });
    expect(await serve('server')).toMatch(/^Starting the server\.\nThe server is ready\.\n/);
    expect(JSON.parse((await send('GET', '/readyz')).body)).toMatchObject({ ready: true });
    for (const role of ['vault', 'server'] as const)
      expect(await run(role, ['health', role])).toEqual({
        code: 0,
        output: `The ${role} works.\n`,
      });
    expect(await run('server', ['health', 'server'], { PORT: '1' })).toEqual({
      code: 1,
      output: 'The server does not work (ECONNREFUSED).\n',
    });
    expect(existsSync(join(directory, 'server', 'credentials.json'))).toBe(false);
    for (const table of ['merchants', 'accounts', 'merchant_tokens'])
      expect(await count(table), table).toBe(0);
    for (const path of HIDDEN) expect((await send('GET', path)).status, path).toBe(404);
    const direct = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect([direct.status, await direct.text()]).toEqual([200, expect.stringContaining('florin_')]);
  });

  it('keeps the keys of the vault from the user of the server', () => {
    const script = `import { readdirSync } from 'node:fs'; readdirSync(${JSON.stringify(join(directory, 'vault'))});`;
    const args = ['--input-type=module', '-e', script];
    const { status, stderr } = spawnSync(process.execPath, args, { ...SERVER, env: bareEnv({}) });
    expect(status).toBe(1);
    expect(String(stderr)).toContain('EACCES');
  });

  it('keeps the database of the vault from the login of the server, and the reverse', async () => {
    for (const [role, other] of [
      ['server', 'vault'],
      ['vault', 'server'],
    ] as const) {
      const answer = withClient(urlOf(other, `florin_${role}`), (client) => client.query('select'));
      await expect(answer).rejects.toThrow('permission denied for database');
    }
  });

  it('writes the line of each request to a file of its own', async () => {
    await send('GET', '/dashboard/');
    const read = (name: string) => readFileSync(join(directory, 'server', 'logs', name), 'utf8');
    await expect
      .poll(() => read('server-access.log'))
      .toMatch(/^\{"level":30,.*"msg":"request"\}$/m);
    const other = readdirSync(join(directory, 'server', 'logs')).filter((name) =>
      name.startsWith('server.log'),
    );
    for (const name of other) expect(read(name)).not.toContain('"msg":"request"');
  });

  it('runs a worker beside the server, with the same variables', async () => {
    const change = { FLORIN_LOG_OUTPUT: 'stdout', FLORIN_LOG_LEVEL: 'debug' };
    expect(await serve('worker', change)).toMatch(
      /^Starting the worker\.\n(\{.*\n)*The worker is ready\.\n/,
    );
    const health = await fetch(`http://${environments.server.FLORIN_PRIVATE_LISTEN}/readyz`);
    expect(await health.json()).toMatchObject({ ready: true });
    await expect.poll(() => outputs['worker stdout']).toMatch(/^\{"level":20,.*"\/readyz".*\}$/m);
    expect(outputs['worker stderr'] ?? '').not.toContain('"msg":"request"');
    const logs = readdirSync(join(directory, 'server', 'logs'));
    expect(logs.filter((name) => name.startsWith('worker'))).toEqual([]);
    expect(await run('server', ['health', 'worker'])).toEqual({
      code: 0,
      output: 'The worker works.\n',
    });
    const second = await run('server', ['serve', 'worker']);
    expect(second.output).toContain('Another Florin');
  });

  it('yields no card of 1,000 to a program in the server, nor keys, audit or database of the vault', () => {
    const target = {
      socket: join(directory, 'run', 'vault.sock'),
      vault_directory: join(directory, 'vault'),
      vault_database_url: urlOf('vault', 'florin_server'),
      database_url: urlOf('server'),
      cards: 1_000,
    };
    const thief = spawnSync(process.execPath, [THIEF, JSON.stringify(target)], {
      ...SERVER,
      env: bareEnv(environments.server),
      maxBuffer: 64 * 1024 ** 2,
    });
    expect(String(thief.stderr)).toBe('');
    const { number, stored, loot } = JSON.parse(String(thief.stdout));
    expect(stored).toBe(1_000);
    expect(number).toMatch(/^\d{16}$/);
    expect(JSON.stringify(loot)).not.toContain(number);
    expect(JSON.stringify(loot)).not.toContain(environments.vault.VAULT_DATABASE_URL);
    expect(Object.keys(loot).toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
    for (const [name, answer] of Object.entries(REFUSALS)) expect(loot[name], name).toMatch(answer);
  });

  it('tells the operator which accounts wait, and lets the user of the vault alone accept them', async () => {
    const list = await run('vault', ['vault', 'rules', 'list']);
    const id = /^(\w{64}) pending: account my-rules, sandbox$/m.exec(list.output)?.[1] ?? '';
    expect(list.output).toContain(
      'card: POST https://processor.example/ {"card_fields":{"/number":"pan"}',
    );
    const check = await run('vault', ['check', 'vault']);
    expect(check.output).toMatch(
      /2 processor accounts have addresses, a merchant, rules or secrets that no operator has accepted: .*my-rules \(sandbox\).*vault rules accept ID/,
    );
    const readRefused = async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return text
        .split('\n')
        .find((line) => /^florin_vault_refused.*account_not_accepted/.test(line));
    };
    await expect.poll(readRefused).toMatch(/^florin_vault_refused_messages\{.*\} 2$/);
    const stranger = await run('server', ['vault', 'rules', 'accept', id], {
      FLORIN_DATA: join(directory, 'vault'),
    });
    expect(stranger.code).toBe(1);
    for (const words of [
      ['accept', id],
      ['accept', id],
      ['withdraw', id, '--dry-run'],
      ['withdraw', id],
    ])
      expect((await run('vault', ['vault', 'rules', ...words])).code, words.join(' ')).toBe(0);
    expect((await run('vault', ['vault', 'rules', 'list'])).output).toContain(`${id} refused`);
    expect((await run('vault', ['check', 'vault'])).output).not.toContain('my-rules');
  });

  it('gets its first operator by a link that works once, and a merchant after a second factor', async () => {
    const { output } = await run('server', ['operator', 'invite', 'ops@example.com']);
    const withdrawn = await run('server', ['operator', 'invite', 'mistyped@example.com']);
    const removal = await run('server', ['operator', 'remove', 'mistyped@example.com']);
    expect(removal.code).toBe(0);
    const gone = {
      token: tokenIn(withdrawn.output),
      name: 'Eve',
      password: 'correct horse battery',
    };
    expect((await send('POST', '/dashboard/api/links/use', gone)).status).toBe(422);
    const token = tokenIn(output);
    const person = { token, name: 'Olga', password: 'correct horse battery' };
    const used = await send('POST', '/dashboard/api/links/use', person);
    expect(used.status).toBe(200);
    const again = await send('POST', '/dashboard/api/links/use', person);
    expect(JSON.parse(again.body).errors[0].code).toBe('link_unusable');
    const cookie = String(used.headers['set-cookie']).split(';')[0];
    const me = JSON.parse((await send('GET', '/dashboard/api/me', undefined, cookie)).body);
    expect(me.account).toMatchObject({ operator: false, needs_factor: true });
    const open = () => send('POST', '/dashboard/api/merchants', { business_name: 'Mugs' }, cookie);
    const console = () => send('GET', '/dashboard/api/operator/merchants', undefined, cookie);
    for (const refused of [await open(), await console()]) {
      expect(refused.status).toBe(403);
      expect(refused.body).toContain('second factor');
    }
    await withClient(databases.server.url, (client) =>
      client.query(`update accounts set totp_secret = 'sealed', totp_confirmed_at = now()`),
    );
    expect((await console()).status).toBe(200);
    const opened = await open();
    expect(opened.status).toBe(201);
    expect(await count('merchants')).toBe(1);
  });

  it('lets nobody register who was not invited', async () => {
    const person = { email: 'stranger@example.com' };
    const { status, body } = await send('POST', '/dashboard/api/registrations', person);
    expect([status, JSON.parse(body).errors[0].code]).toEqual([403, 'registration_closed']);
  });

  it('makes no key, person or merchant at its next start', async () => {
    const tables = ['merchants', 'accounts', 'memberships', 'merchant_tokens'];
    const before = await Promise.all(tables.map(count));
    const server = running.find(({ spawnargs }) => spawnargs.at(-1) === 'server');
    server?.kill('SIGTERM');
    if (server?.exitCode === null) await once(server, 'exit');
    await serve('server');
    expect(await Promise.all(tables.map(count))).toEqual(before);
    expect(existsSync(join(directory, 'server', 'credentials.json'))).toBe(false);
  });

  it('runs a router before the servers of a cell, without keys and without a vault', async () => {
    const owner = urlOf('server', 'florin_owner');
    expect(await run('server', ['cell', 'create', 'home', owner])).toMatchObject({
      code: 0,
      output: expect.stringContaining('The cell home at'),
    });
    const own = { PORT: String(await freePort()), FLORIN_CELLS: `home=http://127.0.0.1:${port}` };
    const bare = { FLORIN_VAULT_ADDRESSES: '', FLORIN_VAULT_KEY_FILE: '', VAULT_SOCKET: '' };
    const missing = await run('server', ['check', 'router'], { ...own, FLORIN_CELLS: '' });
    expect(missing.output).toContain('FLORIN_CELLS is not set.');
    expect(await serve('router', { ...own, ...bare })).toMatch(/\nThe router is ready\.\n$/);
    expect(await run('server', ['health', 'router'], { ...own, ...bare })).toEqual({
      code: 0,
      output: 'The router works.\n',
    });
    const page = await fetch(`http://127.0.0.1:${own.PORT}/dashboard/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
    const metrics = `http://127.0.0.1:${own.PORT}/metrics`;
    expect(await (await fetch(metrics)).text()).toContain(
      'florin_router_cell_ready{cell="home"} 1',
    );
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    expect((await fetch(metrics, { headers })).status).toBe(404);
  });
});
