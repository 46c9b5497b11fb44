import type { KeyFileFault } from '@florin/contract/key-files.ts';
import type { PendingAccount } from '@florin/contract/protocol/pending-accounts.ts';
import type { TlsFault } from '@florin/contract/tls/identity.ts';
import type { Environment } from '@florin/contract/variables.ts';

/** Part of an installation with secrets and a database login of its own. */
export type Part = 'server' | 'vault';
export const parts: readonly Part[] = ['server', 'vault'];

/** Program that runs apart: `api` and `worker` are the two halves of `server`, and `router` is in front of cells. */
export type Role = Part | 'api' | 'worker' | 'router';
export const roles: readonly Role[] = ['server', 'api', 'worker', 'router', 'vault'];

/** Part whose secrets a role has. */
export const partOf = (role: Role): Part => (role === 'vault' ? 'vault' : 'server');

/** Difference between an installation and what production needs. */
export interface Gap {
  readonly problem: string;
  /** Next step, as one sentence. */
  readonly fix: string;
  /** Whether the role may start with it for now, such as with a certificate that expires soon. */
  readonly may_start?: true;
}

/** Rights of a database login. */
export interface LoginFacts {
  /** Number of PostgreSQL's version, such as 170004. */
  readonly version: number;
  readonly is_superuser: boolean;
  /** Whether the login may create roles or databases, replicate, or ignore row security. */
  readonly has_attributes: boolean;
  /** Roles whose rights the login has too. */
  readonly member_of: readonly string[];
  /** Whether the login owns a table, function, type, schema or database. */
  readonly owns: boolean;
  /** Whether the login can create objects: in the database, in a schema, or temporary ones. */
  readonly creates: boolean;
  /** Settings of login or database that change what names mean. */
  readonly settings: readonly string[];
  /** Other databases for which the login has a grant of its own. */
  readonly other_databases: readonly string[];
  /** Time limits that a session of this login lacks, or has too long, without asking for them. */
  readonly unlimited: readonly string[];
  /** Whether every user of the server can connect to the database. */
  readonly is_open: boolean;
  /** Whether tables of verification values exist that the login cannot vacuum. */
  readonly lacks_maintenance: boolean;
  /** Whether the login can enter the vault's schema. */
  readonly reaches_vault: boolean;
  /** Whether the login can read a table of the server. */
  readonly reads_server: boolean;
  /** Whether the database has texts that were sealed with a key. */
  readonly has_secrets: boolean;
  /** Newest migration of the program, if the database lacks it. */
  readonly lacks_migration: string | undefined;
  /** For a vault: the first accounts at processors that wait for an operator. */
  readonly pending_accounts?: readonly PendingAccount[];
}

/** Certificates for connections between server and vault; undefined without such files. */
export interface TlsFacts {
  readonly faults: readonly TlsFault[];
  readonly warnings: readonly TlsFault[];
  /** For a server: vaults with TLS that do not answer, with the code of the error. */
  readonly unreachable: readonly { readonly address: string; readonly fault: string }[];
  /** Whether another vault of the list can be used. */
  readonly is_reachable: boolean;
}

/** Facts that `florin check` knows of an installation. */
export interface Facts {
  readonly env: Environment & Readonly<Record<string, string | undefined>>;
  /** User of this process; undefined where the system has no such number. */
  readonly uid: number | undefined;
  /** User that owns the vault's socket; undefined without a socket. */
  readonly vault_uid: number | undefined;
  readonly tls?: TlsFacts | undefined;
  /** Whether this user can read and write FLORIN_DATA, or create it; undefined without the variable. */
  readonly data_is_usable: boolean | undefined;
  /** Whether FLORIN_DATA has `secrets.key`; undefined without the variable or for a directory that this user may not read. */
  readonly has_secrets_file: boolean | undefined;
  /** Keys of the part that another user could read or replace. */
  readonly key_faults: readonly KeyFileFault[];
  /** Rights of the role's database login, or why they cannot be read. */
  readonly login: LoginFacts | { readonly unreadable: string } | undefined;
}
