import { problem } from '@florin/contract/errors.ts';
import type { Db } from '../../../platform/database/db.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { writeAccountEmail } from '../emails/write.ts';
import { findAccount } from '../sql/accounts.ts';
import {
  confirmTotp,
  consumeRecoveryCode,
  consumeTotpStep,
  findFactors,
  removeTotp,
  replaceRecoveryCodes,
  saveTotpSecret,
} from '../sql/second-factors.ts';
import type { Account } from '../sql/sessions.ts';
import { createGuessLimit } from './guess-limit.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import type { LimitServices } from './shared-limit.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

type FactorServices = Pick<Services, 'db' | 'system_clock' | 'sealer' | 'wake'>;

/** Account whose factor is tried, with the browser if the person has signed in with it. Such a browser has its own limit. */
export interface FactorSource {
  readonly account_id: string;
  readonly device_id?: string | undefined;
}

/** Second factors that people type: authenticator codes and recovery codes. */
export interface SecondFactors {
  /** Counts an attempt at the account's second factor. Returns whether the limit allows it. */
  mayTry(source: FactorSource): Promise<boolean>;
  /** Whether a code of the authenticator or a recovery code is valid. A valid code works once. */
  check(source: FactorSource, code: string): Promise<boolean>;
  /**
   * Starts the set-up of an authenticator: returns its secret and the address for a QR code. Throws
   * if an authenticator is in use.
   */
  begin(account: Account): Promise<{ readonly secret: string; readonly uri: string }>;
  /** Activates the authenticator with its first code. Returns recovery codes if there were none. */
  confirm(account: Account, code: string): Promise<readonly string[]>;
  remove(account: Account): Promise<void>;
  renewCodes(account: Account): Promise<readonly string[]>;
  /** Creates recovery codes if the account has none. `tx` is the transaction of a new factor. */
  firstCodes(tx: Db, account_id: string): Promise<readonly string[]>;
  /** Notifies the account's person of an added or removed factor, in the same transaction. */
  notify(tx: Db, account: Account): Promise<void>;
}

export function createSecondFactors(
  services: FactorServices,
  { signer }: Pick<LimitServices, 'signer'>,
): SecondFactors {
  const { db, system_clock, wake } = services;
  const limitServices = { db, clock: system_clock, signer };
  const codeLimit = createGuessLimit(limitServices, 'code');
  const keyOf = ({ account_id, device_id = '' }: FactorSource): string =>
    `${account_id} ${device_id}`;
  const notifyByEmail = (tx: Db, { email }: Account): Promise<void> =>
    writeAccountEmail(tx, system_clock.now(), { kind: 'factors_changed', to_email: email });
  const changeFactor = async <T>(account: Account, change: (tx: Db) => Promise<T>): Promise<T> => {
    const result = await db.transaction(async (tx) => {
      const workResult = await change(tx);
      await notifyByEmail(tx, account);
      return workResult;
    });
    wake.account_emails.raise();
    return result;
  };
  return {
    notify: notifyByEmail,
    firstCodes,
    mayTry: (source) => codeLimit.take(keyOf(source)),
    async check(source, code) {
      const isCorrect = await isRight(services, source.account_id, typedCode(code));
      if (isCorrect) await codeLimit.reset(keyOf(source));
      return isCorrect;
    },
    async begin({ id, email }) {
      const secret = newTotpSecret();
      const sealed = services.sealer.seal(secret, locationOf(id));
      if (!(await saveTotpSecret(db, id, sealed))) throw inUse();
      return { secret, uri: totpUri(secret, email) };
    },
    confirm: (account, code) =>
      changeFactor(account, async (tx) => {
        if (account.totp) throw inUse();
        if (!(await isCodeAccepted(services, tx, account.id, typedCode(code)))) throw wrongCode();
        await confirmTotp(tx, account.id, instantText(system_clock.now()));
        return firstCodes(tx, account.id);
      }),
    remove: (account) =>
      changeFactor(account, async (tx) => {
        await removeTotp(tx, account.id, instantText(system_clock.now()));
        await deleteUnusedCodes(tx, account.id);
      }),
    renewCodes: (account) =>
      changeFactor(account, async (tx) => {
        const { totp, passkeys } = await findFactors(tx, account.id);
        if (!totp && !passkeys) throw noFactor();
        return newCodes(tx, account.id);
      }),
  };
}

const locationOf = (id: string) => ({ merchant_id: id, id, column: 'totp_secret' });

const CODE = /^\d{6}$/;

/** Authenticators show codes as `978 639`, and people type the space. */
const typedCode = (code: string): string => code.replace(/\s/g, '');

async function isRight(
  services: FactorServices,
  account_id: string,
  code: string,
): Promise<boolean> {
  const { db, system_clock } = services;
  if (CODE.test(code)) {
    const account = await findAccount(db, account_id);
    return account?.totp_confirmed_at != null && isCodeAccepted(services, db, account_id, code);
  }
  const at = instantText(system_clock.now());
  return consumeRecoveryCode(db, account_id, { hash: recoveryCodeHash(code), at });
}

/** Accepts a code of the account's authenticator, even before its activation. */
async function isCodeAccepted(
  { system_clock, sealer }: FactorServices,
  db: Db,
  account_id: string,
  code: string,
): Promise<boolean> {
  const account = await findAccount(db, account_id);
  const sealedSecret = account?.totp_secret;
  const secret = sealedSecret && sealer.open(sealedSecret, locationOf(account_id));
  const timeStep =
    secret && CODE.test(code) ? totpStep(secret, code, system_clock.now()) : undefined;
  return (
    timeStep !== undefined &&
    consumeTotpStep(db, account_id, { secret: sealedSecret as string, step: timeStep })
  );
}

async function newCodes(tx: Db, account_id: string): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, account_id, codes.map(recoveryCodeHash));
  return codes;
}

async function firstCodes(tx: Db, account_id: string): Promise<readonly string[]> {
  const { codes_left } = await findFactors(tx, account_id);
  return codes_left > 0 ? [] : newCodes(tx, account_id);
}

/** Deletes the recovery codes of an account without second factors. */
export async function deleteUnusedCodes(tx: Db, account_id: string): Promise<void> {
  const { totp, passkeys } = await findFactors(tx, account_id);
  if (!totp && !passkeys) await replaceRecoveryCodes(tx, account_id, []);
}

export const wrongCode = () =>
  problem(
    'wrong_code',
    'The code is wrong, was used before, or there were too many attempts. Check the clock of your device and enter the next code.',
    { pointer: '/code' },
  );

const inUse = () =>
  problem(
    'invalid_state',
    'The account already has an authenticator. Remove it before you add another.',
  );

const noFactor = () =>
  problem(
    'invalid_state',
    'The account has no second factor. Set one up before you create recovery codes.',
  );
