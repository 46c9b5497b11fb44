import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../banner.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

/** A Florin, and the secret key to speak to it with. */
export interface Access {
  readonly base_url: string;
  readonly key: string;
}

/** What a command line may say of it. */
export interface GivenAccess {
  readonly key?: string | undefined;
  readonly host?: string | undefined;
}

/** The options of commands that speak to a running Florin. */
export const accessOptions = { key: { type: 'string' }, host: { type: 'string' } } as const;

const LOCAL_URL = 'http://localhost:4000';
const SECRET_KEY = /^ept_(?:live|sandbox)_s/;

/**
 * Which Florin a command means: what it was told, else the environment, else the one of this data directory and its
 * sandbox. Throws `PlainFailure` where there is no secret key.
 */
export function accessOf(given: GivenAccess, settings: AccessSettings): Access {
  const kept = readCredentials(settings.dataDir);
  const key = given.key ?? settings.secretKey ?? kept?.sandbox.secret_key;
  if (!key) {
    throw new PlainFailure(
      'There is no key: give --key, set FLORIN_SECRET_KEY, or start a Florin here, whose sandbox it is then.',
    );
  }
  if (!SECRET_KEY.test(key)) {
    throw new PlainFailure('That is no secret key, which begins with ept_sandbox_s or ept_live_s.');
  }
  const host = given.host ?? settings.publicUrl ?? kept?.base_url ?? LOCAL_URL;
  return { base_url: originOf(host, '--host'), key };
}

function readCredentials(dataDir: string): Credentials | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  } catch {
    return undefined;
  }
}

const originOf = (text: string, option: string): string => httpUrl(text, option).origin;

/** An http or https address. Throws `PlainFailure` that names the option where it is none. */
export function httpUrl(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new PlainFailure(`${option} must be an address that begins with http:// or https://.`);
}

/** The same access, unless it is to live mode: then throws `PlainFailure`, which says `why` in a clause. */
export function sandboxOnly(access: Access, why: string): Access {
  if (access.key.startsWith('ept_sandbox_')) return access;
  throw new PlainFailure(`${why}: give a key of the sandbox.`);
}
