import type { FingerprintAnswer, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { isChallengeWindow } from '@florin/contract/protocol/threeds.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormLocales, pickLocale } from '../../../../http/pages/form-locale.ts';
import type { Page } from '../../../../http/pages/page.ts';
import { languageOf, supportedLocale } from '../../pages/language.ts';
import { readFormSession, threedsOf } from '../../routes/form-session.ts';
import type { MountSessions } from '../../session.ts';
import type { Tries } from '../../tries.ts';
import {
  answerForm,
  type ChallengeDisplay,
  findChallengeVisit,
  findMethodVisit,
} from '../challenge.ts';
import type { AuthenticationFinding } from '../decide.ts';
import { beginFingerprint, endFingerprint } from '../fingerprint.ts';
import { recordFinding } from '../record.ts';
import { type ThreeDSecure, threedsPaths } from '../threeds.ts';
import {
  type BankLanguage,
  LAUNCH_SCRIPT,
  LAUNCH_SCRIPT_URL,
  renderEndedPage,
  renderLaunchPage,
  renderReturnPage,
  renderUnframedPage,
} from './bank-pages.ts';

export const challengeCalls = {
  fingerprint: '/frame/v1/fingerprint',
  challenge: '/frame/v1/challenge',
  cancel: '/frame/v1/challenge/cancel',
} as const;

export interface PayThreeDSecureOptions {
  readonly threeds: ThreeDSecure;
  readonly sessions: MountSessions;
  readonly tries: Tries;
  /** Response if the session has expired. */
  readonly sessionOverAnswer: VerifyAnswer;
  readonly locales: FormLocales;
}

/**
 * Registers the 3-D Secure routes of the form's origin: calls of the form, and pages that lead to
 * the issuer and back.
 */
export function registerPayThreeDSecure(
  fastify: FastifyInstance,
  options: PayThreeDSecureOptions,
): void {
  registerFormCalls(fastify, options);
  fastify.register(async (scoped) => {
    registerMethodRoutes(scoped, options);
    registerChallengeRoutes(scoped, options);
  });
}

interface Call {
  readonly session?: unknown;
  readonly authentication?: unknown;
  readonly bin?: unknown;
  readonly reason?: unknown;
}

type CallFacts = Pick<FastifyRequest<{ Body: Call | undefined }>, 'body' | 'ip'>;

const BIN = /^\d{6}$/;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function registerFormCalls(
  fastify: FastifyInstance,
  { threeds, sessions, tries, sessionOverAnswer }: PayThreeDSecureOptions,
): void {
  const readForm = ({ session }: Call) => readFormSession(sessions, threeds, textOf(session));

  fastify.post<{ Body: Call | undefined }>(challengeCalls.fingerprint, async (request, reply) => {
    const { body, ip } = request;
    const form = await readForm(body ?? {});
    const bin = textOf(body?.bin);
    if (!form || !BIN.test(bin)) return reply.status(422).send(sessionOverAnswer);
    const noAnswer: FingerprintAnswer = {};
    return (await tries.mayFingerprint({ session: form.session, ip }))
      ? beginFingerprint(form.threeds, form.session, bin)
      : noAnswer;
  });

  const answerDirectory = async (
    { body, ip }: CallFacts,
    reply: FastifyReply,
    finding?: AuthenticationFinding,
  ) => {
    const form = await readForm(body ?? {});
    const handle = textOf(body?.authentication);
    const answer = form && (await answerForm(form.threeds, form.session, handle, finding));
    if (!answer) return reply.status(422).send(sessionOverAnswer);
    if (answer.detail.code === 'challenge_failed') {
      await tries.recordChallengeFailure({ session: form.session, ip }, handle);
    }
    return answer;
  };
  fastify.post<{ Body: Call | undefined }>(challengeCalls.challenge, async (request, reply) =>
    answerDirectory(request, reply),
  );
  fastify.post<{ Body: Call | undefined }>(challengeCalls.cancel, async (request, reply) => {
    const isCancelled = request.body?.reason !== 'not_shown';
    const code = isCancelled ? 'challenge_cancelled' : 'challenge_unavailable';
    return answerDirectory(request, reply, { kind: 'cancel', code });
  });
}

interface HandleRoute {
  Params: { handle: string };
}

const keyOf = ({ signed_references }: ThreeDSecure, { handle }: HandleRoute['Params']) =>
  signed_references.read('browser', handle);

function registerMethodRoutes(
  fastify: FastifyInstance,
  { threeds, locales }: PayThreeDSecureOptions,
): void {
  const { method, done } = threedsPaths;
  // Discards the bodies that the issuer's pages post here: the browser carries them and could forge
  // them.
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    (_request, payload, callback) => {
      payload.resume();
      callback(null, undefined);
    },
  );

  fastify.get(LAUNCH_SCRIPT_URL, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      .send(LAUNCH_SCRIPT),
  );
  fastify.get<HandleRoute>(`${method}/:handle`, async (request, reply) => {
    const key = keyOf(threeds, request.params);
    const visit = key && (await findMethodVisit(threeds, key));
    const language = languageFor(locales, request);
    return send(reply, visit ? renderLaunchPage(visit, language) : renderEndedPage(language));
  });
  fastify.post<HandleRoute>(`${method}/:handle${done}`, async (request, reply) => {
    const key = keyOf(threeds, request.params);
    if (key) await endFingerprint(await threedsOf(threeds, key), key);
    const language = languageFor(locales, request);
    return send(reply, key ? renderReturnPage(language) : renderEndedPage(language));
  });
}

function registerChallengeRoutes(
  fastify: FastifyInstance,
  { threeds, locales }: PayThreeDSecureOptions,
): void {
  const { challenge, done, tab, unframed } = threedsPaths;
  const sendChallengePage = async (
    request: FastifyRequest<HandleRoute>,
    reply: FastifyReply,
    display: ChallengeDisplay,
  ) => {
    const { params } = request;
    const key = keyOf(threeds, params);
    const visit = key && (await findChallengeVisit(threeds, key, display));
    // The form reads its frame's location and then offers a tab.
    if (visit === 'unframeable') {
      return reply.redirect(`${challenge}/${params.handle}${unframed}`, SEE_OTHER);
    }
    const language = languageFor(locales, request);
    return send(reply, visit ? renderLaunchPage(visit, language) : renderEndedPage(language));
  };
  fastify.get<HandleRoute & { Querystring: { window?: unknown } }>(
    `${challenge}/:handle`,
    async (request, reply) => {
      const window = textOf(request.query.window);
      return sendChallengePage(request, reply, isChallengeWindow(window) ? window : '05');
    },
  );
  fastify.get<HandleRoute>(`${challenge}/:handle${tab}`, async (request, reply) =>
    sendChallengePage(request, reply, 'tab'),
  );
  fastify.get<HandleRoute>(`${challenge}/:handle${unframed}`, async (_request, reply) =>
    send(reply, renderUnframedPage()),
  );
  fastify.post<HandleRoute>(`${challenge}/:handle${done}`, async (request, reply) => {
    const key = keyOf(threeds, request.params);
    if (key) await recordFinding(threeds.services, key, { kind: 'return' });
    const language = languageFor(locales, request);
    return send(reply, key ? renderReturnPage(language) : renderEndedPage(language));
  });
}

const SEE_OTHER = 303;

/**
 * Language of a tab with an issuer's page: the browser's, since a tab has no parameter with the shop's
 * language.
 */
function languageFor(locales: FormLocales, { headers }: FastifyRequest): BankLanguage {
  const locale = pickLocale(locales, '', headers['accept-language'] ?? '');
  const title = locale.texts.challenge_title ?? '';
  return { ...languageOf(supportedLocale(locale)), title };
}

const send = (reply: FastifyReply, { status, headers, html }: Page): FastifyReply =>
  reply.status(status).headers(headers).send(html);
