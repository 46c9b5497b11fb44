import {
  type FrameConfig,
  type SdkEventDetail,
  sidOf,
  type WalletName,
} from '@florin/contract/protocol/frame.ts';
import { createApi } from '../api.ts';
import { serverClock } from '../config.ts';
import { createCardForm } from '../form/card-form.ts';
import type { Embed } from '../form/embedded.ts';
import { createSealer } from '../seal/sealer.ts';
import type { Texts } from '../texts.ts';
import { createAttempts } from './attempts.ts';
import { createBank } from './bank.ts';
import { createFollower } from './follower.ts';
import type { Outcome } from './outcome.ts';
import { createOverlay } from './overlay.ts';
import { createReadiness } from './readiness.ts';
import { createVerifier } from './verifier.ts';
import type { Wallets } from './wallets.ts';

export interface PartsOptions {
  readonly config: FrameConfig;
  readonly text: Texts;
  /** Parts of an embedded form; absent if the page has its own pay button. */
  readonly embed: Embed | undefined;
  /** Wallets; absent if the page offers none. */
  readonly wallets: Wallets | undefined;
}

export interface PartsHandlers {
  onEdit(): void;
  onEnter(): void;
  onReadiness(detail: SdkEventDetail): void;
  onSend(): void;
  onOverlay(open: boolean): void;
  onOutcome(outcome: Outcome, id: number | undefined): void;
  onPaymentOutcome(outcome: Outcome): void;
}

/** Creates the form with its sealer, verifier and follower. */
export function createParts({ config, text, embed, wallets }: PartsOptions, on: PartsHandlers) {
  const now = serverClock(config);
  const api = createApi(config);
  const sealer = createSealer({ key: config.sealing_key, sid: sidOf(config.session) }, now);
  const { locale, amount_text: amount } = config;
  const form = createCardForm({
    text,
    now: () => new Date(now()),
    onEdit: on.onEdit,
    embed: embed && ((own) => embed({ text, locale, amount, ...own })),
    wallets: (onRefused) =>
      wallets?.section({ text, onPress: (wallet) => payBy(wallet), onRefused }, config.wallets),
    onPay: () => attempts.start(),
    onEnter: on.onEnter,
  });
  const overlay = createOverlay(on.onOverlay);
  const bank = createBank({ config, overlay, text });
  const verifier = createVerifier({ config, form, sealer, api, bank, onSend: on.onSend });
  const { verify, abandon } = verifier;
  const attempts = createAttempts({ verify, abandon, onOutcome: on.onOutcome });
  const payBy = (wallet: WalletName): void => {
    const parts = { config, text, form, overlay, bank, onSend: on.onSend };
    attempts.start(undefined, (signal) =>
      verifier.verifyOther(async (mine) => wallets?.verify(parts, wallet, mine, signal), signal),
    );
  };
  // Without a pay button of its own, the form leaves the message to the page.
  const onSlow = () => embed && form.announce(text('outcome_unknown'));
  const follower = createFollower({ status: api.status, now, onSlow }, on.onPaymentOutcome);
  const readiness = createReadiness(form, on.onReadiness);
  return { form, sealer, overlay, verifier, attempts, follower, readiness };
}
