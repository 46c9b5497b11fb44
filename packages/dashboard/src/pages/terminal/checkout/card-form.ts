import { callDashboard } from '../../../api/client.ts';
import type { Scope } from '../../../api/types.ts';
import type { CheckoutType } from './use-intent.ts';

/** The part of the browser SDK that the dashboard uses. */
export interface CardForm {
  mountPaymentForm(container_id: string, id: string): HTMLIFrameElement;
  verifyPaymentMethod(): Promise<unknown>;
  destroy(): void;
}

interface Sdk {
  readonly Florin: new (
    key: string,
    options: { readonly host: string; readonly locale: string },
  ) => CardForm;
}

/** The server serves the SDK on this origin, because the policy of the page allows no scripts of others. */
const SDK_URL = '/dashboard/sdk/florin.mjs';

const paths = { payment_demands: 'payments', payment_subscriptions: 'subscriptions' } as const;

interface FormOptions {
  readonly scope: Scope;
  readonly type: CheckoutType;
  readonly id: string;
  /** Origin of the card form. */
  readonly host: string;
  readonly locale: string;
}

/** Creates the card form of a payment or subscription, in a frame of another origin. */
export async function createCardForm(options: FormOptions): Promise<CardForm> {
  const { scope, type, id, host, locale } = options;
  const [{ key }, { Florin }] = await Promise.all([
    callDashboard<{ readonly key: string }>(`${paths[type]}/${id}/card-form`, {
      method: 'POST',
      scope,
    }),
    import(/* @vite-ignore */ SDK_URL) as Promise<Sdk>,
  ]);
  return new Florin(key, { host, locale });
}
