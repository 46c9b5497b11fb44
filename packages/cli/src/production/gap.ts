import type { Environment } from '@florin/contract/variables.ts';

/** Program of an installation that runs apart, under a user of its own. */
export type Role = 'server' | 'vault';
export const roles: readonly Role[] = ['server', 'vault'];

/** Difference between an installation and what production needs. */
export interface Gap {
  readonly problem: string;
  /** Next step, as one sentence. */
  readonly fix: string;
}

/** Rights of a database login. */
export interface LoginFacts {
  readonly is_superuser: boolean;
  readonly may_create_roles: boolean;
  /** Whether the login can enter the vault's schema. */
  readonly reaches_vault: boolean;
  /** Whether the login can read a table of the server. */
  readonly reads_server: boolean;
}

/** Facts that `florin check` knows of an installation. */
export interface Facts {
  readonly env: Environment & Readonly<Record<string, string | undefined>>;
  /** User of this process; undefined where the system has no such number. */
  readonly uid: number | undefined;
  /** User that owns the vault's socket; undefined without a socket. */
  readonly vault_uid: number | undefined;
  /** Rights of the role's database login, or why they cannot be read. */
  readonly login: LoginFacts | { readonly unreadable: string } | undefined;
}
