/**
 * A complete checkout with Florin. Buy lets the server create the order, the form verifies the card,
 * the server confirms the payment, the form shows the outcome.
 */
{
  const byId = (id) => document.getElementById(id);
  const [button, message, receipt] = [byId('pay'), byId('message'), byId('receipt')];
  const [buyButton, offer, checkout] = [byId('buy'), byId('offer'), byId('checkout').parentElement];
  const label = button.textContent;
  const brandNames = {
    visa: 'Visa',
    mastercard: 'Mastercard',
    amex: 'American Express',
    discover: 'Discover',
  };

  async function post(path) {
    const response = await fetch(path, { method: 'POST' }).catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    if (response?.ok) return body;
    throw new Error(
      body?.message ??
        body?.errors?.[0]?.detail ??
        'The shop does not answer. Try again in a moment.',
    );
  }

  /** Options that demonstrate the form's modes. A real shop uses one fixed mode. */
  function readOptions() {
    const wanted = new URLSearchParams(location.search);
    const wallets = wanted.get('wallets') === 'true';
    return {
      formFactor: wanted.get('form') ?? undefined,
      locale: wanted.get('locale') ?? undefined,
      applePay: wallets,
      googlePay: wallets,
    };
  }

  const options = readOptions();
  const currency = new URLSearchParams(location.search).get('currency') === 'EUR' ? 'EUR' : 'USD';
  const embedded = options.formFactor === 'embedded';

  function say(text) {
    message.textContent = text;
  }

  function setBusy(text) {
    button.setAttribute('aria-busy', String(text !== undefined));
    button.textContent = text ?? label;
  }

  function showReceipt({ brand, last_four }, payment) {
    byId('card').textContent = `${brandNames[brand] ?? 'payment'} card ending in ${last_four}`;
    byId('payment').textContent = payment;
    checkout.hidden = true;
    receipt.hidden = false;
    byId('thanks').focus();
  }

  // The form itself shows errors of a card beside the field.
  const isShownByForm = ({ type, detail }) =>
    type === 'payment_method_failed' ||
    (type === 'payment_failed' && embedded) ||
    (type === 'payment_method_error' && detail.code !== 'form_unavailable');

  /** Time after which an outcome counts as slow: most banks answer within a few seconds. */
  const SLOW_MS = 20_000;

  async function pay(florin, { payment_id: payment, signature }, detail) {
    setBusy('Paying…');
    const slow = setTimeout(() => {
      // The embedded form says so itself.
      if (!embedded) say('We are checking with the bank. Do not pay again.');
    }, SLOW_MS);
    try {
      await post(`/shop/orders/${payment}/pay?signature=${signature}`);
      await florin.listenToPayment(payment);
    } finally {
      clearTimeout(slow);
      say('');
    }
    showReceipt(detail, payment);
  }

  async function attempt(work) {
    if (button.getAttribute('aria-busy') === 'true') return;
    say('');
    setBusy('Checking the card…');
    try {
      await work();
    } catch (error) {
      if (!isShownByForm(error)) say(error.message);
      setBusy();
    }
  }

  function mountForm(order) {
    const florin = new window.Florin(order.publishable_key, options);
    florin.on('payment_method_changed', () => {
      button.disabled = false;
    });
    // Wallets and the form's own button verify without a call from this page. After its own call
    // of `verify`, the page ignores the event.
    florin.on('payment_method_verified', ({ detail }) => attempt(() => pay(florin, order, detail)));
    florin.mountPaymentForm('payment-form', order.payment_id);
    button.hidden = embedded;
    // Enter in the card form submits the form around it too.
    button.form.addEventListener('submit', (event) => {
      event.preventDefault();
      attempt(async () => {
        const { detail } = await florin.verifyPaymentMethod();
        await pay(florin, order, detail);
      });
    });
  }

  /** Orders, and shows the form of the payment. After an error the button orders again. */
  async function buy() {
    buyButton.disabled = true;
    byId('problem').textContent = '';
    try {
      if (!window.Florin) throw new Error('The payment form could not be loaded. Reload the page.');
      const order = await post(`/shop/orders?currency=${currency}`);
      [offer.hidden, checkout.hidden] = [true, false];
      mountForm(order);
      byId('checkout').focus();
    } catch (error) {
      byId('problem').textContent = error.message;
      buyButton.disabled = false;
    }
  }

  buyButton.addEventListener('click', buy);
  buyButton.disabled = false;
}
