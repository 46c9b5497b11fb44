/**
 * A whole checkout with Florin: the server makes the order, the form verifies the card, the server
 * confirms the payment, and the form tells how it went.
 */
(async () => {
  const byId = (id) => document.getElementById(id);
  const [button, message, receipt] = [byId('pay'), byId('message'), byId('receipt')];
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
    throw new Error(body?.message ?? 'The shop does not answer. Try again in a moment.');
  }

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
    byId('checkout').parentElement.hidden = true;
    receipt.hidden = false;
    byId('thanks').focus();
  }

  // The form itself says what is wrong with a card, beside the field.
  const isShownByForm = ({ type, detail }) =>
    type === 'payment_method_failed' ||
    (type === 'payment_method_error' && detail.code !== 'form_unavailable');

  async function pay(florin, { payment_id: payment, signature }) {
    const { detail } = await florin.verifyPaymentMethod();
    setBusy('Paying…');
    await post(`/shop/orders/${payment}/pay?signature=${signature}`);
    await florin.listenToPayment(payment);
    showReceipt(detail, payment);
  }

  async function onPay(florin, order) {
    if (button.getAttribute('aria-busy') === 'true') return;
    say('');
    setBusy('Checking the card…');
    try {
      await pay(florin, order);
    } catch (error) {
      if (!isShownByForm(error)) say(error.message);
      setBusy();
    }
  }

  try {
    if (!window.Florin) throw new Error('The payment form could not be loaded. Reload the page.');
    const order = await post('/shop/orders');
    const florin = new window.Florin(order.publishable_key);
    florin.on('payment_method_changed', () => {
      button.disabled = false;
    });
    florin.mountPaymentForm('payment-form', order.payment_id);
    button.addEventListener('click', () => onPay(florin, order));
  } catch (error) {
    say(error.message);
  }
})();
