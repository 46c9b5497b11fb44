import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RelayAnswer, RelayRequest } from '@florin/contract/protocol/vault.ts';
import type { VaultAddress, VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import { createAuthority, type IssueChanges, writeTlsFiles } from '@florin/dev-env/certificates.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import { createRelay, VaultUnavailable } from '@florin/server/processors/wire/relay.ts';
import { openVaults, type Vaults } from '@florin/server/processors/wire/vaults.ts';
import { createVault, type Vault } from '@florin/vault/app.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { createClient } from '../support/client.ts';
import { eventually, makeAuthorisedPayment } from '../support/make.ts';

const HOST = '127.0.0.1';
const api = useApi();
const cleanup = new AsyncDisposableStack();
const authority = createAuthority();
const directory = mkdtempSync(join(tmpdir(), 'vault-tls-'));

const issueFiles = (name: string, names: readonly string[], changes?: IssueChanges) =>
  writeTlsFiles(join(directory, name), authority.issue(names, changes), authority);
const serverFiles = issueFiles('server', ['florin-server']);
const addressOf = (port: number): VaultAddress => ({ kind: 'tls', host: HOST, port });

/** A vault of the shared stack's database on another host, with a copy of the root key. */
async function startTlsVault(name: string, port: number): Promise<Vault> {
  const { stack } = api;
  const dataDir = join(directory, name, 'data');
  cpSync(join(stack.dataDir, 'vault'), dataDir, { recursive: true });
  return createVault({
    tls: {
      host: HOST,
      port,
      files: issueFiles(name, [HOST]),
      client_names: ['florin-server'],
    },
    databaseUrl: stack.vaultDatabaseUrl,
    dataDir,
    egress: [stack.simulatorUrl],
    log_level: 'silent',
  });
}

describe('a server whose vaults are on other hosts', () => {
  let ports: [number, number];
  let first: Vault;
  let url: string;
  const client = () => createClient(url, api.stack.credentials.sandbox.secret_key);
  const metric = async (name: string): Promise<string> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith(name))
      .join('\n');
  };

  beforeAll(async () => {
    ports = [await freePort(), await freePort()];
    first = await startTlsVault('first', ports[0]);
    cleanup.use(await startTlsVault('second', ports[1]));
    const { stack } = api;
    const server = await startServer(
      { ...stack, port: 0, socketPath: '', databaseUrl: stack.serverDatabaseUrl },
      { vaults: { addresses: ports.map(addressOf), tls: serverFiles } },
    );
    cleanup.use(server);
    url = server.url;
  });
  afterAll(() => cleanup.disposeAsync());

  it('takes payments, and tells when certificates end', async () => {
    await makeAuthorisedPayment(client());
    const seconds = await metric('florin_vault_certificate_expiry_seconds');
    expect(seconds).toMatch(/\{certificate="server"\} \d{8,}/);
    expect(seconds).toMatch(
      new RegExp(String.raw`\{certificate="https://${HOST}:${ports[0]}"\} \d{8,}`),
    );
  });

  it('takes payments while the first vault is away', async () => {
    await first[Symbol.asyncDispose]();
    await makeAuthorisedPayment(client());
    const connected = await eventually(
      () => metric('florin_vault_connected'),
      (text) => text.includes(`:${ports[0]}"} 0`),
    );
    expect(connected).toContain(`:${ports[1]}"} 1`);
    // Otherwise the alert about its certificate would end with the certificate.
    expect(await metric('florin_vault_certificate_expiry_seconds')).toContain(`:${ports[0]}"}`);
  });
});

const createMessage = (): RelayRequest => ({
  id: randomUUID(),
  merchant_id: randomUUID(),
  mode: 'sandbox',
  card_pan_token: 'pan_test',
  consumes_cvv: true,
  method: 'POST',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 1_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

async function relayOnce(vaults: Vaults): Promise<RelayAnswer | undefined> {
  const answers: RelayAnswer[] = [];
  await createRelay({ vaults }).relay([createMessage()], (answer) => answers.push(answer));
  return answers[0];
}

/** Stands for a vault, and records the paths of all requests that it reads. */
async function startStandIn(
  options: ServerOptions | undefined,
  answer: (path: string) => number | undefined = (path) => (path === '/hello' ? 204 : 500),
) {
  const paths: string[] = [];
  const listener: Parameters<typeof createPlainServer>[1] = (request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const status = answer(path);
    if (status === undefined) response.destroy();
    else response.writeHead(status).end();
  };
  const server = options ? createServer(options, listener) : createPlainServer(listener);
  await once(server.listen(0, HOST), 'listening');
  const disposal = async () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  return { address: addressOf(port), paths, [Symbol.asyncDispose]: disposal };
}

const open = (...addresses: VaultAddress[]): Vaults => {
  const config: VaultsConfig = { addresses, tls: serverFiles };
  return openVaults(config);
};
const listenerOf = (names: readonly string[], changes?: IssueChanges): ServerOptions => ({
  ...authority.issue(names, changes),
  ca: authority.ca,
  requestCert: true,
});

describe('the server sends nothing to', () => {
  it.each<[string, () => ServerOptions | undefined]>([
    ['somebody with a certificate of another authority', () => createAuthority('x').issue([HOST])],
    ['a host with another name', () => listenerOf(['vault.example'])],
    [
      'a vault whose certificate has expired',
      () => listenerOf([HOST], { notAfter: new Date('2021-01-01') }),
    ],
    ['a vault with TLS 1.2', () => ({ ...listenerOf([HOST]), maxVersion: 'TLSv1.2' })],
    ['a port without TLS', () => undefined],
  ])('%s', async (_name, optionsOf) => {
    await using standIn = await startStandIn(optionsOf());
    await using vaults = open(standIn.address);
    expect(await relayOnce(vaults)).toMatchObject({ outcome: 'not_sent', why: 'vault_unreached' });
    await expect(createRelay({ vaults }).keys()).rejects.toThrow(VaultUnavailable);
    await expect(vaults.probe()).rejects.toThrow();
    expect(standIn.paths).toEqual([]);
  });

  it.each([403, 500])('a vault that answers the greeting with %i', async (status) => {
    await using standIn = await startStandIn(listenerOf([HOST]), () => status);
    await using vaults = open(standIn.address);
    expect(await relayOnce(vaults)).toMatchObject({ outcome: 'not_sent', why: 'vault_unreached' });
    expect(new Set(standIn.paths)).toEqual(new Set(['/hello']));
  });

  it('a host that takes the connection and stays silent', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => {}).resume());
    await once(silent.listen(0, HOST), 'listening');
    await using vaults = open(addressOf((silent.address() as AddressInfo).port));
    expect(await relayOnce(vaults)).toMatchObject({ outcome: 'not_sent', why: 'vault_unreached' });
    silent.close();
  });

  it('a vault that refuses its certificate, not even a message, which is then not lost', async () => {
    await using standIn = await startStandIn(listenerOf([HOST]), () => undefined);
    await using vaults = open(standIn.address);
    expect(await relayOnce(vaults)).toMatchObject({ outcome: 'not_sent', why: 'vault_unreached' });
    expect(new Set(standIn.paths)).toEqual(new Set(['/hello']));
  });
});

describe('the next vault', () => {
  it('gets a message that the first one was never connected for', async () => {
    await using second = await startStandIn(listenerOf([HOST]), (path) =>
      path === '/hello' ? 204 : 400,
    );
    await using vaults = open(addressOf(await freePort()), second.address);
    expect(await relayOnce(vaults)).toMatchObject({
      outcome: 'not_sent',
      why: 'The vault answered 400.',
    });
    expect(second.paths).toEqual(['/hello', '/relay']);
  });

  it('gets no message that the first one may have sent', async () => {
    await using first = await startStandIn(listenerOf([HOST]), (path) =>
      path === '/hello' ? 204 : undefined,
    );
    await using second = await startStandIn(listenerOf([HOST]));
    await using vaults = open(first.address, second.address);
    expect(await relayOnce(vaults)).toMatchObject({ outcome: 'lost' });
    expect([first.paths, second.paths]).toEqual([['/hello', '/relay'], []]);
  });
});

it('a new certificate of the server is used for new connections, without a restart', async () => {
  const names: string[] = [];
  const server = createServer(
    { ...listenerOf([HOST]), keepAliveTimeout: 1 },
    (request, response) => {
      const path = request.url ?? '';
      response.setHeader('connection', path === '/hello' ? 'keep-alive' : 'close');
      response.writeHead(path === '/hello' ? 204 : 400).end();
    },
  );
  server.on('secureConnection', (socket) =>
    names.push(String(socket.getPeerX509Certificate()?.subjectAltName)),
  );
  await once(server.listen(0, HOST), 'listening');
  const files = issueFiles('rotated', ['before']);
  const address = addressOf((server.address() as AddressInfo).port);
  await using vaults = openVaults({ addresses: [address], tls: files });
  await relayOnce(vaults);
  issueFiles('rotated', ['after']);
  vaults.reloadCertificates();
  await relayOnce(vaults);
  expect(names).toEqual(['DNS:before', 'DNS:after']);
  server.closeAllConnections();
  server.close();
});
