import { callDashboard } from './client.ts';

/** The library is loaded where somebody uses a passkey. */
const library = () => import('@simplewebauthn/browser');

type Library = Awaited<ReturnType<typeof library>>;

/** What a function of the library is told by the server. */
type OptionsOf<Name extends 'startAuthentication' | 'startRegistration'> = Parameters<
  Library[Name]
>[0]['optionsJSON'];

export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Has the browser sign a challenge with a passkey of its person; rejects where they do not want to. */
export async function signWithPasskey(): Promise<object> {
  const optionsJSON = await callDashboard<OptionsOf<'startAuthentication'>>(
    'session/passkey/options',
    { method: 'POST' },
  );
  const { startAuthentication } = await library();
  return startAuthentication({ optionsJSON });
}

/** Has the browser make a passkey; rejects where its person does not want to. */
export async function makePasskey(): Promise<object> {
  const optionsJSON = await callDashboard<OptionsOf<'startRegistration'>>(
    'account/passkeys/options',
    {
      method: 'POST',
    },
  );
  const { startRegistration } = await library();
  return startRegistration({ optionsJSON });
}
