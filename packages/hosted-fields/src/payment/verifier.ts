import type { FrameConfig, VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Api } from '../api.ts';
import type { CardForm } from '../form/card-form.ts';
import type { CardEntry } from '../form/checks.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { Bank } from './bank.ts';
import type { Outcome } from './outcome.ts';

export interface VerifierOptions {
  readonly config: FrameConfig;
  readonly form: CardForm;
  readonly sealer: Sealer;
  readonly api: Api;
  readonly bank: Bank;
  readonly onSend: () => void;
}

/** Has the entered card verified, once per entry. */
export interface Verifier {
  verify(signal: AbortSignal): Promise<Outcome>;
  /** The card was edited, or its payment failed: it must be verified anew. */
  reset(): void;
  /** Whether the next verification is of a card whose challenge was left open when the form was left. */
  isWaiting(): boolean;
}

export function createVerifier(options: VerifierOptions): Verifier {
  const { form, sealer, bank } = options;
  let verified: Outcome | undefined;
  return {
    async verify(signal) {
      if (verified) return verified;
      const answer = bank.isWaiting() ? await resume(options, signal) : await enter(signal);
      const outcome = outcomeOf(answer ?? problem('network'));
      if (outcome.name === 'payment_method_verified') verified = outcome;
      return outcome;
    },
    reset() {
      verified = undefined;
      bank.typed(form.entry().number);
    },
    isWaiting: bank.isWaiting,
  };

  async function enter(signal: AbortSignal): Promise<VerifyAnswer | undefined> {
    const entry = form.submit();
    if (!entry) return problem('invalid_card');
    const answer = await send(options, entry, signal);
    // Without an answer the card stays in the form: sending it again is the same verification, not a second one.
    if (!answer) return undefined;
    form.forgetCvv();
    sealer.forget();
    return locked(form, () => bank.follow(answer, signal));
  }
}

/** Nothing can be typed while the bank is at work. */
async function locked<T>(form: CardForm, work: () => Promise<T>): Promise<T> {
  form.busy(true);
  try {
    return await work();
  } finally {
    form.busy(false);
  }
}

function resume(
  { form, bank, onSend }: VerifierOptions,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  return locked(form, () => bank.resume(signal));
}

async function send(
  { config, form, sealer, bank, api, onSend }: VerifierOptions,
  entry: CardEntry,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  form.announce('');
  form.busy(true);
  try {
    const introduction = await bank.introduce(entry.number);
    const sealed = await sealer.seal(entry);
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const billing_address = form.address();
    const place = { timezone, ...(billing_address && { billing_address }) };
    const { session } = config;
    return await api.verify({ session, ...sealed, ...place, ...introduction }, signal);
  } catch {
    return unsealable;
  } finally {
    form.busy(false);
  }
}

/** The form has the words for it in its own language. */
const problem = (code: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message: '' },
});

/** No WebCrypto, or a key that it does not take. The cause is left out: it tells a cardholder nothing. */
const unsealable = problem('sealing_failed');

/** A challenge that nobody goes through counts as a failure. */
const outcomeOf = ({ result, detail }: VerifyAnswer): Outcome => ({
  name: `payment_method_${result === 'challenge' ? 'failed' : result}`,
  detail,
});
