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
import { sheetAt, sheetPage } from '../wallets/sheet-page.ts';
import {
  type CarriedFields,
  codePage,
  hangingPage,
  hostilePage,
  oobPage,
} from './challenge-pages.ts';
import { type BankPage, base64url, posting, refusal } from './html.ts';

/** Duration of the method page `slow`, in milliseconds. */
const SLOW_MS = 11_000;

export interface BankParts {
  readonly challenges: Challenges;
  readonly pace: number;
  readonly closing: AbortSignal;
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
export function createBank(parts: BankParts): Bank {
  return async (method, path, form) => {
    const wallet = sheetAt(path);
    if (method === 'GET' && wallet) return sheetPage(wallet, form);
    if (method !== 'POST') return notPosted(path);
    const [, methodPage] = METHOD_PATH.exec(path) ?? [];
    if (methodPage) return fingerprintBrowser(parts, methodPage, form);
    const [, page, answer] = CHALLENGE_PATH.exec(path) ?? [];
    if (!page) return refusal(404, 'There is no such page.');
    if (page === 'unreachable') return undefined;
    return answer ? takeAnswer(parts, form) : openChallenge(parts, form);
  };
}

const NO_FRAMES = { 'x-frame-options': 'DENY' };

/** 404 for methods other than POST. The page that forbids frames sends `X-Frame-Options` here too. */
const notPosted = (path: string): BankPage => ({
  ...refusal(404, 'There is no such page.'),
  ...(path.startsWith('/challenge/unframeable') && { headers: NO_FRAMES }),
});

async function fingerprintBrowser(
  { pace, closing }: BankParts,
  page: string,
  form: URLSearchParams,
): Promise<BankPage | undefined> {
  const data = read<ThreeDSMethodData>(form.get(METHOD_FIELD));
  const url = data?.threeDSMethodNotificationURL;
  if (!data || !isWeb(url)) return refusal(400, 'The method data cannot be read.');
  if (page === 'never') return undefined;
  if (page === 'broken') return refusal(500, 'The bank is broken.');
  if (page === 'slow') await sleep(SLOW_MS * pace, undefined, { signal: closing });
  const { threeDSServerTransID } = data;
  return posting(url, { [METHOD_FIELD]: base64url({ threeDSServerTransID }) });
}

function openChallenge({ challenges, pace }: BankParts, form: URLSearchParams): BankPage {
  const acsTransID = read<ChallengeRequest>(form.get(CREQ_FIELD))?.acsTransID;
  const challenge = typeof acsTransID === 'string' ? challenges.find(acsTransID) : undefined;
  if (!challenge || typeof acsTransID !== 'string') return unknownChallenge;
  const threeDSSessionData = form.get('threeDSSessionData') ?? '';
  const carriedFields = { acsTransID, threeDSSessionData };
  challenges.begin(challenge);
  if (challenge.outcome) return goBack(challenge, carriedFields);
  switch (challenge.page) {
    case 'hang':
      return hangingPage();
    case 'oob':
      return oobPage(challenge, carriedFields, pace);
    case 'hostile':
      return hostilePage(challenge, carriedFields);
    case 'unframeable':
      return { ...codePage(challenge, carriedFields), headers: NO_FRAMES };
    case 'error':
      challenges.breakOff(challenge);
      return posting(challenge.notification_url, {
        [CRES_FIELD]: base64url(protocolError(challenge)),
      });
    default:
      return codePage(challenge, carriedFields);
  }
}

const unknownChallenge = refusal(404, 'There is no such challenge, or it is over.');

function takeAnswer({ challenges }: BankParts, form: URLSearchParams): BankPage {
  const acsTransID = form.get('acsTransID') ?? '';
  const challenge = challenges.find(acsTransID);
  if (!challenge) return unknownChallenge;
  const carriedFields = { acsTransID, threeDSSessionData: form.get('threeDSSessionData') ?? '' };
  const action = form.get('action');
  if (!challenge.outcome) {
    if (action === 'cancel') challenges.cancel(challenge);
    else if (action === 'approve' && challenge.page === 'oob') challenges.approve(challenge);
    else if (!challenges.answer(challenge, (form.get('code') ?? '').trim())) {
      return codePage(challenge, carriedFields, challenges.triesLeft(challenge));
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
  return posting(notification_url, { [CRES_FIELD]: base64url(cres), threeDSSessionData });
}

const protocolError = ({ subject, acs_trans_id }: Challenge) => ({
  messageType: 'Erro',
  messageVersion: THREEDS_VERSION,
  threeDSServerTransID: subject.reference,
  acsTransID: acs_trans_id,
  errorCode: '203',
  errorComponent: 'A',
  errorDescription: 'A field has a format that the bank cannot read.',
});

function read<Message>(field: string | null): Partial<Message> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(field ?? '', 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Partial<Message>) : undefined;
  } catch {
    return undefined;
  }
}

const isWeb = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
