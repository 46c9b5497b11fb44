import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { emailMember, object, optional, readBody, secret, text } from '../../../http/body.ts';
import type { Services } from '../../../services.ts';
import type { Passkeys } from '../accounts/passkeys.ts';
import type { Passwords } from '../accounts/passwords.ts';
import { type SecondFactors, wrongCode } from '../accounts/second-factor.ts';
import type { Browser, Sessions } from '../accounts/sessions.ts';
import { signIn } from '../accounts/sign-in.ts';
import { personOf, withSession } from '../dashboard/api.ts';
import type { AuditLog } from '../dashboard/audit-log.ts';
import {
  type DeviceDeps,
  deviceIdOf,
  rememberDevice,
  signedInDeviceIdOf,
} from '../dashboard/device-cookie.ts';
import type { ReportLimited } from '../dashboard/limited-sign-ins.ts';
import { sessionTokenOf } from '../dashboard/session-cookie.ts';
import { findAccount } from '../sql/accounts.ts';
import type { Account, SignedInPerson } from '../sql/sessions.ts';

export interface AccountDeps {
  readonly services: Services;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly audit: AuditLog;
  /** Browsers in which people have signed in. */
  readonly known: DeviceDeps;
  readonly reportLimited: ReportLimited;
}

export const PASSWORD_CHARACTERS_MAX = 128;
const CODE_MAX = 64;
const OPEN = { config: { open: true } } as const;

/** Routes to sign in and out. Each step of a sign-in has its own token. */
export function registerSession(fastify: FastifyInstance, deps: AccountDeps): void {
  registerPasswordSignIn(fastify, deps);
  registerPasskeySignIn(fastify, deps);
  registerFresh(fastify, deps);
  const { services, sessions } = deps;
  fastify.delete('/dashboard/api/session', async (request, reply) => {
    await sessions.end(personOf(request).session);
    return withSession(reply, services.config.public_url, undefined).status(204).send();
  });
}

function registerPasswordSignIn(fastify: FastifyInstance, deps: AccountDeps): void {
  const { services, sessions, passwords, audit, known } = deps;
  const { db, config } = services;
  fastify.post('/dashboard/api/session', OPEN, async (request, reply) => {
    const credentials = readBody(request.body, {
      email: emailMember,
      password: secret(PASSWORD_CHARACTERS_MAX),
    });
    const begin = (account_id: string) => audit.begin(request, account_id);
    const options = { db, passwords, sessions, begin };
    const {
      openedSession: opened,
      triedAccountId: tried,
      isLimited,
    } = await signIn(options, credentials, {
      ...browserOf(request),
      device_id: deviceIdOf(known, request, credentials.email),
    });
    if (isLimited) deps.reportLimited(request);
    if (tried !== undefined) audit.refuse(request, tried);
    if (!opened) throw wrongCredentials();
    await endSession(deps, request);
    const { token, awaitedFactors: awaits } = opened;
    withSession(reply, config.public_url, token);
    const { email } = credentials;
    if (awaits.length === 0) rememberDevice(known, request, reply, { email, proof: 'sign_in' });
    return reply.status(201).send({ awaits });
  });
  fastify.post('/dashboard/api/session/code', OPEN, async (request, reply) => {
    const { code } = readBody(request.body, { code: text(CODE_MAX) });
    const awaitingSession = await awaitingOf(deps, request);
    if (!awaitingSession) throw signInFirst();
    await requireCode(deps, request, awaitingSession.account, code);
    return enter(deps, request, reply, awaitingSession.account.id, awaitingSession);
  });
}

/**
 * Throws unless the code is valid. Beyond the limit of attempts, codes are neither checked nor
 * logged.
 */
async function requireCode(
  { factors, audit, known, reportLimited }: AccountDeps,
  request: FastifyRequest,
  account: Account,
  code: string,
): Promise<void> {
  const source = sourceOf(known, request, account);
  if (!(await factors.mayTry(source))) {
    reportLimited(request);
    throw wrongCode();
  }
  await audit.begin(request, account.id);
  if (!(await factors.check(source, code))) throw wrongCode();
}

const sourceOf = (known: DeviceDeps, request: FastifyRequest, { id, email }: Account) => ({
  account_id: id,
  device_id: signedInDeviceIdOf(known, request, email),
});

function registerPasskeySignIn(fastify: FastifyInstance, deps: AccountDeps): void {
  const { passkeys, factors, audit, known } = deps;
  fastify.post('/dashboard/api/session/passkey/options', OPEN, () => passkeys.signInOptions());
  fastify.post('/dashboard/api/session/passkey', OPEN, async (request, reply) => {
    const { response } = readBody(request.body, { response: object });
    const account_id = await passkeys.accountOf(response);
    const awaitingSession = await awaitingOf(deps, request);
    // A sign-in that began with a password needs a passkey of the same account.
    if (!account_id || (awaitingSession && awaitingSession.account.id !== account_id)) {
      const awaiting = awaitingSession?.account;
      if (awaiting && (await factors.mayTry(sourceOf(known, request, awaiting))))
        audit.refuse(request, awaiting.id);
      throw wrongPasskey();
    }
    await audit.begin(request, account_id);
    return enter(deps, request, reply, account_id, awaitingSession);
  });
}

/** Route to authenticate again, with the password or a passkey. */
function registerFresh(fastify: FastifyInstance, deps: AccountDeps): void {
  const { services, sessions, passwords, passkeys } = deps;
  fastify.post('/dashboard/api/session/fresh', async (request, reply) => {
    const { session, account } = personOf(request);
    const { password, response } = readBody(request.body, {
      password: optional(secret(PASSWORD_CHARACTERS_MAX)),
      response: optional(object),
    });
    const source = { ip: request.ip, session_id: session.id };
    if (response) {
      if ((await passkeys.accountOf(response)) !== account.id) throw wrongPasskey();
    } else if (!(await passwords.check(account.email, password ?? '', source))) {
      throw wrongPassword();
    }
    const token = await sessions.renew(session);
    if (!token) throw signInFirst();
    return withSession(reply, services.config.public_url, token).status(204).send();
  });
}

/** Person whose password was right and whose second factor is missing. */
async function awaitingOf(
  { services, sessions }: AccountDeps,
  request: FastifyRequest,
): Promise<SignedInPerson | undefined> {
  const token = sessionTokenOf(request, services.config.public_url);
  return token === undefined ? undefined : sessions.findAwaiting(token);
}

/** Ends the browser's previous session, or the session that waited for this sign-in. */
async function endSession(deps: AccountDeps, request: FastifyRequest): Promise<void> {
  const person = request.person ?? (await awaitingOf(deps, request));
  if (person) await deps.sessions.end(person.session);
}

async function enter(
  deps: AccountDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  account_id: string,
  waitingPerson: SignedInPerson | undefined,
): Promise<FastifyReply> {
  const waitingSession = waitingPerson?.session;
  const token = await deps.sessions.open(account_id, browserOf(request), {
    replaces: waitingSession,
  });
  if (!token) throw signInFirst();
  if (!waitingPerson) await endSession(deps, request);
  withSession(reply, deps.services.config.public_url, token);
  const account = await findAccount(deps.services.db, account_id);
  const email = account?.email as string;
  rememberDevice(deps.known, request, reply, { email, proof: 'sign_in' });
  return reply.status(201).send({ awaits: [] });
}

export const browserOf = ({ ip, headers }: FastifyRequest): Browser => ({
  ip,
  user_agent: headers['user-agent'] ?? '',
});

const wrongCredentials = () =>
  problem(
    'wrong_credentials',
    'The email or password is wrong, or there were too many attempts. After ten attempts, reset the password, use a passkey, or wait.',
  );

export const wrongPassword = (pointer = '/password') =>
  problem(
    'wrong_credentials',
    'The password is wrong, or there were too many attempts. After ten attempts, wait 15 minutes.',
    { pointer },
  );

const wrongPasskey = () =>
  problem(
    'wrong_credentials',
    'The passkey is unknown, belongs to another account, or came too late. Try again.',
  );

const signInFirst = () => problem('unauthorized', 'You are not signed in. Sign in first.');
