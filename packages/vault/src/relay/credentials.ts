import type { CredentialHeader, Mode, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { type SecretRow, selectSecrets } from '../processor-accounts/account-store.ts';
import { type OpenSecretDeps, openSecret } from '../processor-accounts/open-secret.ts';
import type { Db } from '../store/db.ts';
import { RelayRefusal } from './refusal.ts';

export interface CredentialsDeps extends OpenSecretDeps {
  readonly db: Db;
}

/** Headers with secrets, and the secrets, which must not appear in the response. */
export interface FilledCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Secrets of the accounts that a batch names. */
export interface BatchCredentials {
  /**
   * Credential headers of a request to an origin. Secrets are sent only in the mode of their account and to its
   * origins. Throws `RelayRefusal`.
   */
  fill(request: RelayRequest, origin: string): Promise<FilledCredentials>;
}

const NO_CREDENTIALS: FilledCredentials = { headers: {}, secrets: [] };

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
      const { account_id } = credentials;
      const headers: Record<string, string> = {};
      const secrets: string[] = [];
      for (const [header, { prefix, secret }] of Object.entries<CredentialHeader>(
        credentials.headers,
      )) {
        const row = rowsByName.get(keyOf({ account_id, mode }, secret));
        if (!row) throw missingCredential(secret);
        if (!row.origins.includes(origin)) throw new RelayRefusal('origin_of_another_account');
        const value = await openSecret(deps, row).catch(() => {
          throw new RelayRefusal('credential_unreadable');
        });
        headers[header] = `${prefix ?? ''}${value}`;
        secrets.push(value);
      }
      return { headers, secrets };
    },
  };
}

const missingCredential = (name: string): RelayRefusal =>
  new RelayRefusal('credential_missing', `The account has no secret ${name}.`);

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
