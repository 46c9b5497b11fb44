/**
 * What EMV 3-D Secure makes the cardholder's browser carry between us and the bank's access control server
 * (ACS), with the field names of the specification. Nothing of it decides anything: results come from the
 * directory server to our server.
 */
export const THREEDS_VERSION = '2.2.0';

/** Widths and heights of the bank's page in CSS pixels; `05` takes all there is. */
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
 * The window for so much room: the tallest that fits, and all there is on what is narrower than most phones. The
 * flat `04` is for pages that are laid out wide, which ours is not, and `01` would leave half of a phone empty.
 */
export function windowFor(width: number, height: number): ChallengeWindow {
  const fits = (['03', '02'] as const).find(
    (name) => challengeWindows[name][0] <= width && challengeWindows[name][1] <= height,
  );
  return fits ?? '05';
}

/** Posted to the bank's method page as base64url of its JSON, in a field of the same name. */
export interface ThreeDSMethodData {
  readonly threeDSServerTransID: string;
  readonly threeDSMethodNotificationURL: string;
}
export const METHOD_FIELD = 'threeDSMethodData';

/** Posted to the bank's challenge page as base64url of its JSON, in the field `creq`. */
export interface ChallengeRequest {
  readonly messageType: 'CReq';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeWindowSize: ChallengeWindow;
}
export const CREQ_FIELD = 'creq';

/** What the bank's page posts back when the challenge is over. It only tells the browser to go on. */
export interface ChallengeResponse {
  readonly messageType: 'CRes';
  readonly messageVersion: string;
  readonly threeDSServerTransID: string;
  readonly acsTransID: string;
  readonly challengeCompletionInd: 'Y' | 'N';
  readonly transStatus: 'Y' | 'N';
}
export const CRES_FIELD = 'cres';
