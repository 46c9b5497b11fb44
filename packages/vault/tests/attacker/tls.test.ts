import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import { createAuthority, writeTlsFiles } from '@florin/dev-env/certificates.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFromEnv } from '../../src/config/env.ts';
import type { TlsAddress } from '../../src/http/tls-listener.ts';
import { startTestVault, type TestVault } from '../support/vault.ts';

/** The attacker reaches the vault's port over the network, as everybody who shares it. */
const HOST = '127.0.0.1';
const authority = createAuthority();
const foreignAuthority = createAuthority('foreign');
const server = authority.issue(['florin-server']);

let vault: TestVault;
let address: TlsAddress;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vault-tls-'));
  address = {
    host: HOST,
    port: await freePort(),
    files: writeTlsFiles(directory, authority.issue([HOST]), authority),
    client_names: ['florin-server'],
  };
  vault = await startTestVault([], { tls: address });
});
afterAll(() => vault?.[Symbol.asyncDispose]());

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
  readonly connection: string | undefined;
}

/** Asks for the vault's health over TLS. Rejects if nothing is answered. */
const ask = (options: RequestOptions = {}, path = '/health'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: HOST, port: address.port, path, ca: authority.ca, agent: false, ...options },
      async (response) =>
        resolve({
          status: response.statusCode,
          body: await text(response),
          connection: response.headers.connection,
        }),
    );
    sent.on('error', reject).end();
  });

const health = async (): Promise<VaultHealth> => JSON.parse((await vault.get('/health')).text);
const alarms = (reason: string) =>
  vault.log.filter((line) => line.includes('connection_refused') && line.includes(reason)).length;

it('answers a server with a certificate of the authority and an expected name', async () => {
  const { status, body } = await ask(server);
  expect(status).toBe(200);
  expect((JSON.parse(body) as VaultHealth).tls).toEqual({
    expires_at: Date.parse('2049-01-01'),
    refused: expect.objectContaining({ no_certificate: 0, wrong_name: 0, other: 0 }),
  });
});

describe('nothing is answered, and the attempt is counted, for', () => {
  it.each<[string, keyof NonNullable<VaultHealth['tls']>['refused'], () => RequestOptions]>([
    ['a caller without a certificate', 'no_certificate', () => ({})],
    [
      'a certificate of another authority',
      'unknown_authority',
      () => foreignAuthority.issue(['florin-server']),
    ],
    [
      'a certificate of an authority with the same name',
      'unknown_authority',
      () => createAuthority().issue(['florin-server']),
    ],
    ['another name of the authority', 'wrong_name', () => authority.issue(['florin-shop'])],
    ['a name that begins alike', 'wrong_name', () => authority.issue(['florin-server.example'])],
    ['a certificate for all names', 'wrong_name', () => authority.issue(['*'])],
    ['a certificate without a name', 'wrong_name', () => authority.issue([])],
    [
      'a certificate that has expired',
      'expired',
      () => authority.issue(['florin-server'], { notAfter: new Date('2021-01-01') }),
    ],
    [
      'a certificate that is not valid yet',
      'expired',
      () => authority.issue(['florin-server'], { notBefore: new Date('2048-01-01') }),
    ],
    ['TLS 1.2', 'protocol', () => ({ ...server, maxVersion: 'TLSv1.2' })],
  ])('%s', async (_name, reason, optionsOf) => {
    vault.clock.now += 60_000;
    const before = [(await health()).tls?.refused[reason] ?? 0, alarms(reason)];
    const options = optionsOf();
    await expect(ask(options)).rejects.toThrow();
    await expect(ask(options, '/keys')).rejects.toThrow();
    await expect
      .poll(async () => [(await health()).tls?.refused[reason], alarms(reason)])
      .toEqual([before[0]! + 2, before[1]! + 1]);
  });

  it('HTTP without TLS', async () => {
    const socket = connectPlain(address.port, HOST);
    socket.end('GET /health HTTP/1.1\r\nhost: vault\r\n\r\n');
    expect(await text(socket).catch(() => '')).not.toContain('HTTP');
    await expect.poll(async () => (await health()).tls?.refused.protocol).toBeGreaterThan(2);
  });

  it('operators, who have their own socket', async () => {
    const reply = await ask({ ...server, method: 'POST' }, '/rotate');
    expect(reply.status).toBe(404);
  });

  it('an entry in the audit too', async () => {
    await expect
      .poll(() =>
        vault.database.query(
          `select distinct outcome from vault.audit where verb = 'connect' order by outcome`,
        ),
      )
      .toEqual(
        ['expired', 'no_certificate', 'protocol', 'unknown_authority', 'wrong_name'].map(
          (reason) => ({
            outcome: `refused_${reason}`,
          }),
        ),
      );
  });
});

it('resumes no session, which would skip the check of the certificate', async () => {
  const open = (session?: Buffer) =>
    new Promise<{ isReused: boolean; session: Buffer | undefined }>((resolve, reject) => {
      const options = { host: HOST, port: address.port, ca: authority.ca, ...server };
      const socket = connect({ ...options, ...(session && { session }) });
      let ticket: Buffer | undefined;
      let isReused = false;
      socket.on('session', (issued: Buffer) => {
        ticket = issued;
      });
      socket.on('error', reject).on('secureConnect', () => {
        isReused = socket.isSessionReused();
        socket.write('GET /hello HTTP/1.1\r\nhost: vault\r\nconnection: close\r\n\r\n');
      });
      socket.on('close', () => resolve({ isReused, session: ticket ?? session }));
      socket.resume();
    });
  const first = await open();
  expect((await open(first.session)).isReused).toBe(false);
});

describe('certificates that are replaced while the vault runs', () => {
  const loads = () => vault.log.filter((line) => line.includes('tls_files_loaded')).length;

  it('drop no request, and are asked for at the next one of each connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4, ...server, ca: authority.ca });
    const askOften = () => Promise.all(Array.from({ length: 40 }, () => ask({ agent })));
    expect((await askOften()).every(({ connection }) => connection === 'keep-alive')).toBe(true);
    const before = loads();
    const next = authority.issue([HOST], { notAfter: new Date('2040-01-01') });
    writeTlsFiles(directory, next, authority);
    const replies: Reply[] = [];
    while (loads() === before) replies.push(...(await askOften()));
    replies.push(...(await askOften()));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(replies.some(({ connection }) => connection === 'close')).toBe(true);
    expect((await health()).tls?.expires_at).toBe(Date.parse('2040-01-01'));
    agent.destroy();
  });

  it('take effect only as a pair, and with a key that others cannot read', async () => {
    const expiry = async () => (await health()).tls?.expires_at;
    const current = await expiry();
    const faults = () => vault.log.filter((line) => line.includes('tls_files_refused'));
    const next = authority.issue([HOST], { notAfter: new Date('2039-01-01') });
    const before = loads();
    writeFileSync(address.files.certificate.path, next.cert);
    await expect.poll(() => faults().at(-1)).toContain('key_mismatch');
    expect(await expiry()).toBe(current);
    chmodSync(address.files.key.path, 0o640);
    writeFileSync(address.files.key.path, next.key);
    await expect.poll(() => faults().at(-1)).toContain('key_exposed');
    expect((await ask(server)).status).toBe(200);
    chmodSync(address.files.key.path, 0o600);
    await expect.poll(loads).toBe(before + 1);
    expect(await expiry()).toBe(Date.parse('2039-01-01'));
    expect(faults()).toHaveLength(2);
  });

  it('lock out an authority that is no longer listed', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ...server, ca: authority.ca });
    expect((await ask({ agent })).status).toBe(200);
    const before = loads();
    writeFileSync(address.files.authority.path, foreignAuthority.ca);
    await expect.poll(loads).toBe(before + 1);
    expect((await ask({ agent })).connection).toBe('close');
    await expect(ask({ agent })).rejects.toThrow();
    expect((await ask(foreignAuthority.issue(['florin-server']))).status).toBe(200);
    writeFileSync(address.files.authority.path, authority.ca);
    await expect.poll(loads).toBe(before + 2);
    agent.destroy();
  });
});

it('closes a connection whose certificate expires while it is open', async () => {
  const brief = authority.issue(['florin-server'], { notAfter: new Date('2030-01-01') });
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...brief, ca: authority.ca });
  expect((await ask({ agent })).connection).toBe('keep-alive');
  const { now } = vault.clock;
  vault.clock.now = Date.parse('2030-01-02');
  expect((await ask({ agent })).connection).toBe('close');
  vault.clock.now = now;
  agent.destroy();
});

describe('a vault does not start', () => {
  const restartWith = (change: Partial<TlsAddress>) =>
    startTestVault([], { tls: { ...address, ...change } });

  it('with a key that other users can read', async () => {
    chmodSync(address.files.key.path, 0o604);
    await expect(restartWith({})).rejects.toThrow('can be read by other users. Run chmod 600');
    chmodSync(address.files.key.path, 0o600);
  });

  it.each([
    ['an expired certificate', { notAfter: new Date('2021-01-01') }, 'expired on 2021-01-01'],
    ['a certificate of the future', { notBefore: new Date('2048-01-01') }, 'is not valid before'],
  ])('with %s', async (_name, changes, sentence) => {
    const own = writeTlsFiles(join(directory, 'own'), authority.issue([HOST], changes), authority);
    await expect(restartWith({ files: own })).rejects.toThrow(sentence);
  });

  it.each<[Record<string, string>, string]>([
    [{ VAULT_LISTEN: '10.0.0.7' }, 'VAULT_LISTEN must be host:port'],
    [{ VAULT_LISTEN: 'http://10.0.0.7:80' }, 'VAULT_LISTEN must be host:port'],
    [{ VAULT_LISTEN: '10.0.0.7:4700' }, 'VAULT_TLS_CERT_FILE is not set.'],
    [
      { VAULT_LISTEN: '10.0.0.7:4700', VAULT_TLS_CERT_FILE: 'x', VAULT_TLS_KEY_FILE: 'x' },
      'VAULT_TLS_CA_FILE is not set.',
    ],
    [
      {
        VAULT_LISTEN: '10.0.0.7:4700',
        VAULT_TLS_CERT_FILE: 'x',
        VAULT_TLS_KEY_FILE: 'x',
        VAULT_TLS_CA_FILE: 'x',
      },
      'VAULT_TLS_CLIENT_NAMES is not set.',
    ],
    [
      { VAULT_SOCKET: 'x', VAULT_TLS_CA_FILE: 'x' },
      'VAULT_TLS_CA_FILE is set without VAULT_LISTEN.',
    ],
  ])('with %j', (env, sentence) => {
    const required = { VAULT_DATABASE_URL: 'x', VAULT_DATA: 'x' };
    expect(() => configFromEnv({ ...required, ...env })).toThrow(sentence);
  });
});
