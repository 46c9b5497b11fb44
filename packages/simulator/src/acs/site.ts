import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChallengeRequest,
  type ChallengeResponse,
  CREQ_FIELD,
  CRES_FIELD,
  METHOD_FIELD,
  THREEDS_VERSION,
  type ThreeDSMethodData,
} from '@florin/contract/protocol/threeds.ts';
import type { Challenge, Challenges } from '../threeds/challenges.ts';
import { createSheetPage, walletOfSheet } from '../wallets/sheet-page.ts';
import {
  type CarriedFields,
  createCodePage,
  createHangingPage,
  createHostilePage,
  createOobPage,
} from './challenge-pages.ts';
import { type BankPage, createPostingPage, createRefusalPage, encodeBase64url } from './html.ts';

/** Duration of the method page `slow`, in milliseconds. */
const SLOW_MS = 11_000;

export interface BankDeps {
  readonly challenges: Challenges;
  readonly pace: number;
  readonly closingSignal: AbortSignal;
}

/**
 * Handler for the bank's pages and the wallet sheets. Takes method, path and form fields; undefined for a page that
 * never responds.
 */
export type Bank = (
  method: string,
  path: string,
  form: URLSearchParams,
) => Promise<BankPage | undefined>;

const METHOD_PATH = /^\/method\/(ok|slow|never|broken)$/;
const CHALLENGE_PATH = /^\/challenge\/([a-z]+)(\/answer)?$/;

/** The bank's access control server, without its HTTP transport. */
export function createBank(deps: BankDeps): Bank {
  return async (method, path, form) => {
    const wallet = walletOfSheet(path);
    if (method === 'GET' && wallet) return createSheetPage(wallet, form);
    if (method !== 'POST') return refuseMethod(path);
    const [, methodPage] = METHOD_PATH.exec(path) ?? [];
    if (methodPage) return fingerprintBrowser(deps, methodPage, form);
    const [, page, answer] = CHALLENGE_PATH.exec(path) ?? [];
    if (!page) return createRefusalPage(404, 'Page not found.');
    if (page === 'unreachable') return undefined;
    return answer ? handleAnswer(deps, form) : openChallenge(deps, form);
  };
}

const NO_FRAMES = { 'x-frame-options': 'DENY' };

/** 404 for methods other than POST. The page that forbids frames sends `X-Frame-Options` here too. */
const refuseMethod = (path: string): BankPage => ({
  ...createRefusalPage(404, 'Page not found.'),
  ...(path.startsWith('/challenge/unframeable') && { headers: NO_FRAMES }),
});

async function fingerprintBrowser(
  { pace, closingSignal }: BankDeps,
  page: string,
  form: URLSearchParams,
): Promise<BankPage | undefined> {
  const methodData = parseField<ThreeDSMethodData>(form.get(METHOD_FIELD));
  const url = methodData?.threeDSMethodNotificationURL;
  if (!methodData || !isWebAddress(url))
    return createRefusalPage(400, 'The method data cannot be read.');
  if (page === 'never') return undefined;
  if (page === 'broken') return createRefusalPage(500, 'The bank is broken.');
  if (page === 'slow') await sleep(SLOW_MS * pace, undefined, { signal: closingSignal });
  const { threeDSServerTransID } = methodData;
  return createPostingPage(url, { [METHOD_FIELD]: encodeBase64url({ threeDSServerTransID }) });
}

function openChallenge({ challenges, pace }: BankDeps, form: URLSearchParams): BankPage {
  const acsTransID = parseField<ChallengeRequest>(form.get(CREQ_FIELD))?.acsTransID;
  const challenge = typeof acsTransID === 'string' ? challenges.find(acsTransID) : undefined;
  if (!challenge || typeof acsTransID !== 'string') return unknownChallengePage;
  const threeDSSessionData = form.get('threeDSSessionData') ?? '';
  const carriedFields = { acsTransID, threeDSSessionData };
  challenges.begin(challenge);
  if (challenge.outcome) return goBack(challenge, carriedFields);
  switch (challenge.page) {
    case 'hang':
      return createHangingPage();
    case 'oob':
      return createOobPage(challenge, carriedFields, pace);
    case 'hostile':
      return createHostilePage(challenge, carriedFields);
    case 'unframeable':
      return { ...createCodePage(challenge, carriedFields), headers: NO_FRAMES };
    case 'error':
      challenges.breakOff(challenge);
      return createPostingPage(challenge.notification_url, {
        [CRES_FIELD]: encodeBase64url(createProtocolError(challenge)),
      });
    default:
      return createCodePage(challenge, carriedFields);
  }
}

const unknownChallengePage = createRefusalPage(404, 'This challenge does not exist or has ended.');

function handleAnswer({ challenges }: BankDeps, form: URLSearchParams): BankPage {
  const acsTransID = form.get('acsTransID') ?? '';
  const challenge = challenges.find(acsTransID);
  if (!challenge) return unknownChallengePage;
  const carriedFields = { acsTransID, threeDSSessionData: form.get('threeDSSessionData') ?? '' };
  const action = form.get('action');
  if (!challenge.outcome) {
    if (action === 'cancel') challenges.cancel(challenge);
    else if (action === 'approve' && challenge.page === 'oob') challenges.approve(challenge);
    else if (!challenges.answer(challenge, (form.get('code') ?? '').trim())) {
      return createCodePage(challenge, carriedFields, challenges.attemptsLeft(challenge));
    }
  }
  return goBack(challenge, carriedFields);
}

/** Sends the browser back to the shop. A separate request delivers the result to the directory server's client. */
function goBack(challenge: Challenge, { threeDSSessionData }: CarriedFields): BankPage {
  const { subject, acs_trans_id, outcome, notification_url } = challenge;
  const cres: ChallengeResponse = {
    messageType: 'CRes',
    messageVersion: THREEDS_VERSION,
    threeDSServerTransID: subject.reference,
    acsTransID: acs_trans_id,
    challengeCompletionInd: 'Y',
    transStatus: outcome === 'Y' ? 'Y' : 'N',
  };
  return createPostingPage(notification_url, {
    [CRES_FIELD]: encodeBase64url(cres),
    threeDSSessionData,
  });
}

const createProtocolError = ({ subject, acs_trans_id }: Challenge) => ({
  messageType: 'Erro',
  messageVersion: THREEDS_VERSION,
  threeDSServerTransID: subject.reference,
  acsTransID: acs_trans_id,
  errorCode: '203',
  errorComponent: 'A',
  errorDescription: 'A field has a format that the bank cannot read.',
});

function parseField<Message>(field: string | null): Partial<Message> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(field ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Partial<Message>) : undefined;
  } catch {
    return undefined;
  }
}

const isWebAddress = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
