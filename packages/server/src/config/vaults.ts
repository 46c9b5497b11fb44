import { parseVaultAddresses, type VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import type { Environment, VariableName } from '@florin/contract/variables.ts';

const FILE_VARIABLES = [
  'FLORIN_VAULT_CERT_FILE',
  'FLORIN_VAULT_KEY_FILE',
  'FLORIN_VAULT_CA_FILE',
] as const satisfies readonly VariableName[];

/**
 * Vaults of this server. Throws an `Error` with one sentence that names the variable: for plain TCP, for TLS
 * without certificates, and for certificates without TLS.
 */
export function parseVaults(env: Environment): VaultsConfig {
  const addresses = addressesOf(env);
  if (addresses.some(({ kind }) => kind === 'tls')) return { addresses, tls: filesOf(env) };
  const unused = FILE_VARIABLES.find((name) => env[name]);
  if (!unused) return { addresses };
  throw new Error(
    `${unused} is set without an https address in FLORIN_VAULT_ADDRESSES. Remove it.`,
  );
}

function addressesOf({
  FLORIN_VAULT_ADDRESSES: text,
  VAULT_SOCKET: path,
}: Environment): VaultsConfig['addresses'] {
  if (!text && !path)
    throw new Error('VAULT_SOCKET is not set. Start Florin with npm start, which sets it.');
  if (!text) return [{ kind: 'socket', path: path as string }];
  if (path) throw new Error('FLORIN_VAULT_ADDRESSES replaces VAULT_SOCKET. Set only one of them.');
  const addresses = parseVaultAddresses(text);
  if (addresses) return addresses;
  throw new Error(
    'FLORIN_VAULT_ADDRESSES must list https://host:port or unix:/path, separated by commas. A vault answers no plain TCP.',
  );
}

function filesOf(env: Environment): NonNullable<VaultsConfig['tls']> {
  const fileOf = (variable: (typeof FILE_VARIABLES)[number]) => {
    const path = env[variable];
    if (path) return { variable, path };
    throw new Error(`${variable} is not set. An https address of FLORIN_VAULT_ADDRESSES needs it.`);
  };
  return {
    certificate: fileOf('FLORIN_VAULT_CERT_FILE'),
    key: fileOf('FLORIN_VAULT_KEY_FILE'),
    authority: fileOf('FLORIN_VAULT_CA_FILE'),
  };
}
