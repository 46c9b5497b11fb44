import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import { readTlsIdentity, type TlsIdentity, type TlsTools } from '@florin/contract/tls/identity.ts';
import { parseVaultAddresses, vaultAddressText } from '@florin/contract/tls/vault-address.ts';
import { codeOf } from '../database/client.ts';
import type { Facts, Part, TlsFacts } from './gap.ts';
import { TLS_VARIABLES } from './vault-gaps.ts';

const TOOLS: TlsTools = {
  readFile: (path) => readFileSync(path, 'utf8'),
  entryOf: (path) => statSync(path),
  uid: process.getuid?.(),
  parseCertificate: (pem) => new X509Certificate(pem),
  isPair: (certificate, key) =>
    new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)),
};
const TIMEOUT_MS = 5_000;

/** Reads a role's certificates, and asks a server's vaults with TLS. Undefined unless all three files are named. */
export async function readTls(part: Part, env: Facts['env']): Promise<TlsFacts | undefined> {
  const { certificate, key, authority } = TLS_VARIABLES[part];
  const fileOf = (variable: typeof certificate | typeof key | typeof authority) => ({
    variable,
    path: env[variable] ?? '',
  });
  if (!env[certificate] || !env[key] || !env[authority]) return undefined;
  const files = {
    certificate: fileOf(certificate),
    key: fileOf(key),
    authority: fileOf(authority),
  };
  const { identity, faults, warnings } = readTlsIdentity(TOOLS, files, Date.now());
  const asked = part === 'server' && identity ? await askVaults(env, identity) : NOBODY;
  return { faults, warnings, ...asked };
}

type Asked = Pick<TlsFacts, 'unreachable' | 'is_reachable'>;
const NOBODY: Asked = { unreachable: [], is_reachable: false };

/** Asks all vaults with TLS. A socket in the list counts as a vault that can be used: its own gaps tell about it. */
async function askVaults(env: Facts['env'], identity: TlsIdentity): Promise<Asked> {
  const addresses = parseVaultAddresses(env.FLORIN_VAULT_ADDRESSES ?? '') ?? [];
  const faults = await Promise.all(
    addresses.map((address) => (address.kind === 'tls' ? askVault(address, identity) : undefined)),
  );
  const unreachable = addresses.flatMap((address, at) => {
    const fault = faults[at];
    return fault === undefined ? [] : [{ address: vaultAddressText(address), fault }];
  });
  return { unreachable, is_reachable: unreachable.length < addresses.length };
}

/** Code of the error if a vault does not accept this server's certificate, or the reverse. */
async function askVault(
  { host, port }: { readonly host: string; readonly port: number },
  { cert, key, ca }: TlsIdentity,
): Promise<string | undefined> {
  const sent = request({
    host,
    port,
    cert,
    key,
    ca,
    path: vaultPaths.hello,
    minVersion: 'TLSv1.3',
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode === 204 ? undefined : `status ${response.statusCode}`;
  } catch (error) {
    return codeOf(error) || (error as Error).name;
  }
}
