import {
  ABANDON_GRACE_MS,
  type ColorScheme,
  FORM_PARAMETER,
  type FrameOptions,
  type FrameToHost,
  ISOLATED_PARAMETER,
  LOCALE_PARAMETER,
  type SdkEventDetail,
  type SdkEventName,
} from '@florin/contract/protocol/frame.ts';
import { type Deferred, defer } from './deferred.ts';
import {
  createEmitter,
  FlorinError,
  type FlorinEvent,
  type FlorinHandler,
  isTerminal,
} from './events.ts';
import { createFrame, pressDefaultButton, setHeight, setOverlay } from './frame-element.ts';
import { createFrameLink, type FrameLink } from './frame-link.ts';
import { originOf } from './host.ts';
import { checkPublishableKey } from './key.ts';
import { checkOptions, checkPaymentId, checkTimeout, type FlorinOptions } from './options.ts';
import { surroundingScheme } from './scheme.ts';

/** Default time limit of a verification in milliseconds, long enough for a challenge by the cardholder's bank. */
const VERIFY_TIMEOUT_MS = 600_000;
/** The form reports the outcome of an abandoned attempt. This time-out covers a form that has stopped running. */
const SILENCE_MS = ABANDON_GRACE_MS + 1_000;

interface Verification {
  readonly id: number;
  timer: ReturnType<typeof setTimeout>;
  readonly done: Deferred<FlorinEvent>;
}

/** Mounts the payment form and reports its events to the page. Never handles a card number. */
export class Client {
  readonly #key: string;
  readonly #origin: string;
  readonly #options: FlorinOptions;
  readonly #emitter = createEmitter();
  #link: FrameLink | undefined;
  #payment_id: string | undefined;
  #verification: Verification | undefined;
  #verifications = 0;
  #isMissing = false;
  /** Outcome of the payment attempt that the latest verification began. */
  #outcome: Deferred<FlorinEvent> | undefined;

  constructor(publishableKey: string, options: FlorinOptions, script_url: string | undefined) {
    checkOptions(options);
    this.#key = checkPublishableKey(publishableKey);
    this.#origin = originOf(options.host, script_url);
    this.#options = options;
  }

  /**
   * Puts the form into the element with the id `containerId`, replaces its content, and returns the iframe. Mounting
   * again replaces the form. Throws if the element does not exist.
   */
  mountPaymentForm(containerId: string, paymentId: string): HTMLIFrameElement {
    const id = checkPaymentId(paymentId);
    const container = document.getElementById(containerId);
    if (!container) throw new Error(`Florin: there is no element with the id "${containerId}".`);
    this.#unmount();
    const { formFactor } = this.#options;
    const scheme = surroundingScheme(container);
    const frame = createFrame(this.#addressOf(id, scheme), formFactor, scheme);
    this.#link = createFrameLink({
      frame,
      origin: this.#origin,
      debug: this.#options.debug === true,
      onConnect: () => this.#resendQuestions(),
      onMessage: (message) => this.#receive(message),
      onMissing: () => this.#failMissing(),
    });
    this.#payment_id = id;
    container.replaceChildren(frame);
    return frame;
  }

  /** Calls the handler for each event of this name. Returns a function that removes the handler. */
  on<Name extends SdkEventName>(event: Name, handler: FlorinHandler<Name>): () => void {
    return this.#emitter.on(event, handler);
  }

  /**
   * Verifies the card in the form. Resolves with `payment_method_verified`, rejects with a `FlorinError`. Calls
   * during a verification return the same promise.
   *
   * @param timeoutMs Milliseconds until the verification is abandoned. Throws a `RangeError` outside a timer's range.
   * If abandoning comes too late, the real outcome follows within five seconds.
   */
  verifyPaymentMethod(timeoutMs: number = VERIFY_TIMEOUT_MS): Promise<FlorinEvent> {
    if (!this.#link) return Promise.reject(notMounted());
    if (this.#isMissing)
      return Promise.reject(new FlorinError('payment_method_error', UNAVAILABLE));
    this.#verification ??= this.#startVerification(checkTimeout(timeoutMs), this.#link);
    return this.#verification.done.promise;
  }

  /** Resolves with the approval of the mounted payment, and rejects with a `FlorinError` when it fails. */
  listenToPayment(paymentId: string | undefined = this.#payment_id): Promise<FlorinEvent> {
    if (!this.#link || paymentId !== this.#payment_id) return Promise.reject(notMounted());
    if (!this.#outcome) {
      this.#outcome = defer();
      this.#link.send({ t: 'listen' });
    }
    return this.#outcome.promise;
  }

  /** Removes the form and all handlers; pending promises reject with `destroyed`. */
  destroy(): void {
    this.#unmount();
    this.#emitter.clear();
  }

  #addressOf(payment_id: string, scheme: ColorScheme): string {
    const { locale, formFactor = 'inputs', applePay = false, googlePay = false } = this.#options;
    const parameters = {
      key: this.#key,
      [LOCALE_PARAMETER]: locale ?? document.documentElement.lang,
      [FORM_PARAMETER]: formFactor,
      [ISOLATED_PARAMETER]: crossOriginIsolated,
      applePay,
      googlePay,
    };
    // Browsers turn booleans into texts.
    const query = new URLSearchParams(parameters as unknown as Record<string, string>);
    // All options are passed on: the form ignores those that do not concern it.
    const options: FrameOptions = { scheme, ...this.#options };
    return `${this.#origin}/pay/${payment_id}?${query}#${encodeURIComponent(JSON.stringify(options))}`;
  }

  #startVerification(timeout_ms: number, link: FrameLink): Verification {
    this.#beginAttempt();
    const id = ++this.#verifications;
    link.send({ t: 'verify', id });
    return { id, timer: setTimeout(() => this.#abandon(link), timeout_ms), done: defer() };
  }

  #abandon(link: FrameLink): void {
    const verification = this.#verification;
    if (!verification) return;
    const isSent = link.send({ t: 'cancel', id: verification.id });
    verification.timer = setTimeout(
      () => this.#finish('payment_timeout', {}),
      isSent ? SILENCE_MS : 0,
    );
  }

  /** Discards the outcome of an earlier attempt, so that it cannot end the new attempt. */
  #beginAttempt(): void {
    if (this.#outcome?.settled) this.#outcome = undefined;
  }

  /** Sends every open question to the form again. */
  #resendQuestions(): void {
    this.#isMissing = false;
    if (this.#verification) this.#link?.send({ t: 'verify', id: this.#verification.id });
    if (this.#outcome?.settled === false) this.#link?.send({ t: 'listen' });
  }

  /** Fails open promises before their time-out, because the frame shows no form. */
  #failMissing(): void {
    this.#isMissing = true;
    // Browsers hide from scripts why a frame was refused, so the console message names the likely reason.
    console.error('Florin: no form. Is this origin among the `origins` of the key? See the frame.');
    this.#finish('payment_method_error', UNAVAILABLE);
    this.#outcome?.reject(new FlorinError('payment_method_error', UNAVAILABLE));
  }

  #receive(message: FrameToHost): void {
    const frame = this.#link?.frame;
    if (!frame) return;
    if (message.t === 'ready') frame.title = message.title;
    if (message.t === 'size') setHeight(frame, message.height);
    if (message.t === 'overlay') setOverlay(frame, message.on);
    if (message.t === 'enter') pressDefaultButton(frame);
    if (message.t === 'event') this.#emit(message.name, message.detail);
    if (message.t === 'result' && message.id === this.#verification?.id) {
      this.#finish(message.name, message.detail);
    }
  }

  #finish(name: SdkEventName, detail: SdkEventDetail): void {
    const verification = this.#verification;
    clearTimeout(verification?.timer);
    this.#verification = undefined;
    this.#emit(name, detail);
    if (name === 'payment_method_verified') verification?.done.resolve({ type: name, detail });
    else verification?.done.reject(new FlorinError(name, detail));
  }

  #emit(name: SdkEventName, detail: SdkEventDetail): void {
    if (name === 'payment_method_verifying') this.#beginAttempt();
    if (isTerminal(name) && this.#outcome?.settled) return;
    if (this.#options.debug) console.debug('[florin]', name, detail.code ?? '');
    this.#emitter.emit(name, detail);
    if (name === 'payment_method_changed') this.#emitter.emit('payment_method_ready', detail);
    if (isTerminal(name)) this.#finishOutcome(name, detail);
  }

  #finishOutcome(type: SdkEventName, detail: SdkEventDetail): void {
    this.#outcome ??= defer();
    if (type.endsWith('_approved')) this.#outcome.resolve({ type, detail });
    else this.#outcome.reject(new FlorinError(type, detail));
  }

  #unmount(): void {
    const destroyed = new FlorinError('destroyed', { message: 'The payment form was removed.' });
    clearTimeout(this.#verification?.timer);
    this.#verification?.done.reject(destroyed);
    this.#outcome?.reject(destroyed);
    this.#link?.close();
    this.#isMissing = false;
    this.#verification = this.#outcome = this.#link = this.#payment_id = undefined;
  }
}

const UNAVAILABLE: SdkEventDetail = {
  code: 'form_unavailable',
  message: 'The payment form could not be loaded. Reload the page.',
};

const notMounted = (): FlorinError =>
  new FlorinError('payment_method_error', {
    code: 'not_mounted',
    message: 'Call mountPaymentForm first.',
  });
