import { parseListenAddress, parseVaultAddresses } from '@florin/contract/tls/vault-address.ts';
import type { VariableName } from '@florin/contract/variables.ts';
import type { Facts, Gap, Part, TlsFacts } from './gap.ts';
import { when } from './when.ts';

/** Files of each role for connections with TLS: certificate, key, authority of the other side. */
export const TLS_VARIABLES = {
  server: {
    certificate: 'FLORIN_VAULT_CERT_FILE',
    key: 'FLORIN_VAULT_KEY_FILE',
    authority: 'FLORIN_VAULT_CA_FILE',
  },
  vault: {
    certificate: 'VAULT_TLS_CERT_FILE',
    key: 'VAULT_TLS_KEY_FILE',
    authority: 'VAULT_TLS_CA_FILE',
  },
} as const satisfies Readonly<Record<Part, Readonly<Record<string, VariableName>>>>;

/** Gaps of the connection between server and vault: a socket that both share, or mutual TLS. */
export const vaultGaps = (part: Part, facts: Facts): Gap[] =>
  part === 'server' ? serverSideGaps(facts) : vaultSideGaps(facts);

const SOCKET_FIX =
  'Set it for both users, such as /run/florin/vault.sock, in a directory of the group that both share.';

function serverSideGaps(facts: Facts): Gap[] {
  const { FLORIN_VAULT_ADDRESSES: text, VAULT_SOCKET: socket } = facts.env;
  if (!text)
    return [...when(!socket, 'VAULT_SOCKET is not set.', SOCKET_FIX), ...socketGaps(facts)];
  const addresses = parseVaultAddresses(text);
  const hasTls = addresses?.some(({ kind }) => kind === 'tls') ?? false;
  const hasSocket = addresses?.some(({ kind }) => kind === 'socket') ?? false;
  return [
    ...when(
      Boolean(socket),
      'VAULT_SOCKET is set beside FLORIN_VAULT_ADDRESSES, which replaces it.',
      'Remove it, or write it into the list as unix:PATH.',
    ),
    ...when(
      !addresses,
      'FLORIN_VAULT_ADDRESSES has an address that is neither https://host:port nor unix:/path.',
      'Correct it. A vault answers no plain TCP.',
    ),
    ...(hasTls ? tlsGaps('server', facts) : []),
    ...(hasSocket ? socketGaps(facts) : []),
  ];
}

/** A socket is checked only where one is named: the vault may be on another host. */
function socketGaps({ env, uid, vault_uid }: Facts): Gap[] {
  const isNamed = Boolean(env.VAULT_SOCKET || env.FLORIN_VAULT_ADDRESSES);
  const name = env.FLORIN_VAULT_ADDRESSES ? 'FLORIN_VAULT_ADDRESSES' : 'VAULT_SOCKET';
  return [
    ...when(
      isNamed && vault_uid === undefined,
      `No socket is at ${name}, or this user may not enter its directory.`,
      'Start "florin serve vault" first, and give both users the group of the directory.',
    ),
    ...when(
      uid !== undefined && uid === vault_uid,
      'The vault runs as the same user as the server, who can then read its keys.',
      'Run "florin serve vault" as another user, such as florin-vault.',
    ),
  ];
}

function vaultSideGaps(facts: Facts): Gap[] {
  const { VAULT_SOCKET: socket, VAULT_LISTEN: listen, VAULT_TLS_CLIENT_NAMES: names } = facts.env;
  if (!listen) return when(!socket, 'VAULT_SOCKET is not set.', SOCKET_FIX);
  return [
    ...when(
      !parseListenAddress(listen),
      'VAULT_LISTEN is not host:port.',
      'Set it to the private address of this machine, such as 10.0.0.7:4700.',
    ),
    ...when(
      !names,
      'VAULT_TLS_CLIENT_NAMES is not set.',
      "Set it to the name in the server's certificate, such as florin-server.",
    ),
    ...tlsGaps('vault', facts),
  ];
}

function tlsGaps(part: Part, { env, tls }: Facts): Gap[] {
  const { certificate, key, authority } = TLS_VARIABLES[part];
  const missing = [certificate, key, authority].filter((name) => !env[name]);
  return [
    ...missing.map((name) => ({ problem: `${name} is not set.`, fix: FILE_FIX[part] })),
    ...(tls ? fileGaps(tls) : []),
  ];
}

const FILE_FIX: Readonly<Record<Part, string>> = {
  server: 'An https address of FLORIN_VAULT_ADDRESSES needs certificate, key and authority.',
  vault: 'VAULT_LISTEN needs certificate, key and authority.',
};

const fileGaps = ({ faults, warnings, unreachable, is_reachable }: TlsFacts): Gap[] => [
  ...faults.map(({ problem, fix }) => ({ problem, fix })),
  ...warnings.map(({ problem, fix }) => ({ problem, fix, may_start: true as const })),
  ...unreachable.map(({ address, fault }) => ({
    problem: `The vault at ${address} cannot be used (${fault}).`,
    fix: FIX_BY_FAULT[fault] ?? 'Start "florin serve vault" there, and open the way to it.',
    ...(is_reachable && { may_start: true as const }),
  })),
];

/** Next step by code of Node and OpenSSL. */
const FIX_BY_FAULT: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the vault has another name. Issue one with the host of the address, or correct the address.',
  CERT_HAS_EXPIRED:
    'The certificate of the vault has expired. Replace it on the machine of the vault.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'Set FLORIN_VAULT_CA_FILE to the authority that issued its certificate.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Set FLORIN_VAULT_CA_FILE to the authority that issued its certificate.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Set FLORIN_VAULT_CA_FILE to the authority that issued its certificate.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Set FLORIN_VAULT_CA_FILE to the authority that issued its certificate.',
  CERT_SIGNATURE_FAILURE:
    'An authority with the same name and another key issued its certificate. Set FLORIN_VAULT_CA_FILE to the right one.',
  EPROTO:
    'A program without TLS 1.3 answers there, which is no vault. Correct the address, or find out what answers.',
  ECONNRESET:
    'The vault refused the certificate of this server: compare VAULT_TLS_CA_FILE and VAULT_TLS_CLIENT_NAMES with it.',
};
