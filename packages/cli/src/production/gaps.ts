import { isLocalUrl } from '@florin/contract/origin.ts';
import type { PendingAccount } from '@florin/contract/protocol/pending-accounts.ts';
import { findUnsafeVariables, unsafeVariables } from '@florin/contract/unsafe-variables.ts';
import { type VariableName, variables } from '@florin/contract/variables.ts';
import { addressGapsOf, databaseGaps } from './database-gaps.ts';
import { type Facts, type Gap, type Part, partOf, type Role } from './gap.ts';
import { vaultGaps } from './vault-gaps.ts';
import { when } from './when.ts';

/** All gaps between an installation and what production needs of a role. An empty list: it may start. */
export const gapsOf = (role: Role, facts: Facts): Gap[] => [
  ...sharedGaps(facts),
  ...ownGaps(role, facts),
];

function ownGaps(role: Role, facts: Facts): Gap[] {
  if (role === 'router') return routerGaps(facts);
  return partOf(role) === 'server' ? serverGaps(role, facts) : ownVaultGaps(facts);
}

function sharedGaps({ env, uid, data_is_usable, key_faults }: Facts): Gap[] {
  return [
    ...when(env.FLORIN_ENV !== 'production', 'FLORIN_ENV is not production.', 'Set it.'),
    ...when(
      uid === 0,
      'This process runs as root.',
      'Run it as a user of its own, such as florin or florin-vault.',
    ),
    ...when(
      !env.FLORIN_DATA?.startsWith('/'),
      'FLORIN_DATA is not set to an absolute path.',
      'Set it to a directory that only this user reads, such as /var/lib/florin.',
    ),
    ...when(
      data_is_usable === false,
      'This user cannot read and write the directory of FLORIN_DATA.',
      'Create it as root: install -d -o USER -m 700 DIRECTORY, or correct its owner.',
    ),
    ...key_faults,
    ...OWNER_LOGINS.filter((name) => env[name]).map((name) => ({
      problem: `${name} is set, which only "florin migrate" may know.`,
      fix: 'Remove it here.',
    })),
    ...findUnsafeVariables(env).map((name) => ({
      problem: `${name} is set, which ${unsafeVariables[name]}.`,
      fix: 'Remove it. An authority of your own database is sslrootcert=FILE in its address.',
    })),
  ];
}

const OWNER_LOGINS = ['FLORIN_OWNER_DATABASE_URL', 'VAULT_OWNER_DATABASE_URL'] as const;

function serverGaps(role: Role, facts: Facts): Gap[] {
  const { env } = facts;
  return [
    ...publicAddressGaps(env),
    // A worker answers no request of a client.
    ...(role === 'worker' ? [] : proxyGaps(env.FLORIN_TRUSTED_PROXIES)),
    ...when(
      role === 'worker' && /^(0\.0\.0\.0|\[?::\]?):/.test(env.FLORIN_PRIVATE_LISTEN ?? ''),
      'FLORIN_PRIVATE_LISTEN opens health and metrics to every network.',
      'Set it to an address of your private network, such as 10.0.0.6:4010.',
    ),
    ...(env.FLORIN_GLOBAL_DATABASE_URL
      ? addressGapsOf(
          'FLORIN_GLOBAL_DATABASE_URL',
          env.FLORIN_GLOBAL_DATABASE_URL,
          'Set it to the address of the database of people, or remove it.',
        )
      : []),
    ...(env.FLORIN_LISTEN_DATABASE_URL
      ? addressGapsOf(
          'FLORIN_LISTEN_DATABASE_URL',
          env.FLORIN_LISTEN_DATABASE_URL,
          'Set it to the address of PostgreSQL itself, or remove it.',
        )
      : []),
    ...databaseGaps('DATABASE_URL', 'server', facts),
    ...secretsKeyGaps(facts),
    ...vaultGaps('server', facts),
    ...secretGaps(env, 'vault', (name) => name.startsWith('VAULT_') && !SHARED.has(name)),
    ...sandboxGaps(env),
  ];
}

const publicAddressGaps = (env: Facts['env']): Gap[] => [
  ...addressGaps('FLORIN_PUBLIC_URL', env.FLORIN_PUBLIC_URL, 'https://pay.example.com'),
  ...addressGaps('FLORIN_PAY_URL', env.FLORIN_PAY_URL, 'https://form.example.com'),
  ...when(
    sharesHost(env.FLORIN_PUBLIC_URL, env.FLORIN_PAY_URL),
    'FLORIN_PAY_URL has the host name of FLORIN_PUBLIC_URL.',
    'Give the card form a host name of its own, such as https://form.example.com.',
  ),
];

/** Gaps of a router, which needs neither keys nor a vault. */
function routerGaps(facts: Facts): Gap[] {
  const { env } = facts;
  return [
    ...publicAddressGaps(env),
    ...proxyGaps(env.FLORIN_TRUSTED_PROXIES),
    ...when(
      !env.FLORIN_CELLS,
      'FLORIN_CELLS is not set.',
      'Set it to names and origins of the cells, such as home=http://10.0.0.5:4000.',
    ),
    ...databaseGaps('DATABASE_URL', 'server', facts),
    ...secretGaps(env, 'server', (name) => ROUTER_LACKS.has(name)),
    ...secretGaps(env, 'vault', (name) => name.startsWith('VAULT_')),
  ];
}

/** Gaps of the key that seals secrets. A database without sealed texts gets a key at the first start. */
function secretsKeyGaps({ env, has_secrets_file, login }: Facts): Gap[] {
  const has_secrets = login !== undefined && 'has_secrets' in login && login.has_secrets;
  return when(
    !env.FLORIN_SECRETS_KEY && has_secrets && has_secrets_file === false,
    'The database has sealed secrets, and this machine has no key for them.',
    'Copy secrets.key to FLORIN_DATA from another machine or from its backup, or set FLORIN_SECRETS_KEY.',
  );
}

function ownVaultGaps(facts: Facts): Gap[] {
  const { env, login } = facts;
  const pending = (login && 'pending_accounts' in login && login.pending_accounts) || [];
  const origins = (env.VAULT_EGRESS ?? '').split(',').filter((origin) => origin.trim());
  return [
    ...databaseGaps('VAULT_DATABASE_URL', 'vault', facts),
    ...vaultGaps('vault', facts),
    ...secretGaps(env, 'server', (name) => SERVER_SECRETS.has(name)),
    ...when(
      pending.length > 0,
      `${pending[0]?.count} processor accounts have addresses, a merchant, rules or secrets that no operator has accepted: ${namesOf(pending)}.`,
      'Run "npm run florin -- vault rules list", compare, then "npm run florin -- vault rules accept ID" for what you know.',
    ).map((gap): Gap => ({ ...gap, may_start: true })),
    ...when(
      origins.some((origin) => URL.parse(origin.trim())?.protocol !== 'https:'),
      'VAULT_EGRESS has an origin without https, to which cards would travel in clear.',
      'Use https for each origin.',
    ),
    ...when(
      origins.length === 0,
      'VAULT_EGRESS is empty, so the vault reaches no processor.',
      'Set it to the origins of your processors, such as https://abcd1234.api.checkout.com.',
    ),
  ];
}

/** Names of accounts. A server chose them, so they could contain lines of their own. */
function namesOf(accounts: readonly PendingAccount[]): string {
  const names = accounts.map(
    ({ account_id, mode }) => `${account_id.replace(/[^!-~]/g, '?')} (${mode})`,
  );
  const more = (accounts[0]?.count ?? 0) - accounts.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Variables of both roles, or of neither. */
const SHARED = new Set(['VAULT_SOCKET', 'VAULT_OWNER_DATABASE_URL']);
const SERVER_SECRETS = new Set([
  'DATABASE_URL',
  'FLORIN_GLOBAL_DATABASE_URL',
  'FLORIN_LISTEN_DATABASE_URL',
  'FLORIN_SECRETS_KEY',
  'FLORIN_SMTP_URL',
  'FLORIN_VAULT_KEY_FILE',
]);

const ROUTER_LACKS = new Set(['FLORIN_SECRETS_KEY', 'FLORIN_SMTP_URL', 'FLORIN_VAULT_KEY_FILE']);

/** Variables of the other role: its secrets are of no use here, and this process could leak them. */
const secretGaps = (env: Facts['env'], owner: Part, isForeign: (name: string) => boolean): Gap[] =>
  Object.keys(variables)
    .filter((name) => env[name as VariableName] && isForeign(name))
    .map((name) => ({
      problem: `${name} is set, which only the ${owner} may know.`,
      fix: `Remove it here, and set it for "florin serve ${owner}".`,
    }));

const SANDBOX_VALUES: Readonly<Partial<Record<VariableName, RegExp>>> = {
  FLORIN_DEMO_SHOP: /^true$/,
  FLORIN_SIMULATOR_URL: /./,
  SIMULATOR_HOST: /./,
  SIMULATOR_PORT: /./,
  SIMULATOR_ACS_URL: /./,
  FLORIN_SANDBOX_WEBHOOKS: /^private$/,
};

/** Parts of a development installation that production never has. */
const sandboxGaps = (env: Facts['env']): Gap[] =>
  Object.entries(SANDBOX_VALUES)
    .filter(([name, value]) => value.test(env[name as VariableName] ?? ''))
    .map(([name]) => ({
      problem: `${name} is set for a part that production never has.`,
      fix: 'Remove it.',
    }));

function addressGaps(variable: VariableName, value: string | undefined, example: string): Gap[] {
  const fix = `Set it to the https address that browsers use, such as ${example}.`;
  if (!value) return [{ problem: `${variable} is not set.`, fix }];
  const isPublic = URL.parse(value)?.protocol === 'https:' && !isLocalUrl(value);
  return when(!isPublic, `${variable} is no public https address.`, fix);
}

function sharesHost(...addresses: (string | undefined)[]): boolean {
  const [first, second] = addresses.map((address) => URL.parse(address ?? '')?.hostname);
  return first !== undefined && first === second;
}

function proxyGaps(value: string | undefined): Gap[] {
  const fix =
    'Set it to the addresses of the proxies that terminate TLS, such as 10.0.0.5 or 127.0.0.1.';
  if (!value) return [{ problem: 'FLORIN_TRUSTED_PROXIES is not set.', fix }];
  return when(
    value.split(',').some((network) => /\/0+$/.test(network.trim())),
    'FLORIN_TRUSTED_PROXIES trusts every address.',
    fix,
  );
}
