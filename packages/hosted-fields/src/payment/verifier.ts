import type { FrameConfig, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Api } from '../api.ts';
import type { CardForm } from '../form/card-form.ts';
import type { CardEntry } from '../form/checks.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { Outcome } from './outcome.ts';

export interface VerifierOptions {
  readonly config: FrameConfig;
  readonly form: CardForm;
  readonly sealer: Sealer;
  readonly api: Api;
  readonly onSend: () => void;
}

/** Has the entered card verified, once per entry. */
export interface Verifier {
  verify(signal: AbortSignal): Promise<Outcome>;
  /** The card was edited, or its payment failed: it must be verified anew. */
  reset(): void;
}

export function createVerifier(options: VerifierOptions): Verifier {
  const { form, sealer } = options;
  let verified: Outcome | undefined;
  return {
    async verify(signal) {
      if (verified) return verified;
      const entry = form.submit();
      if (!entry) return problem('invalid_card', 'Check the card details.');
      const answer = await send(options, entry, signal);
      if (!answer) return unanswered(form, signal);
      form.forgetCvv();
      sealer.forget();
      const outcome = outcomeOf(answer);
      if (outcome.name === 'payment_method_verified') verified = outcome;
      else form.announce(answer.detail.message ?? '');
      return outcome;
    },
    reset() {
      verified = undefined;
    },
  };
}

async function send(
  { config, form, sealer, api, onSend }: VerifierOptions,
  entry: CardEntry,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  form.announce('');
  form.busy(true);
  try {
    const sealed = await sealer.seal(entry);
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return await api.verify({ session: config.session, ...sealed, timezone }, signal);
  } catch {
    return unsealable;
  } finally {
    form.busy(false);
  }
}

/** No WebCrypto, or a key that it does not take. The cause is left out: it tells a cardholder nothing. */
const unsealable: VerifyAnswer = {
  result: 'error',
  detail: {
    code: 'sealing_failed',
    message: 'This browser could not encrypt the card. Update it, or try another one.',
  },
};

const problem = (code: string, message: string): Outcome => ({
  name: 'payment_method_error',
  detail: { code, message },
});

/** The card stays in the form: sending it again is the same verification, not a second one. */
function unanswered(form: CardForm, { aborted }: AbortSignal): Outcome {
  const message = 'The card could not be sent. Check your connection and try again.';
  if (!aborted) form.announce(message);
  return problem('network', message);
}

const names = {
  verified: 'payment_method_verified',
  failed: 'payment_method_failed',
  error: 'payment_method_error',
} as const satisfies Record<VerifyAnswer['result'], string>;

const outcomeOf = ({ result, detail }: VerifyAnswer): Outcome => ({ name: names[result], detail });
