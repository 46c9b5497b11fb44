import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, type IssueChanges, writeTlsFiles } from '@florin/dev-env/certificates.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Facts } from './gap.ts';
import { readTls } from './read-tls.ts';
import { TLS_VARIABLES, vaultGaps } from './vault-gaps.ts';

const HOST = '127.0.0.1';
const DAY_MS = 24 * 60 * 60 * 1000;
const authority = createAuthority();
const directory = mkdtempSync(join(tmpdir(), 'gaps-tls-'));

/** Variables of a role, with files that the test authority issued. */
function filesOf(role: 'server' | 'vault', names: readonly string[], changes?: IssueChanges) {
  const { certificate, key, authority: ca } = TLS_VARIABLES[role];
  const files = writeTlsFiles(join(directory, role), authority.issue(names, changes), authority);
  return {
    [certificate]: files.certificate.path,
    [key]: files.key.path,
    [ca]: files.authority.path,
  };
}

async function gapsOf(role: 'server' | 'vault', env: Facts['env']) {
  const tls = await readTls(role, env);
  return vaultGaps(role, {
    env,
    tls,
    uid: 991,
    vault_uid: undefined,
    data_is_usable: true,
    has_secrets_file: true,
    key_faults: [],
    login: undefined,
  });
}

const problemsOf = async (role: 'server' | 'vault', env: Facts['env']): Promise<string[]> =>
  (await gapsOf(role, env)).map(({ problem }) => problem);

describe('a vault with TLS', () => {
  const listen = { VAULT_LISTEN: '10.0.0.7:4700', VAULT_TLS_CLIENT_NAMES: 'florin-server' };

  it('needs no socket', async () => {
    expect(await problemsOf('vault', { ...listen, ...filesOf('vault', [HOST]) })).toEqual([]);
  });

  it.each<[string, Facts['env'], string]>([
    ['without an authority', { VAULT_TLS_CA_FILE: '' }, 'VAULT_TLS_CA_FILE is not set.'],
    ['without a key', { VAULT_TLS_KEY_FILE: '' }, 'VAULT_TLS_KEY_FILE is not set.'],
    ['for any name', { VAULT_TLS_CLIENT_NAMES: '' }, 'VAULT_TLS_CLIENT_NAMES is not set.'],
    ['over plain TCP', { VAULT_LISTEN: 'http://10.0.0.7:80' }, 'VAULT_LISTEN is not host:port.'],
    [
      'with a file that is not there',
      { VAULT_TLS_CERT_FILE: '/nowhere' },
      'The file of VAULT_TLS_CERT_FILE cannot be read.',
    ],
  ])('is refused %s', async (_name, change, problem) => {
    const env = { ...listen, ...filesOf('vault', [HOST]), ...change };
    expect(await problemsOf('vault', env)).toEqual([problem]);
  });

  it.each<[string, readonly string[], IssueChanges, string]>([
    ['that expired', [HOST], { notAfter: new Date('2021-01-01') }, 'expired on 2021-01-01'],
    ['of the future', [HOST], { notBefore: new Date('2048-01-01') }, 'is not valid before'],
    ['without a name', [], {}, 'has no subject alternative name'],
  ])('is refused with a certificate %s', async (_name, names, changes, problem) => {
    const env = { ...listen, ...filesOf('vault', names, changes) };
    expect(await problemsOf('vault', env)).toEqual([expect.stringContaining(problem)]);
  });

  it('may start with a certificate that expires in 29 days, which is a warning', async () => {
    const soon = { notAfter: new Date(Date.now() + 29 * DAY_MS) };
    const late = { notAfter: new Date(Date.now() + 31 * DAY_MS) };
    expect(await gapsOf('vault', { ...listen, ...filesOf('vault', [HOST], soon) })).toMatchObject([
      { problem: expect.stringContaining('expires on'), may_start: true },
    ]);
    expect(await gapsOf('vault', { ...listen, ...filesOf('vault', [HOST], late) })).toEqual([]);
  });
});

/** Properties of a program that answers instead of the vault. */
type Impostor = Pick<ServerOptions, 'maxVersion'> & {
  readonly issuer?: ReturnType<typeof createAuthority>;
};

describe('a server with vaults on other hosts', () => {
  async function startVault(
    names: readonly string[],
    changes?: IssueChanges,
    { issuer = authority, ...tls }: Impostor = {},
  ): Promise<string> {
    const issued = issuer.issue(names, changes);
    const options = { ...issued, ca: authority.ca, requestCert: true, ...tls };
    const server = createServer(options, (_, response) => void response.writeHead(204).end());
    await once(server.listen(0, HOST), 'listening');
    onTestFinished(() => void server.close());
    return `https://${HOST}:${(server.address() as AddressInfo).port}`;
  }
  const envOf = (...addresses: string[]) => ({
    FLORIN_VAULT_ADDRESSES: addresses.join(),
    ...filesOf('server', ['florin-server']),
  });

  it('has no gaps if each answers', async () => {
    expect(await gapsOf('server', envOf(await startVault([HOST])))).toEqual([]);
  });

  it.each<[string, readonly string[], IssueChanges, string]>([
    ['has another name', ['vault.example'], {}, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', [HOST], { notAfter: new Date('2021-01-01') }, 'CERT_HAS_EXPIRED'],
  ])('is refused while the certificate of a vault %s', async (_name, names, changes, fault) => {
    const address = await startVault(names, changes);
    expect(await gapsOf('server', envOf(address))).toEqual([
      { problem: `The vault at ${address} cannot be used (${fault}).`, fix: expect.any(String) },
    ]);
  });

  it.each<[string, Impostor, RegExp]>([
    [
      'has a certificate of another authority',
      { issuer: createAuthority('impostor') },
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    ],
    [
      'has a certificate of another authority with the same name',
      { issuer: createAuthority() },
      /CERT_SIGNATURE_FAILURE/,
    ],
    ['speaks TLS 1.2 at most', { maxVersion: 'TLSv1.2' }, /EPROTO/],
  ])('is refused while a vault %s', async (_name, impostor, fault) => {
    const address = await startVault([HOST], {}, impostor);
    expect(await problemsOf('server', envOf(address))).toEqual([expect.stringMatching(fault)]);
  });

  it('may start while another vault answers', async () => {
    const gaps = await gapsOf('server', envOf('https://127.0.0.1:1', await startVault([HOST])));
    expect(gaps).toMatchObject([{ problem: expect.stringContaining(':1 '), may_start: true }]);
  });

  it.each<[string, Facts['env'], string]>([
    ['over plain TCP', { FLORIN_VAULT_ADDRESSES: 'http://127.0.0.1:1' }, 'neither https://'],
    [
      'with a socket beside the list',
      { VAULT_SOCKET: '/v.sock', FLORIN_VAULT_ADDRESSES: 'unix:/v.sock' },
      'VAULT_SOCKET is set beside FLORIN_VAULT_ADDRESSES',
    ],
    ['without an authority', { FLORIN_VAULT_CA_FILE: '' }, 'FLORIN_VAULT_CA_FILE is not set.'],
  ])('is refused %s', async (_name, change, problem) => {
    const env = { ...envOf('https://127.0.0.1:1'), ...change };
    expect((await problemsOf('server', env))[0]).toContain(problem);
  });
});
