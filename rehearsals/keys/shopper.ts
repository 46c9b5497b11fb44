import {
  callPay,
  mountForm,
  type PayAnswer,
  sealCard,
} from '../../packages/server/tests/support/form.ts';
import type { AcceptedPayment, Payer, Resource } from '../support/payer.ts';

/** A form that a customer has open. */
export interface OpenForm {
  readonly payment: Resource;
  readonly config: Awaited<ReturnType<typeof mountForm>>;
}

/** A customer who types a new card into the form for each payment. */
export interface Shopper {
  openForm(key: string): Promise<OpenForm>;
  /** Types the card, and pays. Rejects if the form is refused. */
  submit(form: OpenForm): Promise<Resource>;
  /** Charges the card of an earlier payment. */
  chargeAgain(key: string, payment: Resource): Promise<Resource>;
  readonly accepted: readonly AcceptedPayment[];
}

interface Shop {
  readonly payUrl: string;
  readonly publishable_key: string;
  /** Called for a form that is not answered, or with an error. */
  readonly onFailure: (text: string, began: number) => void;
}

const ORDER = { amount_currency: 'USD', purchase_kind: 'order', amount_cents: 2_500 };
/** Longer than the restart of the server that has the form. */
const ANSWER_LIMIT_MS = 120_000;
const PAUSE_MS = 250;

export function createShopper(payer: Payer, shop: Shop): Shopper {
  const accepted: AcceptedPayment[] = [];
  const form = (ask: () => Promise<PayAnswer>) => repeat(ask, shop.onFailure);
  const order = async (key: string, attributes: object, related: Record<string, Resource>) => {
    const payment = await payer.make(
      key,
      'payment_demands',
      { ...ORDER, ...attributes, purchase_reference: key },
      { ...payer.parties(), ...related },
    );
    accepted.push({ id: payment.id, amount_cents: ORDER.amount_cents });
    return payment;
  };
  return {
    accepted,
    async openForm(key) {
      const payment = await order(key, { confirmed: false }, {});
      const path = `/pay/${payment.id}?key=${shop.publishable_key}`;
      const configs: OpenForm['config'][] = [];
      await form(async () => {
        const answer = await callPay(shop, path);
        if (answer.status < 400)
          configs.push(await mountForm(shop, payment.id, shop.publishable_key));
        return answer;
      });
      return { payment, config: configs[0] as OpenForm['config'] };
    },
    async submit({ payment, config }) {
      // A repetition has the same texts, as that of the real form: others would count as further tries.
      const card = await sealCard(config);
      await form(() => callPay(shop, config.verify_url, card));
      await payer.send('PATCH', `/v2/payment_demands/${payment.id}/confirm`, `${payment.id} pay`);
      return payer.waitForOutcome(payment.id);
    },
    async chargeAgain(key, payment) {
      const payment_method = payment.relationships?.payment_method?.data as Resource;
      const { id } = await order(key, { confirmed: true }, { payment_method });
      return payer.waitForOutcome(id);
    },
  };
}

/** Repeats a request until it has an answer that is no fault of the server. Rejects if that refuses it. */
async function repeat(ask: () => Promise<PayAnswer>, onFailure: Shop['onFailure']): Promise<void> {
  const deadline = performance.now() + ANSWER_LIMIT_MS;
  for (;;) {
    const began = performance.now();
    const answer = await ask().catch(() => undefined);
    if (answer && answer.status < 400) return;
    const failure = answer ? `form ${answer.status}` : 'form connection broken';
    onFailure(failure, began);
    if ((answer && answer.status < 500) || began > deadline)
      throw new Error(`${failure}: ${answer?.text.slice(0, 300) ?? ''}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
