import type {
  BasicCredentials,
  ClientCertificate,
  CredentialValue,
} from '@florin/contract/protocol/credentials.ts';
import { isCandidateId } from '@florin/contract/protocol/processor-accounts.ts';
import type { Credentials, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { selectAcceptedAccounts } from '../consent/accepted-accounts.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  type AccountRow,
  type AccountSecretRow,
  accountKeyOf,
  hasSecret,
  type SecretRow,
  selectAccounts,
} from '../processor-accounts/account-store.ts';
import { type OpenSecretDeps, openSecret } from '../processor-accounts/open-secret.ts';
import type { Db } from '../store/db.ts';
import { type ClientIdentity, requireIdentity } from './client-identity.ts';
import { requireAllowed } from './egress-rules.ts';
import type { Placeholder } from './fill.ts';
import { RelayRefusal } from './refusal.ts';
import { requireMerchant } from './require-merchant.ts';

export interface CredentialsDeps extends OpenSecretDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Whether accounts send only what an operator accepted, and a card only by egress rules. */
  readonly requires_consent: boolean;
}

/** Headers and placeholders with secrets. None of `secrets` may appear in the response. */
export interface FilledCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly placeholders: readonly Placeholder[];
  readonly secrets: readonly string[];
  readonly client?: ClientIdentity;
}

/** Accounts that a batch names, with their secrets. */
export interface BatchCredentials {
  /**
   * Credentials of a request to an address. An account sends only in its mode, for its merchant, to its origins, and
   * what its egress rules allow. Throws `RelayRefusal`, also for a card without such rules where these are required.
   */
  fill(request: RelayRequest, url: URL): Promise<FilledCredentials>;
}

const NO_CREDENTIALS: FilledCredentials = { headers: {}, placeholders: [], secrets: [] };

/** Decrypts a secret of one account by its name. */
type ReadSecret = (name: string) => Promise<string>;

/** Reads the accounts of a batch in one query. */
export async function loadCredentials(
  deps: CredentialsDeps,
  requests: readonly RelayRequest[],
): Promise<BatchCredentials> {
  const rows = await selectRows(deps, requests);
  const accounts = new Map<string, AccountRow>(rows.map((row) => [accountKeyOf(row), row]));
  const secretRows = new Map<string, SecretRow>(
    rows.filter(hasSecret).map((row) => [`${accountKeyOf(row)} ${row.name}`, row]),
  );
  return {
    async fill(request, url) {
      const { mode, credentials } = request;
      const needsRules = deps.requires_consent && request.card_pan_token !== undefined;
      if (credentials && needsRules && isCandidateId(credentials.account_id)) throw notAccepted();
      if (!credentials) {
        // Only the simulated network has no accounts.
        if (deps.requires_consent) throw withoutRules('The message names no account.');
        return NO_CREDENTIALS;
      }
      const key = accountKeyOf({ account_id: credentials.account_id, mode });
      const account = accounts.get(key) ?? missing(deps);
      requireMerchant(account, request);
      const { egress } = requireDestination(account, request, url);
      if (needsRules && egress === null)
        throw withoutRules('The account has no egress rules, and the message has a card.');
      const read: ReadSecret = (name) => readSecret(deps, secretRows.get(`${key} ${name}`), name);
      const filled = await fillCredentials(credentials, read);
      if (!credentials.client_certificate) return filled;
      requireEncryption(url);
      const pems = await readCertificate(credentials.client_certificate, read);
      return { ...filled, client: requireIdentity({ account: key, ...pems }, deps.clock()) };
    },
  };
}

const withoutRules = (detail: string): RelayRefusal =>
  new RelayRefusal('card_without_rules', detail);

const notAccepted = (): RelayRefusal =>
  new RelayRefusal(
    'account_not_accepted',
    'No operator has accepted the account. Run "vault rules list" on the machine of the vault.',
  );

function missing({ requires_consent }: CredentialsDeps): never {
  if (requires_consent) throw notAccepted();
  throw new RelayRefusal('credential_missing', 'The vault has no such account.');
}

/** Returns the account of a request, if the address is one of its origins and its rules allow the message. */
function requireDestination(account: AccountRow, request: RelayRequest, url: URL): AccountRow {
  if (!account.origins.includes(url.origin))
    throw new RelayRefusal('origin_of_another_account', `The account does not have ${url.origin}.`);
  if (account.egress !== null) requireAllowed(account.egress, request, url);
  return account;
}

function requireEncryption({ protocol }: URL): void {
  if (protocol !== 'https:')
    throw new RelayRefusal(
      'client_certificate_unusable',
      'A client certificate needs an https address.',
    );
}

/** Certificate and key are no part of the message, so that its response cannot repeat them. */
const readCertificate = async (
  { certificate, private_key }: ClientCertificate,
  read: ReadSecret,
) => ({ certificate: await read(certificate), private_key: await read(private_key) });

async function readSecret(
  deps: OpenSecretDeps,
  row: SecretRow | undefined,
  name: string,
): Promise<string> {
  if (!row) throw new RelayRefusal('credential_missing', `The account has no secret ${name}.`);
  return openSecret(deps, row).catch(() => {
    throw new RelayRefusal('credential_unreadable');
  });
}

async function fillCredentials(
  { headers: placeholders, basic, body = {} }: Credentials,
  read: ReadSecret,
): Promise<FilledCredentials> {
  const secrets: string[] = [];
  const readAndMask: ReadSecret = async (name) => {
    const secret = await read(name);
    secrets.push(secret);
    return secret;
  };
  const headers: Record<string, string> = {};
  for (const [header, { prefix = '', secret }] of Object.entries(placeholders))
    headers[header] = prefix + (await readAndMask(secret));
  if (basic) {
    const login = await encodeLogin(basic, readAndMask);
    headers.authorization = `Basic ${login}`;
    secrets.push(login);
  }
  const bodyPlaceholders: Placeholder[] = [];
  for (const [pointer, name] of Object.entries(body))
    bodyPlaceholders.push({ pointer, name, value: await readAndMask(name) });
  return { headers, placeholders: bodyPlaceholders, secrets };
}

/** Login of HTTP Basic in base64. A colon ends the user, so a user with one would be another. */
async function encodeLogin(
  { user, password }: BasicCredentials,
  read: ReadSecret,
): Promise<string> {
  const readValue = (value: CredentialValue) =>
    'secret' in value ? read(value.secret) : value.text;
  const userText = await readValue(user);
  if (userText.includes(':'))
    throw new RelayRefusal('credential_unusable', 'The user of a Basic login has a colon.');
  return Buffer.from(`${userText}:${await readValue(password)}`).toString('base64');
}

async function selectRows(
  { db, requires_consent }: CredentialsDeps,
  requests: readonly RelayRequest[],
): Promise<AccountSecretRow[]> {
  const accounts = new Map(
    requests.flatMap(({ mode, credentials }) => {
      if (!credentials) return [];
      const account = { account_id: credentials.account_id, mode };
      return [[accountKeyOf(account), account]];
    }),
  );
  if (accounts.size === 0) return [];
  const select = requires_consent ? selectAcceptedAccounts : selectAccounts;
  return select(db, [...accounts.values()]);
}
