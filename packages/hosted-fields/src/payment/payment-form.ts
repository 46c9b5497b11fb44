import {
  type FrameConfig,
  type HostToFrame,
  type SdkEventDetail,
  type SdkEventName,
  sidOf,
} from '@florin/contract/protocol/frame.ts';
import { createApi } from '../api.ts';
import { serverClock } from '../config.ts';
import { createCardForm } from '../form/card-form.ts';
import { connectHost } from '../host.ts';
import { createSealer } from '../seal/sealer.ts';
import { createFollower } from './follower.ts';
import type { Outcome } from './outcome.ts';
import { createReadiness } from './readiness.ts';
import { createVerifier } from './verifier.ts';

/** A verification value that nobody sends is not kept for longer. */
const IDLE_MS = 600_000;

export interface PaymentForm {
  readonly root: HTMLElement;
  /** Says hello to the page around it; `onConnect` gets the way to tell it the form's height. */
  connect(onConnect: (tellHeight: (height: number) => void) => void): void;
}

/** The card form and its conversation with the page that mounted it. */
export function createPaymentForm(config: FrameConfig): PaymentForm {
  const now = serverClock(config);
  const api = createApi(config);
  const sealer = createSealer({ key: config.sealing_key, sid: sidOf(config.session) }, now);
  const form = createCardForm({ now: () => new Date(now()), onEdit: () => edited() });
  const raise = (name: SdkEventName, detail: SdkEventDetail): void =>
    host?.send({ t: 'event', name, detail });
  const readiness = createReadiness(form, (detail) => raise('payment_method_changed', detail));
  const onSend = (): void => raise('payment_method_verifying', { brand: form.brand() });
  const verifier = createVerifier({ config, form, sealer, api, onSend });
  const follower = createFollower({ status: api.status, now }, settled);

  let host: ReturnType<typeof connectHost> | undefined;
  let verification: { readonly id: number; readonly controller: AbortController } | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function edited(): void {
    verifier.reset();
    readiness.tell();
    clearTimeout(idle);
    idle = setTimeout(forget, IDLE_MS);
  }

  function forget(): void {
    if (form.entry().cvv === '') return;
    form.forgetCvv();
    sealer.forget();
    readiness.tell();
  }

  async function verify(id: number): Promise<void> {
    verification?.controller.abort();
    const controller = new AbortController();
    verification = { id, controller };
    const outcome = await verifier.verify(controller.signal);
    if (controller.signal.aborted) return;
    host?.send({ t: 'result', id, ...outcome });
    if (outcome.name === 'payment_method_verified') void follower.start();
    else readiness.tell();
  }

  function settled({ name, detail }: Outcome): void {
    raise(name, detail);
    if (name === 'payment_approved' || name === 'subscription_approved') {
      form.busy(true);
    } else {
      verifier.reset();
      readiness.tell();
    }
  }

  function onMessage(message: HostToFrame): void {
    if (message.t === 'verify') void verify(message.id);
    if (message.t === 'listen') void follower.listen();
    if (message.t === 'cancel' && message.id === verification?.id) {
      verification.controller.abort();
      follower.stop();
    }
  }

  return {
    root: form.root,
    connect(onConnect) {
      host = connectHost({
        config,
        onMessage,
        onConnect() {
          onConnect((height) => host?.send({ t: 'size', height }));
          readiness.tellAgain();
        },
      });
    },
  };
}
