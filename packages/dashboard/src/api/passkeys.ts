import { callDashboard } from './client.ts';

/** The library is loaded where somebody uses a passkey. */
const library = () => import('@simplewebauthn/browser');

type Options = Awaited<ReturnType<typeof library>>['startAuthentication'] extends (
  given: infer G,
) => unknown
  ? G extends { optionsJSON: infer O }
    ? O
    : never
  : never;
type NewOptions = Awaited<ReturnType<typeof library>>['startRegistration'] extends (
  given: infer G,
) => unknown
  ? G extends { optionsJSON: infer O }
    ? O
    : never
  : never;

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Has the browser sign a challenge with a passkey of its person; rejects where they do not want to. */
export async function signWithPasskey(): Promise<object> {
  const optionsJSON = await callDashboard<Options>('session/passkey/options', { method: 'POST' });
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON });
}

/** Has the browser make a passkey; rejects where its person does not want to. */
export async function makePasskey(): Promise<object> {
  const optionsJSON = await callDashboard<NewOptions>('account/passkeys/options', {
    method: 'POST',
  });
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON });
}
