import type { BasicCredentials, CredentialValue } from '@florin/contract/protocol/credentials.ts';
import type { Credentials, Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { type SecretRow, selectSecrets } from '../processor-accounts/account-store.ts';
import { type OpenSecretDeps, openSecret } from '../processor-accounts/open-secret.ts';
import type { Db } from '../store/db.ts';
import type { Placeholder } from './fill.ts';
import { RelayRefusal } from './refusal.ts';

export interface CredentialsDeps extends OpenSecretDeps {
  readonly db: Db;
}

/** Headers and placeholders with secrets. None of `secrets` may appear in the response. */
export interface FilledCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly placeholders: readonly Placeholder[];
  readonly secrets: readonly string[];
}

/** Secrets of the accounts that a batch names. */
export interface BatchCredentials {
  /**
   * Credentials of a request to an origin. Secrets are sent only in the mode of their account and to its origins.
   * Throws `RelayRefusal`.
   */
  fill(request: RelayRequest, origin: string): Promise<FilledCredentials>;
}

const NO_CREDENTIALS: FilledCredentials = { headers: {}, placeholders: [], secrets: [] };

/** Decrypts a secret of one account by its name. */
type ReadSecret = (name: string) => Promise<string>;

/** Reads the secrets of a batch in one query. */
export async function loadCredentials(
  deps: CredentialsDeps,
  requests: readonly RelayRequest[],
): Promise<BatchCredentials> {
  const rows = await selectRows(deps.db, requests);
  const rowsByName = new Map(rows.map((row) => [keyOf(row, row.name), row]));
  return {
    async fill({ mode, credentials }, origin) {
      if (!credentials) return NO_CREDENTIALS;
      const account = { account_id: credentials.account_id, mode };
      return fillCredentials(credentials, (name) =>
        readSecret(deps, rowsByName.get(keyOf(account, name)), name, origin),
      );
    },
  };
}

async function readSecret(
  deps: OpenSecretDeps,
  row: SecretRow | undefined,
  name: string,
  origin: string,
): Promise<string> {
  if (!row) throw new RelayRefusal('credential_missing', `The account has no secret ${name}.`);
  if (!row.origins.includes(origin)) throw new RelayRefusal('origin_of_another_account');
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

const keyOf = (
  { account_id, mode }: { readonly account_id: string; readonly mode: Mode },
  name: string,
): string => `${mode} ${account_id} ${name}`;

async function selectRows(db: Db, requests: readonly RelayRequest[]): Promise<SecretRow[]> {
  const accounts = new Map(
    requests.flatMap(({ mode, credentials }) => {
      if (!credentials) return [];
      const { account_id } = credentials;
      return [[`${mode} ${account_id}`, { account_id, mode }]];
    }),
  );
  return accounts.size === 0 ? [] : selectSecrets(db, [...accounts.values()]);
}
