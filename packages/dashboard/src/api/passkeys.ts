import { callDashboard } from './client.ts';

/** Loaded on first use, because few visits use passkeys. */
const loadLibrary = () => import('@simplewebauthn/browser');

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Options for a function of the library, created by the server. */
type OptionsOf<Name extends 'startAuthentication' | 'startRegistration'> = Parameters<
  Library[Name]
>[0]['optionsJSON'];

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Signs a challenge with a passkey. Rejects when the person cancels. */
export async function signWithPasskey(): Promise<object> {
  const optionsJSON = await callDashboard<OptionsOf<'startAuthentication'>>(
    'session/passkey/options',
    { method: 'POST' },
  );
  const { startAuthentication } = await loadLibrary();
  return startAuthentication({ optionsJSON });
}

/** Creates a passkey. Rejects when the person cancels. */
export async function makePasskey(): Promise<object> {
  const optionsJSON = await callDashboard<OptionsOf<'startRegistration'>>(
    'account/passkeys/options',
    {
      method: 'POST',
    },
  );
  const { startRegistration } = await loadLibrary();
  return startRegistration({ optionsJSON });
}
