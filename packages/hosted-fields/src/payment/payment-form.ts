import type {
  FrameToHost,
  HostToFrame,
  SdkEventDetail,
  SdkEventName,
} from '@florin/contract/protocol/frame.ts';
import { connectHost, type Host } from '../host.ts';
import { localised, type Texts } from '../texts.ts';
import type { Outcome } from './outcome.ts';
import { createParts, type PartsOptions } from './parts.ts';

/** Maximum time that an unsent verification value stays in memory, in milliseconds. */
const IDLE_MS = 600_000;

/** Connects the card form with the page that mounted the form. */
export class PaymentForm {
  readonly #options: PartsOptions;
  readonly #text: Texts;
  readonly #parts: ReturnType<typeof createParts>;
  #host: Host | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** Whether the latest attempt was sent. If not, its problems are shown beside the fields. */
  #sent = false;

  constructor(options: PartsOptions) {
    this.#options = options;
    this.#text = options.text;
    this.#parts = createParts(options, {
      onEdit: () => this.#edited(),
      onEnter: () => this.#send({ t: 'enter' }),
      onReadiness: (detail) => this.#raise('payment_method_changed', detail),
      onSend: () => this.#sending(),
      onOverlay: (on) => this.#send({ t: 'overlay', on }),
      onOutcome: (outcome, id) => this.#verified(outcome, id),
      onPaymentOutcome: (outcome) => this.#finishPayment(outcome),
    });
  }

  get root(): HTMLElement {
    return this.#parts.form.root;
  }

  /** Sends a hello to the page. `onConnect` receives the function that reports the form's height. */
  connect(onConnect: (reportHeight: (height: number) => void) => void): void {
    const { attempts, overlay, readiness, verifier } = this.#parts;
    this.#host = connectHost({
      config: this.#options.config,
      title: this.#text('title'),
      onMessage: (message) => this.#receive(message),
      onConnect: () => {
        // While an overlay fills the window, the form's height is not reported.
        onConnect((height) => overlay.isOpen() || this.#send({ t: 'size', height }));
        readiness.repeat();
        if (verifier.isWaiting()) attempts.start();
      },
    });
  }

  #receive(message: HostToFrame): void {
    const { attempts, follower } = this.#parts;
    if (message.t === 'verify') attempts.start(message.id);
    if (message.t === 'listen') void follower.listen();
    if (message.t === 'cancel') attempts.cancel(message.id);
  }

  #edited(): void {
    this.#parts.verifier.reset();
    this.#parts.readiness.report();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#clear(), IDLE_MS);
  }

  #clear(): void {
    const { form, sealer, readiness } = this.#parts;
    if (form.entry().cvv === '') return;
    form.clearCvv();
    sealer.clear();
    readiness.report();
  }

  #sending(): void {
    this.#sent = true;
    this.#parts.form.payment('paying');
    this.#raise('payment_method_verifying', { brand: this.#parts.form.brand() });
  }

  #verified({ name, detail: plain }: Outcome, id: number | undefined): void {
    const detail = localised(this.#text, plain);
    if (id !== undefined) this.#send({ t: 'result', id, name, detail });
    // A closed wallet sheet is reported only to a page that requested the verification.
    else if (detail.code !== 'wallet_cancelled') this.#raise(name, detail);
    if (name === 'payment_method_verified') void this.#parts.follower.start();
    else this.#reopen(this.#sent ? detail.message : undefined);
    if (name === 'payment_timeout') this.#parts.follower.stop();
    this.#sent = false;
  }

  #finishPayment({ name, detail: plain }: Outcome): void {
    const known = localised(this.#text, plain);
    // After a timeout the payment may have succeeded: "Try again" would be wrong.
    const isUnknown = name === 'payment_timeout';
    const detail = isUnknown ? { ...known, message: this.#text('outcome_unknown') } : known;
    const { form, verifier } = this.#parts;
    form.announce('');
    this.#raise(name, detail);
    if (name === 'payment_approved' || name === 'subscription_approved') {
      form.busy(true);
      form.payment('paid');
      return;
    }
    verifier.reset();
    // Without a pay button of its own, the form leaves the message to the page.
    this.#reopen(this.#options.embed ? detail.message : undefined);
  }

  #reopen(message = ''): void {
    if (message) this.#parts.form.announce(message);
    this.#parts.form.payment('open');
    this.#parts.readiness.report();
  }

  #raise(name: SdkEventName, detail: SdkEventDetail): void {
    this.#send({ t: 'event', name, detail });
  }

  #send(message: FrameToHost): void {
    this.#host?.send(message);
  }
}
