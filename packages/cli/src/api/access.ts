import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../banner.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** A running Florin and a secret key for it. */
export interface Access {
  readonly base_url: string;
  readonly key: string;
}

/** Access options from the command line. */
export interface GivenAccess {
  readonly key?: string | undefined;
  readonly host?: string | undefined;
}

/** Options of commands that call a running Florin. */
export const accessOptions = { key: { type: 'string' }, host: { type: 'string' } } as const;

const LOCAL_URL = 'http://localhost:4000';
const SECRET_KEY = /^ept_(?:live|sandbox)_s/;

/**
 * Returns the Florin for a command, from its options, the environment or the data directory's sandbox, in this order.
 * Throws `PlainFailure` without a secret key.
 */
export function accessOf(givenAccess: GivenAccess, settings: AccessSettings): Access {
  const storedCredentials = readCredentials(settings.dataDir);
  const key = givenAccess.key ?? settings.secretKey ?? storedCredentials?.sandbox.secret_key;
  if (!key) {
    throw new PlainFailure(
      'No secret key found. Pass --key, set FLORIN_SECRET_KEY, or set FLORIN_DATA to the data directory of a Florin to use its sandbox key.',
    );
  }
  if (!SECRET_KEY.test(key)) {
    throw new PlainFailure(
      'This is not a secret key: secret keys begin with ept_sandbox_s or ept_live_s.',
    );
  }
  const host = givenAccess.host ?? settings.publicUrl ?? storedCredentials?.base_url ?? LOCAL_URL;
  return { base_url: originOf(host, '--host'), key };
}

/** Addresses and keys of a data directory's Florin; undefined before its first start. */
export function readCredentials(dataDir: string): Credentials | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  } catch {
    return undefined;
  }
}

const originOf = (text: string, option: string): string => httpUrl(text, option).origin;

/** Parses an http or https address. Throws `PlainFailure` with the option's name for other texts. */
export function httpUrl(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new PlainFailure(`${option} must be an address that begins with http:// or https://.`);
}

/** Returns the access if its key is a sandbox key. Otherwise throws `PlainFailure` with the clause `why`. */
export function sandboxOnly(access: Access, why: string): Access {
  if (access.key.startsWith('ept_sandbox_')) return access;
  throw new PlainFailure(`${why}: pass a sandbox key.`);
}
