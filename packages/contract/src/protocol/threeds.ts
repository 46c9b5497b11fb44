/**
 * Messages that the cardholder's browser carries between this server and the issuer's access
 * control server (ACS). Names are EMV's.
 * No message decides an outcome: the directory server sends results directly to this server.
 */
export const THREEDS_VERSION = '2.2.0';

/** Width and height of the challenge page in CSS pixels, by EMV's code. `05` fills the window. */
export const challengeWindows = {
  '01': [250, 400],
  '02': [390, 400],
  '03': [500, 600],
  '04': [600, 400],
  '05': [],
} as const;
export type ChallengeWindow = keyof typeof challengeWindows;

export const isChallengeWindow = (text: string): text is ChallengeWindow =>
  Object.hasOwn(challengeWindows, text);

/**
 * Selects the tallest challenge window that fits; on narrow screens, the full window. Excludes
 * `04`, which is for wide layouts, and `01`, which would leave half of a phone empty.
 */
export function windowFor(width: number, height: number): ChallengeWindow {
  const fittingWindow = (['03', '02'] as const).find(
    (name) => challengeWindows[name][0] <= width && challengeWindows[name][1] <= height,
  );
  return fittingWindow ?? '05';
}

/** Message to the issuer's method page, posted as base64url JSON in a field of the same name. */
export interface ThreeDSMethodData {
  readonly threeDSServerTransID: string;
  readonly threeDSMethodNotificationURL: string;
}
export const METHOD_FIELD = 'threeDSMethodData';

/** Message to the issuer's challenge page, posted as base64url JSON in the field `creq`. */
export interface ChallengeRequest {
  readonly messageType: 'CReq';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeWindowSize: ChallengeWindow;
}
export const CREQ_FIELD = 'creq';

/** Message of the issuer's page at the end of a challenge. Only makes the browser continue. */
export interface ChallengeResponse {
  readonly messageType: 'CRes';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeCompletionInd: 'Y' | 'N';
  readonly transStatus: 'Y' | 'N';
}
export const CRES_FIELD = 'cres';
