import { ABANDONED, type FrameConfig, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Api, AttemptIdentity } from '../api.ts';
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

/** Verifies the entered card, once per entry. */
export interface Verifier {
  verify(signal: AbortSignal): Promise<Outcome>;
  /** Verifies a card that was not entered in the form, such as a wallet's card. */
  verifyOther(work: VerifierWork, signal: AbortSignal): Promise<Outcome>;
  /**
   * Asks the server to abandon the running verification. Resolves to undefined if none runs or no response arrives.
   */
  abandon(): Promise<Outcome | undefined>;
  /** Requires a new verification, because the card was edited or its payment failed. */
  reset(): void;
  /** Whether the next verification resumes a challenge that was open when the cardholder left the form. */
  isWaiting(): boolean;
}

/** A running verification with its id at the server; the id is set when the request is sent. */
export interface PendingEntry {
  name: AttemptIdentity | undefined;
}

/** Verifies a card, and records the verification's id at the server as soon as it is known. */
export type VerifierWork = (mine: PendingEntry) => Promise<VerifyAnswer | undefined>;

export function createVerifier(options: VerifierOptions): Verifier {
  const { form, sealer, bank, api } = options;
  let verified: Outcome | undefined;
  let current: PendingEntry | undefined;
  return {
    async verify(signal) {
      if (verified) return verified;
      return run(
        (mine) => (bank.isWaiting() ? resume(options, mine, signal) : enter(mine, signal)),
        signal,
      );
    },
    verifyOther: run,
    async abandon() {
      if (!current) return undefined;
      const { name } = current;
      const verifyAnswer = name ? await api.abandon(name) : problem(ABANDONED);
      if (!verifyAnswer) return undefined;
      sealer.clear();
      return take(Promise.resolve(verifyAnswer));
    },
    reset() {
      verified = undefined;
      bank.typed(form.entry().number);
    },
    isWaiting: bank.isWaiting,
  };

  async function run(work: VerifierWork, signal: AbortSignal): Promise<Outcome> {
    const entry: PendingEntry = { name: undefined };
    current = entry;
    const outcome = await take(work(entry), signal);
    if (current === entry) current = undefined;
    return outcome;
  }

  async function take(
    answer: Promise<VerifyAnswer | undefined>,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const outcome = outcomeOf((await answer) ?? problem('network'));
    if (signal?.aborted) return outcome;
    // A closed wallet sheet leaves the earlier card verified.
    if (outcome.detail.code === 'wallet_cancelled') return outcome;
    verified = outcome.name === 'payment_method_verified' ? outcome : undefined;
    return outcome;
  }

  async function enter(mine: PendingEntry, signal: AbortSignal): Promise<VerifyAnswer | undefined> {
    const entry = form.submit();
    if (!entry) return problem('invalid_card');
    const answer = await send(options, entry, mine, signal);
    // Without a response the card stays in the form, so that a retry repeats the same verification.
    if (!answer) return undefined;
    sealer.clear();
    const { field } = answer.detail;
    if (field) {
      form.refuseAddress(field);
      return answer;
    }
    form.clearCvv();
    return withLockedForm(form, () => bank.follow(answer, signal));
  }
}

/** Blocks input while the bank authenticates the cardholder. */
async function withLockedForm<T>(form: CardForm, work: () => Promise<T>): Promise<T> {
  form.busy(true);
  try {
    return await work();
  } finally {
    form.busy(false);
  }
}

function resume(
  { config, form, bank, onSend }: VerifierOptions,
  mine: PendingEntry,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  const authentication = config.threeds?.waiting?.authentication;
  mine.name = authentication === undefined ? undefined : { authentication };
  return withLockedForm(form, () => bank.resume(signal));
}

async function send(
  { config, form, sealer, bank, api, onSend }: VerifierOptions,
  entry: CardEntry,
  mine: PendingEntry,
  signal: AbortSignal,
): Promise<VerifyAnswer | undefined> {
  onSend();
  form.announce('');
  form.busy(true);
  try {
    const introduction = await bank.prepare(entry.number);
    const sealed = await sealer.seal(entry);
    mine.name = { attempt: sealed.attempt };
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const billing_address = form.address();
    const addressFields = { timezone, ...(billing_address && { billing_address }) };
    const { session } = config;
    return await api.verify({ session, ...sealed, ...addressFields, ...introduction }, signal);
  } catch {
    return unsealable;
  } finally {
    form.busy(false);
  }
}

/** Refusal with only a code: the form has its own text for each code. */
const problem = (code: string): VerifyAnswer => ({
  result: 'error',
  detail: { code, message: '' },
});

/** The browser has no WebCrypto, or the key is unusable. The cause would not help a cardholder. */
const unsealable = problem('sealing_failed');

/** A challenge without a result counts as a failure. */
const outcomeOf = ({ result, detail }: VerifyAnswer): Outcome => ({
  name: `payment_method_${result === 'challenge' ? 'failed' : result}`,
  detail,
});
