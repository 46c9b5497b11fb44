import { problem } from '@florin/contract/errors.ts';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Row } from '../../../platform/database/row.ts';
import { violatedConstraint } from '../../../platform/database/wire/constraints.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { hashKey } from '../../merchants/api-key.ts';
import {
  consumeChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  notePasskeyUse,
  removePasskey,
} from '../sql/passkeys.ts';
import type { Account } from '../sql/sessions.ts';
import { deleteUnusedCodes, type SecondFactors } from './second-factor.ts';

/** Seconds that a browser has to sign a challenge. */
export const CHALLENGE_SECONDS = 5 * 60;
/** Maximum number of passkeys per account. */
export const PASSKEYS_MAX = 20;

/** COSE numbers of EdDSA, ES256 and RS256 (RFC 9053). */
const ALGORITHMS = [-8, -7, -257];

/** Passkeys: keys that a device stores for its user. Each use signs a new challenge. */
export interface Passkeys {
  additionOptions(account: Account): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /**
   * Adds a passkey. Returns recovery codes if it is the first second factor. Throws 422 if the
   * response does not match the challenge.
   */
  add(
    account: Account,
    name: string,
    response: Readonly<Record<string, unknown>>,
  ): Promise<readonly string[]>;
  remove(account: Account, id: string): Promise<boolean>;
  signInOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * Finds the account whose passkey signed; undefined for an unknown passkey or a wrong signature.
   */
  accountOf(response: Readonly<Record<string, unknown>>): Promise<string | undefined>;
}

type PasskeyServices = Pick<Services, 'db' | 'system_clock' | 'config' | 'wake'>;

export function createPasskeys(
  services: PasskeyServices,
  factors: Pick<SecondFactors, 'firstCodes' | 'notify'>,
): Passkeys {
  const { db, system_clock, wake } = services;
  const ceremonies = createCeremonies(services);
  return {
    additionOptions: ceremonies.additionOptions,
    async add(account, name, response) {
      const credential = await ceremonies.newCredential(account.id, response);
      if (!credential) throw passkeyRefused();
      const now = system_clock.now();
      const codes = await db.transaction(async (tx) => {
        await insertPasskey(tx, {
          id: uuidv7(now),
          account_id: account.id,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey).toString('hex'),
          counter: credential.counter,
          transports: credential.transports ?? [],
          name,
          at: instantText(now),
        }).catch(asRefused);
        await factors.notify(tx, account);
        return factors.firstCodes(tx, account.id);
      });
      wake.account_emails.raise();
      return codes;
    },
    async remove(account, id) {
      const isRemoved = await db.transaction(async (tx) => {
        if (!(await removePasskey(tx, id, account.id))) return false;
        await deleteUnusedCodes(tx, account.id);
        await factors.notify(tx, account);
        return true;
      });
      wake.account_emails.raise();
      return isRemoved;
    },
    signInOptions: ceremonies.signInOptions,
    async accountOf(response) {
      const passkey = typeof response.id === 'string' && (await findPasskey(db, response.id));
      if (!passkey) return undefined;
      const credential = credentialOf(response.id as string, passkey);
      const counter = await ceremonies.counterOf(credential, response);
      if (counter === undefined) return undefined;
      const at = instantText(system_clock.now());
      await notePasskeyUse(db, passkey.id as string, { counter, at });
      return passkey.account_id as string;
    },
  };
}

/** Creates requests to browsers and verifies their responses. Each challenge works once. */
function createCeremonies(services: PasskeyServices) {
  const challenges = createChallenges(services);
  return {
    ...createRegistration(services, challenges),
    ...createAuthentication(services, challenges),
  };
}

type Challenges = ReturnType<typeof createChallenges>;
type Answer = Readonly<Record<string, unknown>>;

/** Stores a challenge until a browser signs it, with the account if known. */
function createChallenges({ db, system_clock }: PasskeyServices) {
  const timeIn = (ahead_seconds = 0): string =>
    instantText(system_clock.now() + seconds(ahead_seconds));
  return {
    remember: (challenge: string, account_id?: string) =>
      insertChallenge(db, { hash: hashKey(challenge), account_id }, timeIn(CHALLENGE_SECONDS)),
    take: (account_id?: string) => (challenge: string) =>
      consumeChallenge(db, { hash: hashKey(challenge), account_id }, timeIn()),
  };
}

const CHALLENGE_MS = CHALLENGE_SECONDS * 1_000;

/** Origin of the relying party. */
const siteOf = ({ config }: PasskeyServices): URL => new URL(config.public_url);

/** Registers a passkey. */
function createRegistration(services: PasskeyServices, { remember, take }: Challenges) {
  const { hostname, origin } = siteOf(services);
  return {
    async additionOptions({ id, email, name }: Account) {
      const passkeys = await listPasskeys(services.db, id);
      if (passkeys.length >= PASSKEYS_MAX) throw tooMany();
      const options = await generateRegistrationOptions({
        rpName: 'Florin',
        rpID: hostname,
        userName: email,
        userDisplayName: name ?? email,
        userID: new TextEncoder().encode(id),
        timeout: CHALLENGE_MS,
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: passkeys.map(describePasskey),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      await remember(options.challenge, id);
      return options;
    },
    async newCredential(account_id: string, response: Answer) {
      const verification = await undefinedIfThrows(() =>
        verifyRegistrationResponse({
          expectedRPID: hostname,
          expectedOrigin: origin,
          response: response as unknown as RegistrationResponseJSON,
          supportedAlgorithmIDs: ALGORITHMS,
          expectedChallenge: take(account_id),
        }),
      );
      return verification?.verified ? verification.registrationInfo.credential : undefined;
    },
  };
}

/** Signs in with a passkey. */
function createAuthentication(services: PasskeyServices, { remember, take }: Challenges) {
  const { hostname, origin } = siteOf(services);
  return {
    async signInOptions() {
      const options = await generateAuthenticationOptions({
        rpID: hostname,
        userVerification: 'required',
        timeout: CHALLENGE_MS,
      });
      await remember(options.challenge);
      return options;
    },
    /** Use counter of the passkey; undefined if the response does not sign the challenge. */
    async counterOf(credential: Credential, response: Answer) {
      const verification = await undefinedIfThrows(() =>
        verifyAuthenticationResponse({
          expectedRPID: hostname,
          expectedOrigin: origin,
          response: response as unknown as AuthenticationResponseJSON,
          expectedChallenge: take(),
          credential,
        }),
      );
      return verification?.verified ? verification.authenticationInfo.newCounter : undefined;
    },
  };
}

type Credential = ReturnType<typeof credentialOf>;

const credentialOf = (id: string, { public_key, counter, transports }: Row) => ({
  id,
  publicKey: new Uint8Array(Buffer.from(public_key as string, 'hex')),
  counter: Number(counter),
  transports: JSON.parse(transports as string) as string[],
});

const describePasskey = ({ credential_id, transports }: Row) => ({
  id: credential_id as string,
  transports: JSON.parse(transports as string) as string[],
});

/**
 * Undefined if `call` throws. The library throws for invalid responses; callers must not learn the
 * reason.
 */
async function undefinedIfThrows<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

function asRefused(error: unknown): never {
  throw violatedConstraint(error) === 'passkeys_credential_id_key' ? passkeyRefused() : error;
}

const passkeyRefused = () =>
  problem('wrong_code', 'The passkey does not match the request, or came too late. Try again.', {
    pointer: '/response',
  });

const tooMany = () =>
  problem(
    'limit_reached',
    `An account can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`,
  );
