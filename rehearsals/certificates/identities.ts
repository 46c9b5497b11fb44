import { join } from 'node:path';
import type { TlsFileVariables } from '@florin/dev-env/certificates.ts';
import {
  createAuthority,
  type TestAuthority,
  writeTlsFiles,
} from '@florin/dev-env/certificates.ts';
import type { MemberRole } from '../support/cluster.ts';

/** Sides of the connection between servers and vault. */
export type Side = 'server' | 'vault';

const HOST = '127.0.0.1';
const SERVER_NAME = 'florin-server';
const VARIABLES: Readonly<Record<Side, TlsFileVariables>> = {
  server: ['FLORIN_VAULT_CERT_FILE', 'FLORIN_VAULT_KEY_FILE', 'FLORIN_VAULT_CA_FILE'],
  vault: ['VAULT_TLS_CERT_FILE', 'VAULT_TLS_KEY_FILE', 'VAULT_TLS_CA_FILE'],
};
const NAMES: Readonly<Record<Side, string>> = { server: SERVER_NAME, vault: HOST };

/** Certificates of both sides on disk, and their authority. */
export interface Identities {
  readonly vaultAddress: string;
  envOf(role: MemberRole): Readonly<Record<string, string>>;
  /** Writes a new key and certificate of a side. Without `ends_at`, it is valid for years. */
  renew(side: Side, ends_at?: Date): void;
  /** Writes both authorities into the files of both sides. */
  addAuthority(): void;
  /** Leaves only the new authority. */
  removeOldAuthority(): void;
}

export function createIdentities(directory: string, vaultPort: number): Identities {
  let authority = createAuthority('first');
  let ca = authority.ca;
  const issued = { server: issue(authority, 'server'), vault: issue(authority, 'vault') };
  const vaultAddress = `https://${HOST}:${vaultPort}`;
  const write = (side: Side) =>
    writeTlsFiles(join(directory, side), issued[side], { ca }, VARIABLES[side]);
  const writeBoth = (): void => {
    write('server');
    write('vault');
  };
  const environments = {
    server: { ...pathsOf(write('server')), FLORIN_VAULT_ADDRESSES: vaultAddress },
    vault: {
      ...pathsOf(write('vault')),
      VAULT_LISTEN: `${HOST}:${vaultPort}`,
      VAULT_TLS_CLIENT_NAMES: SERVER_NAME,
    },
  };
  return {
    vaultAddress,
    envOf: (role) => environments[role === 'vault' ? 'vault' : 'server'],
    renew(side, notAfter) {
      issued[side] = issue(authority, side, notAfter);
      write(side);
    },
    addAuthority() {
      authority = createAuthority('second');
      ca += authority.ca;
      writeBoth();
    },
    removeOldAuthority() {
      ca = authority.ca;
      writeBoth();
    },
  };
}

const issue = (authority: TestAuthority, side: Side, notAfter?: Date) =>
  authority.issue([NAMES[side]], notAfter && { notAfter });

const pathsOf = (files: ReturnType<typeof writeTlsFiles>): Record<string, string> =>
  Object.fromEntries(Object.values(files).map(({ variable, path }) => [variable, path]));
