import { resultsOrigin } from '../../../config/config.ts';
import type { Services } from '../../../services.ts';
import {
  type AuthenticationKey,
  createSignedReferences,
  type SignedReferences,
} from './signed-references.ts';

/**
 * Paths for the browser on the form's origin, and for the directory server on the interface's
 * origin. A signed reference follows each path.
 */
export const threedsPaths = {
  method: '/threeds/v1/method',
  challenge: '/threeds/v1/challenge',
  /**
   * Suffixes of the challenge path. `tab`: the issuer's page in a tab. `unframed`: our page in the
   * frame, if the issuer forbids frames.
   */
  tab: '/tab',
  unframed: '/unframed',
  /** Suffix of the method and challenge paths. The issuer sends the browser back there. */
  done: '/done',
  results: '/threeds/v1/results',
} as const;

/** Dependencies of 3-D Secure authentications. */
export interface ThreeDSecure {
  readonly services: Services;
  readonly signed_references: SignedReferences;
}

export const createThreeDSecure = (services: Services): ThreeDSecure => ({
  services,
  signed_references: createSignedReferences(services.instance_secrets.ringOf('authentications')),
});

/** External URLs of one authentication. */
export function addressesOf({ services, signed_references }: ThreeDSecure, key: AuthenticationKey) {
  const { config } = services;
  const browserReference = signed_references.sign('browser', key);
  return {
    handle: browserReference,
    method_page: `${threedsPaths.method}/${browserReference}`,
    method_return: `${config.pay_url}${threedsPaths.method}/${browserReference}${threedsPaths.done}`,
    challenge_page: `${threedsPaths.challenge}/${browserReference}`,
    challenge_tab: `${threedsPaths.challenge}/${browserReference}${threedsPaths.tab}`,
    challenge_return: `${config.pay_url}${threedsPaths.challenge}/${browserReference}${threedsPaths.done}`,
    results: `${resultsOrigin(config)}${threedsPaths.results}/${signed_references.sign('directory', key)}`,
  };
}
